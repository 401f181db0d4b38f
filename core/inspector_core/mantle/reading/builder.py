"""From a YAML parser's events to nodes, without recursion, within bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.mapping import join
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.scalars import CALM, NUMERIC, ODD, SPECIAL, Unreadable, by_tag, plain, surprise
from inspector_core.source import Source

__all__ = ["DEEPEST", "MOST_EXPANDED", "Builder"]

DEEPEST = 100
"""Levels of nesting that are read."""

MOST_EXPANDED = 1_000
"""Nodes that the aliases of one document may stand for, all together."""

_STARTS: frozenset[object] = frozenset((MappingStartEvent, SequenceStartEvent))
_ENDS: frozenset[object] = frozenset((MappingEndEvent, SequenceEndEvent))
_QUOTES = frozenset(('"', "'"))
_BLOCKS = frozenset(("|", ">"))
_STANDARD = "tag:yaml.org,2002:"
_SCALAR_TAGS = frozenset(f"{_STANDARD}{t}" for t in ("null", "bool", "int", "float", "binary", "timestamp", "str"))
_PROPERTIES = re.compile(r"(?:(?:!<[^>\n]*>|[&!][^\s,\[\]{}]*)\s*(?:#.*\s*)*)+")
"""Tags and anchors before a node's content, with the space and comments after them."""
_SEVERITIES = {
    "syntax": Severity.ERROR,
    "tag": Severity.ERROR,
    "bounds": Severity.WARNING,
    "surprise": Severity.INFO,
}
_new = tuple.__new__
"""Makes a node in half the time that its own constructor takes."""


class _Mark(Protocol):
    index: int


