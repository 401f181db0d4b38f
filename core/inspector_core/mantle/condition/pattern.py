"""What conditions that differ in names alone have in common: what is worked out for one of them is known for all."""

from __future__ import annotations

from collections.abc import Sequence

from inspector_core.mantle.condition.tree import Memory, Node, inner

__all__ = ["numbered", "pattern"]


def numbered(at: int) -> str:
    """The key that stands in a pattern for the condition's key at this place, from 0."""
    return f"k.k{at}"


def pattern(text: str, tree: Node, keys: Sequence[str]) -> str:
    """An accepted condition's text with its keys numbered in order of appearance: a condition of the same shape."""
    names = {key: f"session.{numbered(at)}" for at, key in enumerate(keys)}
    pieces: list[str] = []
    at = 0
    for entry in _entries(tree):
        pieces += (text[at : entry.start], names[entry.key])
        at = entry.end
    return "".join([*pieces, text[at:]])


def _entries(tree: Node) -> list[Memory]:
    found: list[Memory] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Memory):
            found.append(node)
        else:
            waiting += inner(node)[::-1]
    return found
