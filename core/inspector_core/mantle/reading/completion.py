"""Skill-level `complete_when` (§2.2, §7.2)."""

from __future__ import annotations

from inspector_core.finding import did_you_mean
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.project import Completion
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.places import locate, text_span
from inspector_core.mantle.reading.words import described, quoted
from inspector_core.source import Span

__all__ = ["completion", "condition"]

_CODE = "skill.complete_when.invalid"
_KEYS = ("condition", "criteria")


def completion(node: Node | None, notes: Notes) -> Completion | None:
    """What ends the skill; a bare text is read as the condition that it was in older engines."""
    if node is None or node.value is None:
        return None
    if isinstance(node.value, str):
        code, hint = "skill.complete_when.mapping_required", "write `complete_when: {condition: …}`"
        notes.outdated(code, "a bare condition as `complete_when` is refused", node, hint)
        return Completion(parse(node.value), (), node.span, text_span(node))
    if node.kind != "mapping":
        message = f"`complete_when` takes a mapping, not {described(node)}"
        notes.error("skill.complete_when.mapping_required", message, node, "write `complete_when: {condition: …}`")
        return None
    unknown = [key for name, key, _ in node.pairs() if name not in _KEYS]
    for key in unknown:
        hint = did_you_mean(str(key.value), _KEYS) or "it takes `condition` and `criteria`"
        notes.error(_CODE, f"{quoted(key.text)} is no key of `complete_when`", key, hint)
    when, criteria = node.get("condition"), node.get("criteria")
    if not unknown and all(part is None or part.value is None for part in (when, criteria)):
        place = node.key("condition") or node.key("criteria") or node
        notes.error(_CODE, "`complete_when` says nothing", place, "give it a `condition`, or `criteria`")
        return Completion(None, (), node.span)
    parsed, span = condition(when, "condition", _CODE, notes)
    return Completion(parsed, _criteria(criteria, when is None or when.value is None, notes), node.span, span)


def condition(node: Node | None, key: str, code: str, notes: Notes) -> tuple[Condition | None, Span | None]:
    """A condition whose syntax the engine checks at train, and its place."""
    if node is None or node.value is None:
        return None, None
    if not isinstance(node.value, str) or not node.value.strip():
        notes.error(code, f"`{key}` takes a condition, not {described(node)}", node)
        return None, None
    parsed, span = parse(node.value), text_span(node)
    if parsed.problem is not None:
        problem = parsed.problem
        place = locate(node.source, span, node.value, problem.start, problem.end)
        notes.error(code, f"this `{key}` can't be parsed: {problem.message}", place, problem.hint)
    return parsed, span


def _criteria(node: Node | None, needed: bool, notes: Notes) -> tuple[str, ...]:
    """What the judge is asked, of which each must be a text of its own."""
    if node is None or node.value is None:
        return ()
    if node.kind != "sequence" or (needed and not node.items):
        notes.error(_CODE, f"`criteria` takes a list of texts, not {_emptiness(node)}", node)
        return (node.value,) if isinstance(node.value, str) else ()
    found: dict[str, Node] = {}
    for item in node.items:
        if not isinstance(item.value, str) or not item.value.strip():
            notes.error(_CODE, f"a criterion is a text, not {described(item)}", item)
        elif item.value.strip() in found:
            line = found[item.value.strip()].span.line
            notes.error(_CODE, f"this criterion stands in line {line} already", item, "remove one of the two")
        else:
            found[item.value.strip()] = item
    return tuple(found)


def _emptiness(node: Node) -> str:
    return "an empty one" if node.kind == "sequence" else described(node)
