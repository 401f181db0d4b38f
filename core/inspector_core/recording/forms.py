"""A recording in another form: what that form can carry is written, and what it can't is counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from inspector_core.classes import NamedTuple
from inspector_core.mantle.wire.envelope import sealed, to_stored
from inspector_core.mantle.wire.exact import packed
from inspector_core.mantle.wire.flat import to_flat
from inspector_core.mantle.wire.kinds import KINDS
from inspector_core.mantle.wire.own import Header, Kept, header_line, lines
from inspector_core.mantle.wire.stamp import Stamps
from inspector_core.mantle.wire.tracker import NOTHING, TrackerEvent, is_own
from inspector_core.recording.recording import Recording
from inspector_core.recording.sessions import Session
from inspector_core.recording.talk import anthropic_talk, openai_talk

__all__ = ["FORMS", "Written", "write"]


_WriteOne = Callable[[Session, Counter[str]], Mapping[str, object]]


class Written(NamedTuple):
    """A file's text, and what of the recording is not in it: how often, in words."""

    text: str
    lost: Mapping[str, int]


def write(found: Recording, form: str, tool: str = "") -> Written:
    """A recording in one of `FORMS`; `tool` is the version of the inspector, for its own file's header."""
    lost: Counter[str] = Counter()
    text = FORMS[form](found, lost, tool)
    lost["events that say again what another one says"] += found.repeated
    in_order = sorted(lost, key=lambda what: not what.endswith("` events"))
    return Written(text, {what: lost[what] for what in in_order if lost[what]})


def _own(found: Recording, lost: Counter[str], tool: str) -> str:
    """Our own file: the moves too, where the recording has any."""
    stamps, told = _stamps(found), found.own
    header = told.header if told is not None else None
    first, stamps = header_line(header or Header(tool, "mantle", ""), stamps)
    if told is not None and told.moves and header is not None:
        return first + "".join(_moves(told, stamps, lost))
    return first + "".join(_line(_ours(event), lost) for event in _events(found))


def _stamps(found: Recording) -> Stamps:
    first = next(iter(_events(found)), None)
    session = found.sessions[0] if found.sessions else None
    at = first.timestamp if first is not None else None
    name = session.name if session is not None else "session"
    return Stamps((session.conversation_id if session else None) or name, name, at or 0.0)


def _moves(told: Kept, stamps: Stamps, lost: Counter[str]) -> Iterator[str]:
    yield from (_line(_ours(event), lost) for event in told.before)
    for move in told.moves:
        at = next((event.timestamp for event in move.events if event.timestamp is not None), None)
        text, stamps = lines(move.event, (), stamps, at)
        yield text
        yield from (_line(_ours(event), lost) for event in move.events)


def _ours(event: TrackerEvent) -> Mapping[str, object] | None:
    if not is_own(event):
        return _entry(event)
    record = {"record": event.name, "fields": packed(dict(event.fields)), "metadata": packed(dict(event.metadata))}
    return sealed(event._replace(metadata=NOTHING), "inspector", record)


def _entry(event: TrackerEvent) -> Mapping[str, object] | None:
    """As a store keeps it; one of a name that the engine hasn't in an envelope too, which says whose it is."""
    if is_own(event):
        return None
    flat = event.whole is None or "event" in event.whole
    if event.name in KINDS or not flat or (event.whole is not None and event.conversation_id is None):
        return to_stored(event)
    named = event.name not in sealed(event, "", None)
    return sealed(event, event.name, dict(event.fields)) if named else to_flat(event)


def _envelope(found: Recording, lost: Counter[str], tool: str) -> str:
    """The engine's envelopes, a line each."""
    lost["moves of the inspector's own file"] += len(found.own.moves) if found.own else 0
    return "".join(_stored(event, lost) for event in _events(found))


def _stored(event: TrackerEvent, lost: Counter[str]) -> str:
    entry = _entry(event)
    if entry is None:
        lost[_events_of(event.name)] += 1
        return ""
    return _line(entry, lost)


def _flat(found: Recording, lost: Counter[str], tool: str) -> str:
    """Flat events: an array of them, or of trackers where there are several conversations."""
    lost["moves of the inspector's own file"] += len(found.own.moves) if found.own else 0
    conversations = {session.conversation_id for session in found.sessions}
    if len(conversations) > 1:
        trackers = [_tracker(name, found.sessions, lost) for name in dict.fromkeys(s.name for s in found.sessions)]
        return "[\n" + ",\n".join(trackers) + "\n]\n"
    lost["the conversation's name"] += any(event.conversation_id is not None for event in _events(found))
    return _array([*_flats(found.sessions, lost)]) + "\n"


def _tracker(name: str, sessions: tuple[Session, ...], lost: Counter[str]) -> str:
    events = _array([*_flats(tuple(s for s in sessions if s.name == name), lost)])
    return f'{{"sender_id": {json.dumps(name)}, "events": {events}}}'


def _array(items: list[str]) -> str:
    return "[\n" + ",\n".join(items) + "\n]"


def _flats(sessions: tuple[Session, ...], lost: Counter[str]) -> Iterator[str]:
    for session in sessions:
        for one in session.events:
            entry = to_flat(one.event)
            text = _line(entry, lost).rstrip("\n") if entry is not None else ""
            if text:
                yield text
            if entry is None:
                lost[_events_of(one.event.name)] += 1
            for name in ("event_id", "sequence", "user_id", "deployment_environment"):
                lost[f"`{name}` of events"] += getattr(one.event, name) is not None


def _chat(found: Recording, lost: Counter[str], write_one: _WriteOne) -> str:
    """One conversation as an object with its messages, several a line each."""
    lost["moves of the inspector's own file"] += len(found.own.moves) if found.own else 0
    told = [write_one(session, lost) for session in found.sessions]
    if len(told) == 1:
        return _text(told[0], 1, lost)
    return "".join(_text(one, None, lost) for one in told)


def _openai(found: Recording, lost: Counter[str], tool: str) -> str:
    return _chat(found, lost, openai_talk)


def _anthropic(found: Recording, lost: Counter[str], tool: str) -> str:
    return _chat(found, lost, anthropic_talk)


def _line(entry: Mapping[str, object] | None, lost: Counter[str]) -> str:
    return _text(entry, None, lost) if entry is not None else ""


def _text(entry: Mapping[str, object], indent: int | None, lost: Counter[str]) -> str:
    """JSON in ASCII alone; what can't be written at all is lost."""
    try:
        return json.dumps(entry, indent=indent) + "\n"
    except (TypeError, ValueError, RecursionError):
        lost["entries that JSON can't hold"] += 1
        return ""


def _events(found: Recording) -> Iterator[TrackerEvent]:
    return (one.event for session in found.sessions for one in session.events)


def _events_of(name: str) -> str:
    return f"`{name}` events"


FORMS: Mapping[str, Callable[[Recording, Counter[str], str], str]] = {
    "own": _own, "envelope": _envelope, "flat": _flat, "openai": _openai, "anthropic": _anthropic,
}  # fmt: skip
"""Every form that a recording can be written in."""
