"""The expectations of a script: each key is one kind of check, and each entry under it is a check of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from inspector_core.mantle.reading.yaml import Node
from inspector_core.script.parts import Parts
from inspector_core.script.values import Check, CheckKind, Pattern

__all__ = ["EXPECTED", "checks"]

Read = Callable[[Parts, str, Node], Iterator[Check]]

_HAPPENINGS = tuple(
    f"{what}_{how}"
    for what, ways in (
        ("skill", ("activated", "completed", "cancelled", "interrupted", "resumed")),
        ("ordered_block", ("entered", "completed", "cancelled", "interrupted", "resumed")),
    )
    for how in ways
)


def checks(parts: Parts, node: Node) -> tuple[Check, ...]:
    """Everything that one `expect:` expects."""
    found: list[Check] = []
    entries = parts.entries(node, "`expect`")
    parts.only(entries, tuple(EXPECTED), "expectation")
    for name, (_, value) in entries.items():
        if name in EXPECTED:
            found += EXPECTED[name](parts, name, value)
    if not entries:
        parts.wrong("nothing is expected here", node.span)
    return tuple(found)


def _kind(name: str) -> CheckKind:
    return cast(CheckKind, name)


def _one(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    """One name; nothing, or the word `nothing`, for none at all."""
    text = parts.optional(node, f"`{name}`")
    yield Check(_kind(name), node.span, None if text == "nothing" else text)


def _names(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    for text, span in parts.texts(node, f"each of `{name}`"):
        yield Check(_kind(name), span, text)


def _absent(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    """What is not to happen: a name that nothing has would never be missed."""
    for check in _names(parts, name, node):
        if name == "not_ran":
            parts.mention("tool", check.name or "", check.span)
        elif (check.name or "").startswith("utter_"):
            parts.mention("response", check.name or "", check.span)
        yield check


def _mapped(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    """Names alone, or each with the value that is wanted."""
    if node.kind != "mapping":
        yield from _names(parts, name, node)
        return
    for entry, (key, value) in parts.entries(node, f"`{name}`").items():
        wanted = parts.value(value) if name == "memory" else parts.word(value)
        yield Check(_kind(name), key.span, entry, wanted)


def _memory(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    if node.kind != "mapping":
        parts.wrong("`memory` is no mapping of keys to values", node.span)
        return
    for check in _mapped(parts, name, node):
        parts.mention("key", check.name or "", check.span)
        yield check


def _ran(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    """How often each ran: once, where nothing is said."""
    if node.kind != "mapping":
        yield from (c.__class__(c.kind, c.span, c.name, 1) for c in _names(parts, name, node))
        return
    for entry, (key, value) in parts.entries(node, f"`{name}`").items():
        if isinstance(value.value, int) and not isinstance(value.value, bool) and value.value >= 0:
            yield Check("ran", key.span, entry, value.value)
        else:
            parts.wrong(f"how often `{entry}` ran has to be a number", value.span)


def _happened(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    for text, span in parts.texts(node, f"each of `{name}`"):
        yield Check("happened", span, text, patterns=(Pattern(name, text),))


def _patterns(parts: Parts, name: str, node: Node) -> Iterator[Check]:
    """One list of events, or several lists, each to be judged by itself."""
    if node.kind != "sequence":
        parts.wrong(f"`{name}` is no list of events", node.span)
        return
    if node.items and all(item.kind == "sequence" for item in node.items):
        for item in node.items:
            yield from _patterns(parts, name, item)
        return
    found = (_pattern(parts, item) for item in node.items)
    yield Check(_kind(name), node.span, patterns=tuple(p for p in found if p is not None))


def _pattern(parts: Parts, node: Node) -> Pattern | None:
    """`event`, `event about`, or `event: {field: value}`."""
    if node.kind == "scalar":
        event, _, about = (parts.text(node, "an event") or "").partition(" ")
        return Pattern(event, about.strip())
    entries = parts.entries(node, "an event")
    if len(entries) != 1:
        parts.wrong("an event is its name, or its name with fields behind it", node.span)
        return None
    [(name, (_, value))] = entries.items()
    event, _, about = name.partition(" ")
    if value.kind != "mapping":
        return Pattern(event, about or parts.word(value))
    fields = parts.values(value, "the fields of an event")
    metadata = fields.pop("metadata", None)
    return Pattern(event, about.strip(), fields, metadata if isinstance(metadata, Mapping) else {})


EXPECTED: Mapping[str, Read] = {
    "active": _one,
    "asks": _one,
    "offered": _names,
    "hidden": _mapped,
    "memory": _memory,
    "ran": _ran,
    "not_ran": _absent,
    "declined": _names,
    "failed": _mapped,
    "refused": _mapped,
    "said": _names,
    "not_said": _absent,
    **{name: _happened for name in _HAPPENINGS},
    "order": _patterns,
    "records": _patterns,
}
"""Every kind of expectation by its key."""
