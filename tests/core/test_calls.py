"""What a reply's calls come to: the order of checks, runs by stub, memory's own rules, responses (§3.5, §5.4, §6.1)."""

from __future__ import annotations

import json

import pytest

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    CustomerSaid,
    FieldsSet,
    Listened,
    ModelSaid,
    Stub,
)
from inspector_core.mantle.engine.payload import failure
from inspector_core.mantle.project import Block, Project, Step
from inspector_core.tool import Tool
from tests.core.handmade import (
    HERE,
    Played,
    done_when,
    field,
    gate,
    imported,
    local,
    named,
    project,
    says,
    skill,
    trigger,
)

FIELDS = (field("pay.amount", settable=True), field("pay.note"), field("pay.pin", scope="private"))
RESPONSES = (says("utter_ok", "Done."), says("utter_bad", "Sorry."))


def agent(*tools: Tool, requires: str | None = None) -> Project:
    gates = (gate("send", requires, success="utter_ok", failure="utter_bad"),)
    pay = skill("pay", tools=tools or (local("send"),), gates=gates, fields=FIELDS)
    ship = skill("ship", fields=(field("ship.day"), field("ship.secret", scope="private")))
    return project(pay, ship, fields=(field("project.auth"), field("project.name")), responses=RESPONSES)


def sent(stub: Stub, *tools: Tool) -> Played:
    return Played(agent(*tools))(Activated("pay"), Called((Call("send", {}, stub),)))


# -- turns ---------------------------------------------------------------------------------------------------------


def test_words_end_the_turn_and_the_model_then_has_to_wait() -> None:
    play = Played(agent())(CustomerSaid("hi"), ModelSaid("hello"))
    assert play.told == ["bot hello", "bot_turn_ended"]
    assert play(ModelSaid("more")).told == ["inspector_refused turn-ended"]
    assert play(CustomerSaid("go on"), ModelSaid("more")).told == ["bot more", "bot_turn_ended"]


def test_the_model_may_begin_before_the_customer_speaks() -> None:
    assert Played(agent())(Activated("pay")).state.skill == "pay"


def test_listen_ends_the_turn_in_silence() -> None:
    play = Played(agent())(CustomerSaid("hi"), Listened())
    assert play.told == ["listen listen: done", "bot_turn_ended"]
    assert not play.state.turn.open


def test_listen_beside_other_calls_is_ignored() -> None:
    play = Played(agent())(Activated("pay"), Called((Call("listen"), Call("send", {}, Stub(1)))))
    assert play.told == ["send 1", "bot Done."]
    assert play.state.turn.open


@pytest.mark.parametrize("event", [ModelSaid(" "), Called(())])
def test_an_empty_reply_is_refused(event: ModelSaid | Called) -> None:
    assert Played(agent())(event).told == ["inspector_refused empty-reply"]


# -- the order of checks -------------------------------------------------------------------------------------------


def test_without_an_active_skill_there_are_no_custom_tools() -> None:
    assert Played(agent())(Called((Call("send"),))).told == ["send error"]


def test_a_closed_gate_refuses_whatever_the_arguments_and_says_nothing() -> None:
    play = Played(agent(requires="session.pay.amount"))(Activated("pay"), Called((Call("send", {"x": 1}),)))
    assert play.told == ["send error"]
    assert "invalid_arguments" not in str(play.last[0].fields["result"])


def test_a_gate_that_errs_refuses() -> None:
    play = Played(agent(requires="session.pay.amount > 1"))(Activated("pay"), Called((Call("send"),)))
    assert play.told == ["send error"]


def test_wrong_arguments_are_retryable_and_on_failure_is_not_spoken() -> None:
    play = Played(agent(local("send", to="string")))(Activated("pay"), Called((Call("send", {"to": 3}),)))
    assert play.told == ["send error"]
    result = json.loads(str(play.last[0].fields["result"]))
    assert (result["retryable"], result["code"]) == (True, "invalid_arguments")


def test_an_unknown_tool_is_an_error_with_one_record() -> None:
    assert Played(agent())(Activated("pay"), Called((Call("nowhere"),))).told == ["nowhere error"]


def test_the_gate_is_looked_at_call_by_call() -> None:
    batch = Called((Call("set_fields", {"amount": 5}), Call("send", {}, Stub(1))))
    play = Played(agent(requires="session.pay.amount == 5"))(Activated("pay"), batch)
    assert play.told[1:] == ["set_fields set_fields: done", "send 1", "bot Done."]


def test_tools_of_the_engine_are_not_called_by_the_model() -> None:
    play = Played(agent(local("run_after_setting_amount")))(Activated("pay"))
    assert play(Called((Call("run_after_setting_amount"),))).told == ["run_after_setting_amount error"]


def test_an_mcp_tool_is_recorded_with_its_server() -> None:
    bank = project(skill("pay", imports=(imported("balance", "bank"),)), servers=("bank",))
    play = Played(bank)(Activated("pay"), Called((Call("balance", {"id": 1}, Stub({"eur": 3})),)))
    fields = play.last[0].fields
    assert (fields["source"], fields["mcp_server"], fields["is_error"]) == ("mcp", "bank", False)


