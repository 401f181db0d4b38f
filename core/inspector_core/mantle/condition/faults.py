"""What the language refuses, said in the author's words: a message, and a short piece of advice where there is one."""

from __future__ import annotations

import ast
import re
from typing import Final

__all__ = ["SPELLINGS", "fault", "illegal_name", "shown", "unnameable"]

SPELLINGS: Final = {"true": "True", "false": "False", "null": "None", "none": "None", "nil": "None"}
"""Words that other languages use for Python's three constants."""

_SHAPES: Final[dict[type[ast.expr], str]] = {
    ast.List: "a list can't be used in a condition",
    ast.Tuple: "a list of values can't be used in a condition",
    ast.Set: "`{…}` can't be used in a condition",
    ast.Dict: "`{…}` can't be used in a condition",
    ast.JoinedStr: "a formatted string can't be used in a condition",
    ast.IfExp: "`… if … else …` can't be used in a condition",
    ast.Lambda: "`lambda` can't be used in a condition",
    ast.NamedExpr: "`:=` can't be used in a condition",
    ast.Subscript: "`[…]` can't be used in a condition",
    ast.ListComp: "`for` can't be used in a condition",
    ast.SetComp: "`for` can't be used in a condition",
    ast.DictComp: "`for` can't be used in a condition",
    ast.GeneratorExp: "`for` can't be used in a condition",
    ast.Await: "`await` can't be used in a condition",
    ast.Yield: "`yield` can't be used in a condition",
    ast.YieldFrom: "`yield` can't be used in a condition",
    ast.Starred: "`*` can't be used in a condition",
}
_ARITHMETIC: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
}
_HYPHENED: Final = re.compile(r"session\.([\w-]+)(?:\.([\w-]+))?")


def shown(text: str, width: int = 60) -> str:
    """The author's words on one line, cut where they are long."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def fault(node: ast.expr, text: str) -> tuple[str, str | None]:
    """Why a part that is no reference, constant, comparison or `and`/`or`/`not` is refused."""
    match node:
        case ast.UnaryOp():
            return _sign(node, text)
        case ast.BinOp(op=op):
            return unnameable(text) or (f"arithmetic can't be used in a condition: `{_ARITHMETIC[type(op)]}`", None)
        case ast.Call():
            return f"a condition can't call anything: `{shown(text)}`", None
        case _:
            return _SHAPES.get(type(node), f"`{shown(text)}` can't be used in a condition"), None


def _sign(node: ast.UnaryOp, text: str) -> tuple[str, str | None]:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return f"negative constants are not supported: `{shown(text)}`", None
        case ast.UnaryOp(op=ast.USub()):
            sign = "-"
        case ast.UnaryOp(op=ast.UAdd()):
            sign = "+"
        case _:
            sign = "~"
    return f"a sign can't be used in a condition: `{sign}`", None


def unnameable(text: str) -> tuple[str, str | None] | None:
    """For a reference with a hyphen in it, which the parser takes for a subtraction."""
    match = _HYPHENED.fullmatch(text)
    if match is None or "-" not in text:
        return None
    what, name = ("skill id", match[1]) if "-" in match[1] else ("entry", match[2])
    advice = f"name it `{name.replace('-', '_')}`"
    return f"this {what} can't be named in a condition: `-` reads as minus: `{shown(text)}`", advice


def illegal_name(node: ast.Attribute | ast.Name, text: str) -> tuple[str, str | None]:
    """Why a name or path is no reference to memory."""
    parts = _parts(node)
    match parts:
        case None:
            return f"`{shown(text)}` is no reference to memory", None
        case [word]:
            return f"unknown name `{word}`", _spelled(word)
        case ["session", owner, entry, *_]:
            return f"`{shown(text)}` has too many parts: memory is `session.{owner}.{entry}`", None
        case [first, *rest] if first.lower() in {"session", "memory"}:
            return f"unknown name `{first}`", f"write `session.{'.'.join(rest)}`"
        case [_, _]:
            return f"`{shown(text)}` doesn't start with `session`", f"write `session.{'.'.join(parts)}`"
        case _:
            return f"`{shown(text)}` doesn't start with `session`", None


def _parts(node: ast.expr) -> list[str] | None:
    """The names of a dotted path; `None` where it starts at something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(names)]


def _spelled(word: str) -> str | None:
    right = SPELLINGS.get(word.lower())
    if right is None and word.lower() == "session":
        right = "session"
    return f"write `{right}`" if right else None
