"""An event of a recording in lines: what it was, what it did to the gates, and what today's files make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector.pieces import Line
from inspector.reports.proof import proof_lines
from inspector.reports.replay import question
from inspector.reports.text import blank, say
from inspector.turns import brief, record_of
from inspector.viewed import Viewed
from inspector_core.mantle.replay import Drift, Kind
from inspector_core.report import Change, Verdict

__all__ = ["TODAY", "event_lines", "strange_lines", "told", "tool_lines", "written_lines"]

TODAY: Mapping[Kind, str] = {
    "hidden": "would be hidden",
    "refused": "would be refused",
    "asks": "would ask first",
    "unasked": "would not ask any more",
    "offered": "would be offered",
    "ask-words": "would ask in other words",
    "words": "would say something else",
    "undeclared": "is declared nowhere",
    "value": "is no value of its entry",
    "pending": "could not run any more",
    "gone": "is there no more",
}
"""Each kind of drift in words."""


_LONGEST = 120


def event_lines(viewed: Viewed, number: int) -> Iterator[Line]:
    """All there is to say of one event."""
    if number == 0:
        yield say(("before the first event", "dim"))
        return
    record = record_of(viewed.events[number - 1])
    words = brief(record)
    words = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
    yield Line(((f"{record.event}  ", "head"), (words, "plain")), wraps=True)
    replay = viewed.judged.replay
    if number in replay.problems:
        yield say(("! ", "error"), (f"it can't be followed: {replay.problems[number]}", "error"))
    yield from _drifts(viewed.judged.drifts.get(number, ()))
    if one := replay.confirmation_of.get(number):
        yield blank()
        yield Line((("? ", "ask"), (question(one), "ask")), wraps=True)
    if viewed.unknown:
        yield blank()
        yield say((f"the gates are unknown: {viewed.unknown}", "ask"))
        return
    yield from _gates(replay.moved.get(number, ()))


def _gates(moved: tuple[Change, ...]) -> Iterator[Line]:
    if moved:
        yield blank()
        yield say(("what it did to the gates", "head"))
    for change in moved:
        yield say("  ", str(change), (f"  {change.skill}" if change.skill else "", "dim"))


def _drifts(drifts: tuple[Drift, ...], subject: str | None = None) -> Iterator[Line]:
    """Where today's files would have had it go otherwise, each with the gate that decides."""
    for one in drifts:
        if subject is not None and one.subject != subject:
            continue
        yield blank()
        place = (str(one.span), "dim") if one.span is not None else None
        told = f"≠ drift: {one.subject} {TODAY[one.kind]} today"
        yield Line(((told, "error"),), place if place is None else (place[0], "dim"), one.span)
        yield Line((("  was: ", "dim"), (one.was, "plain")), wraps=True)
        yield Line((("  now: ", "dim"), (one.now, "plain"), (f"  {one.code}", "dim")), wraps=True)
        if one.proof is not None:
            yield from proof_lines(one.proof)


def strange_lines(viewed: Viewed, skill: str | None, tool: str) -> Iterator[Line]:
    """What a recording tells of a tool that no file at hand has."""
    why = viewed.unknown or "no file at hand has this tool"
    yield say(("· unknown", "ask"), f": {why}")
    yield blank()
    numbers = viewed.strange.get((skill, tool), ())
    yield say((f"called {len(numbers)} times up to here" if len(numbers) > 1 else "called once up to here", "head"))
    for number in numbers[-20:]:
        record = record_of(viewed.events[number - 1])
        yield Line(((f"  {number}  ", "dim"), (brief(record), "plain")), wraps=True)


def tool_lines(viewed: Viewed, verdict: Verdict) -> Iterator[Line]:
    """Since when a tool stands as it does, and what today's files would have done with it at this event."""
    history = viewed.judged.replay.history(verdict.skill or "", verdict.tool)
    turned = [history.opened(viewed.number), history.closed(viewed.number)] if history is not None else []
    number = max((n for n in turned if n is not None), default=None)
    if number is not None:
        word = "opened" if number == turned[0] else "closed"
        yield Line(((f"{word} by event {number}  ", "head"), (told(viewed, number), "dim")))
    elif history is not None:
        yield say(("it stood so from the beginning", "dim"))
    yield from _drifts(viewed.judged.drifts.get(viewed.number, ()), verdict.tool)


def written_lines(viewed: Viewed, key: str) -> Iterator[Line]:
    """The event that wrote a key last."""
    number = viewed.judged.replay.written(key, viewed.number)
    if number:
        yield Line(((f"written by event {number}  ", "head"), (told(viewed, number), "dim")))


def told(viewed: Viewed, number: int) -> str:
    """An event in a few words."""
    record = record_of(viewed.events[number - 1])
    return f"{record.event} {brief(record)}, turn {viewed.turn_of(number)}"
