"""A rewriting of a refused condition that the engine accepts and that means what the author will have meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.condition.faults import SPELLINGS, dotted
from inspector_core.mantle.condition.grow import Place, grow, read
from inspector_core.mantle.condition.tokens import Token, tokens
from inspector_core.mantle.condition.unreadable import RIGHT

__all__ = ["mended"]

_LONGEST: Final = 1000
_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SIGNS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "==",
    ast.IsNot: "!=",
}
_OR, _AND, _NOT, _COMPARE, _ATOM = range(5)


def mended(text: str) -> str | None:
    """The whole condition, rewritten; `None` where no rewriting is sure to be meant."""
    if len(text) > _LONGEST:
        return None
    spelled = _respelled(text)
    try:
        parsed = read(spelled)
        piece = _Mender(Place.of(spelled)).piece(parsed)
    except (SyntaxError, RecursionError):
        return None
    if piece is None or piece.text == text:
        return None
    return piece.text if grow(piece.text).accepted else None


def _respelled(text: str) -> str:
    """The same text with other languages' spellings replaced, on one line."""
    text = text.strip()
    if text.startswith("{{") and text.endswith("}}") and "{{" not in text[2:]:
        text = text[2:-2].strip()
    words = [word for word in tokens(text) if word.kind != "note"]
    return " ".join("".join(_words(words)).split(" ")).strip() + _missing_end(words)


def _words(words: list[Token]) -> Iterator[str]:
    previous = ""
    for word in words:
        yield _word(word, previous)
        if word.kind != "space":
            previous = word.text


def _word(word: Token, previous: str) -> str:
    match word.kind:
        case "line":
            return " "
        case "space":
            return " " if "\n" in word.text else word.text
        case "name" | "sign" if previous != ".":
            return _spelled(word)
        case _:
            return word.text


def _spelled(word: Token) -> str:
    right = RIGHT.get(word.text)
    if right in ("and", "or"):
        return right if word.kind == "name" else f" {right} "
    if right == "not":
        return "not" if word.kind == "name" else "not "
    if word.text == "@":
        return ""
    return right or SPELLINGS.get(word.text.lower(), word.text)


def _missing_end(words: list[Token]) -> str:
    """A forgotten last quote or last parentheses."""
    if words and words[-1].kind == "open":
        return words[-1].text[0]
    closed = words[-1].depth - (words[-1].text in (")", "]", "}")) if words else 0
    return ")" * closed


class _Piece(NamedTuple):
    """Rewritten text, and how tightly it binds."""

    binds: int
    text: str

    def inside(self, binds: int) -> str:
        return self.text if self.binds >= binds else f"({self.text})"


class _Mender:
    """Writes a tree out again, part by part, in the words the language has."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place

    def piece(self, node: ast.expr) -> _Piece | None:
        match node:
            case ast.Constant():
                return _Piece(_ATOM, self.place.slice(node))
            case ast.BoolOp(op=op, values=values):
                return self._logic("and" if isinstance(op, ast.And) else "or", values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inside = self.piece(operand)
                return inside and _Piece(_NOT, f"not {inside.inside(_NOT)}")
            case ast.Compare():
                return self._compare(node)
            case ast.Set(elts=[only]):
                return self.piece(only)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return _reference(node)
            case _:
                return None

    def _logic(self, word: str, values: list[ast.expr]) -> _Piece | None:
        binds = _AND if word == "and" else _OR
        parts = [self.piece(value) for value in values]
        written = [part.inside(binds + 1) for part in parts if part is not None]
        return _Piece(binds, f" {word} ".join(written)) if len(written) == len(values) else None

    def _compare(self, node: ast.Compare) -> _Piece | None:
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn() as op], comparators=[right]):
                return self._membership(node.left, right, isinstance(op, ast.In))
            case ast.Compare(ops=[op], comparators=[right]) if _is_negative(node.left) or _is_negative(right):
                return self._negative(node.left, _SIGNS.get(type(op)), right)
        operands = [node.left, *node.comparators]
        quoting = isinstance(node.ops[0], ast.Eq | ast.NotEq)
        written = self._operand(operands[0], operands[1], quoting)
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            sign, value = _SIGNS.get(type(op)), self._operand(right, left, quoting)
            written = f"{written} {sign} {value}" if written and sign and value else None
        return _Piece(_COMPARE, written) if written else None

    def _operand(self, node: ast.expr, other: ast.expr, quoting: bool = True) -> str | None:
        """One side of a comparison; a bare word across from an entry is text without its quotes."""
        if isinstance(node, ast.Name) and node.id != "session" and _reference(node) is None:
            return f"'{node.id}'" if quoting and _reference(other) is not None else None
        piece = self.piece(node)
        return piece and piece.inside(_ATOM)

    def _membership(self, left: ast.expr, right: ast.expr, belongs: bool) -> _Piece | None:
        """`x in [a, b]` as a chain of comparisons."""
        if not isinstance(right, ast.List | ast.Tuple | ast.Set) or not right.elts:
            return None
        value = self._operand(left, right.elts[0])
        others = [self._operand(other, left) for other in right.elts]
        if value is None or None in others:
            return None
        sign, word = ("==", " or ") if belongs else ("!=", " and ")
        binds = _COMPARE if len(others) == 1 else _OR if belongs else _AND
        return _Piece(binds, word.join([f"{value} {sign} {other}" for other in others]))

    def _negative(self, left: ast.expr, sign: str | None, right: ast.expr) -> _Piece | None:
        """`x > -1` as `x >= 0`, which is the same for whole numbers, and `-x < 0` as `x > 0`."""
        if _is_negative(left):
            left, sign, right = right, _FLIPPED.get(sign or ""), left
        match left, sign, right:
            case (_, ">", ast.UnaryOp(operand=ast.Constant(value=1))):
                value, turned = left, ">="
            case (_, "<=", ast.UnaryOp(operand=ast.Constant(value=1))):
                value, turned = left, "<"
            case (ast.Constant(value=0), str(), ast.UnaryOp(operand=ast.Attribute() as value)):
                turned = sign
            case _:
                return None
        piece = self.piece(value)
        return piece and _Piece(_COMPARE, f"{piece.inside(_ATOM)} {turned} 0")


def _is_negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _reference(node: ast.expr) -> _Piece | None:
    """A path to an entry, whatever it starts with and however it is written."""
    match dotted(_unsubscripted(node)):
        case [word] if word.lower() in SPELLINGS:
            return _Piece(_ATOM, SPELLINGS[word.lower()])
        case [first, owner, entry] if first.lower() in ("session", "memory"):
            return _Piece(_ATOM, f"session.{owner}.{entry}")
        case [owner, entry] if owner.lower() not in ("session", "memory"):
            return _Piece(_ATOM, f"session.{owner}.{entry}")
        case _:
            return None


def _unsubscripted(node: ast.expr) -> ast.expr:
    """`session['pay']['ok']` as `session.pay.ok`."""
    match node:
        case ast.Attribute(value=value, attr=name) | ast.Subscript(value=value, slice=ast.Constant(value=str(name))):
            return ast.Attribute(_unsubscripted(value), name)
        case _:
            return node
