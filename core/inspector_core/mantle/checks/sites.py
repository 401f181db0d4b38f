"""Every place where a skill has a condition, and what the engine does there (§2.2, §4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.project import Gate, Response, Skill, Step
from inspector_core.source import Span

__all__ = ["Kind", "Site", "sites", "spoken"]

Kind = Literal["gate", "branch", "step", "paragraph", "variant", "trigger", "completion", "precondition"]


class Site(NamedTuple):
    """One condition where it stands."""

    kind: Kind
    condition: Condition
    span: Span
    subject: str
    """The tool, step, response or skill that it decides about."""

    @property
    def parsed_at_train(self) -> bool:
        """The engine refuses to train on one that can't be parsed; elsewhere nobody tells the author."""
        return self.kind not in ("gate", "branch", "step")

    @property
    def keys_read_at_train(self) -> bool:
        """The engine refuses to train on a key that can't be read; elsewhere it reads as nothing."""
        return self.kind in ("paragraph", "variant")

    @property
    def breaks_the_turn(self) -> bool:
        """An error here is not taken for `false`: it ends the turn."""
        return self.kind in ("branch", "step")


def sites(scene: Scene) -> Iterator[Site]:
    """All conditions of one skill, in the order of its files."""
    skill = scene.skill
    yield from _gates(skill.gates)
    yield from _frontmatter(skill)
    for paragraph in skill.paragraphs:
        if paragraph.condition is not None:
            yield Site("paragraph", paragraph.condition, paragraph.condition_span or paragraph.span, skill.id)
    for block in skill.blocks:
        yield from _gates(block.gates)
        for step in block.steps:
            yield from _step(step)
    for response in skill.responses:
        yield from spoken(response)


def spoken(response: Response) -> Iterator[Site]:
    """The conditions of a response's variants."""
    for variant in response.variants:
        if variant.condition is not None:
            yield Site("variant", variant.condition, variant.condition_span or variant.span, response.name)


def _frontmatter(skill: Skill) -> Iterator[Site]:
    done = skill.completion
    if done is not None and done.condition is not None:
        yield Site("completion", done.condition, done.condition_span or done.span, skill.id)
    for trigger in skill.triggers:
        if trigger.when is not None:
            yield Site("trigger", trigger.when, trigger.when_span or trigger.response.span, trigger.response.name)


def _gates(gates: tuple[Gate, ...]) -> Iterator[Site]:
    for gate in gates:
        if gate.requires is not None:
            yield Site("gate", gate.requires, gate.requires_span or gate.span, gate.tool)


def _step(step: Step) -> Iterator[Site]:
    if step.complete_when is not None:
        yield Site("step", step.complete_when, step.complete_when_span or step.span, step.id)
    for branch in step.next or ():
        if branch.condition is not None:
            yield Site("branch", branch.condition, branch.condition_span or branch.span, step.id)
