"""The reason for an outcome in the author's words, short enough for one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from inspector_core.mantle.condition.faults import shown
from inspector_core.mantle.condition.values import literal, names_for, ordered, spoken
from inspector_core.proof import Proof, Truth

__all__ = ["causes", "describe", "spoken"]

_PARTS: Final = 3
"""How many reasons are joined before the rest is only counted."""
_OPPOSITE: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def causes(proof: Proof) -> Iterator[Proof]:
    """The innermost parts that raised and were reached, in source order."""
    waiting = [proof]
    while waiting:
        here = waiting.pop()
        if here.cause and here.evaluated:
            yield here
        waiting.extend(reversed(here.children))


def describe(proof: Proof) -> str:
    """Why a condition does not hold, in one line; empty where it holds."""
    match proof.truth:
        case Truth.HOLDS:
            return ""
        case Truth.ERRORS:
            return proof.error or "can't be evaluated"
        case Truth.FAILS:
            try:
                return _Reason(proof).of(proof, holds=False)
            except RecursionError:
                return f"`{shown(proof.text)}` is false"


class _Reason:
    """Finds the deepest parts that decide an outcome, and names entries alike in all of them."""

    __slots__ = ("names",)

    def __init__(self, proof: Proof) -> None:
        self.names = names_for(dict.fromkeys(_keys(proof)))

    def of(self, proof: Proof, *, holds: bool) -> str:
        """Why a part came out as it did."""
        match proof.kind:
            case "and" | "or":
                decisive = [part for part in proof.children if (part.truth is Truth.HOLDS) is holds]
                needs_all = (proof.kind == "and") is holds
                return self._all(decisive, holds) if needs_all else self._first(decisive, proof, holds)
            case "not":
                return self.of(proof.children[0], holds=not holds)
            case "compare":
                return self._comparison(proof, holds)
            case "memory":
                return f"{self.names[proof.key or '']} is {spoken(proof.value)}"
            case _:
                return f"`{shown(proof.text)}` is {'true' if holds else 'false'}"

    def _all(self, parts: list[Proof], holds: bool) -> str:
        reasons = list(dict.fromkeys(self.of(part, holds=holds) for part in parts[: _PARTS + 1]))
        more = len(parts) - _PARTS
        return ", ".join(reasons) if more <= 0 else f"{', '.join(reasons[:_PARTS])} (+{more} more)"

    def _first(self, parts: list[Proof], whole: Proof, holds: bool) -> str:
        reason = self._part(parts[0], holds)
        more = len(parts) - 1 if whole.kind == "and" else 0
        return f"{reason} (+{more} more)" if more > 0 else reason

    def _part(self, part: Proof, holds: bool) -> str:
        return part.error or "can't be evaluated" if part.truth is Truth.ERRORS else self.of(part, holds=holds)

    def _comparison(self, proof: Proof, holds: bool) -> str:
        pairs = list(zip(proof.children, proof.operators, proof.children[1:], strict=False))
        # what follows the first pair that fails was never compared, and could raise
        pairs = pairs if holds else [next(pair for pair in pairs if not _stands(*pair))]
        return ", ".join(dict.fromkeys(self._pair(*pair, holds=holds) for pair in pairs))

    def _pair(self, left: Proof, operator: str, right: Proof, *, holds: bool) -> str:
        if left.key is None and right.key is not None:
            left, operator, right = right, _OPPOSITE[operator], left
        if left.key is None:
            return f"`{shown(f'{left.text} {operator} {right.text}')}` is {'true' if holds else 'false'}"
        said = f"{self.names[left.key]} is {spoken(left.value)}"
        equal = operator in ("==", "!=")
        if equal and holds is (operator == "=="):
            return said
        if equal:
            return f"{said}, not {self._operand(right, spoken(right.value))}"
        return f"{said}: {'' if holds else 'not '}{operator} {self._operand(right, literal(right.value))}"

    def _operand(self, proof: Proof, value: str) -> str:
        return value if proof.key is None else f"{self.names[proof.key]} ({value})"


def _stands(left: Proof, operator: str, right: Proof) -> bool:
    """Whether one pair of a comparison that did not error is true."""
    return ordered(operator, left.value, right.value)


def _keys(proof: Proof) -> Iterator[str]:
    waiting = [proof]
    while waiting:
        here = waiting.pop()
        if here.key is not None:
            yield here.key
        waiting.extend(reversed(here.children))
