"""What is kept of a conversation, played or recorded: what everybody did in it, and the record of what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from inspector_core.classes import NamedTuple
from inspector_core.events import Record
from inspector_core.mantle.wire.own import Kept
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.keep.inferred import Move, inferred
from inspector_core.recording.sessions import Session as RecordedSession
from inspector_core.session import Session

__all__ = ["Conversation", "of_recording", "of_session"]

P = TypeVar("P")
S = TypeVar("S")


class Conversation(NamedTuple):
    """A conversation from its first memory to its last event."""

    memory: Mapping[str, object]
    """What it began with."""
    moves: tuple[Move, ...]
    records: tuple[Record, ...]
    """Counted from 1, as they are when looked at."""
    exact: bool = True
    """The moves are those that were made; else they were inferred from what was recorded."""
    notes: tuple[str, ...] = ()
    """What of it can't be kept, in words."""


def of_session(session: Session[P, S]) -> Conversation:
    """What was played, up to the moment that is looked at."""
    moves: list[Move] = []
    records: list[Record] = []
    for moment in session.moments[: session.cursor + 1]:
        if moment.event is not None:
            moves.append(Move(moment.event, len(records)))
        records += moment.records
    return Conversation(session.seed, tuple(moves), tuple(records))


def of_recording(session: RecordedSession, own: Kept | None = None) -> Conversation:
    """A recorded session; `own`: the moves of the file, where it is one of ours that holds no other session."""
    events = [one.event for one in session.events]
    records = tuple(Record(event.name, event.fields, event.metadata) for event in events)
    if own is not None and own.header is not None and _covers(own, events):
        return Conversation(own.header.seed, _placed(own, len(own.before)), records)
    moves, notes = inferred(records)
    return Conversation({}, moves, records, exact=False, notes=notes)


def _covers(own: Kept, events: Iterable[TrackerEvent]) -> bool:
    every = (*own.before, *(event for move in own.moves for event in move.events))
    return bool(own.moves) and not own.before and list(map(id, events)) == list(map(id, every))


def _placed(own: Kept, begin: int) -> tuple[Move, ...]:
    moves: list[Move] = []
    for move in own.moves:
        moves.append(Move(move.event, begin))
        begin += len(move.events)
    return tuple(moves)
