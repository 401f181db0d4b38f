"""The proof of a condition: every part with its outcome, in the engine's order, skipped parts included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

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
)
from inspector_core.mantle.condition.values import RAISED, clash, names_for, ordered
from inspector_core.proof import Proof, ProofKind, Truth

__all__ = ["prove"]


def prove(text: str, tree: Node, keys: tuple[str, ...], memory: Mapping[str, object]) -> Proof:
    """The proof of a whole condition; its truth is the engine's."""
    prover = _Prover(text, names_for(keys), memory)
    try:
        return prover.part(tree, reached=True)
    except RecursionError:
        return prover.part(Illegal(0, len(text), "nested too deeply"), reached=True)


def _truth(value: object) -> Truth:
    return Truth.HOLDS if value else Truth.FAILS


class _Prover:
    """Evaluates each part once, telling it whether the engine's short circuit gets there."""

    __slots__ = ("memory", "names", "text")

    def __init__(self, text: str, names: Mapping[str, str], memory: Mapping[str, object]) -> None:
        self.text = text
        self.names = names
        self.memory = memory

    def part(self, node: Node, *, reached: bool) -> Proof:
        match node:
            case And(parts=parts):
                return self._logic(node, "and", parts, Truth.HOLDS, reached)
            case Or(parts=parts):
                return self._logic(node, "or", parts, Truth.FAILS, reached)
            case Not(part=inside):
                return self._not(node, self.part(inside, reached=reached), reached)
            case Compare():
                return self._compare(node, reached)
            case Memory(key=key):
                return self._memory(node, key, reached)
            case Constant(value=value):
                return self._proof(node, "constant", _truth(value), reached, value=value)
            case Partial(value=path):
                return self._proof(node, "invalid", _truth(path), reached, value=path)
            case Illegal(message=message, advice=advice):
                error = f"{message}; {advice}" if advice and advice.startswith("write ") else message
                return self._proof(node, "invalid", Truth.ERRORS, reached, error=error, cause=True)
            case _:
                assert_never(node)

    def _proof(
        self,
        node: Node,
        kind: ProofKind,
        truth: Truth,
        reached: bool,
        *,
        value: object = None,
        error: str | None = None,
        children: tuple[Proof, ...] = (),
        operators: tuple[str, ...] = (),
        cause: bool = False,
    ) -> Proof:
        text = self.text[node.start : node.end]
        return Proof(
            kind, text, node.start, node.end, truth, value, error, children, reached, None, False, operators, cause
        )

    def _memory(self, node: Node, key: str, reached: bool) -> Proof:
        value = self.memory.get(key)
        text = self.text[node.start : node.end]
        return Proof("memory", text, node.start, node.end, _truth(value), value, None, (), reached, key, value is None)

    def _logic(self, node: Node, kind: ProofKind, parts: tuple[Node, ...], goes_on: Truth, reached: bool) -> Proof:
        """`and` goes on while its parts hold, `or` while they fail; what stops it is its outcome."""
        children: list[Proof] = []
        decided: Proof | None = None
        for part in parts:
            child = self.part(part, reached=reached and decided is None)
            children.append(child)
            if decided is None and child.truth is not goes_on:
                decided = child
        truth = goes_on if decided is None else decided.truth
        error = decided.error if decided and truth is Truth.ERRORS else None
        value = None if error else truth is Truth.HOLDS
        return self._proof(node, kind, truth, reached, value=value, error=error, children=tuple(children))

    def _not(self, node: Node, child: Proof, reached: bool) -> Proof:
        if child.truth is Truth.ERRORS:
            return self._proof(node, "not", Truth.ERRORS, reached, error=child.error, children=(child,))
        holds = child.truth is Truth.FAILS
        return self._proof(node, "not", _truth(holds), reached, value=holds, children=(child,))

    def _compare(self, node: Compare, reached: bool) -> Proof:
        children = [self.part(node.operands[0], reached=reached)]
        holds, error, cause = True, children[0].error, False
        for sign, operand in zip(node.operators, node.operands[1:], strict=True):
            going = holds and error is None
            refused = going and sign not in EQUALITIES and sign not in ORDERINGS
            right = self.part(operand, reached=reached and going and not refused)
            if refused:
                error, cause = f"`{sign}` can't be used in a condition", True
            elif going and right.error is not None:
                error = right.error
            elif going:
                holds, error = self._pair(sign, children[-1], right)
                cause = error is not None
            children.append(right)
        truth, value = (_truth(holds), holds) if error is None else (Truth.ERRORS, None)
        return self._proof(
            node,
            "compare",
            truth,
            reached,
            value=value,
            error=error,
            children=tuple(children),
            operators=node.operators,
            cause=cause,
        )

    def _pair(self, sign: str, left: Proof, right: Proof) -> tuple[bool, str | None]:
        try:
            return ordered(sign, left.value, right.value), None
        except RAISED:
            sides = [(side.value, self.names.get(side.key or "")) for side in (left, right)]
            return False, clash(sign, sides[0], sides[1])
