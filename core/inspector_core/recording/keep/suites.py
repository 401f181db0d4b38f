"""A conversation as a test of the engine's: end to end, word for word; or as a scenario that a model plays (§8.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from inspector_core.events import AuthorSet, SessionBegan
from inspector_core.recording.keep.assertions import Assertion, assertions, sequence
from inspector_core.recording.keep.blocks import lines
from inspector_core.recording.keep.conversation import Conversation
from inspector_core.recording.keep.marks import Marks
from inspector_core.recording.keep.turns import GREET, Turn, turns

__all__ = ["end_to_end", "scenario"]

_BRIEF = (
    "You are a customer of this agent. Say the following, one message at a time and in this order, in your own words.\n"
    "Answer what you are asked with what follows next, add nothing to it, and stop after the last."
)


def end_to_end(
    conversation: Conversation, marks: Marks, name: str, stands_in: Collection[str | int | float] = ()
) -> str:
    """The text of an end-to-end test with one case."""
    steps = [_step(said, told) for said, told in _said(conversation, marks, stands_in)]
    return _text({"test_cases": [{"test_case": name, "steps": steps}]})


def _step(said: str, told: list[Assertion]) -> Mapping[str, object]:
    return {"user": said, "assertions": told} if told else {"user": said}


def _said(
    conversation: Conversation, marks: Marks, stands_in: Collection[str | int | float]
) -> Iterator[tuple[str, list[Assertion]]]:
    """Each of the customer's messages with what came of it; what came before the first is asserted with it."""
    before: list[Turn] = []
    for turn in turns(conversation.records, marks):
        before.append(turn)
        if turn.said is not None:
            yield turn.said, assertions([r for t in before for r in t.marked], marks, stands_in)
            before = []


def scenario(conversation: Conversation, marks: Marks, name: str, stands_in: Collection[str | int | float] = ()) -> str:
    """The text of a scenario: what the customer wants, what is known of them, and what has to come of it."""
    every = list(turns(conversation.records, marks))
    said = [turn.button or turn.said for turn in every if turn.said and turn.said != GREET]
    marked = [record for turn in every for record in turn.marked]
    told, ordered = assertions(marked, marks, stands_in), sequence(marked, marks, stands_in)
    if not marks.everything and len(ordered) > 1:
        told = [*told, {"sequencing": ordered}]
    known = _known(conversation)
    brief = [_BRIEF, *(f"{number}. {' '.join(words.split())}" for number, words in enumerate(said, 1))]
    whole: dict[str, object] = {"name": name, "simulation_context": "\n".join(brief) + "\n"}
    if known:
        whole["setup"] = {"initial_slots": known}
    if told:
        whole["goals"] = {"assertions": told}
    return _text({"scenario": whole})


def _known(conversation: Conversation) -> Mapping[str, object]:
    """What memory held before the customer spoke: from the start, by the author's hand, or from the channel."""
    found = dict(conversation.memory)
    for move in conversation.moves:
        if not isinstance(move.event, AuthorSet | SessionBegan):
            break
        if isinstance(move.event, AuthorSet):
            found[move.event.key] = move.event.value
    for record in conversation.records:
        if record.event in ("user", "skill_activated"):
            break
        key = str(record.fields.get("key"))
        if record.event == "memory_set" and key.startswith("project."):
            found[key] = record.fields.get("value")
    return found


def _text(document: Mapping[str, object]) -> str:
    return "\n".join(lines(document)) + "\n"
