"""`correct`: which entries it may change, what it makes of text, and that nothing follows from it (§3.5, §3.8)."""

from __future__ import annotations

import pytest

from inspector_core.events import Activated, AuthorSet, Call, Called, Corrected, CustomerSaid, FieldsSet, Stub
from inspector_core.mantle.engine.coerce import Unfit, coerce
from inspector_core.mantle.project import Project, Step
from inspector_core.mantle.scope import correctable
from tests.core.handmade import HERE, Played, block, field, local, named, project, says, skill, trigger


def agent() -> Project:
    steps = block("main", steps=(Step("ask", "collect", HERE, target=named("day")),))
    fields = (
        field("pay.amount", "int", settable=True), field("pay.name", "text", settable=True), field("pay.note"),
        field("pay.data", "json", settable=True), field("pay.day", "text"),
    )  # fmt: skip
    pay = skill(
        "pay", fields=fields, tools=(local("look"),), triggers=(trigger("utter_high", "session.pay.amount > 10"),),
        blocks=(steps,), enters=("main",),
    )  # fmt: skip
    return project(pay, skill("ship"), fields=(field("project.auth"),), responses=(says("utter_high", "High!"),))


def given(**values: object) -> Played:
    return Played(agent())(CustomerSaid("hi"), Activated("pay"), FieldsSet(values), CustomerSaid("no, …"))


def open_keys(play: Played) -> list[str]:
    return [f.key for f in correctable(play.project, play.state.skill, play.state)]


def test_what_the_customer_said_is_corrected_in_one_call() -> None:
    play = given(amount=5)(Corrected("pay.amount", "7"))
    assert play.told == ["memory_set pay.amount 7", "correct correct: done"]
    assert play.state.memory["pay.amount"] == 7
    assert play.state.writes["pay.amount"].writer == "model"


def test_a_correction_says_where_the_conversation_stood() -> None:
    play = given(amount=5)(Activated("pay__main"), Corrected("amount", 6))
    provenance = play.last[0].metadata["mantle_write_provenance"]
    assert isinstance(provenance, dict)
    assert provenance["correction"] == {
        "flow_id": "pay__main",
        "step_id": play.state.stack[-1].step_id,
        "skill_id": "pay",
    }
    assert provenance["arguments"] == {"memory_key": "amount", "value": 6}


def test_nothing_can_be_corrected_before_the_customer_gave_something() -> None:
    play = Played(agent())(Activated("pay"), Corrected("pay.amount", 1))
    assert play.told == ["correct error"]
    assert play.state.memory == {}


def test_entries_that_only_a_step_collects_can_be_corrected_too() -> None:
    assert open_keys(given(day="Monday", name="Ann")) == ["pay.name", "pay.day"]


def test_neither_json_nor_what_a_tool_or_the_author_wrote_can_be_corrected() -> None:
    play = given(data={"a": 1}, amount=1, name="Ann")
    assert open_keys(play) == ["pay.amount", "pay.name"]
    play(Called((Call("look", {}, Stub(1, (("amount", 2),))),)), AuthorSet("pay.name", "Bo"))
    assert open_keys(play) == []
    assert play(Corrected("pay.data", "{}")).told == ["correct error"]


def test_another_skills_entries_and_the_projects_are_out_of_reach() -> None:
    play = given(amount=5)(AuthorSet("project.auth", True), Corrected("project.auth", False), Activated("ship"))
    assert play.state.memory["project.auth"] is True
    assert open_keys(play) == []
    assert play(Corrected("pay.amount", 6)).told == ["correct error"]


@pytest.mark.parametrize("value", ["seven", "7.5", "", None])
def test_text_that_is_no_value_of_the_type_changes_nothing(value: object) -> None:
    play = given(amount=5)(Corrected("pay.amount", value))
    assert play.told == ["correct error"]
    assert play.state.memory["pay.amount"] == 5


def test_a_correction_fires_no_trigger() -> None:
    play = given(amount=5)(Corrected("pay.amount", 50))
    assert play.told == ["memory_set pay.amount 50", "correct correct: done"]


def test_a_call_without_a_key_is_an_error_and_no_more() -> None:
    assert given(amount=5)(Called((Call("correct", {"memory_key": ["pay.amount"], "value": 1}),))).told == [
        "correct error"
    ]
    assert given(amount=5)(Called((Call("correct", {}),))).told == ["correct error"]


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        ("bool", "YES", True), ("bool", "0", False), ("bool", "True", True), ("int", "-3", -3), ("float", "2.5", 2.5),
        ("float", "3", 3.0), ("text", "12", "12"), ("any", "true", "true"), ("categorical", "x", "x"),
        ("int", 2.5, 2.5), ("bool", None, None),
    ],
)  # fmt: skip
def test_only_text_is_read_as_a_bool_or_a_number(type: str, text: object, value: object) -> None:
    found = coerce(field("pay.x", type), text)
    assert found == value
    assert found.__class__ is value.__class__


@pytest.mark.parametrize(
    ("type", "text"), [("bool", "yeah"), ("bool", ""), ("int", "1e3"), ("float", "a"), ("int", "9" * 9999)]
)
def test_other_text_is_no_bool_and_no_number(type: str, text: str) -> None:
    assert isinstance(coerce(field("pay.x", type), text), Unfit)
