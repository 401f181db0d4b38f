"""From text to our own tree, by way of Python's parser; never raises, whatever the text."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence
from itertools import chain, repeat
from sys import intern
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.condition.faults import fault, illegal_name
from inspector_core.mantle.condition.tree import (
    EQUALITIES,
    ORDERINGS,
    And,
    Compare,
    Constant,
    Illegal,
    Memory,
    Node,
    Not,
    Or,
    Partial,
    Path,
)
from inspector_core.source import NO_FILE

__all__ = ["DEEPEST", "Grown", "Place", "grow", "read"]

DEEPEST: Final = 420
"""Parts nested deeper than this are refused where they are reached: the engine's own recursion ends not far beyond."""

_OPERATORS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_LINE_END: Final = re.compile(rb"\r\n?|\n")
_LEGAL: Final = EQUALITIES | ORDERINGS


class Grown(NamedTuple):
    """What one reading of a text gives."""

    tree: Node
    keys: tuple[str, ...]
    accepted: bool


class Place(NamedTuple):
    """Turns the parser's lines and UTF-8 columns into character offsets of the text."""

    text: str
    starts: tuple[int, ...] | None
    """The byte at which each line starts; `None` for one line of ASCII, where columns are offsets already."""
    characters: tuple[int, ...] | None
    """The character that each byte belongs to; `None` for ASCII."""

    @classmethod
    def of(cls, text: str) -> Place:
        if not text.isascii():
            lengths = [len(character.encode("utf-8", "surrogatepass")) for character in text]
            characters = chain.from_iterable(repeat(at, length) for at, length in enumerate(lengths))
            return cls(text, _line_starts(text.encode("utf-8", "surrogatepass")), (*characters, len(text)))
        one_line = "\n" not in text and "\r" not in text
        return cls(text, None if one_line else _line_starts(text.encode("ascii")), None)

    def bounds(self, node: ast.expr) -> tuple[int, int]:
        """Where a part starts and ends."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        if self.starts is None:
            return node.col_offset, end
        return self._offset(node.lineno, node.col_offset), self._offset(end_line, end)

    def slice(self, node: ast.expr) -> str:
        """The part as the author wrote it."""
        start, end = self.bounds(node)
        return self.text[start:end]

    def _offset(self, line: int, column: int) -> int:
        assert self.starts is not None
        at = self.starts[min(line, len(self.starts)) - 1] + column
        if self.characters is None:
            return min(at, len(self.text))
        return self.characters[min(at, len(self.characters) - 1)]


def _line_starts(text: bytes) -> tuple[int, ...]:
    """As the parser counts lines: by line feed, carriage return, or both together."""
    return (0, *[end.end() for end in _LINE_END.finditer(text)])


def read(text: str) -> ast.expr:
    """Python's own tree of the text; raises `SyntaxError` for everything that can't be read, in any way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, NO_FILE, "eval").body
    except SyntaxError:
        raise
    except (RecursionError, MemoryError, SystemError, OverflowError):
        raise SyntaxError("nested too deeply") from None
    except ValueError:
        raise SyntaxError("a character that can't be used") from None


def grow(text: str) -> Grown:
    """The tree, the keys it reads, and whether the engine's syntax check accepts it."""
    try:
        parsed = read(text)
    except SyntaxError as error:
        from inspector_core.mantle.condition.unreadable import trouble

        found = trouble(text, error)
        return Grown(Illegal(0, len(text), found.message, found.advice), (), False)
    builder = _Builder(Place.of(text))
    try:
        tree = builder.node(parsed, 0)
    except RecursionError:
        return Grown(Illegal(0, len(text), "nested too deeply"), (), False)
    keys = tuple(dict.fromkeys(builder.keys))
    return Grown(tree, keys, builder.accepted)


class _Builder:
    """Walks Python's tree once, copying what is allowed and collecting the keys on the way."""

    __slots__ = ("accepted", "keys", "place")

    def __init__(self, place: Place) -> None:
        self.place = place
        self.keys: list[str] = []
        self.accepted = True

    def node(self, node: ast.expr, depth: int) -> Node:
        if depth > DEEPEST:
            return self._refuse(node, "nested too deeply", None)
        if isinstance(node, (ast.Attribute, ast.Name)):
            return self._reference(node)
        if isinstance(node, ast.Constant):
            return Constant(*self.place.bounds(node), node.value)
        grown: list[Node] = []
        for part in _inside(node):
            grown.append(self.node(part, depth + 1))  # without a frame for a comprehension at every level
        return self._joined(node, tuple(grown))

    def _joined(self, node: ast.expr, parts: tuple[Node, ...]) -> Node:
        match node:
            case ast.Compare(ops=ops):
                operators = tuple([_OPERATORS[type(op)] for op in ops])
                self.accepted = self.accepted and _LEGAL.issuperset(operators)
                return Compare(*self.place.bounds(node), parts, operators)
            case ast.BoolOp(op=ast.And()):
                return And(*self.place.bounds(node), parts)
            case ast.BoolOp():
                return Or(*self.place.bounds(node), parts)
            case ast.UnaryOp(op=ast.Not()):
                return Not(*self.place.bounds(node), parts[0])
            case _:
                return self._refuse(node, *fault(node, self.place.slice(node)))

    def _reference(self, node: ast.Attribute | ast.Name) -> Node:
        key = _key(node)
        if key is not None:
            self.keys.append(key)
            return Memory(*self.place.bounds(node), key)
        path = _partial(node)
        if path is None:
            return self._refuse(node, *illegal_name(node, self.place.slice(node)))
        self.accepted = False
        return Partial(*self.place.bounds(node), path)

    def _refuse(self, node: ast.expr, message: str, advice: str | None) -> Illegal:
        self.accepted = False
        self.keys.extend(_keys_inside(node))
        return Illegal(*self.place.bounds(node), message, advice)


def _inside(node: ast.expr) -> Sequence[ast.expr]:
    """The parts inside a part that the language allows."""
    match node:
        case ast.Compare(left=left, comparators=comparators):
            return [left, *comparators]
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return (operand,)
        case _:
            return ()


def _key(node: ast.AST) -> str | None:
    """`ns.entry` of `session.ns.entry`."""
    if isinstance(node, ast.Attribute):
        owner = node.value
        if isinstance(owner, ast.Attribute) and isinstance(owner.value, ast.Name) and owner.value.id == "session":
            return intern(f"{owner.attr}.{node.attr}")
    return None


def _partial(node: ast.AST) -> Path | None:
    match node:
        case ast.Name(id="session"):
            return Path(None)
        case ast.Attribute(attr=name, value=ast.Name(id="session")):
            return Path(name)
        case _:
            return None


def _keys_inside(node: ast.expr) -> list[str]:
    """The keys that a refused part mentions, in order: the engine's extraction counts them (§4.4)."""
    found: list[tuple[int, int, str]] = []
    for part in ast.walk(node):
        key = _key(part)
        if key is not None and isinstance(part, ast.Attribute):
            found.append((part.lineno, part.col_offset, key))
    return [key for _, _, key in sorted(found)]
