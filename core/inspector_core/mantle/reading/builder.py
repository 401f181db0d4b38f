"""From a YAML parser's events to nodes, without recursion, within bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

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

from inspector_core.mantle.reading.anchors import Anchors
from inspector_core.mantle.reading.mapping import join
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.report import Report
from inspector_core.mantle.reading.scalars import (
    CALM,
    NUMERIC,
    ODD,
    SPECIAL,
    TELLING,
    Unreadable,
    by_tag,
    plain,
    surprise,
)
from inspector_core.source import Source

__all__ = ["DEEPEST", "Builder"]

DEEPEST = 100
"""Levels of nesting that are read."""

_STARTS: frozenset[object] = frozenset((MappingStartEvent, SequenceStartEvent))
_ENDS: frozenset[object] = frozenset((MappingEndEvent, SequenceEndEvent))
_QUOTES = frozenset(('"', "'"))
_BLOCKS = frozenset(("|", ">"))
_STANDARD = "tag:yaml.org,2002:"
_SCALAR_TAGS = frozenset(f"{_STANDARD}{t}" for t in ("null", "bool", "int", "float", "binary", "timestamp", "str"))
_PROPERTIES = re.compile(r"(?:(?:!<[^>\n]*>|[&!][^\s,\[\]{}]*)\s*(?:#.*\s*)*)+")
"""Tags and anchors before a node's content, with the space and comments after them."""
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


_Open = tuple[Event, object, list[Node]]
"""A collection that has begun and not ended: its event, the kind of that, and the children of what it stands in."""


