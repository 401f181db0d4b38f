"""What the language refuses, said in the author's words: a message, and a short piece of advice where there is one."""

from __future__ import annotations

import ast
import re
from typing import Final

__all__ = ["SPELLINGS", "dotted", "fault", "illegal_name", "shown", "unnameable"]

SPELLINGS: Final = {
    "true": "True",
    "false": "False",
    "null": "None",
    "none": "None",
    "nil": "None",
    "undefined": "None",
}
"""Words that other languages use for Python's three constants."""

_OWN_ENTRY: Final = "let a tool write the answer as an entry of its own"
_LIST: Final = "an entry that holds a list is true while the list isn't empty: name it alone"
_JOIN: Final = "write it with `and`, `or` and `not`"
_SHAPES: Final[dict[type[ast.expr], tuple[str, str | None]]] = {
    ast.List: ("a list can't be used in a condition", _LIST),
    ast.Tuple: ("values with commas between them can't be used in a condition", "join conditions with `and` or `or`"),
    ast.Set: ("`{…}` can't be used in a condition", "leave the braces out"),
    ast.Dict: ("`{…}` can't be used in a condition", _LIST),
    ast.JoinedStr: ("a formatted string can't be used in a condition", "name the entry alone"),
    ast.IfExp: ("`… if … else …` can't be used in a condition", _JOIN),
    ast.Lambda: ("`lambda` can't be used in a condition", _JOIN),
    ast.NamedExpr: ("`:=` can't be used in a condition", "write `==` to compare"),
    ast.Subscript: ("`[…]` can't be used in a condition", _OWN_ENTRY),
    ast.ListComp: ("`for` can't be used in a condition", _OWN_ENTRY),
    ast.SetComp: ("`for` can't be used in a condition", _OWN_ENTRY),
    ast.DictComp: ("`for` can't be used in a condition", _OWN_ENTRY),
    ast.GeneratorExp: ("`for` can't be used in a condition", _OWN_ENTRY),
    ast.Await: ("`await` can't be used in a condition", None),
    ast.Yield: ("`yield` can't be used in a condition", None),
    ast.YieldFrom: ("`yield` can't be used in a condition", None),
    ast.Starred: ("`*` can't be used in a condition", None),
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
_ENTRY: Final = "an entry is written `session.<skill>.<entry>`, and text in quotes"
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
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() as op):
            sign, word = ("&", "and") if isinstance(op, ast.BitAnd) else ("|", "or")
            return f"`{sign}` can't be used in a condition", f"write `{word}`"
        case ast.BinOp(op=op):
            message = f"arithmetic can't be used in a condition: `{_ARITHMETIC[type(op)]}`"
            return unnameable(text) or (message, _OWN_ENTRY)
        case ast.Call():
            return f"a condition can't call anything: `{shown(text)}`", _OWN_ENTRY
        case _:
            return _SHAPES.get(type(node), (f"`{shown(text)}` can't be used in a condition", None))


def _sign(node: ast.UnaryOp, text: str) -> tuple[str, str | None]:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return f"negative constants are not supported: `{shown(text)}`", _OWN_ENTRY
        case ast.UnaryOp(op=ast.USub()):
            sign = "-"
        case ast.UnaryOp(op=ast.UAdd()):
            sign = "+"
        case _:
            sign = "~"
    return f"a sign can't be used in a condition: `{sign}`", _OWN_ENTRY


def unnameable(text: str) -> tuple[str, str | None] | None:
    """For a reference with a hyphen in it, which the parser takes for a subtraction."""
    match = _HYPHENED.fullmatch(text)
    if match is None or "-" not in text:
        return None
    what, name = ("skill id", match[1]) if "-" in match[1] else ("entry", match[2])
    advice = f"rename it, as to `{shown(name.replace('-', '_'))}`"
    return f"this {what} can't be named in a condition: `-` reads as minus: `{shown(name)}`", advice


def illegal_name(node: ast.Attribute | ast.Name, text: str) -> tuple[str, str | None]:
    """Why a name or path is no reference to memory."""
    parts = dotted(node)
    match parts:
        case None:
            return f"`{shown(text)}` is no reference to memory", None
        case [word]:
            return f"unknown name `{shown(word)}`", _spelled(word) or _ENTRY
        case ["session", owner, entry, *_]:
            named = shown(f"session.{owner}.{entry}")
            return f"`{shown(text)}` has more than two parts after `session`: an entry is `{named}`", _OWN_ENTRY
        case [first, *rest] if first.lower() in {"session", "memory"}:
            return f"unknown name `{first}`", f"write `{shown('.'.join(['session', *rest]))}`"
        case [_, _]:
            return f"`{shown(text)}` doesn't start with `session`", f"write `{shown('.'.join(['session', *parts]))}`"
        case _:
            return f"`{shown(text)}` doesn't start with `session`", None


def dotted(node: ast.expr) -> list[str] | None:
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
