"""The menu of next moves."""

from __future__ import annotations

import pytest

from inspector_core.events import Activated, AuthorSet, Call, Called, CustomerSaid, FieldsSet, ModelSaid
from inspector_core.mantle.moves import Move, available
from inspector_core.mantle.project import Project
from tests.core.handmade import Played, asks, block, field, gate, local, project, says, skill
from tests.core.stepped import does


def agent() -> Project:
    gates = (gate("send", "session.pay.ok"), gate("order", None, asks("utter_ask")))
    pay = skill(
        "pay", tools=(local("send"), local("order")), gates=gates, blocks=(block("main"),), enters=("main",),
        fields=(field("pay.ok", settable=True), field("pay.note")),
    )  # fmt: skip
    return project(pay, skill("off", disabled=True), skill("ship"), responses=(says("utter_ask", "Sure?"),))


def labels(moves: tuple[Move, ...]) -> list[str]:
    return [move.label for move in moves]


def test_before_anything_runs_skills_can_be_started() -> None:
    play = Played(agent())
    assert labels(available(play.project, play.state)) == [
        "a session begins", "the customer says…", "the model says…", "listen", "cannot help: in domain",
        "cannot help: out of domain", "start pay", "start ship",
    ]  # fmt: skip


def test_in_a_skill_its_tools_fields_and_blocks_are_there() -> None:
    play = Played(agent())(Activated("pay"))
    assert labels(available(play.project, play.state)) == [
        "the customer says…", "call order", "set ok", "the model says…", "listen", "cannot help: in domain",
        "cannot help: out of domain", "complete", "cancel", "start pay__main", "start ship",
    ]  # fmt: skip
    play(AuthorSet("pay.ok", True))
    assert {"call send", "call order"} <= set(labels(available(play.project, play.state)))


def test_while_a_confirmation_waits_it_can_be_answered_once_the_customer_has_spoken() -> None:
    play = Played(agent())(Activated("pay"), Called((Call("order"),)))
    moves = {move.label: move for move in available(play.project, play.state)}
    assert moves["yes: order"].needs_customer
    assert not moves["call order"].accepted
    assert not moves["complete"].accepted
    play(CustomerSaid("yes"))
    answers = [m for m in available(play.project, play.state) if m.kind in ("yes", "no")]
    assert [(m.accepted, m.needs_customer) for m in answers] == [(True, False)] * 2


@pytest.mark.parametrize("label", ["start ship", "cancel", "complete", "listen", "start pay__main"])
def test_a_move_that_is_accepted_leaves_no_error(label: str) -> None:
    play = Played(agent())(CustomerSaid("hi"), Activated("pay"))
    move = next(m for m in available(play.project, play.state) if m.label == label)
    assert move.accepted
    assert move.event is not None
    play(move.event)
    assert not any(record.fields.get("is_error") for record in play.last)


def test_after_the_turn_ended_every_move_of_the_model_needs_the_customer() -> None:
    play = Played(agent())(CustomerSaid("hi"), ModelSaid("hello"))
    say, *model = available(play.project, play.state)
    assert not say.needs_customer
    assert all(move.needs_customer for move in model)


def test_after_hanging_up_only_a_new_session_can_begin() -> None:
    bye = skill("bye", prose="", blocks=(block("main", steps=(does("h", "hangup"),)),))
    play = Played(project(bye))(CustomerSaid("bye"), Activated("bye"))
    assert labels(available(play.project, play.state)) == ["a session begins"]


def test_what_the_customer_gave_can_be_corrected_with_what_it_is_now() -> None:
    play = Played(agent())(CustomerSaid("hi"), Activated("pay"), FieldsSet({"ok": True}))
    assert [(m.label, m.detail) for m in available(play.project, play.state) if m.kind == "correct"] == [
        ("correct ok", "now true"),
    ]  # fmt: skip
