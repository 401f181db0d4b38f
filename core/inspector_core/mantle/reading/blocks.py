"""Ordered blocks: what stands between their fences (§2.5)."""

from __future__ import annotations

from inspector_core.mantle.project import Block
from inspector_core.mantle.reading.body import Fence
from inspector_core.mantle.reading.constraints import block_tools
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.steps import steps
from inspector_core.mantle.reading.words import described
from inspector_core.mantle.reading.yaml import load
from inspector_core.source import Source, Span

__all__ = ["blocks"]

_CODE = "skill.markdown.invalid_ordered_block"


def blocks(source: Source, fences: list[Fence], notes: Notes) -> tuple[Block, ...]:
    """The blocks of a body; one that can't be read is there all the same, without steps."""
    seen: dict[str, int] = {}
    for fence in fences:
        place = source.span(fence.id_start, fence.id_start + len(fence.id or ":::ordered_block"))
        if fence.id is None:
            notes.error(_CODE, "this block has no id", place, "write `:::ordered_block id=main`")
        elif fence.id in seen:
            message = f"`{fence.id}` is the id of the block in line {seen[fence.id]} already"
            notes.error(_CODE, message, place, "give it another one")
        else:
            seen[fence.id] = place.line
    return tuple(_block(source, fence, notes) for fence in fences)


def _block(source: Source, fence: Fence, notes: Notes) -> Block:
    block_id, opening = fence.id or "", source.text[fence.start : fence.content].rstrip()
    span = source.span(fence.start, fence.start + len(opening))
    document = load(source, fence.content, fence.content_end)
    notes.take(document.findings)
    content = document.node or document.partial
    if content is None:
        return Block(block_id, span, (), ())
    was_muted, notes.muted = notes.muted, notes.muted or document.node is None
    block = _content(block_id, span, content, notes)
    notes.muted = was_muted
    return block


def _content(block_id: str, span: Span, content: Node, notes: Notes) -> Block:
    if content.kind == "mapping":
        _check_keys(content, notes)
        tools = block_tools(content.get("tools"), block_id, notes)
        return Block(block_id, span, steps(content.get("steps"), notes), tools, _complete_when(content))
    if content.value is None:
        return Block(block_id, span, (), ())
    is_list = content.kind == "sequence"
    hint = "write `steps:` above it" if is_list else "write `steps:` and a list below it"
    notes.error(_CODE, f"a block is a mapping with `steps`, not {described(content)}", content, hint)
    return Block(block_id, span, steps(content, notes) if is_list else (), ())


def _check_keys(content: Node, notes: Notes) -> None:
    """Two keys are refused; all others that mean nothing are passed over, as the engine does."""
    if (key := content.key("routable")) and (value := content.get("routable")):
        notes.expect(value)
        message, hint = "a block can't say whether it is `routable`: the engine works that out", "remove the key"
        notes.error("skill.markdown.ordered_block_routable_forbidden", message, key, hint)
    if key := content.key("description"):
        message, hint = "a `description` on a block is refused", "say it in the skill's description, or in its prose"
        notes.outdated("skill.markdown.ordered_block_description_forbidden", message, key, hint)


def _complete_when(content: Node) -> str | None:
    node = content.get("complete_when")
    return node.value if node and isinstance(node.value, str) else None
