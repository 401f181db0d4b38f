"""Anchors and aliases of one YAML document, within bounds."""

from __future__ import annotations

from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.report import Report

__all__ = ["MOST_EXPANDED", "Anchors"]

MOST_EXPANDED = 1_000
"""Nodes that the aliases of one document may stand for, all together."""


class Anchors:
    """What is known by which name so far."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.incomplete = False
        """Part of the document was passed over, and may have held an anchor."""
        self._nodes: dict[str, Node | None] = {}
        """`None` while the anchored collection is still open."""
        self._budget = MOST_EXPANDED

    def begin(self, name: str, at: int) -> None:
        """An anchor stands at this offset."""
        if name in self._nodes:
            self.report.add("syntax", f"the anchor `&{name}` is set twice", at, at + len(name) + 1)
        self._nodes[name] = None

    def set(self, name: str, node: Node) -> None:
        """What the anchor belongs to has been read."""
        self._nodes[name] = node

    def alias(self, name: str, start: int, end: int) -> Node:
        """What the alias between two offsets stands for: null where that can't be told, or would be too much."""
        target = self._target(name, start, end)
        if target is None:
            return Node(None, self.report.source, start, end, "scalar")
        return target._replace(start=start, end=end)

    def _target(self, name: str, start: int, end: int) -> Node | None:
        if name not in self._nodes:
            if not self.incomplete:
                self.report.add("syntax", f"no `&{name}` stands before `*{name}`", start, end)
            return None
        target = self._nodes[name]
        if target is None:
            self.report.add("bounds", f"`*{name}` would contain itself; it reads as null here", start, end)
        elif self._budget >= 0:
            self._budget -= _size(target, self._budget)
            if self._budget < 0:
                message = f"the aliases stand for more than {MOST_EXPANDED} values; from here on they read as null"
                self.report.add("bounds", message, start, end, "write the values out")
        return target if self._budget >= 0 else None


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
