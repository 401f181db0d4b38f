"""What a YAML text is read into: values that know where they were written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding
from inspector_core.source import Source, Span

__all__ = ["Document", "Node"]


class Node(NamedTuple):
    """A value as the engine's safe loading (YAML 1.1) sees it, with its place and its parts.

    A named tuple, since a folder makes them by the ten thousand, each at a fifth of a frozen dataclass' cost.
    """

    value: object
    """Plain Python: mappings are dicts (last duplicate wins, as in the engine), sequences are lists."""
    source: Source
    start: int
    """Character offset in the source's text; tags and anchors lie before it."""
    end: int
    kind: Literal["mapping", "sequence", "scalar"]
    entries: tuple[tuple[Node, Node], ...] = ()
    """Of a mapping: key and value nodes as written, duplicates included; those merged in by `<<` come first."""
    items: tuple[Node, ...] = ()
    """Of a sequence."""
    quoted: bool = False
    """Of a scalar: written with quotes or as a block, so that no YAML 1.1 reading of plain words applied."""

    @property
    def span(self) -> Span:
        return self.source.span(self.start, self.end)

    @property
    def text(self) -> str:
        """The author's own characters, quotes and all."""
        return self.source.text[self.start : self.end]

    def get(self, key: str | bool) -> Node | None:
        """The value node under a key; the last one where the key is repeated."""
        value = self.value
        if not isinstance(value, (dict, set)) or key not in value:
            return None
        pair = self._pair(key)
        return pair[1] if pair else None

    def key(self, key: str | bool) -> Node | None:
        """The key node itself, to point at."""
        pair = self._pair(key)
        return pair[0] if pair else None

    def _pair(self, key: str | bool) -> tuple[Node, Node] | None:
        value = self.value
        if isinstance(value, (dict, set)) and key in value:
            for pair in reversed(self.entries):
                written = pair[0][0]
                if written == key and type(written) is type(key):
                    return pair
        return None

    def pairs(self) -> Iterator[tuple[str, Node, Node]]:
        """Key text, key node and value node, in order; of a repeated key only the last, the one that counts."""
        entries = self.entries
        if len(entries) < 2:
            return iter([(str(k[0]), k, v) for k, v in entries])
        last = {k[0]: (k, v) for k, v in entries}
        return iter([(str(k[0]), k, v) for k, v in last.values()])

    def has_only(self, keys: frozenset[str]) -> bool:
        """Whether it is a mapping without any other keys."""
        return isinstance(self.value, dict) and self.value.keys() <= keys


class Document(NamedTuple):
    """What came of reading one YAML text: a node, unless it is empty or can't be read at all."""

    node: Node | None
    findings: tuple[Finding, ...] = ()
    partial: Node | None = None
    """Of a text with a syntax error: what stands before the error."""
