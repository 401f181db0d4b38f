"""The moves of a script: each key is what somebody does, and becomes the event that stands for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inspector_core.classes import NamedTuple
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
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.reading.yaml import Node
from inspector_core.script.parts import Entries, Parts
from inspector_core.script.stubs import STUB, stub

__all__ = ["MOVES", "events"]

Read = Callable[[Parts, Node, Entries], tuple[Event, ...]]


class _Kind(NamedTuple):
    read: Read
    more: tuple[str, ...] = ()
    """The keys that may stand beside it."""


def events(parts: Parts, name: str, node: Node, entries: Entries) -> tuple[Event, ...]:
    """What a move of this name comes to; nothing where something is wrong in it."""
    return MOVES[name].read(parts, node, entries)


def _customer(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    text = parts.text(node, "what the customer says")
    button = parts.text(entries["button"][1], "`button`") if "button" in entries else None
    return () if text is None else (CustomerSaid(text, button),)


def _say(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    text = parts.text(node, "what the model says")
    return () if text is None else (ModelSaid(text),)


def _start(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    target = parts.text(node, "what is started")
    return () if target is None else (Activated(target),)


def _set(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    return (FieldsSet(parts.values(node, "`set`")),)


def _call(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    call = _one_call(parts, node, entries)
    return () if call is None else (Called((call,)),)


def _one_call(parts: Parts, node: Node, entries: Entries) -> Call | None:
    tool = parts.text(node, "the tool that is called")
    arguments = parts.values(entries["with"][1], "`with`") if "with" in entries else {}
    done = stub(parts, entries)
    return None if tool is None else Call(tool, arguments, done)


def _yes(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    return (Resolved(True, stub(parts, entries), parts.optional(node, "the tool that was asked about")),)


def _no(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    return (Resolved(False, stub(parts, entries), parts.optional(node, "the tool that was asked about")),)


def _answer(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    """Whatever a model may send for yes or no."""
    tool = parts.text(entries["tool"][1], "`tool`") if "tool" in entries else None
    return (Resolved(parts.value(node), stub(parts, entries), tool),)


def _complete(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    _nothing(parts, node, "complete")
    if "criteria" not in entries:
        return (Completed(),)
    verdict = entries["criteria"][1]
    if parts.word(verdict) not in ("pass", "fail"):
        parts.unknown(verdict.text, verdict.span, ("pass", "fail"), "verdict on the criteria")
    return (Completed(parts.word(verdict) != "fail"),)


def _cancel(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    _nothing(parts, node, "cancel")
    return (Cancelled(),)


def _listen(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    _nothing(parts, node, "listen")
    return (Listened(),)


def _nothing(parts: Parts, node: Node, name: str) -> None:
    if node.value is not None:
        parts.wrong(f"`{name}` takes nothing behind its `:`", node.span)


def _correct(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    values = parts.values(node, "`correct`")
    if len(values) != 1:
        parts.wrong(f"`correct` takes one entry with its new value, not {len(values)}", node.span)
    return tuple(Corrected(key, value) for key, value in values.items())


def _search(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    query = parts.text(node, "what is searched for")
    return () if query is None else (Searched(query, stub(parts, entries, "finds") or Stub()),)


def _cannot_help(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    _nothing(parts, node, "cannot_help")
    if "in_domain" not in entries:
        parts.wrong("`cannot_help` has to say whether it is about what the agent is for", node.span, "add `in_domain:`")
        return ()
    return (CannotHelp(parts.value(entries["in_domain"][1])),)


def _stub(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    """What tools do from here on; nothing behind a name: again what their code can be read to do."""
    found: list[Event] = []
    for tool, (name, value) in parts.entries(node, "`stub`").items():
        parts.mention("tool", tool, name.span)
        given = parts.entries(value, f"what `{tool}` does")
        parts.only(given, STUB, "part of what a tool does")
        empty = value.kind == "scalar" and value.value is None
        found.append(Stubbed(tool, None if empty else stub(parts, given) or Stub()))
    return tuple(found)


def _author(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    values = parts.memory(node, "`author`")
    return tuple(AuthorCleared(key) if value is None else AuthorSet(key, value) for key, value in values.items())


def _session(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    greets = parts.flag(entries["greets"][1], "`greets`") if "greets" in entries else True
    return (SessionBegan(parts.values(node, "`session`"), greets is not False),)


def _reply(parts: Parts, node: Node, entries: Entries) -> tuple[Event, ...]:
    """Several calls, and words beside them, in one reply of the model."""
    calls: list[Call] = []
    words: list[str] = []
    for item in node.items:
        given = (
            parts.entries(item, "a part of the reply") if item.kind == "mapping" else {parts.word(item): (item, item)}
        )
        name = next((n for n in given if n in _CALLS), None)
        if name is None:
            parts.unknown(next(iter(given), item.text), item.span, _CALLS, "part of a reply")
            continue
        parts.only(given, (name, *MOVES[name].more), f"part of `{name}`")
        value = given[name][1] if item.kind == "mapping" else _empty(item)
        for event in events(parts, name, value, given):
            words += [event.text] if isinstance(event, ModelSaid) else []
            calls += _calls(event)
    if node.kind != "sequence":
        parts.wrong("a reply is a list of what the model calls and says", node.span, "for words alone there is `say:`")
        return ()
    return (Called(tuple(calls), " ".join(words)),)


def _empty(item: Node) -> Node:
    """What stands behind a bare word: nothing."""
    return item._replace(value=None, start=item.end, quoted=False)


def _calls(event: Event) -> tuple[Call, ...]:
    """A move of the model as it calls the engine's own tools."""
    match event:
        case Called(calls):
            return calls
        case Resolved(confirmed, given):
            return (Call("resolve_tool_confirmation", {"confirmed": confirmed}, given),)
        case Searched(query, given):
            return (Call("search_knowledge", {"query": query}, given),)
        case _:
            plain = _plain_call(event)
            return () if plain is None else (Call(*plain),)


def _plain_call(event: Event) -> tuple[str, Mapping[str, object]] | None:
    match event:
        case Activated(target):
            return "activate", {"target_id": target}
        case FieldsSet(values):
            return "set_fields", values
        case Corrected(key, value):
            return "correct", {"memory_key": key, "value": value}
        case CannotHelp(in_domain):
            return "cannot_help", {"in_domain": in_domain}
        case Completed():
            return "complete", {}
        case Cancelled():
            return "cancel", {}
        case Listened():
            return "listen", {}
        case _:
            return None


MOVES: Mapping[str, _Kind] = {
    "customer": _Kind(_customer, ("button",)),
    "start": _Kind(_start),
    "set": _Kind(_set),
    "call": _Kind(_call, ("with", *STUB)),
    "yes": _Kind(_yes, STUB),
    "no": _Kind(_no, STUB),
    "answer": _Kind(_answer, ("tool", *STUB)),
    "say": _Kind(_say),
    "listen": _Kind(_listen),
    "complete": _Kind(_complete, ("criteria",)),
    "cancel": _Kind(_cancel),
    "correct": _Kind(_correct),
    "search": _Kind(_search, ("finds", *STUB[1:])),
    "cannot_help": _Kind(_cannot_help, ("in_domain",)),
    "reply": _Kind(_reply),
    "stub": _Kind(_stub),
    "author": _Kind(_author),
    "session": _Kind(_session, ("greets",)),
}
"""Every move by its key."""

_CALLS = tuple(name for name in MOVES if name not in ("customer", "reply", "stub", "author", "session"))
