"""A test of the engine's as the text of a script: reading it gives the same moves and the same checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inspector_core.recording.cases import Case, NotOurs
from inspector_core.script.emit import inline, key, words
from inspector_core.script.values import Check, Expectation, Move, Pattern
from inspector_core.script.writing import move_lines

__all__ = ["case_text"]

_LISTS = ("said", "not_said")


def case_text(case: Case) -> str:
    """The script; what is not understood stands in it as a comment, where the test has it."""
    head = [f"script: {words(case.name)}"]
    if case.memory:
        head += ["memory:", *(f"  {key(name)}: {inline(value)}" for name, value in case.memory.items())]
    return "\n".join([*head, "steps:", *(line for part in case.parts for line in _lines(part))]) + "\n"


def _lines(part: object) -> Iterator[str]:
    match part:
        case Move(_, _, events):
            for event in events:
                yield from move_lines(event)
        case Expectation(_, _, checks):
            yield "- expect:"
            yield from (f"    {line}" for line in _expected(checks))
        case NotOurs(_, text, _):
            yield f"# not understood: {_shown(text)}"


def _shown(text: str) -> str:
    """One line that can stand in a comment."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _expected(checks: Sequence[Check]) -> Iterator[str]:
    """A line for each key; checks of one kind stand together."""
    for kind in _LISTS:
        names = [check.name or "" for check in checks if check.kind == kind]
        if names:
            yield f"{kind}: {inline(names)}"
    happened = [check.patterns[0] for check in checks if check.kind == "happened"]
    for event in dict.fromkeys(pattern.event for pattern in happened):
        yield f"{event}: {inline([pattern.about for pattern in happened if pattern.event == event])}"
    orders = [[_event(pattern) for pattern in check.patterns] for check in checks if check.kind == "order"]
    if orders:
        yield f"order: {inline(orders if len(orders) > 1 else orders[0])}"


def _event(pattern: Pattern) -> object:
    return {str(pattern): dict(pattern.fields)} if pattern.fields else str(pattern)
