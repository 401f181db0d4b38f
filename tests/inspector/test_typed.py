"""What a typed line means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.typed import COMMANDS, Answer, CallTyped, Completing, SetTyped, Tapped, Wrong, assignments, understand
from inspector_core.events import (
    Activated,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    FieldsSet,
    ModelSaid,
    Next,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)


def test_plain_words_are_the_customers() -> None:
    assert understand("  hello there ", asking=False) == CustomerSaid("hello there")


@pytest.mark.parametrize("text", ["", "   ", "\t"])
@pytest.mark.parametrize("asking", [True, False])
def test_an_empty_line_does_nothing_whatever_waits(text: str, asking: bool) -> None:
    assert understand(text, asking) is None


@pytest.mark.parametrize(("text", "confirmed"), [("y", True), ("YES", True), ("n", False), ("No", False)])
def test_yes_and_no_answer_only_while_a_confirmation_waits(text: str, confirmed: bool) -> None:
    assert understand(text, asking=True) == Answer(text, confirmed)
    assert understand(text, asking=False) == CustomerSaid(text)


def test_anything_else_said_while_a_confirmation_waits_is_no_answer() -> None:
    assert understand("yes please, but which card?", asking=True) == CustomerSaid("yes please, but which card?")


def test_the_models_moves() -> None:
    assert understand("/start pay", asking=False) == Activated("pay")
    assert understand("/start pay amount=5", asking=False) == Activated("pay", {"amount": 5})
    assert understand("/model one moment", asking=False) == ModelSaid("one moment")
    assert understand("/complete", asking=False) == Completing()
    assert understand("/complete fail", asking=False) == Completed(criteria_met=False)
    assert understand("/correct amount=5", asking=False) == Corrected("amount", 5)
    assert understand("/cannot_help out", asking=False) == CannotHelp(False)
    assert understand("/tap Yes, please", asking=False) == Tapped("Yes, please")
    assert understand('/session language="de"', asking=False) == SessionBegan({"language": "de"})
    assert understand('/set amount=5 name="Ann Lee" ok=true', asking=False) == SetTyped(
        {"amount": 5, "name": "Ann Lee", "ok": True}
    )
    assert understand('/set {"name": 5}', asking=False) == FieldsSet({"name": 5})


def test_several_calls_in_one_reply() -> None:
    assert understand('/call pay amount=5 & lock {"card": "x"}', asking=False) == CallTyped(
        (("pay", {"amount": 5}), ("lock", {"card": "x"}))
    )


def test_words_beside_the_calls_are_filler() -> None:
    assert understand("/call pay amount=5 -- one moment", asking=False) == CallTyped(
        (("pay", {"amount": 5}),), "one moment"
    )


def test_a_search_finds_what_the_author_says() -> None:
    assert understand("/search opening hours", asking=False) == Searched("opening hours")
    assert understand("/search opening hours finds=from nine to five", asking=False) == Searched(
        "opening hours", Stub("from nine to five")
    )


def test_a_tool_does_what_the_author_says_until_he_takes_it_back() -> None:
    line = '/stub pay returns={"ok": true} writes={"paid": true} says=["Wait.", "Done."] next=ship'
    assert understand(line, asking=False) == Stubbed(
        "pay", Stub({"ok": True}, (("paid", True),), ("Wait.", "Done."), None, (Next("ship"),))
    )
    assert understand('/stub pay raises="no money"', asking=False) == Stubbed("pay", Stub(raises="no money"))
    assert understand("/stub pay", asking=False) == Stubbed("pay", None)
    assert understand("/stub pay return=1", asking=False) == Wrong(
        "`return` is nothing that a tool does; did you mean `returns`?"
    )


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("a=1  b=two", {"a": 1, "b": "two"}),
        ('a="two words" b=\'it is "it"\'', {"a": "two words", "b": 'it is "it"'}),
        (r'a="a \"word\""', {"a": 'a "word"'}),
        ('a={"k": [1, "x y"]} b=null', {"a": {"k": [1, "x y"]}, "b": None}),
        ("a=", {"a": ""}),
        ("a= b=1", {"a": "", "b": 1}),
        ('{"a": 1}', {"a": 1}),
    ],
)
def test_values_are_json_where_they_are_json(text: str, values: dict[str, object]) -> None:
    assert assignments(text) == values


@given(st.text(max_size=30))
def test_any_line_means_something_or_is_refused(text: str) -> None:
    for command in COMMANDS:
        understand(f"{command} {text}", asking=True)
    understand(text, asking=False)


def test_what_cannot_be_understood_says_what_would_be() -> None:
    assert understand("/cal pay", asking=False) == Wrong("there is no `/cal`; did you mean `/call`?")
    assert understand("/call", asking=False) == Wrong("`/call` needs TOOL name=value…")
    assert understand("/yes", asking=False) == Wrong("no confirmation waits for an answer")
    assert understand("/call pay 5", asking=False) == Wrong("`5` is no name=value")
    assert isinstance(assignments('a="'), Wrong)
