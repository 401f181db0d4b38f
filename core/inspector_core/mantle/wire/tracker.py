"""An event as the engine keeps it: what happened, when, in which session, and its place there (§8.1, §8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from inspector_core.classes import NamedTuple

__all__ = ["NOTHING", "OWN", "TrackerEvent", "is_own", "number", "session_of"]

NOTHING: Mapping[str, object] = {}
"""No fields, or no metadata."""

OWN = "inspector_"
"""What the names of our own records begin with: the engine has no event for them, and its forms leave them out."""


class TrackerEvent(NamedTuple):
    """One event, the same whether it was read from the flat form, from an envelope, or made here.

    A named tuple, since a recording holds a hundred thousand of them.
    """

    name: str
    """`user`, `memory_set`, … as in §8.1; any other name is an event that is kept and not understood."""
    fields: Mapping[str, object] = NOTHING
    """All the fields of its kind, those that were left out at their defaults."""
    metadata: Mapping[str, object] = NOTHING
    """Without the session's id, which has a place of its own."""
    timestamp: float | None = None
    """Seconds since 1970; `None` where none was given that makes sense."""
    session_id: str | None = None
    event_id: str | None = None
    sequence: int | None = None
    conversation_id: str | None = None
    user_id: str | None = None
    deployment_environment: str | None = None
    whole: Mapping[str, object] | None = None
    """The entry just as it was read, where its name is unknown: it is written again as it was."""


def is_own(event: TrackerEvent) -> bool:
    """Whether it is a record of ours that the engine has no event for."""
    return event.name.startswith(OWN)


def number(value: object) -> float | None:
    """A finite number; anything else, a flag too, is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def session_of(metadata: Mapping[str, object]) -> tuple[str | None, Mapping[str, object]]:
    """The session's id and the rest of the metadata; an id that is blank or no text stays where it is (§8.2)."""
    found = metadata.get("session_id")
    if not isinstance(found, str) or not found.strip():
        return None, metadata
    return found, {k: v for k, v in metadata.items() if k != "session_id"}