def test_the_text_of_an_exception_on_a_server_is_not_shown() -> None:
    bank = project(skill("pay", imports=(imported("balance", "bank"),)), servers=("bank",))
    play = Played(bank)(Activated("pay"), Called((Call("balance", {}, Stub(raises="token=abc")),)))
    assert "abc" not in str(play.last)
    assert play.last[0].fields["is_error"] is True


# -- results -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        ({"error": "no"}, "no"),
        ({"errors": ["a"]}, "['a']"),
        ({"error": None}, None),
        ({"error": ""}, None),
        ({"error": "", "errors": ["a"]}, "['a']"),
        ({"ok": False}, None),
        ('{"error": "no"}', "no"),
        ("{'error': 'no'}", "no"),
        ("error", None),
        ("{error", None),
        ("[1]", None),
        (None, None),
        ([{"error": "no"}], None),
        ({"error": 0}, None),
    ],
)
def test_what_counts_as_an_error(payload: object, error: str | None) -> None:
    assert failure(payload) == error


def test_a_success_speaks_on_success_and_does_not_end_the_turn() -> None:
    play = sent(Stub({"ok": True}))
    assert play.told == ['send {"ok": true}', "bot Done."]
    assert play.state.turn.open


def test_a_failure_speaks_on_failure() -> None:
    assert sent(Stub({"error": "no"})).told == ["send error", "bot Sorry."]


def test_an_exception_becomes_an_error() -> None:
    play = sent(Stub({"ok": True}, raises="boom"))
    assert json.loads(str(play.last[0].fields["result"])) == {"error": "boom"}
    assert play.told[-1] == "bot Sorry."


def test_a_tool_that_is_not_async_is_an_error_after_what_it_wrote() -> None:
    play = sent(Stub({"ok": True}, (("note", "x"),)), local("send", is_async=False))
    assert play.told == ["memory_set pay.note 'x'", "send error", "bot Sorry."]


def test_nothing_returned_is_recorded_as_null() -> None:
    assert sent(Stub()).last[0].fields["result"] == "null"


def test_what_a_tool_sends_comes_before_its_record() -> None:
    assert sent(Stub(1, says=("one moment",))).told == ["bot one moment", "send 1", "bot Done."]


# -- memory --------------------------------------------------------------------------------------------------------


def test_writes_come_before_the_call_they_belong_to() -> None:
    play = sent(Stub(1, (("amount", 3), ("project.auth", True))))
    assert play.told[:3] == ["memory_set pay.amount 3", "memory_set project.auth True", "send 1"]


@pytest.mark.parametrize("name", ["nope", "ship.day", "system.x", "project.nope", "ship.secret", "pay.nope"])
def test_a_write_the_engine_refuses_ends_the_tool_with_an_error(name: str) -> None:
    play = sent(Stub({"ok": True}, (("note", 1), (name, 2), ("amount", 3))))
    assert play.told == ["memory_set pay.note 1", "send error", "bot Sorry."]
    assert play.state.memory == {"pay.note": 1}


def test_a_bare_name_is_the_skills_own_entry_before_the_projects() -> None:
    assert sent(Stub(1, (("name", "x"),))).state.memory == {"project.name": "x"}


def test_project_memory_is_written_once_but_null_over_null_is_fine() -> None:
    play = sent(Stub(1, (("auth", None), ("auth", True), ("auth", False))))
    assert play.told == ["memory_cleared project.auth", "memory_set project.auth True", "send error", "bot Sorry."]


@pytest.mark.parametrize("value", [False, 0, "", []])
def test_an_empty_value_is_set_not_cleared(value: object) -> None:
    assert sent(Stub(1, (("note", value),))).state.memory == {"pay.note": value}


def test_null_clears() -> None:
    play = sent(Stub(1, (("note", 1), ("note", None))))
    assert play.told[:2] == ["memory_set pay.note 1", "memory_cleared pay.note"]
    assert play.state.memory == {}


def test_set_fields_takes_what_is_settable_and_null_as_it_comes() -> None:
    play = Played(agent())(Activated("pay"), FieldsSet({"amount": "five"}))
    assert play.told == ["memory_set pay.amount 'five'", "set_fields set_fields: done"]
    assert play.state.writes["pay.amount"].writer == "model"


@pytest.mark.parametrize("values", [{"note": 1}, {"amount": None}, {"nope": 1}, {}, {"amount": 1, "note": 1}])
def test_set_fields_refuses_the_rest_and_then_writes_nothing(values: dict[str, object]) -> None:
    play = Played(agent())(Activated("pay"), FieldsSet(values))
    assert play.told == ["set_fields error"]
    assert play.state.memory == {}


def test_set_fields_does_not_write_over_a_value() -> None:
    play = Played(agent(), {"project.auth": True})(
        Activated("pay"), AuthorSet("pay.amount", 1), FieldsSet({"amount": 2})
    )
    assert play.told == ["set_fields error"]


