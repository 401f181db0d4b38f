"""The shortest conversation that still shows something: what is left when nothing more can be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from inspector_core.events import Call, Called, CustomerSaid, Event, Resolved

__all__ = ["shrink"]

Shows = Callable[[Sequence[Event]], bool]


def shrink(events: Sequence[Event], shows: Shows) -> tuple[Event, ...]:
    """Leave out events, in ever smaller runs, then make those left plainer; `shows` has to hold of the result."""
    left = list(events)
    size = max(len(left) // 2, 1)
    while size:
        left = _without(left, size, shows)
        size //= 2
    left = _plainer(left, shows)
    return tuple(_without(left, 1, shows))


def _without(events: list[Event], size: int, shows: Shows) -> list[Event]:
    at = 0
    while at < len(events):
        fewer = events[:at] + events[at + size :]
        if shows(fewer):
            events = fewer
        else:
            at += size
    return events


def _plainer(events: list[Event], shows: Shows) -> list[Event]:
    for at, event in enumerate(events):
        for plain in _plain(event):
            tried = [*events[:at], plain, *events[at + 1 :]]
            if plain != event and shows(tried):
                events = tried
                break
    return events


def _plain(event: Event) -> Sequence[Event]:
    match event:
        case Called(calls) if calls:
            alone = [Called((call,)) for call in calls] if len(calls) > 1 else []
            return [*alone, Called(tuple(_stubless(c) for c in calls))]
        case Resolved():
            return [replace(event, stub=None)]
        case CustomerSaid():
            return [CustomerSaid("go on")]
        case _:
            return ()


def _stubless(call: Call) -> Call:
    return replace(call, stub=None)
