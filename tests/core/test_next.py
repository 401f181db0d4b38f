"""Skills that a tool's result hands over to (§5.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector_core.events import (
    Activated,
    Call,
    Called,
    Completed,
    CustomerSaid,
    ModelSaid,
    Next,
    Resolved,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.play import PENDING_KEY
from tests.core.handmade import Played, asks, block, field, gate, local, project, says, skill
from tests.core.stepped import does, notes, runs, spoken, stacked, talks

RESPONSES = (says("utter_sure", "Sure?"), says("utter_no", "Then not."), says("utter_done", "Done."))
GATES = (gate("send", success="utter_done"), gate("order", None, asks("utter_sure", "utter_no")),
         gate("gift", None, asks()))  # fmt: skip
PAY = skill("pay", tools=(local("send"), local("order"), local("gift")), gates=GATES)
STEPS = skill(
    "steps", prose="", tools=(local("send"),), blocks=(block("main", steps=(runs("r", "send"), talks("t"))),)
)  # fmt: skip
PARTS = skill("parts", prose="", blocks=(block("one"), block("two", steps=(does("d", "utter_done"),))))
MIXED = skill("mixed", blocks=(block("main"),), enters=("main",))
AGENT = project(
    PAY, STEPS, PARTS, MIXED, skill("next", hidden=True), skill("off", disabled=True),
    *(skill(f"n{i}") for i in range(12)), responses=RESPONSES, fields=(field("project.x"),),
)  # fmt: skip


def to(*targets: str) -> Stub:
    """A tool that hands over to skills, each `skill` or `skill.block`."""
    return Stub({"ok": 1}, next=tuple(Next(t.partition(".")[0], t.partition(".")[2] or None) for t in targets))


def sent(*targets: str) -> Played:
    return Played(AGENT)(CustomerSaid("go"), Activated("pay"), Called((Call("send", {}, to(*targets)),)))


def test_a_skill_begins_as_a_call_after_the_tool_was_recorded_and_comes_back() -> None:
    play = sent("next")
    assert play.told == ['send {"ok": 1}', "skill_activated next", "stack", "bot Done."]
    assert stacked(play) == [("pay", "regular", None), ("next", "call", None)]
    assert stacked(play(Completed())) == [("pay", "regular", None)]


def test_all_calls_of_the_reply_come_first() -> None:
    batch = Called((Call("send", {}, to("next")), Call("send", {}, Stub(2))))
    play = Played(AGENT)(CustomerSaid("go"), Activated("pay"), batch)
    assert play.told[:3] == ['send {"ok": 1}', "send 2", "skill_activated next"]


def test_a_step_is_passed_before_it_hands_over() -> None:
    play = Played(AGENT)(Stubbed("send", to("next")), CustomerSaid("go"), Activated("steps"))
    assert play.told[-4:] == ['send by execute_step {"ok": 1}', "stack", "skill_activated next", "stack"]
    assert stacked(play)[1:] == [("main", "regular", "t"), ("next", "call", None)]


@pytest.mark.parametrize(
    "target", ["nobody", "off", "pay", "mixed.main", "parts", "parts.three"], ids=lambda t: str(t).replace(".", "__")
)
def test_what_can_not_be_begun_is_passed_over_with_a_note(target: str) -> None:
    play = sent(target)
    assert notes(play) == ["next-refused"]
    assert stacked(play) == [("pay", "regular", None)]


def test_a_block_of_a_skill_of_blocks_can_be_named() -> None:
    assert "ordered_block_entered two" in sent("parts.two").told


def test_ten_times_a_turn_and_no_more() -> None:
    play = sent(*(f"n{i}" for i in range(12)))
    assert notes(play) == ["next-limit"] * 2
    assert len(play.state.stack) == 11
    assert play.state.turn.handoffs == 10


def waiting(confirm: str = "order") -> Played:
    """A confirmation waits, and a tool of the same reply hands over."""
    batch = Called((Call("send", {}, to("next")), Call(confirm)))
    return Played(AGENT)(CustomerSaid("go"), Activated("pay"), batch)


def test_while_a_confirmation_waits_it_is_put_off_and_kept_with_that() -> None:
    play = waiting()
    assert stacked(play) == [("pay", "regular", None)]
    kept = [r.fields["value"] for r in play.last if r.fields.get("key") == PENDING_KEY][-1]
    assert isinstance(kept, dict)
    assert kept["deferred_next"] == [
        {"tool_name": "send", "instruction": {"skill_id": "next", "ordered_block": None}}
    ]  # fmt: skip


@pytest.mark.parametrize("answer", [True, False])
def test_either_answer_lets_it_go(answer: bool) -> None:
    play = waiting()(CustomerSaid("hm"), Resolved(answer, Stub(1)))
    assert stacked(play) == [("pay", "regular", None), ("next", "call", None)]
    assert "skill_activated next" in play.told


def test_no_answer_does_not() -> None:
    play = waiting()(CustomerSaid("hm"), ModelSaid("well?"), CustomerSaid("hm"), Resolved("maybe"))
    assert stacked(play) == [("pay", "regular", None)]


def test_a_confirmed_tool_hands_over_itself() -> None:
    play = Played(AGENT)(CustomerSaid("go"), Activated("pay"), Called((Call("order"),)), CustomerSaid("yes"))
    play(Resolved(True, to("next")))
    assert stacked(play)[-1] == ("next", "call", None)


@pytest.mark.parametrize("stub", [Stub(raises="no"), Stub(writes=(("nowhere", 1),)), Stub(writes=(("system.x", 1),))])
def test_a_tool_that_raised_hands_over_to_nobody(stub: Stub) -> None:
    stub = replace(stub, next=(Next("next"),))
    play = Played(AGENT)(CustomerSaid("go"), Activated("pay"), Called((Call("send", {}, stub),)))
    assert stacked(play) == [("pay", "regular", None)]


def test_what_the_handed_over_skill_does_at_once_is_spoken_after_the_outcome() -> None:
    assert spoken(sent("parts.two")) == ["Done.", "Done."]
