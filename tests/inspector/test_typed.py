"""What a typed line means."""

import pytest

from inspector.typed import Answer, CallTyped, Wrong, assignments, understand
from inspector_core.events import Activated, Completed, CustomerSaid, FieldsSet, ModelSaid


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
    assert understand("/model one moment", asking=False) == ModelSaid("one moment")
    assert understand("/complete", asking=False) == Completed()
    assert understand('/set amount=5 name="Ann Lee" ok=true', asking=False) == FieldsSet(
        {"amount": 5, "name": "Ann Lee", "ok": True}
    )


def test_several_calls_in_one_reply() -> None:
    assert understand('/call pay amount=5 & lock {"card": "x"}', asking=False) == CallTyped(
        (("pay", {"amount": 5}), ("lock", {"card": "x"}))
    )


def test_what_cannot_be_understood_says_what_would_be() -> None:
    assert understand("/cal pay", asking=False) == Wrong("there is no `/cal`; did you mean `/call`?")
    assert understand("/call", asking=False) == Wrong("`/call` needs TOOL name=value…")
    assert understand("/yes", asking=False) == Wrong("no confirmation waits for an answer")
    assert understand("/call pay 5", asking=False) == Wrong("`5` is no name=value")
    assert isinstance(assignments('a="'), Wrong)
