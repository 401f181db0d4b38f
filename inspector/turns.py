"""A session turn by turn: which moments belong together, and which records are only the engine's bookkeeping."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from inspector.reports.tell import failure
from inspector_core.classes import NamedTuple
from inspector_core.events import Record
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.values import as_text
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.session import Moment

__all__ = ["Entry", "TurnOf", "bookkeeping", "brief", "entries", "record_of", "turns"]

_KEPT: Final = frozenset({"stack", "action", "session_started", "bot_turn_ended", "inactive"})
"""Events that only keep the engine's books."""

_FOLDED: Final = frozenset({"activate", "set_fields", "resolve_tool_confirmation", "complete", "cancel", "listen"})
"""Calls of the engine's own tools whose effects have events of their own."""


class TurnOf(NamedTuple):
    """A turn, and the moments that make it up."""

    number: int
    """0: before the customer has said anything."""
    first: int
    last: int
    """Indices of moments, both included."""


class Entry(NamedTuple):
    """One record of a moment, as a row shows it."""

    number: int
    """Which of the moment's records it is; of folded ones the first."""
    name: str
    """The engine's name of the event."""
    text: str
    folded: int = 0
    """So many records of bookkeeping are folded into this row."""
    wrong: bool = False


def record_of(event: TrackerEvent) -> Record:
    """An event of a recording as a record of a played conversation, to be told in the same words."""
    return Record(event.name, event.fields, event.metadata)


def turns(moments: Sequence[Moment[State]]) -> tuple[TurnOf, ...]:
    """The turns of a session in order; each moment belongs to one."""
    found: list[TurnOf] = []
    for index, moment in enumerate(moments):
        number = moment.state.turn.number
        if found and found[-1].number == number:
            found[-1] = found[-1]._replace(last=index)
        else:
            found.append(TurnOf(number, index, index))
    return tuple(found)


def bookkeeping(record: Record) -> bool:
    """Whether a record says nothing that the records around it don't say."""
    if record.event in _KEPT:
        return True
    key = str(record.fields.get("key", ""))
    if record.event in ("memory_set", "memory_cleared"):
        return key.startswith("system.") or key == "session_started_metadata"
    return record.event == "tool_executed" and record.fields.get("tool_name") in _FOLDED and not failure(record)


def entries(records: Sequence[Record], every: bool = False) -> Iterator[Entry]:
    """The records of a moment; what is bookkeeping in a row of its own, counted, unless `every` one is wanted."""
    first = kept = 0
    for number, record in enumerate(records):
        if not every and bookkeeping(record):
            first = number if not kept else first
            kept += 1
            continue
        if kept:
            yield _folded(records, first, kept)
            kept = 0
        yield Entry(number, record.event, brief(record), wrong=bool(failure(record)))
    if kept:
        yield _folded(records, first, kept)


def _folded(records: Sequence[Record], first: int, count: int) -> Entry:
    names = dict.fromkeys(r.event for r in records[first : first + count])
    return Entry(first, "bookkeeping", ", ".join(names), count)


def brief(record: Record) -> str:
    """What a record is about, in a few words."""
    fields = record.fields
    match record.event:
        case "user" | "bot":
            return " ".join(str(fields.get("text", "")).split())
        case "memory_set" | "inspector_set":
            return f"{fields.get('key')} = {as_text(fields.get('value'))}"
        case "memory_cleared" | "inspector_cleared":
            return str(fields.get("key"))
        case "tool_executed":
            source = record.metadata.get("source")
            by = f" by {str(source).replace('_', ' ')}" if source else ""
            return f"{fields.get('tool_name')}{by} → {' '.join(str(fields.get('result')).split())}"
        case "stack":
            return _stack(fields.get("update"))
        case "inspector_note" | "inspector_refused":
            return str(fields.get("message", ""))
        case "action":
            return str(fields.get("name", ""))
        case _:
            return _place(record) or " ".join(str(fields.get("text", "")).split())


def _stack(update: object) -> str:
    """What a patch does to the stack: a frame is put on it or taken off, or stands elsewhere; else the patch itself."""
    try:
        operations: object = json.loads(update) if isinstance(update, str) else update
    except (ValueError, RecursionError):
        return str(update)
    told = [_operation(one) for one in operations] if isinstance(operations, list) else []
    return ", ".join(dict.fromkeys(told)) or str(update)


def _operation(one: object) -> str:
    match one:
        case {"op": "add", "path": str(), "value": {"skill_id": str(skill), **rest}}:
            block = rest.get("block_id")
            return f"put {skill}{f' › {block}' if block else ''} on it"
        case {"op": "remove", "path": str(path)} if path.count("/") == 1:
            return "took a frame off it"
        case {"op": "remove", "path": str(path)}:
            return f"{path.rpartition('/')[2]} unset"
        case {"op": "add" | "replace", "path": str(path), "value": value}:
            return f"{path.rpartition('/')[2]} = {as_text(value)}"
        case _:
            return as_text(one)


def _place(record: Record) -> str:
    """The skill, the block and the step of an event about them."""
    names = (record.fields.get(name) for name in ("skill_id", "block_id", "step_id"))
    return " › ".join(str(name) for name in names if name)
