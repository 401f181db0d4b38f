"""One file, several sessions: which event belongs to which."""

from __future__ import annotations

from collections.abc import Iterable

from inspector_core.classes import NamedTuple
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["Recorded", "Session", "sessions"]


class Recorded(NamedTuple):
    """An event, and the line of the file that it begins on."""

    event: TrackerEvent
    line: int
    original: tuple[object, ...] = ()
    """The entries it was read from, where another form than the engine's has them: a call, and what came back."""


class Session(NamedTuple):
    """One session of one conversation, its events in the order in which the file has them."""

    conversation_id: str | None
    session_id: str | None
    events: tuple[Recorded, ...]

    @property
    def name(self) -> str:
        """A word to choose it by."""
        return self.session_id or self.conversation_id or "session"


class _Open:
    """A session that is being gathered."""

    def __init__(self, session_id: str | None) -> None:
        self.session_id = session_id
        self.started = False
        self.events: list[Recorded] = []


def sessions(found: Iterable[Recorded]) -> tuple[Session, ...]:
    """Events by their session: one begins where its id is new, or where it says that it starts.

    Conversations may stand in one file in any mixture. An event that names no session belongs to the one before it.
    """
    conversations: dict[str | None, list[_Open]] = {}
    for recorded in found:
        event = recorded.event
        gathered = conversations.setdefault(event.conversation_id, [])
        own = _session(gathered, event)
        own.events.append(recorded)
        own.started = own.started or event.name == "session_started"
    every = [(conversation, one) for conversation, gathered in conversations.items() for one in gathered]
    return tuple(Session(conversation, one.session_id, tuple(one.events)) for conversation, one in every)


def _session(gathered: list[_Open], event: TrackerEvent) -> _Open:
    """The session that an event belongs to: its own, or a new one that is put last."""
    starts = event.name == "session_started"
    last = gathered[-1] if gathered else None
    if event.session_id is None:
        known = last
    else:
        known = next((one for one in reversed(gathered) if one.session_id == event.session_id), None)
        if known is None and last is not None and last.session_id is None and not starts:
            last.session_id, known = event.session_id, last
    if known is None or (starts and (known.started or (event.session_id is None and known.events))):
        known = _Open(event.session_id)
        gathered.append(known)
    return known
