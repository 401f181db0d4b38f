"""Conditions, and parts of them, that memory has no say in (`'always'`)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.analysis.opens import always_holds
from inspector_core.analysis.rewrite import parents, proposal, replaced, skeleton, source
from inspector_core.analysis.trap import Trap
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.condition.faults import shown
from inspector_core.mantle.condition.tree import And, Compare, Constant, Memory, Node, Not, Or, walk
from inspector_core.proof import Truth

__all__ = ["constants"]

_CODE = "inspector.condition.constant"
_ALWAYS = {Truth.HOLDS: "always holds", Truth.FAILS: "never holds", Truth.ERRORS: "always errors"}


def constants(condition: Condition) -> Iterator[Trap]:
    """The whole condition where it is constant; else each part that is, and can't be meant."""
    size = len(condition.text)
    if not condition.keys:
        message = f"`{shown(condition.text)}` {_ALWAYS[condition.truth({})]}: it reads no memory"
        yield Trap(_CODE, message, _unquoted(condition.tree), 0, size, whole=True)
        return
    parts = [node for node, _ in skeleton(condition.tree) if _is_constant(node)]
    if always_holds(condition):
        culprit = next((part for part in parts if parse(source(condition, part)).truth({}) is Truth.HOLDS), None)
        because = f": `{shown(source(condition, culprit))}` is always true" if culprit else ""
        start, end = (culprit.start, culprit.end) if culprit else (0, size)
        hint = _compared(condition, culprit) if culprit else None
        yield Trap(_CODE, f"the condition always holds{because}", hint, start, end, whole=True)
        return
    for part in parts:
        truth = parse(source(condition, part)).truth({})
        message = f"`{shown(source(condition, part))}` {_ALWAYS[truth]}, whatever memory holds"
        yield Trap(_CODE, message, _compared(condition, part), part.start, part.end)


def _is_constant(node: Node) -> bool:
    """A part that reads no memory; a bare `True` or `False` says that it is meant so."""
    if isinstance(node, And | Or | Not) or (isinstance(node, Constant) and isinstance(node.value, bool)):
        return False
    return not any(isinstance(part, Memory) for part in walk(node))


def _unquoted(tree: Node) -> str | None:
    """For a reference that stands in quotes, and so is text."""
    if isinstance(tree, Constant) and isinstance(tree.value, str) and parse(tree.value).keys:
        inside = parse(tree.value)
        return f"leave the quotes out: `{shown(inside.text)}`" if inside.accepted else None
    return None


def _compared(condition: Condition, part: Node) -> str | None:
    """`x == 'a' or 'b'`, where `x == 'b'` is meant."""
    siblings = parents(condition.tree).get(id(part))
    if not isinstance(part, Constant) or not isinstance(siblings, And | Or):
        return None
    for other in siblings.parts:
        match other:
            case Compare(operands=(Memory() as entry, Constant()), operators=(("==" | "!=") as sign,)):
                words = f"{source(condition, entry)} {sign} {source(condition, part)}"
                return proposal(replaced(condition, part, words, "atom"), "compare it with the entry too")
    return "compare it with an entry"
