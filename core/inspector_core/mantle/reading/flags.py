"""Single values of the frontmatter: flags, names and texts (§2.2)."""

from __future__ import annotations

from inspector_core.classes import NamedTuple
from inspector_core.finding import did_you_mean
from inspector_core.mantle.project import Named
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.words import described, quoted

__all__ = ["Routing", "check_knowledge", "flag", "precondition", "routing", "text"]


class Routing(NamedTuple):
    """What `routing` says; `None` where it says nothing, so that a bundled skill's own word stands."""

    is_default: bool | None = None
    engine_managed: bool | None = None


def flag(front: Node, key: str, notes: Notes) -> bool:
    """A flag that must be a bare boolean; nothing is `false`."""
    return _boolean(front, key, "skill.markdown.invalid_boolean_frontmatter", notes) or False


def text(front: Node, key: str) -> str | None:
    """A text; anything else is taken for none."""
    node = front.get(key)
    return node.value if node and isinstance(node.value, str) else None


def precondition(node: Node | None, notes: Notes) -> Named | None:
    """The name that `precondition` refers to."""
    if node is None or node.value is None:
        return None
    if isinstance(node.value, str) and node.value.strip():
        return Named(node.value, node.span)
    message = f"`precondition` takes the name of one, not {described(node)}"
    notes.error("skill.precondition.invalid", message, node, "name one of `orchestrator.preconditions` in agent.yml")
    return None


def routing(node: Node | None, notes: Notes) -> Routing:
    """Who may start the skill: `routing`."""
    if node is None or node.value is None:
        return Routing()
    code, keys = "skill.markdown.invalid_routing", ("is_default", "engine_managed")
    if node.kind != "mapping":
        message = f"`routing` takes a mapping, not {described(node)}"
        notes.error(code, message, node, "write `routing: {engine_managed: true}`")
        return Routing()
    for name, key, _ in node.pairs():
        if name not in keys:
            hint = did_you_mean(name, keys) or "it takes `is_default` and `engine_managed`"
            notes.error("skill.markdown.unknown_frontmatter_key", f"{quoted(name)} is no key of `routing`", key, hint)
    is_default, engine_managed = (_boolean(node, key, code, notes) for key in keys)
    return Routing(is_default, engine_managed)


def check_knowledge(node: Node | None, notes: Notes) -> None:
    """`knowledge_answering` has its shape; what it says concerns no gate."""
    if node is None or node.value is None:
        return
    code = "skill.markdown.invalid_knowledge_answering"
    if node.kind != "mapping":
        message = f"`knowledge_answering` takes a mapping, not {described(node)}"
        notes.error(code, message, node, "write `knowledge_answering: {instructions: …}`")
        return
    instructions = node.get("instructions")
    if instructions is not None and not isinstance(instructions.value, str | None):
        notes.error(code, f"`instructions` takes a text, not {described(instructions)}", instructions)


def _boolean(front: Node, key: str, code: str, notes: Notes) -> bool | None:
    node = front.get(key)
    if node is None or node.value is None:
        return None
    if isinstance(node.value, bool):
        notes.expect(node)
        return node.value
    hint = "write it without quotes" if node.quoted and str(node.value).lower() in ("true", "false") else None
    notes.error(code, f"`{key}` is `true` or `false`, not {described(node)}", node, hint)
    return str(node.value).lower() in ("true", "yes", "on")
