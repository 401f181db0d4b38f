"""What any of the sources is read into: plain values that know where they were written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.source import Span

__all__ = ["UNREAD", "Node", "Place", "Unread", "Unreadable", "tree"]

Place = Callable[[int, int], Span]
"""Two character offsets to where they lie in the author's file."""


class Unread:
    """A value that only running a program would tell."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNREAD"


UNREAD = Unread()


class Unreadable(Exception):
    """A text can't be taken apart: what is wrong, and where."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message, self.span = message, span


class Node(NamedTuple):
    """A value with its place and its parts."""

    kind: Literal["mapping", "sequence", "scalar"]
    value: object
    """Of a scalar; `UNREAD` for what is no literal."""
    span: Span
    entries: tuple[tuple[Node, Node], ...] = ()
    """Of a mapping, as written."""
    items: tuple[Node, ...] = ()
    """Of a sequence."""
    called: str | None = None
    """Of a mapping that a program writes as a call: the name of what it calls."""

    def get(self, *names: str) -> Node | None:
        """The value under the first of these keys that is there; the last one where the key is repeated."""
        for name in names:
            for key, value in reversed(self.entries):
                if key.value == name and isinstance(key.value, str):
                    return value
        return None

    def text(self, *names: str) -> str | None:
        """The text under a key; `None` where there is none or it is no text."""
        found = self.get(*names)
        return found.value if found is not None and isinstance(found.value, str) else None

    def pairs(self) -> Iterator[tuple[object, Node]]:
        """Key and value of each entry."""
        return ((key.value, value) for key, value in self.entries)

    def plain(self) -> object:
        """The value as JSON would have it."""
        match self.kind:
            case "mapping":
                return {str(key): value.plain() for key, value in self.pairs()}
            case "sequence":
                return [item.plain() for item in self.items]
            case _:
                return self.value


def tree(value: object, span: Span) -> Node:
    """A value that was never written in a file, all of it in one place."""
    match value:
        case dict():
            entries = tuple((Node("scalar", key, span), tree(held, span)) for key, held in value.items())
            return Node("mapping", None, span, entries)
        case list() | tuple():
            return Node("sequence", None, span, items=tuple(tree(held, span) for held in value))
        case _:
            return Node("scalar", value, span)
