"""Why a condition holds, fails or cannot be evaluated."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from inspector_core.classes import NamedTuple

__all__ = ["Proof", "ProofKind", "Truth"]


class Truth(Enum):
    """The engine's three outcomes. *Unset* is no fourth: it reads as `None`, and the proof says so."""

    HOLDS = "holds"
    FAILS = "fails"
    ERRORS = "errors"


ProofKind = Literal["and", "or", "not", "compare", "memory", "constant", "invalid", "rule"]


class Proof(NamedTuple):
    """One part of a condition with its outcome; the tree is the explanation."""

    kind: ProofKind
    text: str
    """The part as the author wrote it."""
    start: int
    """Character offset of the part in the condition's text."""
    end: int
    truth: Truth
    value: object = None
    """What the part evaluates to; `None` where it errors. Operands carry the memory's or the constant's value, and
    rules what they do and why."""
    error: str | None = None
    """For `ERRORS`: what went wrong, in the author's words (`amount is unset: None >= 100`)."""
    children: tuple[Proof, ...] = ()
    evaluated: bool = True
    """Whether the engine's short circuit reached this part; parts it never reached are evaluated all the same."""
    key: str | None = None
    """For `memory`: the key (`card_replace.reason`)."""
    unset: bool = False
    """For `memory`: the key holds nothing, and so reads as `None`."""
    operators: tuple[str, ...] = ()
    """For `compare`: the operators between the children, pair by pair."""
    cause: bool = False
    """For `ERRORS`: this is the innermost part that raised, not one that only passes the error on."""
