"""From text to our own tree, by way of Python's parser; never raises, whatever the text."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from sys import intern
from typing import Final, NamedTuple

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

__all__ = ["DEEPEST", "Grown", "Place", "grow", "read"]

DEEPEST: Final = 300
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
_LEGAL: Final = EQUALITIES | ORDERINGS


class Grown(NamedTuple):
    """What one reading of a text gives."""

    tree: Node
    keys: tuple[str, ...]
    accepted: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Turns the parser's lines and UTF-8 columns into character offsets of the text."""

    text: str
    starts: tuple[int, ...] | None
    """Where each line starts; `None` for one line of ASCII, where columns are offsets already."""

    @classmethod
    def of(cls, text: str) -> Place:
        if text.isascii() and "\n" not in text and "\r" not in text:
            return cls(text, None)
        return cls(text, _line_starts(text))

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
        start = self.starts[min(line, len(self.starts)) - 1]
        head = self.text[start : start + column].encode("utf-8", "surrogatepass")[:column]
        return min(start + len(head.decode("utf-8", "replace")), len(self.text))


def _line_starts(text: str) -> tuple[int, ...]:
    """As the parser counts lines: by line feed, carriage return, or both together."""
    starts = [0]
    for at, character in enumerate(text):
        if character == "\n" or (character == "\r" and text[at + 1 : at + 2] != "\n"):
            starts.append(at + 1)
    return tuple(starts)


def read(text: str) -> ast.expr:
    """Python's own tree of the text; raises `SyntaxError` for everything that can't be read, in any way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
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
        return Grown(Illegal(0, len(text), str(error.msg)), (), False)
    builder = _Builder(Place.of(text))
    tree = builder.node(parsed, 0)
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
        match node:
            case ast.Attribute() | ast.Name():
                return self._reference(node)
            case ast.Constant(value=value):
                return Constant(*self.place.bounds(node), value)
            case ast.Compare():
                return self._compare(node, depth)
            case ast.BoolOp():
                kind = And if isinstance(node.op, ast.And) else Or
                parts = [self.node(part, depth + 1) for part in node.values]
                return kind(*self.place.bounds(node), tuple(parts))
            case ast.UnaryOp(op=ast.Not()):
                part = self.node(node.operand, depth + 1)
                return Not(*self.place.bounds(node), part)
            case _:
                return self._refuse(node, *fault(node, self.place.slice(node)))

    def _compare(self, node: ast.Compare, depth: int) -> Node:
        operands = [self.node(node.left, depth + 1)]
        for operand in node.comparators:
            operands.append(self.node(operand, depth + 1))
        operators = tuple([_OPERATORS[type(op)] for op in node.ops])
        if not _LEGAL.issuperset(operators):
            self.accepted = False
        return Compare(*self.place.bounds(node), tuple(operands), operators)

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
