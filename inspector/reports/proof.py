"""A proof as a tree of lines: a glyph, the part as written, and what memory holds beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector.pieces import Line, Piece, Tone
from inspector.reports.text import say
from inspector.reports.values import shown
from inspector_core.mantle.condition import Condition
from inspector_core.proof import Proof, Truth

__all__ = ["TRUTHS", "condition_lines", "proof_lines"]

TRUTHS: Mapping[Truth, tuple[str, Tone, str]] = {
    Truth.HOLDS: ("✓", "good", "true"),
    Truth.FAILS: ("✗", "bad", "false"),
    Truth.ERRORS: ("!", "error", "error"),
}
"""Glyph, tone and word of each outcome."""

_WIDEST = 60


def condition_lines(condition: Condition, memory: Mapping[str, object]) -> Iterator[Line]:
    """What a condition comes to, whether the engine accepts it at train, and the proof."""
    proof = condition.prove(memory)
    glyph, tone, word = TRUTHS[proof.truth]
    yield say((f"{glyph} {word}", tone), f"  {proof.error}" if proof.error else "")
    if condition.problem:
        yield say(("  refused at train: ", "error"), condition.problem.message)
        if condition.problem.hint:
            yield say("    ", (f"hint: {condition.problem.hint}", "dim"))
    yield from proof_lines(proof)


def proof_lines(proof: Proof) -> Iterator[Line]:
    """The whole tree; parts that the engine's short circuit never reached are in brackets."""
    rows = list(_rows(proof, "", ""))
    width = min(max((len(left) for left, *_ in rows), default=0), _WIDEST)
    for left, tone, value in rows:
        pad = " " * (width - len(left) + 2) if value[0] else ""
        yield say((left, tone), pad, value)


def _rows(proof: Proof, first: str, rest: str) -> Iterator[tuple[str, Tone, Piece]]:
    glyph, tone, _ = TRUTHS[proof.truth]
    text = proof.kind if proof.kind in ("and", "or", "not") else " ".join(proof.text.split())
    yield (
        first + (f"{glyph} {text}" if proof.evaluated else f"({glyph} {text})"),
        tone if proof.evaluated else "dim",
        _value(proof),
    )
    children = _children(proof)
    for child in children:
        last = child is children[-1]
        yield from (_operand if proof.kind == "compare" else _rows)(
            child, rest + ("└ " if last else "├ "), rest + ("  " if last else "│ ")
        )


def _operand(proof: Proof, first: str, rest: str) -> Iterator[tuple[str, Tone, Piece]]:
    """A side of a comparison: its value matters, not whether that counts as true."""
    if proof.kind != "memory":
        yield from _rows(proof, first, rest)
    else:
        yield f"{first}  {proof.text}", "plain" if proof.evaluated else "dim", _value(proof)


def _children(proof: Proof) -> tuple[Proof, ...]:
    """The parts that get a line of their own: a comparison with one operand from memory says it all in its own."""
    shown = tuple(c for c in proof.children if c.kind != "constant")
    return () if proof.kind == "compare" and len(shown) == 1 and shown[0].kind == "memory" else shown


def _value(proof: Proof) -> Piece:
    if proof.truth is Truth.ERRORS and proof.cause:
        return (proof.error or "error", "error")
    memory = proof if proof.kind == "memory" else next((c for c in proof.children if c.kind == "memory"), None)
    if memory is not None and not _children(proof):
        return (shown(memory.value), "value")
    return ("", "plain")