def test_a_collected_entry_is_settable_whatever_its_mark_says() -> None:
    collects = Block("main", HERE, (Step("ask", "collect", HERE, target=named("note")),), ())
    pay = skill("pay", fields=FIELDS, blocks=(collects,))
    assert Played(project(pay))(Activated("pay"), FieldsSet({"note": 1})).state.memory == {"pay.note": 1}


def test_the_author_may_write_anything_at_any_time() -> None:
    play = Played(agent())(
        CustomerSaid("hi"), ModelSaid("hello"), AuthorSet("ship.secret", 1), AuthorSet("no.where", 2)
    )
    assert play.state.memory == {"ship.secret": 1, "no.where": 2}
    assert play(AuthorCleared("no.where")).told == ["inspector_cleared no.where"]
    assert play(AuthorSet("ship.secret", None)).state.memory == {}


def test_a_new_run_puts_entries_at_their_initial_values() -> None:
    fields = (field("pay.n", initial=0), field("pay.note"), field("pay.same", initial=1))
    play = Played(project(skill("pay", fields=fields)), {"pay.note": "old", "pay.same": 1})(Activated("pay"))
    assert play.told[:3] == ["memory_set pay.n 0", "memory_cleared pay.note", "skill_activated pay"]
    assert play.state.memory == {"pay.n": 0, "pay.same": 1}


# -- responses -----------------------------------------------------------------------------------------------------


def spoken(memory: dict[str, object], *texts: str | tuple[str, str]) -> str:
    hello = skill("pay", fields=FIELDS, triggers=(trigger("utter_hello"),))
    ship = skill("ship", fields=(field("ship.day"), field("ship.secret", scope="private")))
    fields = (field("project.name"), field("project.vip"))
    play = Played(project(hello, ship, fields=fields, responses=(says("utter_hello", *texts),)), memory)(
        Activated("pay")
    )
    return next((str(r.fields["text"]) for r in play.last if r.event == "bot"), "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi {name}", "Hi Ann"),
        ("Hi {session.project.name}", "Hi Ann"),
        ("Hi {amount}", "Hi {amount}"),
        ("Hi {nobody}", "Hi {nobody}"),
        ("On {session.ship.day}", "On Monday"),
        ("Not {session.ship.secret}", "Not {session.ship.secret}"),
        ("{session.project}", "{session.project}"),
        ("{{name}}", "{Ann}"),
    ],
)
def test_placeholders_take_what_can_be_read_and_leave_the_rest(text: str, expected: str) -> None:
    assert spoken({"project.name": "Ann", "ship.day": "Monday", "ship.secret": "s"}, text) == expected


def test_the_first_variant_whose_condition_holds_wins_over_an_earlier_default() -> None:
    variants = ("hello", ("errs", "session.project.vip > 3"), ("vip", "session.project.vip"), ("late", "True"))
    assert spoken({"project.vip": "x"}, *variants) == "vip"
    assert spoken({}, *variants) == "late"


def test_without_a_fitting_variant_the_name_itself_is_spoken() -> None:
    assert spoken({}, ("vip", "session.project.vip")) == "utter_hello"


def test_a_response_that_the_engine_brings_along_is_not_spoken_by_its_name() -> None:
    pay = skill("pay", tools=(local("send"),), gates=(gate("send", success="utter_hangup_goodbye"),))
    play = Played(project(pay))(Activated("pay"), Called((Call("send"),)))
    assert play.told[-1] == "bot [the engine's own text of utter_hangup_goodbye]"
    own = Played(project(pay, responses=(says("utter_hangup_goodbye", "Bye."),)))
    assert own(Activated("pay"), Called((Call("send"),))).told[-1] == "bot Bye."


def test_a_condition_can_not_see_what_its_skill_may_not_read() -> None:
    assert spoken({"ship.secret": "s"}, ("leak", "session.ship.secret"), "safe") == "safe"


# -- triggers ------------------------------------------------------------------------------------------------------


def test_a_trigger_speaks_when_its_condition_turns_true_and_not_again_until_it_was_false() -> None:
    pay = skill("pay", tools=(local("send"),), fields=FIELDS, triggers=(trigger("utter_ok", "session.pay.note"),))
    play = Played(project(pay, responses=RESPONSES))(Activated("pay"))

    def after(value: object) -> bool:
        return "bot Done." in play(Called((Call("send", {}, Stub(1, (("note", value),))),))).told

    assert [after(v) for v in (False, True, True, None, 1)] == [False, True, False, False, True]


def test_the_authors_own_writes_trigger_nothing() -> None:
    pay = skill("pay", fields=FIELDS, triggers=(trigger("utter_ok", "session.pay.note"),))
    play = Played(project(pay, responses=RESPONSES))(Activated("pay"), AuthorSet("pay.note", 1))
    assert play.told == ["inspector_set pay.note 1"]


def test_a_condition_of_completion_that_errs_breaks_off_the_turn() -> None:
    pay = skill("pay", fields=FIELDS, completion=done_when("session.pay.amount > 3"))
    play = Played(project(pay))(Activated("pay"))
    assert play.told[-1] == "inspector_note turn-failed"
    assert not play.state.turn.open
