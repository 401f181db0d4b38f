"""A condition with one part written differently: what a hint proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.condition.tree import And, Node, Not, Or, inner, walk

__all__ = ["parents", "proposal", "replaced", "skeleton", "source"]


def parents(tree: Node) -> Mapping[int, Node]:
    """For each part (by identity) the part that it stands in."""
    return {id(part): node for node in walk(tree) for part in inner(node)}


def source(condition: Condition, node: Node) -> str:
    """The part as the author wrote it, without parentheses round it."""
    return condition.text[node.start : node.end]


def replaced(condition: Condition, node: Node, words: str, binds: Literal["or", "and", "atom"]) -> str | None:
    """The condition with a part put in the place of another; `None` where the engine would refuse the result."""
    parent = parents(condition.tree).get(id(node))
    loose = binds == "or" and not isinstance(parent, Or | None)
    loose = loose or (binds == "and" and not isinstance(parent, And | Or | None))
    if loose and not _in_parentheses(condition.text, node):
        words = f"({words})"
    text = condition.text[: node.start] + words + condition.text[node.end :]
    return text if parse(text).accepted else None


def proposal(text: str | None, otherwise: str) -> str:
    """A hint that gives the condition rewritten, or advice where that is not possible."""
    if text is None:
        return otherwise
    one_line = " ".join([line.strip() for line in text.split("\n")])
    return f"write `{one_line}`"


def _in_parentheses(text: str, node: Node) -> bool:
    return text[: node.start].rstrip().endswith("(") and text[node.end :].lstrip().startswith(")")


def skeleton(node: Node, turned: bool = False) -> Iterator[tuple[Node, bool]]:
    """The parts joined by `and`, `or` and `not`, each with whether an odd number of `not` stands before it."""
    yield node, turned
    if isinstance(node, And | Or | Not):
        for part in inner(node):
            yield from skeleton(part, turned != isinstance(node, Not))
