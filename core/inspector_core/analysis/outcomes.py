"""Which outcomes a part of a condition can have at all, and whether the engine gets there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.prove import prove
from inspector_core.mantle.condition.tree import (
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
    walk,
)
from inspector_core.proof import Truth

__all__ = ["Outcomes", "outcomes", "reached"]

Outcomes = frozenset[bool | None]
"""Holds, fails, errors (`None`)."""

_TRUTHS: Mapping[Truth, bool | None] = {Truth.HOLDS: True, Truth.FAILS: False, Truth.ERRORS: None}


def outcomes(condition: Condition, node: Node, known: Mapping[str, object] | None = None) -> Outcomes:
    """Every outcome that the part may have while some keys are known and the others anything; perhaps some more."""
    known = known or {}
    match node:
        case And(parts=parts):
            return _series([outcomes(condition, part, known) for part in parts], goes_on=True)
        case Or(parts=parts):
            return _series([outcomes(condition, part, known) for part in parts], goes_on=False)
        case Not(part=part):
            inside = outcomes(condition, part, known)
            return frozenset([None if outcome is None else not outcome for outcome in inside])
        case _:
            return _atom(condition, node, known)


def reached(condition: Condition, wanted: Node, known: Mapping[str, object]) -> bool:
    """Whether the engine may get to a part while some keys are known."""
    return any(here is wanted for here in _reached(condition, condition.tree, known))


def _reached(condition: Condition, node: Node, known: Mapping[str, object]) -> Iterator[Node]:
    yield node
    match node:
        case And(parts=parts) | Or(parts=parts):
            goes_on = isinstance(node, And)
            for part in parts:
                yield from _reached(condition, part, known)
                if goes_on not in outcomes(condition, part, known):
                    return
        case Not(part=part):
            yield from _reached(condition, part, known)
        case Compare(operands=operands):
            for operand in operands:
                yield from _reached(condition, operand, known)
        case _:
            return


def _series(parts: list[Outcomes], *, goes_on: bool) -> Outcomes:
    """What comes of parts in a row, each of which is looked at only while the ones before it came out alike."""
    so_far: Outcomes = frozenset([goes_on])
    for part in parts:
        if goes_on not in so_far:
            break
        so_far = (so_far - {goes_on}) | part
    return so_far


def _atom(condition: Condition, node: Node, known: Mapping[str, object]) -> Outcomes:
    inside = list(walk(node))
    if all(part.key in known for part in inside if isinstance(part, Memory)):
        return frozenset([_TRUTHS[prove(condition.text, node, condition.keys, known).truth]])
    if isinstance(node, Compare) and any(_may_raise(part) for part in inside):
        return frozenset([True, False, None])
    return frozenset([True, False])


def _may_raise(node: Node) -> bool:
    match node:
        case Compare(operators=operators):
            return any(sign in ORDERINGS or sign not in ("==", "!=") for sign in operators)
        case Illegal():
            return True
        case And() | Or() | Not() | Memory() | Constant() | Partial():
            return False
