"""Our own tree of a condition: only what the language allows, and a marked hole for everything else.

Parts are named tuples, which cost a third of frozen dataclasses. Two parts of one text differ at least in their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from inspector_core.classes import NamedTuple, dataclass

__all__ = [
    "EQUALITIES",
    "ORDERINGS",
    "And",
    "Compare",
    "Constant",
    "Illegal",
    "Memory",
    "Node",
    "Not",
    "Or",
    "Partial",
    "Path",
    "atoms",
    "inner",
    "walk",
]

EQUALITIES: Final = frozenset({"==", "!="})
ORDERINGS: Final = frozenset({"<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class Path:
    """What an incomplete reference evaluates to: equal only to the same path, never ordered (§4.2)."""

    name: str | None
    """The one part after `session`; `None` for `session` alone, which alone counts as true."""

    def __bool__(self) -> bool:
        return self.name is None

    def __str__(self) -> str:
        return "session" if self.name is None else f"session.{self.name}"


class And(NamedTuple):
    """Parts of which all have to hold."""

    start: int
    end: int
    parts: tuple[Node, ...]


class Or(NamedTuple):
    """Parts of which one has to hold."""

    start: int
    end: int
    parts: tuple[Node, ...]


class Not(NamedTuple):
    """A part that has to fail."""

    start: int
    end: int
    part: Node


class Compare(NamedTuple):
    """Two operands or more, compared pair by pair."""

    start: int
    end: int
    operands: tuple[Node, ...]
    operators: tuple[str, ...]
    """One between each two operands. `in` and `is` occur here too: the engine refuses them only when it gets there."""


class Memory(NamedTuple):
    """What an entry holds."""

    start: int
    end: int
    key: str


class Constant(NamedTuple):
    """A value written out."""

    start: int
    end: int
    value: object


class Partial(NamedTuple):
    """`session` or `session.<one part>`: refused at train, and still something at run time."""

    start: int
    end: int
    value: Path


class Illegal(NamedTuple):
    """A part that errors as soon as it is evaluated."""

    start: int
    end: int
    message: str
    """What is wrong, in the author's words."""
    advice: str | None = None
    """What to write instead, where that is short."""


Node = And | Or | Not | Compare | Memory | Constant | Partial | Illegal


_INNER: Final[dict[type[Node], Callable[..., tuple[Node, ...]]]] = {
    And: lambda node: node.parts,
    Or: lambda node: node.parts,
    Not: lambda node: (node.part,),
    Compare: lambda node: node.operands,
}


def inner(node: Node) -> tuple[Node, ...]:
    """The parts directly inside a part, in source order."""
    parts = _INNER.get(type(node))
    return parts(node) if parts is not None else ()


def walk(node: Node) -> Iterator[Node]:
    """A part and all parts inside it, in source order."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        parts = _INNER.get(type(here))
        if parts is not None:
            waiting += parts(here)[::-1]


def atoms(tree: Node) -> Iterator[Node]:
    """The parts between which `and`, `or` and `not` stand, in source order: those that a row reports."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        if isinstance(here, And | Or | Not):
            waiting.extend(reversed(inner(here)))
        else:
            yield here