class Builder:
    """Reads one document's events into `root`; what is wrong goes to the report."""

    def __init__(self, report: Report, base: int) -> None:
        self.report = report
        self.source: Source = report.source
        self.base = base
        """Added to the parser's offsets, which count from where the YAML begins."""
        self._roots: list[Node] = []
        self._children = self._roots
        """Of the innermost open collection: its items, or its keys and values by turns."""
        self._open: list[_Open] = []
        self._anchors = Anchors(report)
        self._special: set[int] = set()
        """Where plain `<<` and `=` stand; those that turn out to be keys are taken out."""

    @property
    def root(self) -> Node | None:
        return self._roots[0] if self._roots else None

    def unfinished(self) -> Node | None:
        """What had been read when the parser gave up, its open collections closed."""
        while self._open:
            self._close(None)
        return self.root

    def run(self, next_event: Callable[[], Event]) -> None:
        """Take events up to the end of the first document. What the parser raises passes through."""
        source, base, calm, new, opened = self.source, self.base, CALM.get, _new, self._open
        children = self._children
        while True:
            event = next_event()
            kind: object = type(event)
            if kind is ScalarEvent:
                text, (is_plain, is_quoted) = event.value, event.implicit
                value: object = text
                if is_plain and (not text or text[0] in TELLING):
                    value = calm(text, text)
                    needs_care = value is text and (text[0] in NUMERIC or text in ODD)
                else:
                    needs_care = not is_plain and (not is_quoted or event.style not in _QUOTES)
                if needs_care or event.anchor:
                    children.append(self._careful_scalar(event))
                    continue
                start, end = base + event.start_mark.index, base + event.end_mark.index
                children.append(new(Node, (value, source, start, end, "scalar", (), (), is_quoted)))
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                children = self._close(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                if event.anchor or len(opened) >= DEEPEST:
                    self._anchored_or_deep(event, next_event)
                if len(opened) < DEEPEST:
                    opened.append((event, kind, children))
                    children = self._children = []
            elif not self._goes_on(event, kind):
                break

    def _goes_on(self, event: Event, kind: object) -> bool:
        """Take an event that is no value; false at the end of the document."""
        start, end = self.base + event.start_mark.index, self.base + event.end_mark.index
        if kind is AliasEvent:
            self._children.append(self._anchors.alias(event.anchor, start, end))
        elif kind is DocumentStartEvent and self._roots:
            self.report.add("syntax", "a second document begins here, and only one is read", start, start + 3)
            return False
        if kind is not StreamEndEvent:
            return True
        for at in sorted(self._special):
            self.report.add("syntax", f"`{self.source.text[at : at + 2].strip()}` can only be a key", at, at + 1)
        return False

    def _careful_scalar(self, event: Event) -> Node:
        start, end = self._place(event)
        if event.style in _BLOCKS:
            end = start + len(self.source.text[start:end].rstrip())
        node = Node(self._value(event, start, end), self.source, start, end, "scalar", quoted=bool(event.style))
        if event.anchor:
            self._anchors.begin(event.anchor, self.base + event.start_mark.index)
            self._anchors.set(event.anchor, node)
        return node

    def _value(self, event: Event, start: int, end: int) -> object:
        text, tag = event.value, event.tag
        try:
            if tag in _SCALAR_TAGS:
                return by_tag(tag.removeprefix(_STANDARD), text)
            if tag and tag != "!":
                self.report.tag(tag, self.base + event.start_mark.index, start)
                if event.style:
                    return text
            elif not event.implicit[0]:
                return text
            if text in SPECIAL:
                self._special.add(start)
            value = plain(text)
        except Unreadable as problem:
            self.report.add("syntax", str(problem), start, end, "put it in quotes to keep it as text")
            return text
        if surprise(text, value) and not (text.lower() == "on" and self._at_key()):
            self.report.surprise(text, value, start, end)
        return value

    def _at_key(self) -> bool:
        return bool(self._open) and self._open[-1][1] is MappingStartEvent and len(self._children) % 2 == 0

    def _anchored_or_deep(self, event: Event, next_event: Callable[[], Event]) -> None:
        """Take note of a collection's anchor; pass over one that is nested too deeply."""
        if event.anchor:
            self._anchors.begin(event.anchor, self.base + event.start_mark.index)
        if len(self._open) >= DEEPEST:
            self._children.append(self._skipped(event, next_event))

    def _skipped(self, event: Event, next_event: Callable[[], Event]) -> Node:
        """A collection read as null, what is in it passed over."""
        start, end = self._place(event)
        depth = 1
        while depth:
            kind: object = type(next_event())
            depth += (kind in _STARTS) - (kind in _ENDS)
        if not self._anchors.incomplete:
            self.report.add("bounds", f"nested deeper than {DEEPEST} levels; it reads as null here", start, end)
        self._anchors.incomplete = True
        return Node(None, self.source, start, end, "scalar")

    def _close(self, event: Event | None) -> list[Node]:
        """Close the innermost collection; without an event, because the text broke off. What it stands in goes on."""
        children = self._children
        begin, kind, around = self._open.pop()
        self._children = around
        start = self.base + begin.start_mark.index
        if children and (event is None or not begin.flow_style):
            end = children[-1][3]  # the parser's own end of a block lies past the comments after it
        else:
            end = self.base + (event or begin).end_mark.index
        if kind is MappingStartEvent:
            value, entries = join(children, self._special, self.report)
            node = _new(Node, (value, self.source, start, end, "mapping", entries, (), False))
        else:
            values = [child[0] for child in children]
            node = _new(Node, (values, self.source, start, end, "sequence", (), tuple(children), False))
        if begin.tag or begin.anchor:
            node = self._with_properties(begin, node)
        around.append(node)
        return around

    def _with_properties(self, begin: Event, node: Node) -> Node:
        """A finished collection as its tag has it, remembered under its anchor."""
        node = node._replace(start=self._place(begin)[0])
        if begin.tag and begin.tag != "!":
            node = node._replace(value=self._tagged(begin, node))
        if begin.anchor:
            self._anchors.set(begin.anchor, node)
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
        self.report.tag(begin.tag, self.base + begin.start_mark.index, node.start)
        return node.value

    def _place(self, event: Event) -> tuple[int, int]:
        """Where an event's content stands, its tag and anchor left out."""
        start, end = self.base + event.start_mark.index, self.base + event.end_mark.index
        if (event.tag or event.anchor) and (match := _PROPERTIES.match(self.source.text, start, end)):
            start = match.end()
        return start, end
