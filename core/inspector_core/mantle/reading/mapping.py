"""Keys and values into a mapping: merge keys, repeated keys, and keys that can't be keys."""

from __future__ import annotations

from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.report import Report
from inspector_core.mantle.reading.words import clip

__all__ = ["join"]

Pairs = tuple[tuple[Node, Node], ...]


def join(children: list[Node], special: set[int], report: Report) -> tuple[dict[object, object], Pairs]:
    """The dict and the entries of keys and values given by turns; a key without its value is left out.

    `special` holds where plain `<<` and `=` stand; those that are keys here are taken out of it.
    """
    match len(children):
        case 2:  # as most are; the general way takes three times as long
            pairs: Pairs = ((children[0], children[1]),)
        case 4:
            pairs = ((children[0], children[1]), (children[2], children[3]))
        case _:
            by_turns = iter(children)
            pairs = tuple(zip(by_turns, by_turns, strict=False))
    try:
        value = {key[0]: value[0] for key, value in pairs}
    except TypeError:
        pairs = _with_legal_keys(pairs, report)
        value = {key.value: value.value for key, value in pairs}
    if len(value) != len(pairs):
        _report_repeated(pairs, report)
    if special and any(key.start in special for key, _ in pairs):
        pairs = _merged(pairs, special, report)
        value = {key.value: value.value for key, value in pairs}
    return value, pairs


def _with_legal_keys(pairs: Pairs, report: Report) -> Pairs:
    for key, _ in pairs:
        if key.value.__hash__ is None:
            what = "list" if key.kind == "sequence" else "mapping"
            message, hint = f"a {what} can't be a key", "put text that starts with `{` or `[` in quotes"
            report.add("key", message, key.start, key.end, hint)
    return tuple((key, value) for key, value in pairs if key.value.__hash__ is not None)


def _report_repeated(pairs: Pairs, report: Report) -> None:
    first: dict[object, Node] = {}
    for key, _ in pairs:
        earlier = first.setdefault(key.value, key)
        if earlier is not key:
            line = report.source.position(earlier.start)[0]
            message = f"`{clip(key.text)}` is written twice: this one counts, the one in line {line} does not"
            report.add("duplicate-key", message, key.start, key.end)


def _merged(pairs: Pairs, special: set[int], report: Report) -> Pairs:
    """The entries with what `<<` brings in put first, as far as it isn't written here too."""
    brought: dict[object, tuple[Node, Node]] = {}
    own: list[tuple[Node, Node]] = []
    for key, value in pairs:
        is_merge = key.start in special and key.value == "<<"
        special.discard(key.start)
        if not is_merge:
            own.append((key, value))
            continue
        for mapping in reversed(_mappings(value, report)):
            brought |= {pair[0].value: pair for pair in mapping.entries}
    written = {key.value for key, _ in own}
    return (*(pair for key, pair in brought.items() if key not in written), *own)


def _mappings(node: Node, report: Report) -> list[Node]:
    """What a `<<` refers to: one mapping, or several in a list, of which the first wins."""
    found = []
    for part in node.items if node.kind == "sequence" else (node,):
        if part.kind == "mapping":
            found.append(part)
        elif not report.bounded(part.start, part.end):
            report.add("syntax", "`<<` takes a mapping, or a list of mappings", part.start, part.end)
    return found
