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
    """The whole tree, values at the right; parts that the engine's short circuit never reached are in brackets."""
    yield from _branch(proof, "", "")


def _branch(proof: Proof, first: str, rest: str) -> Iterator[Line]:
    glyph, tone, _ = TRUTHS[proof.truth]
    text = proof.kind if proof.kind in ("and", "or", "not") else " ".join(proof.text.split())
    told = f"{glyph} {text}" if proof.evaluated else f"({glyph} {text})"
    yield _line(proof, (first, "dim"), (told, tone if proof.evaluated else "dim"))
    children = _children(proof)
    for child in children:
        last = child is children[-1]
        here, below = rest + ("└ " if last else "├ "), rest + ("  " if last else "│ ")
        if proof.kind == "compare" and child.kind == "memory":
            yield _line(child, (here, "dim"), (f"  {child.text}", "plain" if child.evaluated else "dim"))
        else:
            yield from _branch(child, here, below)


def _line(proof: Proof, *pieces: Piece) -> Line:
    memory = _memory(proof)
    return Line(pieces, _value(proof), key=memory.key if memory else None)


def _children(proof: Proof) -> tuple[Proof, ...]:
    """The parts that get a line of their own: a comparison with one operand from memory says it all in its own."""
    shown = tuple(c for c in proof.children if c.kind != "constant")
    return () if proof.kind == "compare" and len(shown) == 1 and shown[0].kind == "memory" else shown


def _memory(proof: Proof) -> Proof | None:
    """The entry whose value a line shows."""
    if proof.kind == "memory" or _children(proof):
        return proof if proof.kind == "memory" else None
    return next((c for c in proof.children if c.kind == "memory"), None)


def _value(proof: Proof) -> Piece | None:
    if proof.truth is Truth.ERRORS and proof.cause:
        return (proof.error or "error", "error")
    memory = _memory(proof)
    return (shown(memory.value), "value") if memory else None
