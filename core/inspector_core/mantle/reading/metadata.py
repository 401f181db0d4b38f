"""The frontmatter of a `skill.md` as a whole (§2.1, §2.2)."""

from __future__ import annotations

from inspector_core.classes import NamedTuple
from inspector_core.finding import did_you_mean
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.project import Completion, Gate, Import, Named, Trigger
from inspector_core.mantle.reading.completion import completion
from inspector_core.mantle.reading.constraints import tool_constraints
from inspector_core.mantle.reading.flags import Routing, check_knowledge, flag, precondition, routing, text
from inspector_core.mantle.reading.frontmatter import read_frontmatter
from inspector_core.mantle.reading.imports import imports
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.places import text_span
from inspector_core.mantle.reading.triggers import triggers
from inspector_core.mantle.reading.words import described, quoted
from inspector_core.source import Source, Span

__all__ = ["Metadata", "read_metadata"]

_KEYS = (
    "name",
    "description",
    "precondition",
    "hidden",
    "disabled",
    "always_include_in_prompt",
    "complete_when",
    "import_tools",
    "tool_constraints",
    "utter",
    "knowledge_answering",
    "routing",
)


class Metadata(NamedTuple):
    """What the frontmatter says, and where the body lies."""

    body: int
    body_end: int
    guessed: bool
    """The frontmatter's end could only be guessed at."""
    name: str | None
    description: str | None
    hidden: bool
    disabled: bool
    always_include_in_prompt: bool
    routing: Routing
    precondition: Named | None
    completion: Completion | None
    completion_key: Span | None
    """Where `complete_when` stands, if it has the shape of today."""
    gates: tuple[Gate, ...]
    imports: tuple[Import, ...]
    triggers: tuple[Trigger, ...]
    legacy_requires: Condition | None
    legacy_requires_span: Span | None


def read_metadata(source: Source, notes: Notes) -> Metadata:
    """Whatever can be made out. Of a frontmatter that is torn, only that is told."""
    frame, document = read_frontmatter(source)
    if frame.fault:
        code = "skill.markdown.invalid_frontmatter_delimiter"
        notes.error(code, frame.fault.message, _first_line(source), frame.fault.hint)
    notes.muted = frame.guessed
    notes.take(document.findings)
    notes.muted = frame.guessed or document.partial is not None
    front = _mapping(source, frame.start, document.node or document.partial, notes)
    _check_keys(front, notes)
    check_knowledge(front.get("knowledge_answering"), notes)
    requires, requires_span = _legacy_requires(front, notes)
    hidden, disabled, always = (flag(front, key, notes) for key in ("hidden", "disabled", "always_include_in_prompt"))
    done, done_key = front.get("complete_when"), front.key("complete_when")
    metadata = Metadata(
        body=frame.body,
        body_end=frame.body_end,
        guessed=frame.guessed,
        name=text(front, "name"),
        description=text(front, "description"),
        hidden=hidden,
        disabled=disabled,
        always_include_in_prompt=always,
        routing=routing(front.get("routing"), notes),
        precondition=precondition(front.get("precondition"), notes),
        completion=completion(done, notes),
        completion_key=done_key.span if done_key and done and done.kind == "mapping" else None,
        gates=tool_constraints(front.get("tool_constraints"), notes),
        imports=imports(front.get("import_tools"), notes),
        triggers=triggers(front.get("utter"), notes),
        legacy_requires=requires,
        legacy_requires_span=requires_span,
    )
    notes.muted = False
    return metadata


def _first_line(source: Source) -> Span:
    start = len(source.text) - len(source.text.lstrip())
    start = 0 if start == len(source.text) else start
    end = source.text.find("\n", start)
    return source.span(start, start + len(source.text[start : end if end >= 0 else None].rstrip()))


def _mapping(source: Source, start: int, node: Node | None, notes: Notes) -> Node:
    if node is not None and node.kind == "mapping":
        return node
    if node is not None and node.value is not None:
        message = f"the frontmatter is a mapping of keys to values, not {described(node)}"
        notes.error("skill.markdown.invalid_frontmatter", message, node, "write `name: …`, `description: …`")
    return Node({}, source, start, start, "mapping")


def _check_keys(front: Node, notes: Notes) -> None:
    for name, key, value in front.pairs():
        if key.value not in _KEYS and name != "requires":
            notes.expect(value)
            code, hint = "skill.markdown.unknown_frontmatter_key", did_you_mean(name, _KEYS)
            notes.error(code, f"{quoted(key.text)} is no key of the frontmatter", key, hint)


def _legacy_requires(front: Node, notes: Notes) -> tuple[Condition | None, Span | None]:
    """A skill-level `requires`: refused, and read as it was meant."""
    key, node = front.key("requires"), front.get("requires")
    if key is None or node is None:
        return None, None
    hint = "use `precondition`, or `requires` on each of its tools"
    notes.outdated("skill.requires.removed", "`requires` on a skill is refused", key, hint)
    return (parse(node.value), text_span(node)) if isinstance(node.value, str) else (None, None)
