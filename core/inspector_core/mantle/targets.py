"""What can be activated, and under which name: skills, their entry blocks, and own blocks (§2.5, §5.7, §7.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inspector_core.mantle.project import Block, Precondition, Project, Skill

if TYPE_CHECKING:
    from inspector_core.mantle.engine.state import State

__all__ = [
    "Target", "binding", "can_start", "compiled", "entry_block", "find_target", "not_routable", "resolver", "start_of",
    "startable",
]  # fmt: skip

Target = tuple[Skill, Block | None]
"""A skill with one of its blocks; without a block, its prose."""


def compiled(skill: Skill, block: Block) -> str:
    """The name under which the engine activates a block."""
    return f"{skill.id}__{block.id}"


def entry_block(skill: Skill) -> Block | None:
    """The one block of a blocks-only skill that no step of the skill leads to; `None` unless there is exactly one."""
    reached = {s.target.name for b in skill.blocks for s in b.steps if s.kind in ("call", "link") and s.target}
    entries = [b for b in skill.blocks if b.id not in reached and compiled(skill, b) not in reached]
    return entries[0] if len(entries) == 1 else None


def start_of(skill: Skill) -> Block | None:
    """Where the skill begins when it is activated: `None` is its prose."""
    return entry_block(skill) if skill.kind == "blocks-only" else None


def not_routable(skill: Skill) -> str | None:
    """The reason code for which routing never offers a skill; `None` where it may."""
    if skill.disabled:
        return "disabled"
    if skill.hidden:
        return "skill-hidden"
    if skill.engine_managed:
        return "engine-managed"
    if skill.kind == "blocks-only" and entry_block(skill) is None:
        return "no-entry-block"
    return None


def startable(project: Project, state: State) -> tuple[str, ...]:
    """What `activate` would list now, in its own order."""
    return tuple(sorted({*_skills(project, state), *_own_blocks(project, state)}))


def can_start(project: Project, state: State) -> bool:
    """Whether `activate` would list anything now."""
    return next(_skills(project, state), None) is not None or next(_own_blocks(project, state), None) is not None


def _skills(project: Project, state: State) -> Iterator[str]:
    running = state.skill
    for skill in project.skills:
        if skill.id == running:
            if state.top is not None and state.top.block_id is not None and skill.paragraphs:
                yield skill.id
        elif not_routable(skill) is None:
            yield skill.id


def _own_blocks(project: Project, state: State) -> Iterator[str]:
    skill = project.skill_by_id.get(state.skill or "")
    if skill is None or state.top is None:
        return
    named = {r.name for r in skill.referenced_blocks} if skill.paragraphs else set()
    parked = {f.block_id for f in state.stack if f.skill_id == skill.id and f.frame_type == "inline_reference"}
    for block in skill.blocks:
        if block.id in named | parked and block.id != state.top.block_id:
            yield compiled(skill, block)


def find_target(project: Project, name: str) -> Target | None:
    """The skill, or skill and block, that a target id means."""
    skill = project.skill_by_id.get(name)
    if skill is not None:
        return skill, None
    named = ((s, b) for s in project.skills if name.startswith(s.id) for b in s.blocks if compiled(s, b) == name)
    return next(named, None)


def binding(project: Project, skill: Skill) -> Precondition | None:
    """What the agent says of the skill's precondition; `None` where it has none, or none is bound to that name."""
    if skill.precondition is None:
        return None
    return next((p for p in project.agent.preconditions if p.name == skill.precondition.name), None)


def resolver(project: Project, bound: Precondition) -> Skill | None:
    """The skill that is run to satisfy a precondition."""
    return project.skill_by_id.get(bound.resolve_with.name) if bound.resolve_with else None
