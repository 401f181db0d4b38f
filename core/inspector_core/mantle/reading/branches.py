"""Where a step leads: the forms of `next` (§2.6)."""

from __future__ import annotations

from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.project import Branch
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.places import text_span
from inspector_core.mantle.reading.words import described
from inspector_core.source import Span

__all__ = ["branches"]

_CODE = "skill.step.invalid"
_FORM = "write `- if: …` with `then: …`, and `- else: …` last"


def branches(step: Node, notes: Notes) -> tuple[Branch, ...] | None:
    """The ways on from a step; `None` where it says nothing, and so goes to the following one."""
    node = step.get("next")
    if node is None or node.value is None:
        return None
    if isinstance(node.value, str):
        return (Branch(None, node.value, node.span),)
    if node.kind != "sequence":
        notes.error(_CODE, f"`next` takes a step's id or a list of branches, not {described(node)}", node, _FORM)
        return None
    return tuple(_branch(item, notes) for item in node.items)


def _branch(item: Node, notes: Notes) -> Branch:
    """One item. `else` wins over all that stands beside it; without a condition the item always matches."""
    if item.kind != "mapping":
        notes.error(_CODE, f"a branch is a mapping, not {described(item)}", item, _FORM)
        return Branch(None, str(item.value), item.span)
    if item.key("else"):
        return _to(item, "else", None, None, notes)
    condition, span = _condition(item.get("if"), notes)
    if item.key("then"):
        return _to(item, "then", condition, span, notes)
    notes.error(_CODE, "this branch does not say where it leads", item, "write `then:` and a step's id")
    return Branch(condition, "", item.span, span)


def _to(item: Node, key: str, condition: Condition | None, span: Span | None, notes: Notes) -> Branch:
    target = item.get(key) or item
    if isinstance(target.value, str):
        return Branch(condition, target.value, target.span, span)
    place = item.key(key) if target.value is None else None
    notes.error(_CODE, f"`{key}` takes a step's id, not {described(target)}", place or target)
    return Branch(condition, "" if target.value is None else str(target.value), target.span, span)


def _condition(node: Node | None, notes: Notes) -> tuple[Condition | None, Span | None]:
    if node is None or node.value is None:
        return None, None
    if isinstance(node.value, str):
        return parse(node.value), text_span(node)
    notes.error(_CODE, f"`if` takes a condition, not {described(node)}", node, "put it in quotes")
    return (parse(str(node.value)), node.span) if node.kind == "scalar" else (None, None)
