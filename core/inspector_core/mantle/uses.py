"""For an entry of memory: who writes it, and what reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inspector_core.classes import dataclass
from inspector_core.mantle import scope
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.engine.coerce import setting
from inspector_core.mantle.engine.responses import keys_of
from inspector_core.mantle.gatelist import every_gate, named_by, shared_tools
from inspector_core.mantle.project import Block, Project, Response, Skill, Step
from inspector_core.source import Span
from inspector_core.tool import MemoryUse, Tool

__all__ = ["Use", "UseKind", "readers", "writers"]

UseKind = Literal[
    "gate", "paragraph", "prose", "complete_when", "trigger", "branch", "step", "response", "precondition", "tool",
    "model", "collect", "button", "seed", "initial",
]  # fmt: skip
"""What reads: `gate` to `tool`. What writes: `tool`, `step` (`set_memory`), `model` (`set_fields`), `collect` (the
model too, since a step asks for it), `button` (the customer), `seed` (at the start), `initial` (at activation)."""


@dataclass(frozen=True, slots=True)
class Use:
    """One place that reads or writes an entry."""

    kind: UseKind
    skill: str | None
    """The skill it belongs to; `None` for the agent's own files."""
    name: str
    """The tool, response, step or field it is."""
    span: Span | None


def writers(project: Project, key: str) -> tuple[Use, ...]:
    """Everything that can put a value under a key; first what the model and the customer can do."""
    return tuple(_writers(project, key))


def readers(project: Project, key: str) -> tuple[Use, ...]:
    """Everything that looks at a key; gates first."""
    return tuple(_readers(project, key))


# -- writing -------------------------------------------------------------------------------------------------------


def _writers(project: Project, key: str) -> Iterator[Use]:
    yield from _declared(project, key)
    for skill, tool, use in _tool_uses(project, "writes"):
        field = scope.writable(project, skill.id, use.name)
        if field is not None and field.key == key:
            yield Use("tool", skill.id, tool.name, use.span)
    for skill, _, step in _steps(project):
        if any(_names(name, skill, project) == key for name in step.writes):
            yield Use("step", skill.id, step.id, step.span)
    for response in _responses(project):
        yield from _buttons(response, key)


def _declared(project: Project, key: str) -> Iterator[Use]:
    """What the entry's own declaration and the steps that collect it allow."""
    field = project.field_by_key.get(key)
    if field is None:
        return
    owner = None if field.scope == "project" else field.owner
    if field.llm_settable and owner is not None:
        yield Use("model", owner, field.entry, field.span)
    for skill, _, step in _steps(project):
        if step.kind == "collect" and step.target is not None and _names(step.target.name, skill, project) == key:
            yield Use("collect", skill.id, step.id, step.span)
    if field.seed and owner is None:
        yield Use("seed", None, field.entry, field.span)
    if field.initial_value is not None and owner is not None:
        yield Use("initial", owner, field.entry, field.span)


def _names(name: str, skill: Skill, project: Project) -> str | None:
    """The key that a step means by a name."""
    name = name.removeprefix("session.")
    field = project.field_by_key.get(name) or scope.writable(project, skill.id, name)
    return field.key if field is not None else None


def _buttons(response: Response, key: str) -> Iterator[Use]:
    for variant in response.variants:
        for button in variant.buttons:
            written = setting(button.payload)
            if written is not None and written.key == key:
                yield Use("button", response.owner, response.name, button.span)


# -- reading -------------------------------------------------------------------------------------------------------


def _readers(project: Project, key: str) -> Iterator[Use]:
    for skill in project.skills:
        yield from _gates(skill, key)
    for bound in project.agent.preconditions:
        if _reads(bound.satisfied_when, key):
            yield Use("precondition", None, bound.name, bound.span)
    for skill in project.skills:
        yield from _skill(skill, key)
    for skill, block, step in _steps(project):
        yield from _step(skill, block, step, key)
    for response in _responses(project):
        if key in set(keys_of(project, response.owner, response.name)):
            yield Use("response", response.owner, response.name, response.span)
    for skill, tool, use in _tool_uses(project, "reads"):
        field = scope.writable(project, skill.id, use.name)
        if key in (use.name, field.key if field is not None else None):
            yield Use("tool", skill.id, tool.name, use.span)


def _reads(condition: Condition | None, key: str) -> bool:
    return condition is not None and key in condition.keys


def _gates(skill: Skill, key: str) -> Iterator[Use]:
    for gate in every_gate(skill):
        if _reads(gate.requires, key):
            yield Use("gate", skill.id, gate.tool, gate.requires_span or gate.span)


def _skill(skill: Skill, key: str) -> Iterator[Use]:
    done = skill.completion
    if done is not None and _reads(done.condition, key):
        yield Use("complete_when", skill.id, skill.id, done.condition_span or done.span)
    for trigger in skill.triggers:
        if _reads(trigger.when, key):
            yield Use("trigger", skill.id, trigger.response.name, trigger.when_span)
    for paragraph in skill.paragraphs:
        if _reads(paragraph.condition, key):
            yield Use("paragraph", skill.id, paragraph.text, paragraph.condition_span)
    yield from (Use("prose", skill.id, key, named.span) for named in skill.referenced_memory if named.name == key)


def _step(skill: Skill, block: Block, step: Step, key: str) -> Iterator[Use]:
    given = (value for value in step.parameters.values() if isinstance(value, str))
    if _reads(step.complete_when, key) or any(value.strip(" ()") == f"session.{key}" for value in given):
        yield Use("step", skill.id, step.id, step.complete_when_span or step.span)
    for branch in step.next or ():
        if _reads(branch.condition, key):
            yield Use("branch", skill.id, step.id, branch.condition_span or branch.span)


# -- walking -------------------------------------------------------------------------------------------------------


def _steps(project: Project) -> Iterator[tuple[Skill, Block, Step]]:
    for skill in project.skills:
        for block in skill.blocks:
            for step in block.steps:
                yield skill, block, step


def _responses(project: Project) -> Iterator[Response]:
    for skill in project.skills:
        yield from skill.responses
    yield from project.responses


def _tool_uses(project: Project, what: Literal["reads", "writes"]) -> Iterator[tuple[Skill, Tool, MemoryUse]]:
    """What tools do with memory, each for the skill it would do it in; a shared tool once for each that takes it on."""
    shared = shared_tools(project)
    for skill in project.skills:
        own = {t.name: t for t in skill.tools}
        taken = [shared[name] for name in sorted(named_by(skill)) if name in shared and name not in own]
        for tool in (*own.values(), *taken):
            for use in tool.reads if what == "reads" else tool.writes:
                yield skill, tool, use
