"""Recordings of the engine's own: arrays, lines and trackers of its events, in either form or in both (§8.2, §8.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from inspector_core.finding import Finding
from inspector_core.mantle.wire.kinds import Malformed
from inspector_core.mantle.wire.own import Kept, Line, kept, read_line
from inspector_core.recording.detect import Format, detect_text
from inspector_core.recording.entries import Entry, Fault, entries, events_of_trackers
from inspector_core.recording.recording import Recording, faults_of, finding
from inspector_core.recording.sessions import Recorded, Session, sessions
from inspector_core.recording.text import decoded
from inspector_core.recording.twins import folded

__all__ = ["read", "read_entries"]

_LONG = 200_000
"""Bytes from which on the quick way is worth its loading."""


def read(data: bytes, path: str) -> Recording:
    """A file's recording; whatever it holds, what can be read of it is, and the rest is a finding."""
    text, problem = decoded(data)
    form = detect_text(text)
    if form is Format.MANTLE and problem is None and len(data) > _LONG:
        quick = _quick(text)
        if quick is not None:
            return _read(quick, [], path, form)
    found = read_entries(events_of_trackers(text) if form is Format.TRACKER else entries(text), path, form)
    if problem is None:
        return found
    return replace(found, findings=(finding(path, 1, "encoding", problem), *found.findings))


def read_entries(found: Iterable[Entry | Fault], path: str, form: Format = Format.MANTLE) -> Recording:
    """A recording from entries that come from anywhere: a file, lines as they are written, a store."""
    read = [_line(one) for one in found]
    lines = [one for one in read if isinstance(one, _Read)]
    return _read(lines, faults_of(path, [one for one in read if isinstance(one, Fault)]), path, form)


def _quick(text: str) -> list[_Read] | None:
    """The lines of a long file that holds nothing but envelopes, one a line; only for those is their reader loaded."""
    from inspector_core.mantle.wire.quick import quick_events

    found = quick_events(text.encode())
    if found is None or len(found) != text.count("\n") + (not text.endswith("\n")):
        return None
    return [_Read(Line(event), number) for number, event in enumerate(found, 1)]


def _read(lines: list[_Read], faults: list[Finding], path: str, form: Format) -> Recording:
    once = _once(lines)
    own = kept(one.held for one in once) if form is Format.OWN else None
    recorded = _recorded(once, own)
    every = tuple(_without_twins(session) for session in sessions(recorded))
    twins = len(recorded) - sum(len(session.events) for session in every)
    repeated = len(lines) - len(once) + twins
    return Recording(form, every, (*faults, *_clock(recorded, path)), repeated, own)


def _without_twins(session: Session) -> Session:
    twins = folded([one.event for one in session.events])
    return session._replace(events=tuple(o for o, twin in zip(session.events, twins, strict=True) if not twin))


class _Read(NamedTuple):
    held: Line
    line: int


def _line(one: Entry | Fault) -> _Read | Fault:
    if isinstance(one, Fault):
        return one
    try:
        held = read_line(one.value)
    except Malformed as problem:
        return Fault(str(problem), one.line)
    if one.conversation is not None and held.event.conversation_id is None:
        held = held._replace(event=held.event._replace(conversation_id=one.conversation))
    return _Read(held, one.line)


def _once(lines: list[_Read]) -> list[_Read]:
    """Each event once, by its id: a broker may deliver one twice."""
    seen: set[str] = set()
    return [one for one in lines if one.held.event.event_id is None or not _known(seen, one.held.event.event_id)]


def _known(seen: set[str], event_id: str) -> bool:
    known = event_id in seen
    seen.add(event_id)
    return known


def _recorded(lines: list[_Read], own: Kept | None) -> list[Recorded]:
    """The events that count: of a file of ours, those of the moves that the author did not take back."""
    every = [Recorded(one.held.event, one.line) for one in lines]
    if own is None:
        return every
    kept_ones = {id(event) for event in (*own.before, *(e for move in own.moves for e in move.events))}
    return [one for one in every if id(one.event) in kept_ones]


def _clock(told: list[Recorded], path: str) -> Iterator[Finding]:
    """The first place where an event is said to be earlier than the one before it in its conversation."""
    latest: dict[str | None, float] = {}
    for one in told:
        event = one.event
        before = latest.get(event.conversation_id)
        if event.timestamp is None:
            continue
        if before is not None and event.timestamp < before:
            yield finding(path, one.line, "clock", f"`{event.name}` is said to be earlier than the event before it")
            return
        latest[event.conversation_id] = event.timestamp
