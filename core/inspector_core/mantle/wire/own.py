"""Our own file: the engine's envelopes as JSON lines, and between them what the engine has no event for.

The first line says whose file it is. Each move is written before what came of it: a file that ends in the middle can
be folded again up to the last whole move. What is ours is an envelope too, whose one payload is under `inspector`, so
that any reader of envelopes passes over it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import get_args

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.events import Event, Record
from inspector_core.mantle.wire.codec import Unreadable, from_form, to_form
from inspector_core.mantle.wire.envelope import from_entry, sealed, to_stored
from inspector_core.mantle.wire.exact import Inexact, packed, unpacked
from inspector_core.mantle.wire.kinds import Malformed
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.mantle.wire.tracker import NOTHING, TrackerEvent, is_own

__all__ = [
    "FORMAT", "Fact", "Header", "Kept", "Line", "Move", "Reloaded", "Rewound", "fact_of", "header_line", "kept",
    "lines", "read_line",
]  # fmt: skip

FORMAT = 1
"""The version of the file's form; a reader takes any that is not newer."""

_OURS = "inspector"


@dataclass(frozen=True, slots=True)
class Header:
    """What the file was made with, and what its session began with."""

    tool: str
    """The version of the inspector that wrote it."""
    dialect: str
    project: str
    """The digest of the folder's files."""
    seed: Mapping[str, object] = field(default_factory=dict)
    """The memory the session began with."""
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Rewound:
    """The author went back: of the moves so far only the first ones count."""

    kept: int


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The folder was read anew: what follows was played over other files."""

    project: str


Fact = Header | Event | Record | Rewound | Reloaded
"""What the engine has no event for. Of the records only those of ours are meant."""


def _name(cls: type) -> str:
    """`CustomerSaid` as `customer_said`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__).lstrip("_")


_MOVES: Mapping[str, type[Event]] = {_name(cls): cls for cls in get_args(Event)}
_OTHERS: Mapping[str, type[Header] | type[Rewound] | type[Reloaded]] = {
    _name(cls): cls for cls in (Header, Rewound, Reloaded)
}  # fmt: skip


class Line(NamedTuple):
    """What one line holds: an event of the engine's, or a fact of ours with the event that carries its stamp."""

    event: TrackerEvent
    fact: Fact | None = None


class Move(NamedTuple):
    """One move, and what the engine would have recorded of it."""

    event: Event
    events: tuple[TrackerEvent, ...]


class Kept(NamedTuple):
    """What a file comes to: the moves that count, with which the session can be played again."""

    header: Header | None
    moves: tuple[Move, ...]
    before: tuple[TrackerEvent, ...]
    """What stands before the first move: a recording that was not played here."""
    project: str | None
    """The digest of the files that the last of it was played over."""


def header_line(header: Header, stamps: Stamps, at: float | None = None) -> tuple[str, Stamps]:
    """The first line of a file, with its end."""
    return _facts((header,), stamps, at)


def lines(
    fact: Event | Rewound | Reloaded, records: Iterable[Record], stamps: Stamps, at: float | None = None
) -> tuple[str, Stamps]:
    """What is appended to the file for one move: the move, then all that came of it."""
    text, stamps = _facts((fact,), stamps, at)
    events, stamps = stamped(records, stamps)
    return text + "".join(map(_line, events)), stamps


def _facts(facts: Iterable[Fact], stamps: Stamps, at: float | None) -> tuple[str, Stamps]:
    carriers, stamps = stamped((Record(_OURS, _form(fact)) for fact in facts), stamps, at)
    return "".join(_text(sealed(event, _OURS, event.fields)) for event in carriers), stamps


def _form(fact: Fact) -> dict[str, object]:
    kind = _name(type(fact))
    return {"played": kind, **to_form(fact)} if kind in _MOVES else {kind: to_form(fact)}


def _line(event: TrackerEvent) -> str:
    if is_own(event):
        return _text(sealed(event._replace(metadata=NOTHING), _OURS, {
            "record": event.name, "fields": packed(dict(event.fields)), "metadata": packed(dict(event.metadata)),
        }))  # fmt: skip
    return _text(to_stored(event) or {})


def _text(entry: Mapping[str, object]) -> str:
    """One line, in ASCII alone: no reader can take a character of it for the line's end."""
    return json.dumps(entry) + "\n"


def read_line(entry: object) -> Line:
    """What an entry of our file holds. Raises `Malformed`."""
    event = from_entry(entry)
    if event.name != _OURS:
        return Line(event)
    fact = fact_of(event.fields)
    if isinstance(fact, Record):
        return Line(event._replace(name=fact.event, fields=fact.fields, metadata=fact.metadata, whole=None), fact)
    return Line(event, fact)


def fact_of(form: Mapping[str, object]) -> Fact:
    """The fact that stands under `inspector`. Raises `Malformed`."""
    try:
        return _fact(form)
    except (Unreadable, Inexact) as problem:
        raise Malformed(f"`{_OURS}` holds something that can't be read: {problem}") from problem


def _fact(form: Mapping[str, object]) -> Fact:
    played = form.get("played")
    if isinstance(played, str) and played in _MOVES:
        return from_form(_MOVES[played], form)
    if "record" in form:
        return _record(form)
    for kind, cls in _OTHERS.items():
        if kind in form:
            return from_form(cls, form[kind])
    raise Unreadable("it is nothing that this version writes")


def _record(form: Mapping[str, object]) -> Record:
    name, fields, metadata = form["record"], unpacked(form.get("fields")), unpacked(form.get("metadata"))
    if not isinstance(name, str) or not name.startswith(f"{_OURS}_") or not isinstance(fields, dict):
        raise Unreadable("it is no record of ours")
    return Record(name, fields, metadata if isinstance(metadata, dict) else {})


def kept(found: Iterable[Line]) -> Kept:
    """The moves of a file, those left out that the author went back behind; a later header begins anew."""
    header: Header | None = None
    project: str | None = None
    moves: list[tuple[Event, list[TrackerEvent]]] = []
    before: list[TrackerEvent] = []
    for event, fact in found:
        match fact:
            case Header():
                header, project = fact, fact.project
                moves.clear()
            case Reloaded(digest):
                project = digest
            case Rewound(count):
                del moves[max(0, count) :]
            case None | Record():
                (moves[-1][1] if moves else before).append(event)
            case _:
                moves.append((fact, []))
    return Kept(header, tuple(Move(move, tuple(events)) for move, events in moves), tuple(before), project)
