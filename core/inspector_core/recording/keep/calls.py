"""The calls of one reply as they were recorded, and the move that they were."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from inspector_core.classes import NamedTuple
from inspector_core.events import (
    Activated,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    Event,
    FieldsSet,
    Listened,
    Resolved,
    Searched,
    Stub,
)

__all__ = ["OWN", "Seen", "payload_of", "reply_of"]

_RESOLVE = "resolve_tool_confirmation"


class Seen(NamedTuple):
    """One call with what came of it."""

    number: int
    tool: str
    arguments: Mapping[str, object]
    stub: Stub | None
    """What the tool did; `None` where it didn't run."""
    failed: bool = False
    about: str | None = None
    """For an answer: the tool that the customer was asked about."""

    @property
    def hands_over(self) -> bool:
        """Whether it may be the call of a tool whose result names the skill that is next."""
        return self.tool not in OWN or self.about is not None


def payload_of(result: object) -> object:
    """What a tool returned, of its recorded text."""
    if not isinstance(result, str):
        return result
    try:
        value: object = json.loads(result)
    except (ValueError, RecursionError):
        return result
    return value


def reply_of(calls: Sequence[Seen], filler: str) -> Event:
    """One call of the engine's own tools as its own move; all others as a reply."""
    if len(calls) == 1 and not filler:
        make = OWN.get(calls[0].tool)
        made = make(calls[0]) if make is not None else None
        if made is not None:
            return made
    return Called(tuple(Call(seen.tool, seen.arguments, _stub(seen)) for seen in calls), filler)


def _stub(seen: Seen) -> Stub | None:
    """The engine's own tools do what they do; only a search and an answer have something to be given."""
    return None if seen.tool in OWN and seen.tool not in (_RESOLVE, "search_knowledge") else seen.stub


def _activated(seen: Seen) -> Event | None:
    target = seen.arguments.get("target_id")
    return Activated(target) if isinstance(target, str) else None


def _corrected(seen: Seen) -> Event | None:
    key = seen.arguments.get("memory_key")
    return Corrected(key, seen.arguments.get("value")) if isinstance(key, str) else None


def _searched(seen: Seen) -> Event | None:
    query = seen.arguments.get("query")
    return Searched(query, seen.stub or Stub()) if isinstance(query, str) else None


OWN: Mapping[str, Callable[[Seen], Event | None]] = {
    "activate": _activated,
    "set_fields": lambda seen: FieldsSet(seen.arguments),
    "correct": _corrected,
    "search_knowledge": _searched,
    "cannot_help": lambda seen: CannotHelp(seen.arguments.get("in_domain")),
    _RESOLVE: lambda seen: Resolved(
        seen.arguments.get("confirmed"), seen.stub if seen.about is not None else None, seen.about
    ),
    "complete": lambda seen: Completed(not seen.failed),
    "cancel": lambda seen: Cancelled(),
    "listen": lambda seen: Listened(),
}
"""The engine's own tools, each with the move that its call is."""
