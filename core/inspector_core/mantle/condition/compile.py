"""Fast evaluation: a condition's shape becomes code once, and its keys and constants are handed to that code.

The code is generated from our own checked tree and holds nothing of the author's text: keys and constants arrive as
arguments, so conditions of the same shape share one piece of code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NoReturn, cast

from inspector_core.mantle.condition.grow import Grown, grow
from inspector_core.mantle.condition.prove import prove
from inspector_core.mantle.condition.shape import loop_source, source
from inspector_core.mantle.condition.tree import (
    Constant,
    Node,
    Partial,
    inner,
    walk,
)
from inspector_core.mantle.condition.values import RAISED
from inspector_core.proof import Proof, Truth

__all__ = ["OUTCOMES", "Loop", "Row", "RowOf", "TruthOf", "compiled", "constants", "interpreted", "loop"]

TruthOf = Callable[[Mapping[str, object]], Truth]
Row = tuple[Truth, tuple[bool | None, ...], tuple[object, ...]]
"""The outcome, each atom's truth (`None`: it errors), and the value of each key."""
RowOf = Callable[[Mapping[str, object]], Row]
Loop = Callable[[Sequence[object], Iterable[tuple[object, ...]], Callable[[int], None]], None]
"""Hands on, as an index of `OUTCOMES`, how each condition of one shape comes out over some values: of a condition it is
given the places of its keys' values, and its constants."""
OUTCOMES: Final = (Truth.HOLDS, Truth.FAILS, Truth.ERRORS)
_Make = Callable[..., tuple[TruthOf, RowOf]]

_MOST_PARTS: Final = 600
_DEEPEST: Final = 30
"""Beyond these, a condition is interpreted: Python's own compiler has limits, and nobody writes such a gate."""


def compiled(text: str, grown: Grown, pattern: str | None) -> tuple[TruthOf, RowOf]:
    """The condition's `truth` and `row`; with a pattern, by code that all conditions of that shape share."""
    make = _shaped(pattern) if pattern is not None else _maker(grown)
    if make is None:
        return interpreted(text, grown.tree, grown.keys)
    return make(*grown.keys, *constants(grown.tree))


@lru_cache(maxsize=4096)
def loop(pattern: str) -> Loop | None:
    """What judges any number of conditions of a shape, without a call for each; `None` where they are interpreted."""
    grown = grow(pattern)
    if not _compiles(grown.tree):
        return None
    written = loop_source(grown.tree, _slots(grown), len(constants(grown.tree)))
    return cast(Loop, _run(written)["loop"])


@lru_cache(maxsize=4096)
def _shaped(pattern: str) -> _Make | None:
    return _maker(grow(pattern))


def _maker(grown: Grown) -> _Make | None:
    """What makes the two functions of a condition; `None` where it is to be interpreted."""
    if not _compiles(grown.tree):
        return None
    return _made(source(grown.tree, _slots(grown), len(constants(grown.tree))))


def _slots(grown: Grown) -> dict[str, int]:
    return {key: number for number, key in enumerate(grown.keys)}


def constants(tree: Node) -> list[object]:
    """What a condition compares with, in the order in which its shape takes them."""
    return [node.value for node in walk(tree) if isinstance(node, Constant | Partial)]


def _compiles(tree: Node) -> bool:
    return sum(1 for _ in islice(walk(tree), _MOST_PARTS + 1)) <= _MOST_PARTS and not _deep(tree, _DEEPEST)


def _deep(node: Node, left: int) -> bool:
    return left == 0 or any(_deep(part, left - 1) for part in inner(node))


@lru_cache(maxsize=1024)
def _made(source: str) -> _Make:
    return cast(_Make, _run(source)["make"])


def _run(source: str) -> dict[str, object]:
    room: dict[str, object] = {
        "__builtins__": {},
        "HOLDS": Truth.HOLDS,
        "FAILS": Truth.FAILS,
        "ERRORS": Truth.ERRORS,
        "RAISED": RAISED,
        "MISSING": KeyError,
        "refuse": _refuse,
    }
    exec(compile(source, "<condition>", "exec"), room)
    return room


def _refuse() -> NoReturn:
    raise TypeError


def interpreted(text: str, tree: Node, keys: tuple[str, ...]) -> tuple[TruthOf, RowOf]:
    """The same two answers by way of the proof."""

    def truth(memory: Mapping[str, object]) -> Truth:
        return prove(text, tree, keys, memory).truth

    def row(memory: Mapping[str, object]) -> Row:
        proof = prove(text, tree, keys, memory)
        return proof.truth, tuple(_atom_truths(proof)), tuple([memory.get(key) for key in keys])

    return truth, row


def _atom_truths(proof: Proof) -> Iterator[bool | None]:
    waiting = [proof]
    while waiting:
        here = waiting.pop()
        if here.kind in ("and", "or", "not"):
            waiting.extend(reversed(here.children))
        else:
            yield None if here.truth is Truth.ERRORS else here.truth is Truth.HOLDS
