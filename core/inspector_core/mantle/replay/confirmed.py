"""A confirmed call in a recording: pause, answer and run are three records of one thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from inspector_core.mantle.engine.state import Pending
from inspector_core.mantle.wire.flags import status_of
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["Confirmation", "confirmations"]

Outcome = Literal["open", "confirmed", "declined", "dropped"]
"""`open`: nobody has answered by the end. `dropped`: it was cleared without an answer, as when its skill ended."""


class Confirmation(NamedTuple):
    """One question to the customer, and what became of it. Events count from 1."""

    tool: str
    arguments: Mapping[str, object]
    pause: int
    """The event of the call that asked."""
    ask: int | None = None
    """The event in which the agent put the question; `None`: the model asked in its own words, or nobody did."""
    outcome: Outcome = "open"
    answer: int | None = None
    """The event of the model's `resolve_tool_confirmation`."""
    runs: tuple[int, ...] = ()
    """The events of the tool's runs, or of its one record of a no; more than one is what should never be."""

    @property
    def events(self) -> tuple[int, ...]:
        """All its records, in order."""
        found = {self.pause, *self.runs, *(n for n in (self.ask, self.answer) if n is not None)}
        return tuple(sorted(found))


def confirmations(events: Sequence[TrackerEvent], pending: Callable[[int], Pending | None]) -> tuple[Confirmation, ...]:
    """Every question of a recording; `pending` says what waits after so many events."""
    gathering = _Gathering(pending)
    for number, event in enumerate(events, 1):
        follow = _FOLLOW.get(event.name)
        if follow is not None:
            follow(gathering, number, event)
    return tuple(gathering.found)


class _Gathering:
    """The questions found so far; the last one is the one that may still be answered."""

    def __init__(self, pending: Callable[[int], Pending | None]) -> None:
        self.pending = pending
        self.found: list[Confirmation] = []

    def executed(self, number: int, event: TrackerEvent) -> None:
        tool, given = event.fields.get("tool_name"), event.fields.get("arguments")
        status = status_of(event.fields.get("result"))
        if not isinstance(tool, str):
            return
        if event.metadata.get("source") == "tool_confirmation":
            self.ran(number, tool, "declined" if status == "declined" else "confirmed")
        elif status == "awaiting_confirmation":
            self.change(_is_open, _dropped)
            self.found.append(Confirmation(tool, given if isinstance(given, Mapping) else {}, number))
        elif tool == "resolve_tool_confirmation" and not event.fields.get("is_error"):
            self.change(lambda last: last.runs != () and last.answer is None, lambda last: last._replace(answer=number))

    def ran(self, number: int, tool: str, outcome: Outcome) -> None:
        if self.pending(number) is None:  # else its arguments don't fit any more, and it goes on waiting
            self.change(
                lambda last: last.tool == tool,
                lambda last: last._replace(outcome=outcome, runs=(*last.runs, number)),
            )

    def said(self, number: int, event: TrackerEvent) -> None:
        pending = self.pending(number)
        if pending is not None and pending.ask is not None and pending.ask == event.fields.get("text"):
            self.change(lambda last: last.ask is None, lambda last: last._replace(ask=number))

    def cleared(self, _: int, event: TrackerEvent) -> None:
        """Answered, or gone with its skill: the next record of the tool tells."""
        if event.fields.get("key") == "system.pending_tool_confirmation":
            self.change(_is_open, _dropped)

    def change(self, when: Callable[[Confirmation], bool], how: Callable[[Confirmation], Confirmation]) -> None:
        if self.found and when(self.found[-1]):
            self.found[-1] = how(self.found[-1])


def _is_open(last: Confirmation) -> bool:
    return last.outcome == "open"


def _dropped(last: Confirmation) -> Confirmation:
    return last._replace(outcome="dropped")


_FOLLOW: Mapping[str, Callable[[_Gathering, int, TrackerEvent], None]] = {
    "tool_executed": _Gathering.executed, "bot": _Gathering.said, "memory_cleared": _Gathering.cleared,
}  # fmt: skip
