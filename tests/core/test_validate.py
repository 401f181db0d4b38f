"""`run_after_setting_<entry>`: after what it runs, in which order it is recorded, and what it takes back (§3.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Corrected,
    CustomerSaid,
    FieldsSet,
    Stub,
    Stubbed,
)
from inspector_core.mantle.project import Button, Project, Response, Step, Variant
from inspector_core.tool import MemoryUse, Tool
from tests.core.handmade import HERE, Played, block, field, local, named, project, says, skill, trigger

CHECK = "run_after_setting_amount"
NO = Stub({"error": "too much"})
TAP = "set:session.pay.amount=900"


def agent(*tools: Tool) -> Project:
    fields = (
        field("pay.amount", "int", settable=True), field("pay.name", settable=True), field("pay.note"),
        field("pay.pin", scope="private"),
    )  # fmt: skip
    more = Response("utter_pick", (Variant("Pick.", HERE, buttons=(Button("900", TAP, HERE),)),), HERE, None)
    pay = skill(
        "pay", fields=fields, tools=(local(CHECK), local("run_after_setting_name"), local("send"), *tools),
        triggers=(trigger("utter_pick"), trigger("utter_set", "session.pay.amount != None"),)
    )  # fmt: skip
    ship = skill("ship", fields=(field("ship.day"), field("ship.secret", scope="private")))
    return project(pay, ship, fields=(field("project.plan"),), responses=(more, says("utter_set", "Noted.")))


def begun(check: Stub | None = None) -> Played:
    return Played(agent())(Stubbed(CHECK, check), CustomerSaid("hi"), Activated("pay"))


def test_a_check_that_is_content_runs_right_after_the_call_and_changes_nothing() -> None:
    play = begun(Stub({"ok": False}))(FieldsSet({"amount": 5}))
    assert play.told[:3] == ["memory_set pay.amount 5", "set_fields set_fields: done", f'{CHECK} {{"ok": false}}']
    assert play.last[2].metadata == {"skill_id": "pay"}
    assert play.last[2].ran
    assert play.state.memory == {"pay.amount": 5}


def test_a_check_that_refuses_takes_the_write_back_and_records_that() -> None:
    play = begun(NO)(FieldsSet({"amount": 5}))
    assert play.told == [
        "memory_set pay.amount 5", "set_fields set_fields: done", f"{CHECK} error", "memory_cleared pay.amount",
    ]  # fmt: skip
    assert play.state.memory == {}
    assert play.state.writes == {}


@pytest.mark.parametrize("payload", [{"error": ""}, {"error": False}, {"error": "x", "ok": True}])
def test_any_error_that_is_not_null_refuses(payload: object) -> None:
    assert begun(Stub(payload))(FieldsSet({"amount": 5})).state.memory == {}


@pytest.mark.parametrize("payload", [{"error": None}, {"errors": ["x"]}, '{"error": "x"}', None, []])
def test_nothing_else_does(payload: object) -> None:
    assert begun(Stub(payload))(FieldsSet({"amount": 5})).state.memory == {"pay.amount": 5}


def test_a_check_that_raises_or_writes_what_it_may_not_refuses() -> None:
    assert begun(Stub(raises="boom"))(FieldsSet({"amount": 5})).state.memory == {}
    assert begun(Stub(1, (("ship.day", 1),)))(FieldsSet({"amount": 5})).state.memory == {}


def test_everything_the_skill_sees_goes_back_to_what_it_was_with_its_writer() -> None:
    writes = (("note", "seen"), ("pin", 1), ("project.plan", "gold"), ("amount", 4))
    play = begun(Stub({"error": "no"}, writes))(AuthorSet("pay.note", "old"), FieldsSet({"amount": 5, "name": "Ann"}))
    assert play.state.memory == {"pay.note": "old"}
    assert play.state.writes["pay.note"].writer == "author"
    assert sorted(play.told[-5:]) == [
        "memory_cleared pay.amount", "memory_cleared pay.name", "memory_cleared pay.pin",
        "memory_cleared project.plan", "memory_set pay.note 'old'",
    ]  # fmt: skip


def test_what_a_check_sets_is_not_checked_again() -> None:
    play = begun(Stub(1, (("name", "Ann"),)))(Stubbed("run_after_setting_name", NO), FieldsSet({"amount": 5}))
    assert play.state.memory == {"pay.amount": 5, "pay.name": "Ann"}


def test_the_first_check_that_refuses_ends_the_checking() -> None:
    play = begun(NO)(Stubbed("run_after_setting_name", NO), FieldsSet({"amount": 5, "name": "Ann"}))
    assert [r.fields["tool_name"] for r in play.last if r.event == "tool_executed"] == ["set_fields", CHECK]


def test_a_correction_that_is_refused_leaves_what_was_there() -> None:
    play = begun()(FieldsSet({"amount": 5}), Stubbed(CHECK, NO), CustomerSaid("no"), Corrected("pay.amount", "6"))
    assert play.told == [
        "memory_set pay.amount 6", "correct correct: done", f"{CHECK} error", "memory_set pay.amount 5",
    ]  # fmt: skip
    assert play.state.writes["pay.amount"].turn == 1


def test_a_tap_is_checked_too_and_the_turn_goes_on_either_way() -> None:
    play = begun(NO)(CustomerSaid(TAP, "900"))
    assert play.told == [f"user {TAP}", "memory_set pay.amount 900", f"{CHECK} error", "memory_cleared pay.amount"]
    assert play.state.turn.open


def test_a_value_that_is_refused_answers_no_question_of_a_step() -> None:
    again = Step("ask", "collect", HERE, target=named("amount"), ask_before_filling=True)
    end = Step("end", "end", HERE)
    fields = (field("pay.amount", "int", initial=1),)
    pay = skill("pay", prose="", fields=fields, tools=(local(CHECK),), blocks=(block("main", steps=(again, end)),))
    play = Played(project(pay))(CustomerSaid("hi"), Activated("pay"), Stubbed(CHECK, NO))
    play(FieldsSet({"amount": 5}))
    assert play.state.memory["pay.amount"] == 1
    assert play.state.stack[-1].step_id == "ask"
    assert play(Stubbed(CHECK, None), FieldsSet({"amount": 5})).state.stack == ()


def test_a_check_is_taken_to_leave_what_it_checks_as_it_was_set() -> None:
    tidies = replace(local(CHECK), writes=(MemoryUse("amount", HERE), MemoryUse("note", HERE, "tidied")))
    pay = skill("pay", fields=(field("pay.amount", settable=True), field("pay.note")), tools=(tidies,))
    play = Played(project(pay))(CustomerSaid("hi"), Activated("pay"), FieldsSet({"amount": 5}))
    assert play.state.memory == {"pay.amount": 5, "pay.note": "tidied"}


def test_a_tools_own_write_is_not_checked() -> None:
    play = begun(NO)(Called((Call("send", {}, Stub(1, (("amount", 5),))),)))
    assert play.state.memory == {"pay.amount": 5}


def test_a_trigger_looks_at_memory_as_the_check_left_it() -> None:
    assert "bot Noted." in begun()(FieldsSet({"amount": 5})).told
    assert "bot Noted." not in begun(NO)(FieldsSet({"amount": 5})).told


def test_what_a_check_writes_is_its_own_and_no_call_of_the_models() -> None:
    play = begun(Stub(1, (("note", 1),)))(FieldsSet({"amount": 5}))
    provenance = play.last[2].metadata["mantle_write_provenance"]
    assert isinstance(provenance, dict)
    assert (provenance["tool"], provenance["tool_call_id"]) == (CHECK, None)
