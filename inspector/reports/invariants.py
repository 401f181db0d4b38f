"""What came of the invariants, printed: each with a sign, each failure with the shortest conversation that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import quoteattr

from inspector.pieces import Line
from inspector.reports.json import dumps
from inspector.reports.text import blank, say
from inspector.visible import harmless
from inspector_core.events import Event
from inspector_core.mantle.invariants import INVARIANTS, Failure, Seen, Tried
from inspector_core.script.writing import move_lines

__all__ = ["tried_json", "tried_junit", "tried_lines"]


def tried_lines(tried: Tried) -> Iterator[Line]:
    """The count, every invariant, then what surprises an author about this project."""
    yield say((f"{tried.conversations:,} conversations", "head"), f": {_counts(tried)}")
    if tried.vacuous:
        yield say(("no tool of this agent asks the customer, so nothing was tried out", "dim"))
        return
    failed = {f.broken.invariant: f for f in tried.failures}
    for name in INVARIANTS:
        failure = failed.get(name)
        yield say(("✗", "bad") if failure else ("✓", "good"), f" {name.replace('-', ' ')}")
        yield from _failure(failure) if failure else ()
    for seen in tried.surprises:
        yield blank()
        yield from _surprise(seen)


def _counts(tried: Tried) -> str:
    said = f"{tried.runs:,} yes, {tried.declines:,} no"
    return f"{tried.events:,} events, {tried.asks:,} asks, {said}"


def _failure(failure: Failure) -> Iterator[Line]:
    yield say("  ", (failure.broken.message, "bad"))
    yield say("  the shortest conversation that shows it:")
    yield from _script(failure.events)


def _surprise(seen: Seen) -> Iterator[Line]:
    surprise = seen.surprise
    where = f" {surprise.skill}" if surprise.skill else ""
    yield say(("! ", "ask"), (surprise.code, "head"), (where, "dim"))
    yield say(f"  {surprise.message}")
    yield say("  ", (f"hint: {surprise.advice}", "dim"))
    yield from _script(seen.events)


def _script(events: Sequence[Event]) -> Iterator[Line]:
    for event in events:
        yield from (say(("    " + line, "dim")) for line in move_lines(event))


def tried_json(tried: Tried, engine: str) -> str:
    """The same for programs; a conversation is a list of lines of a script."""
    return dumps({
        "engine": engine, "conversations": tried.conversations, "events": tried.events, "asks": tried.asks,
        "confirmed": tried.runs, "declined": tried.declines, "invariants": list(INVARIANTS),
        "failures": [
            {"invariant": f.broken.invariant, "message": f.broken.message, "script": _lines(f.events)}
            for f in tried.failures
        ],
        "surprises": [
            {"code": s.surprise.code, "skill": s.surprise.skill, "tool": s.surprise.tool or None,
             "message": s.surprise.message, "advice": s.surprise.advice, "script": _lines(s.events)}
            for s in tried.surprises
        ],
    }) + "\n"  # fmt: skip


def tried_junit(tried: Tried) -> str:
    """A case for each invariant."""
    failed = {f.broken.invariant: f for f in tried.failures}
    cases = "".join(_case(name, failed.get(name)) for name in INVARIANTS)
    counts = f'tests="{len(INVARIANTS)}" failures="{len(failed)}"'
    head = '<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="inspector play --invariants">\n'
    return f'{head}  <testsuite name="invariants" {counts}>\n{cases}  </testsuite>\n</testsuites>\n'


def _case(name: str, failure: Failure | None) -> str:
    if failure is None:
        return f'    <testcase name="{name}" classname="inspector"/>\n'
    told = _quoted("\n".join([failure.broken.message, *_lines(failure.events)]))
    return f'    <testcase name="{name}" classname="inspector"><failure message={told}/></testcase>\n'


def _quoted(text: str) -> str:
    return quoteattr(harmless(text))


def _lines(events: Sequence[Event]) -> list[str]:
    return [line for event in events for line in move_lines(event)]