class Event(Protocol):
    """A parser's event, which has as many of these as its kind needs."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str
    """Or nothing, as for the tag."""
    tag: str
    value: str
    style: str | None
    implicit: tuple[bool, bool]
    flow_style: bool


class _Open(NamedTuple):
    """A collection that has begun and not ended."""

    event: Event
    children: list[Node]
    """Of a mapping: keys and values by turns."""
    kind: object


class Builder:
    """Reads one document's events into `root`; what is wrong goes to `findings`."""

    def __init__(self, source: Source, base: int) -> None:
        self.source = source
        self.base = base
        """Added to the parser's offsets, which count from where the YAML begins."""
        self.findings: list[Finding] = []
        self._roots: list[Node] = []
        self._children = self._roots
        """Of the innermost open collection; the roots while none is open."""
        self._open: list[_Open] = []
        self._anchors: dict[str, Node | None] = {}
        """`None` while the anchored collection is still open."""
        self._special: set[int] = set()
        """Where plain `<<` and `=` stand; those that turn out to be keys are taken out."""
        self._budget = MOST_EXPANDED
        self._skipped = False
        """Something was nested too deep, so an alias may well refer to what was not read."""

    @property
    def root(self) -> Node | None:
        return self._roots[0] if self._roots else None

    def unfinished(self) -> Node | None:
        """What had been read when the parser gave up, its open collections closed."""
        while self._open:
            self._end(None)
        return self.root

    def run(self, next_event: Callable[[], Event]) -> None:
        """Take events up to the end of the first document. What the parser raises passes through."""
        source, base, new, calm = self.source, self.base, tuple.__new__, CALM.get
        while True:
            event = next_event()
            kind: object = type(event)
            if kind is ScalarEvent:
                text, (is_plain, is_quoted) = event.value, event.implicit
                if is_plain:
                    value = calm(text, text)
                    needs_care = value is text and (text[0] in NUMERIC or text in ODD)
                else:
                    value, needs_care = text, not is_quoted or event.style not in _QUOTES
                if needs_care or event.anchor:
                    self._careful_scalar(event)
                    continue
                start, end = base + event.start_mark.index, base + event.end_mark.index
                self._children.append(new(Node, (value, source, start, end, "scalar", (), (), is_quoted)))
            elif kind in _ENDS:
                self._end(event)
            elif kind in _STARTS:
                self._start(event, kind, next_event)
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is StreamEndEvent or (kind is DocumentStartEvent and self._is_second(event)):
                break
        for at in sorted(self._special):
            self._report("syntax", f"`{self.source.text[at : at + 2].strip()}` can only be a key", at, at + 1)

    def _is_second(self, event: Event) -> bool:
        if self._roots:
            at = self.base + event.start_mark.index
            self._report("syntax", "a second document begins here, and only one is read", at, at + 3)
        return bool(self._roots)

    def _careful_scalar(self, event: Event) -> None:
        start, end = self._place(event)
        if event.style in _BLOCKS:
            end = start + len(self.source.text[start:end].rstrip())
        value = self._value(event, start, end)
        node = Node(value, self.source, start, end, "scalar", quoted=bool(event.style))
        if event.anchor:
            self._new_anchor(event, node)
        self._children.append(node)

    def _value(self, event: Event, start: int, end: int) -> object:
        text, tag = event.value, event.tag
        try:
            if tag in _SCALAR_TAGS:
                return by_tag(tag.removeprefix(_STANDARD), text)
            if tag and tag != "!":
                self._refuse_tag(event, start)
                if event.style:
                    return text
            elif not event.implicit[0]:
                return text
            if text in SPECIAL:
                self._special.add(start)
            value = plain(text)
        except Unreadable as problem:
            self._report("syntax", str(problem), start, end, "put it in quotes to keep it as text")
            return text
        if surprise(text, value) and not (text.lower() == "on" and self._at_key()):
            self._surprise(text, value, start, end)
        return value

    def _at_key(self) -> bool:
        return bool(self._open) and self._open[-1].kind is MappingStartEvent and len(self._children) % 2 == 0

    def _start(self, event: Event, kind: object, next_event: Callable[[], Event]) -> None:
        if event.anchor:
            self._new_anchor(event, None)
        if len(self._open) < DEEPEST:
            self._children = []
            self._open.append(_new(_Open, (event, self._children, kind)))
        else:
            self._skip(event, next_event)

    def _skip(self, event: Event, next_event: Callable[[], Event]) -> None:
        """Read a collection as null, and pass over what is in it."""
        start, end = self._place(event)
        depth = 1
        while depth:
            kind: object = type(next_event())
            depth += (kind in _STARTS) - (kind in _ENDS)
        if not self._skipped:
            self._report("bounds", f"nested deeper than {DEEPEST} levels; it reads as null here", start, end)
        self._skipped = True
        self._children.append(Node(None, self.source, start, end, "scalar"))

    def _end(self, event: Event | None) -> None:
        """Close the innermost collection; without an event, because the text broke off."""
        begin, children, kind = self._open.pop()
        self._children = self._open[-1][1] if self._open else self._roots
        has_properties = begin.tag or begin.anchor
        start = self._place(begin)[0] if has_properties else self.base + begin.start_mark.index
        if children and (event is None or not begin.flow_style):
            end = children[-1].end
        else:
            end = self.base + (event or begin).end_mark.index
        if kind is MappingStartEvent:
            value, entries = join(children, self._special, self.findings)
            node = _new(Node, (value, self.source, start, end, "mapping", entries, (), False))
        else:
            items = tuple(children)
            node = _new(Node, ([c.value for c in items], self.source, start, end, "sequence", (), items, False))
        self._children.append(self._with_properties(begin, node) if has_properties else node)

    def _with_properties(self, begin: Event, node: Node) -> Node:
        """A finished collection as its tag has it, remembered under its anchor."""
        if begin.tag and begin.tag != "!":
            node = node._replace(value=self._tagged(begin, node))
        if begin.anchor:
            self._anchors[begin.anchor] = node
        return node

    def _tagged(self, begin: Event, node: Node) -> object:
        """The value of a collection under its tag."""
        match begin.tag.removeprefix(_STANDARD), node.kind:
            case ("map", "mapping") | ("seq", "sequence"):
                return node.value
            case "set", "mapping":
                return {key.value for key, _ in node.entries}
            case "omap" | "pairs", "sequence" if all(len(item.entries) == 1 for item in node.items):
                return [(key.value, value.value) for item in node.items for key, value in item.entries]
        self._refuse_tag(begin, node.start)
        return node.value

    def _place(self, event: Event) -> tuple[int, int]:
        """Where an event's content stands, its tag and anchor left out."""
        start, end = self.base + event.start_mark.index, self.base + event.end_mark.index
        if (event.tag or event.anchor) and (match := _PROPERTIES.match(self.source.text, start, end)):
            start = match.end()
        return start, end

    def _alias(self, event: Event) -> None:
        start, end = self.base + event.start_mark.index, self.base + event.end_mark.index
        target = self._target(event.anchor, start, end)
        null = Node(None, self.source, start, end, "scalar")
        self._children.append(target._replace(start=start, end=end) if target else null)

    def _target(self, name: str, start: int, end: int) -> Node | None:
        """What an alias stands for; `None`, and a finding, where that can't be told or would be too much."""
        if name not in self._anchors:
            if not self._skipped:
                self._report("syntax", f"no `&{name}` stands before `*{name}`", start, end)
            return None
        target = self._anchors[name]
        if target is None:
            self._report("bounds", f"`*{name}` would contain itself; it reads as null here", start, end)
        elif self._budget >= 0:
            self._budget -= _size(target, self._budget)
            if self._budget < 0:
                message = f"the aliases stand for more than {MOST_EXPANDED} values; from here on they read as null"
                self._report("bounds", message, start, end, "write the values out")
        return target if self._budget >= 0 else None

    def _new_anchor(self, event: Event, node: Node | None) -> None:
        if event.anchor in self._anchors:
            start = self.base + event.start_mark.index
            self._report("syntax", f"the anchor `&{event.anchor}` is set twice", start, start + len(event.anchor) + 1)
        self._anchors[event.anchor] = node

    def _refuse_tag(self, event: Event, content: int) -> None:
        start, name = self.base + event.start_mark.index, event.tag.replace(_STANDARD, "!!")
        harm = "would have the loader make objects, and " if name.startswith("!!python") else ""
        end = start + len(self.source.text[start:content].rstrip())
        self._report("tag", f"the tag `{name}` {harm}is refused", start, end, "remove the tag")

    def _surprise(self, text: str, value: object, start: int, end: int) -> None:
        if isinstance(value, bool):
            meant = f"`{str(value).lower()}`"
        else:
            meant = f"the number `{value}`" if isinstance(value, int | float) else f"the date `{value}`"
        hint = f"write {meant} if it is meant, or put the text in quotes"
        self._report("surprise", f"`{text}` reads as {meant}, not as text", start, end, hint)

    def _report(self, what: str, message: str, start: int, end: int, hint: str | None = None) -> None:
        span = self.source.span(start, end)
        self.findings.append(Finding(f"inspector.yaml.{what}", _SEVERITIES[what], message, span, hint))


def _size(node: Node, limit: int) -> int:
    """How many nodes a node stands for; counting stops past the limit."""
    size, waiting = 0, [node]
    while waiting and size <= limit:
        inner = waiting.pop()
        size += 1
        waiting += inner.items
        for pair in inner.entries:
            waiting += pair
    return size
