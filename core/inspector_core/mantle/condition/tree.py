"""Our own tree of a condition: only what the language allows, and a marked hole for everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True)
class And:
    start: int
    end: int
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    start: int
    end: int
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    start: int
    end: int
    part: Node


@dataclass(frozen=True, slots=True)
class Compare:
    start: int
    end: int
    operands: tuple[Node, ...]
    operators: tuple[str, ...]
    """One between each two operands. `in` and `is` occur here too: the engine refuses them only when it gets there."""


@dataclass(frozen=True, slots=True)
class Memory:
    start: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class Constant:
    start: int
    end: int
    value: object


@dataclass(frozen=True, slots=True)
class Partial:
    """`session` or `session.<one part>`: refused at train, and still something at run time."""

    start: int
    end: int
    value: Path


@dataclass(frozen=True, slots=True)
class Illegal:
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
