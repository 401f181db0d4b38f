"""A session as a script: everything that was played, and what came of it as expectations.

Reading the text again and playing it gives the same events, and every expectation holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.script.emit import inline, key, words
from inspector_core.script.expected import expected
from inspector_core.script.judging import Situation
from inspector_core.session import Moment, Session

__all__ = ["move_lines", "moves_lines", "write"]

P = TypeVar("P")
S = TypeVar("S", bound=Situation)


def write(session: Session[P, S], name: str = "a saved conversation") -> str:
    """The text of a script that plays the whole session again."""
    head = [f"script: {words(name)}"]
    if session.seed:
        head += ["memory:", *(f"  {key(k)}: {inline(v)}" for k, v in session.seed.items())]
    return "\n".join([*head, "steps:", *_steps(session.moments)]) + "\n"


def _steps(moments: Sequence[Moment[S]]) -> Iterator[str]:
    """The moves, with what was to be seen before the customer speaks again, and at the end."""
    before = moments[0]
    for turn in _turns(moments[1:]):
        yield from moves_lines([m.event for m in turn if m.event is not None])
        yield from expected(before, turn)
        before = turn[-1]


def _turns(moments: Sequence[Moment[S]]) -> Iterator[list[Moment[S]]]:
    turn: list[Moment[S]] = []
    for moment in moments:
        if turn and isinstance(moment.event, (CustomerSaid, SessionBegan)):
            yield turn
            turn = []
        turn.append(moment)
    if turn:
        yield turn


def moves_lines(events: Sequence[Event]) -> Iterator[str]:
    """The steps; what the author wrote in a row, each entry once, is one of them."""
    written: dict[str, object] = {}
    for event in events:
        by_hand = _by_hand(event)
        if written and (by_hand is None or by_hand[0] in written):
            yield f"- author: {inline(written)}"
            written = {}
        if by_hand is None:
            yield from move_lines(event)
        else:
            written[by_hand[0]] = by_hand[1]
    if written:
        yield f"- author: {inline(written)}"


def _by_hand(event: Event) -> tuple[str, object] | None:
    match event:
        case AuthorSet(name, value):
            return name, value
        case AuthorCleared(name):
            return name, None
        case _:
            return None


def move_lines(event: Event) -> list[str]:
    """One event as a step of a script."""
    first, *more = _move(event)
    return [f"- {first}", *(f"  {line}" for line in more)]


def _move(event: Event) -> list[str]:
    match event:
        case Called((call,), ""):
            return [f"call: {words(call.tool)}", *_with(call), *_stub(call.stub)]
        case Called(calls, filler):
            return ["reply:", *_reply(calls, filler)] if calls or filler else ["reply: []"]
        case Resolved(confirmed, stub, tool):
            return [*_resolved(confirmed, tool), *_stub(stub)]
        case Searched(query, stub):
            return [f"search: {words(query)}", *_found(stub)]
        case Stubbed(tool, stub):
            return _stubbed(tool, stub)
        case _:
            return _short(event)


def _short(event: Event) -> list[str]:
    """The moves that need a line or two."""
    match event:
        case CustomerSaid(text, button):
            return [f"customer: {words(text)}", *([f"button: {words(button)}"] if button is not None else [])]
        case FieldsSet(values):
            return [f"set: {inline(values)}"]
        case Corrected(name, value):
            return [f"correct: {inline({name: value})}"]
        case CannotHelp(in_domain):
            return ["cannot_help:", f"in_domain: {inline(in_domain)}"]
        case Completed(met):
            return ["complete:", *([] if met else ["criteria: fail"])]
        case AuthorSet(name, value):
            return [f"author: {inline({name: value})}"]
        case AuthorCleared(name):
            return [f"author: {inline({name: None})}"]
        case SessionBegan(metadata, greets):
            opened = f"session: {inline(metadata)}" if metadata else "session:"
            return [opened] if greets else [opened, "greets: false"]
        case _:
            return _shortest(event)


def _shortest(event: Event) -> list[str]:
    match event:
        case ModelSaid(text):
            return [f"say: {words(text)}"]
        case Activated(target):
            return [f"start: {words(target)}"]
        case Listened():
            return ["listen:"]
        case Cancelled():
            return ["cancel:"]
        case _:
            raise AssertionError(event)


def _with(call: Call) -> list[str]:
    return [f"with: {inline(call.arguments)}"] if call.arguments else []


def _reply(calls: Sequence[Call], filler: str) -> Iterator[str]:
    if filler:
        yield f"- say: {words(filler)}"
    for call in calls:
        first, *more = [f"call: {words(call.tool)}", *_with(call), *_stub(call.stub)]
        yield f"- {first}"
        yield from (f"  {line}" for line in more)


def _resolved(confirmed: object, tool: str | None) -> list[str]:
    if confirmed is True or confirmed is False:
        word = "yes" if confirmed else "no"
        return [f"{word}: {words(tool)}" if tool is not None else f"{word}:"]
    return [f"answer: {inline(confirmed)}", *([f"tool: {words(tool)}"] if tool is not None else [])]


def _stub(stub: Stub | None, returns: str = "returns") -> list[str]:
    """What a tool does; at least one key where anything at all is said of it."""
    if stub is None:
        return []
    given: Mapping[str, object] = {
        returns: stub.payload, "writes": _writes(stub.writes) if stub.writes else None, "says": list(stub.says) or None,
        "raises": stub.raises, "next": [_next(n) for n in stub.next] or None, "interrupted": stub.interrupted or None,
    }  # fmt: skip
    told = [f"{name}: {inline(value)}" for name, value in given.items() if value is not None]
    return told or [f"{returns}: null"]


def _found(stub: Stub) -> list[str]:
    return [] if stub == Stub() else _stub(stub, "finds")


def _writes(writes: Sequence[tuple[str, object]]) -> object:
    """One mapping, or one a write where an entry is written twice."""
    whole = dict(writes)
    return whole if len(whole) == len(writes) else [{name: value} for name, value in writes]


def _next(target: Next) -> object:
    return target.skill if target.block is None else {"skill": target.skill, "block": target.block}


def _stubbed(tool: str, stub: Stub | None) -> list[str]:
    if stub is None:
        return [f"stub: {inline({tool: None})}"]
    return ["stub:", f"  {key(tool)}:", *(f"    {line}" for line in _stub(stub))]
