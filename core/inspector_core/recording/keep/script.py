"""A conversation as a script of ours, with expectations of what was marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from inspector_core.events import Record
from inspector_core.mantle.wire.rebuild import BEGINNING, Rebuilt, advance
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.keep.conversation import Conversation
from inspector_core.recording.keep.inferred import Move
from inspector_core.recording.keep.marks import Marks
from inspector_core.recording.keep.turns import Turn, turns
from inspector_core.script.emit import inline, key, words
from inspector_core.script.judging import refusal
from inspector_core.script.matching import refusals, spoken, status
from inspector_core.script.writing import moves_lines

__all__ = ["script"]

_PENDING = "system.pending_tool_confirmation"
_HAPPENINGS = ("skill_", "ordered_block_")


def script(conversation: Conversation, marks: Marks, name: str) -> str:
    """The text of a script that plays the conversation again."""
    head = [f"script: {words(name)}"]
    if conversation.memory:
        head += ["memory:", *(f"  {key(k)}: {inline(v)}" for k, v in conversation.memory.items())]
    lines = [*_steps(conversation, marks)]
    return "\n".join([*head, "steps:" if lines else "steps: []", *lines]) + "\n"


def _steps(conversation: Conversation, marks: Marks) -> Iterator[str]:
    """The moves of each turn, then what is expected of it; a refusal is always expected, or the script would fail."""
    moves, expecting = list(conversation.moves), _Expecting(marks)
    for turn in turns(conversation.records, marks):
        end = turn.first + len(turn.records) - 1
        own = [move for move in moves if _is_in(move, turn.first - 1, end, conversation.records)]
        del moves[: len(own)]
        yield from moves_lines([move.event for move in own])
        yield from expecting.after(turn)
    yield from moves_lines([move.event for move in moves])


def _is_in(move: Move, first: int, end: int, records: Sequence[Record]) -> bool:
    """Whether a move belongs to a turn; one that left no record at its end, and opens no other, still does."""
    return move.begin < end or (move.begin == end == len(records))


class _Expecting:
    """What is expected, turn by turn: what happened is counted from one expectation to the next."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.at: Rebuilt = BEGINNING
        self.since: list[Record] = []

    def after(self, turn: Turn) -> Iterator[str]:
        for record in turn.records:
            self.at = advance(self.at, TrackerEvent(record.event, record.fields, record.metadata))
        self.since += turn.records
        lines = [*self._asked(turn), *self._called(turn), *self._said(turn), *self._happened(turn), *self._memory(turn)]
        if lines:
            yield "- expect:"
            yield from (f"    {line}" for line in lines)
            self.since = []

    def _asked(self, turn: Turn) -> Iterator[str]:
        pending = self.at.state.active_pending
        if pending is not None and any(_asks(record) for record in turn.marked):
            yield f"asks: {words(pending.tool)}"

    def _called(self, turn: Turn) -> Iterator[str]:
        """How often each marked tool ran, counting those of its runs that are not marked."""
        ran = Counter(_tool(record) for record in self.since if record.ran)
        wanted = {_tool(record): ran[_tool(record)] for record in turn.marked if record.ran}
        if wanted:
            yield f"ran: {inline(wanted)}"
        declined = [_tool(record) for record in turn.marked if status(record) == "declined"]
        declined = [tool for tool in dict.fromkeys(declined) if tool != "resolve_tool_confirmation"]
        if declined:
            yield f"declined: {inline(declined)}"
        refused = list(dict.fromkeys(refusal(record)[0] for record in refusals(self.since)))
        if refused:
            yield f"refused: {inline(refused)}"

    def _happened(self, turn: Turn) -> Iterator[str]:
        """The marked beginnings and ends of skills and blocks; where everything is marked they go without saying."""
        found: dict[str, list[str]] = {}
        for record in () if self.marks.everything else turn.marked:
            if record.event.startswith(_HAPPENINGS):
                name = str(record.fields.get("block_id") or record.fields.get("skill_id"))
                found.setdefault(record.event, []).append(name)
        for event, names in found.items():
            yield f"{event}: {inline(list(dict.fromkeys(names)))}"

    def _said(self, turn: Turn) -> Iterator[str]:
        """The names of responses, and the words of what has none; what the model says in a move is no news."""
        heard = [r for r in spoken(turn.marked) if not (self.marks.everything and _is_moves(r))]
        said = [str(r.metadata.get("utter_action") or r.fields.get("text", "")) for r in heard]
        told = [text for text in dict.fromkeys(said) if text]
        if told:
            yield f"said: {inline(told)}"

    def _memory(self, turn: Turn) -> Iterator[str]:
        """What memory holds at the end of the turn in the entries that were written; the engine's own are left out.

        What the author wrote by hand is a move, and so no news either.
        """
        events = _WRITES if self.marks.everything else (*_WRITES, *_BY_HAND)
        keys = dict.fromkeys(str(r.fields.get("key")) for r in turn.marked if r.event in events)
        held: Mapping[str, object] = {
            k: self.at.state.memory.get(k)
            for k in keys
            if not k.startswith("system.") and k != "session_started_metadata"
        }
        if held:
            yield "memory:"
            yield from (f"  {key(k)}: {inline(value)}" for k, value in held.items())


_WRITES = ("memory_set", "memory_cleared")
_BY_HAND = ("inspector_set", "inspector_cleared")


def _tool(record: Record) -> str:
    return str(record.fields.get("tool_name"))


def _is_moves(record: Record) -> bool:
    return record.metadata.get("mantle_response_source") in ("llm", "filler")


def _asks(record: Record) -> bool:
    return status(record) == "awaiting_confirmation" or (
        record.event == "memory_set" and record.fields.get("key") == _PENDING
    )
