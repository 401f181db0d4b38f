"""Why a condition is refused."""

from __future__ import annotations

from dataclasses import dataclass

from inspector_core.mantle.condition.tree import Illegal, Node, walk

__all__ = ["Problem", "problem_of"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What the engine's syntax check would refuse, with offsets in characters of the condition's text."""

    message: str
    start: int
    end: int
    hint: str | None = None


def problem_of(text: str, tree: Node, accepted: bool) -> Problem | None:
    if accepted:
        return None
    for node in walk(tree):
        if isinstance(node, Illegal):
            return Problem(node.message, node.start, node.end, node.advice)
    return Problem("x", 0, 0)
