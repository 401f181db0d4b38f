"""Steps that ask for a value, and what the model fills in before the first question (§2.6, §6.3)."""

from __future__ import annotations

import pytest

from inspector_core.events import (
    Activated,
    AuthorSet,
    CustomerSaid,
    FieldsSet,
    Listened,
    ModelSaid,
    Resolved,
    Stub,
)
from inspector_core.mantle.engine.play import PENDING_KEY
from inspector_core.mantle.project import Gate, Step
from tests.core.handmade import Played, block, gate, project, skill
from tests.core.paying import FIELDS, RESPONSES, SURE, TOOLS, on, paying
from tests.core.stepped import collects, does, routes, runs, spoken, talks


def test_a_step_asks_once_and_then_the_model_has_it() -> None:
    play = on(paying(collects("ask", "sum", "utter_sum"), does("e", "utter_end")))
    assert play.told[-2:] == ["bot How much?", "bot_turn_ended"]
    assert play(CustomerSaid("hm")).told == ["user hm"]
    assert play(ModelSaid("well?"), CustomerSaid("five")).told == ["user five"]
    play(FieldsSet({"sum": 5}))
    assert spoken(play) == ["How much?", "well?", "Bye."]


@pytest.mark.parametrize("utterance", [None, "utter_blank"])
def test_without_words_of_its_own_the_model_asks(utterance: str | None) -> None:
    play = on(paying(collects("ask", "sum", utterance)))
    assert play.state.turn.open
    assert spoken(play) == []


def test_silence_is_no_way_to_ask() -> None:
    play = on(paying(collects("ask", "sum")))
    assert play(Listened()).told == ["listen error"]
    assert play.state.turn.open


def test_a_step_that_asks_first_wants_a_value_given_after_that() -> None:
    play = on(paying(collects("ask", "sum", "utter_sum", again=True), does("e", "utter_end")), sum=4)
    assert play.told[-2:] == ["bot How much?", "bot_turn_ended"]
    assert play.last[-2].metadata["mantle_response_source"] == "rephrased"
    assert play(CustomerSaid("as before")).told == ["user as before"]
    assert spoken(play(FieldsSet({"sum": 4})))[-1] == "Bye."


def test_a_question_that_was_answered_is_asked_again_where_the_graph_comes_back_without_a_value() -> None:
    play = on(paying(collects("ask", "sum", "utter_sum"), talks("t", "session.pay.done"), routes("b", "ask")))
    play(CustomerSaid("five"), FieldsSet({"sum": 5}), AuthorSet("pay.sum", None), AuthorSet("pay.done", True))
    assert spoken(play(ModelSaid("so"), CustomerSaid("hm"))) == ["How much?", "so", "How much?"]


def test_an_entry_named_in_full_is_the_same_entry() -> None:
    play = on(paying(collects("ask", "pay.sum", "utter_sum"), does("e", "utter_end")), sum=1)
    assert spoken(play) == ["Bye."]


# -- what the model fills in before the first question -------------------------------------------------------------


def filled(*steps: Step, gates: tuple[Gate, ...] = (), **values: object) -> Played:
    """A skill that asks at once, started by a model that knows some of it."""
    pay = skill("pay", prose="", tools=TOOLS, gates=gates, blocks=(block("main", steps=steps),), fields=FIELDS)
    return Played(project(pay, responses=RESPONSES))(CustomerSaid("pay 5"), Activated("pay", fills=values))


def test_a_question_is_held_once_while_the_model_fills_in() -> None:
    play = filled(collects("ask", "sum", "utter_sum"), does("e", "utter_end"), sum=5)
    assert play.told[4:6] == ["memory_set pay.sum 5", "set_fields set_fields: done"]
    assert spoken(play) == ["Bye."]


def test_it_is_asked_all_the_same_where_that_does_not_answer_it() -> None:
    play = filled(collects("ask", "sum", "utter_sum"), nothing=5)
    assert play.told[4:] == ["set_fields error", "bot How much?", "bot_turn_ended"]


def test_an_ask_that_is_held_leaves_its_pause_twice() -> None:
    play = filled(runs("r", "send"), gates=(gate("send", None, SURE),), sum=5)
    assert [t.split(" {")[0] for t in play.told[4:]] == [
        f"memory_set {PENDING_KEY} …", "send by execute_step", f"memory_cleared {PENDING_KEY}", "memory_set pay.sum 5",
        "set_fields set_fields: done", f"memory_set {PENDING_KEY} …", "send by execute_step", "bot Sure?",
        "bot_turn_ended",
    ]  # fmt: skip
    assert play(CustomerSaid("yes"), Resolved(True, Stub(1))).ran == ["send"]
