"""What the steps of an ordered block have for the model: instructions, or an entry to collect (§2.6)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.mantle import scope
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Block, Field, Project, Skill, Step
from inspector_core.mantle.prompt.fill import fill
from inspector_core.mantle.prompt.parts import Passage, PassageKind

__all__ = ["entered", "remark", "step_passages"]


def entered(block: Block) -> str | None:
    """The first step that hands over to the model: where a block stands that has only just been entered."""
    return next((s.id for s in block.steps if s.kind in ("collect", "autonomous")), None)


def remark(block: Block, step_id: str | None) -> str:
    """Why a block has nothing for the model where it stands."""
    step = next((s for s in block.steps if s.id == step_id), None)
    if step is None:
        return f"`{block.id}` stands before its first step, which runs when the customer has spoken"
    if step.kind in ("collect", "autonomous"):
        return ""
    return f"the step `{step.id}` tells the model nothing: only the tools below are there"


def step_passages(project: Project, state: State, skill: Skill, block: Block, step_id: str | None) -> Iterator[Passage]:
    """Everything the block has for the model, in the order of its steps; only the step that runs is shown."""
    for step in block.steps:
        for passage in _passages(project, state, skill, step):
            if step.id == step_id:
                yield passage
            else:
                yield passage._replace(shown=False, why=f"not before the step `{step.id}` runs")


def _passages(project: Project, state: State, skill: Skill, step: Step) -> Iterator[Passage]:
    if step.kind == "autonomous":
        written = step.instructions or ""
        text, filled = fill(project, skill.id, written, state.memory)
        yield Passage("instructions", text, written, step.instructions_span, filled=filled, step=step.id)
        if step.optional:
            yield Passage("optional", "the model may pass it over", "optional", step.span, step=step.id)
    elif step.kind == "collect" and step.target is not None:
        yield from _collects(project, state, skill, step)


def _collects(project: Project, state: State, skill: Skill, step: Step) -> Iterator[Passage]:
    entry = scope.collected_entry(skill.id, step)
    field = project.field_by_key.get(f"{skill.id}.{entry}")

    def passage(kind: PassageKind, text: str) -> Passage:
        return Passage(kind, text, text, step.target.span if step.target else step.span, step=step.id)

    anew = ", asked for even if it is known" if step.ask_before_filling else ""
    yield passage("collects", f"{entry} ({_kind(field)}){anew}")
    if described := step.description or (field.description if field else None):
        yield passage("description", described)
    if step.utterance is not None:
        spoken = render(project, skill.id, step.utterance.name, state.memory)
        yield Passage("question", spoken.text, step.utterance.name, step.utterance.span, step=step.id)


def _kind(field: Field | None) -> str:
    if field is None:
        return "declared nowhere"
    if field.type == "categorical" and field.enum_values:
        return "one of " + ", ".join(map(str, field.enum_values))
    return field.type
