"""Why a condition is refused, where, and what to write instead."""

from __future__ import annotations

import re

from inspector_core.classes import NamedTuple
from inspector_core.mantle.condition.faults import shown
from inspector_core.mantle.condition.grow import read
from inspector_core.mantle.condition.mend import mended
from inspector_core.mantle.condition.tree import EQUALITIES, ORDERINGS, Compare, Illegal, Node, Partial, walk
from inspector_core.mantle.condition.unreadable import Trouble, trouble

__all__ = ["Problem", "problem_of"]


class Problem(NamedTuple):
    """What the engine's syntax check would refuse, with offsets in characters of the condition's text."""

    message: str
    start: int
    end: int
    hint: str | None = None
    """The whole condition rewritten, where that is possible; else what to do."""


def problem_of(text: str, tree: Node, accepted: bool) -> Problem | None:
    """The first thing that is refused."""
    if accepted:
        return None
    found = _unreadable(text) or _braces(text) or _refused(text, tree)
    better = mended(text)
    return Problem(found.message, found.start, found.end, f"write `{better}`" if better else found.advice)


def _unreadable(text: str) -> Trouble | None:
    try:
        read(text)
    except SyntaxError as error:
        return trouble(text, error)
    return None


def _braces(text: str) -> Trouble | None:
    """`{{…}}` is a template's way to name an entry, and parses."""
    inside = re.search(r"\{\{.*\}\}", text, re.DOTALL)
    if inside is None:
        return None
    return Trouble("`{{…}}` can't be used in a condition", inside.start(), inside.end(), "leave the braces out")


def _refused(text: str, tree: Node) -> Trouble:
    for node in walk(tree):
        match node:
            case Illegal():
                return Trouble(node.message, node.start, node.end, node.advice)
            case Partial(value=path):
                advice = f"write `{path}.<entry>`" if path.name else "write `session.<skill>.<entry>`"
                return Trouble(f"`{shown(str(path))}` names no entry", node.start, node.end, advice)
            case Compare():
                found = _operator(text, node)
                if found is not None:
                    return found
    return Trouble("can't be used as a condition", 0, len(text))


def _operator(text: str, node: Compare) -> Trouble | None:
    """The first comparison that the language lacks; it stands between its two operands."""
    for at, sign in enumerate(node.operators):
        if sign not in EQUALITIES and sign not in ORDERINGS:
            start, end = node.operands[at].end, node.operands[at + 1].start
            word = re.compile(r"\b" + r"\s+".join(sign.split()) + r"\b").search(text, start, end)
            start, end = word.span() if word else (start, end)
            return Trouble(f"`{sign}` can't be used in a condition", start, end, _instead(sign))
    return None


def _instead(sign: str) -> str:
    match sign:
        case "is":
            return "write `==`"
        case "is not":
            return "write `!=`"
        case "in":
            return "compare with each value, joined by `or`"
        case _:
            return "compare with each value by `!=`, joined by `and`"
