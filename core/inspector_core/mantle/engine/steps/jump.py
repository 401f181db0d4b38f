"""Steps that lead out of their block: `call`, which comes back, and `link`, which does not (§2.6)."""

from __future__ import annotations

from inspector_core.mantle.engine.activate import launch
from inspector_core.mantle.engine.blocks import leave, pass_by
from inspector_core.mantle.engine.finish import after, end
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.stack import enter, frames_of, take_up
from inspector_core.mantle.project import Block, Skill, Step
from inspector_core.mantle.targets import Target, compiled, find_target, start_of

__all__ = ["call", "link"]


def call(play: Play, block: Block, step: Step) -> bool:
    """Push another skill, or another block of this one; the pointer is past the step before that."""
    found = _target(play, step)
    if found is None:
        return False
    skill, other = found
    own = other if skill.id == play.skill_id else None
    pass_by(play, block, step)
    if own is not None and all(f.block_id != own.id for f in frames_of(play, skill.id)):
        enter(play, skill, own, "call")
    elif frames_of(play, skill.id):
        _again(play, step, skill)
    else:
        launch(play, skill, other, "call")
    return True


def link(play: Play, block: Block, step: Step) -> bool:
    """Go over to another block of this skill, which ends the block alone; or to another skill, which ends both."""
    found = _target(play, step)
    if found is None:
        return False
    skill, other = found
    source, kind = play.skill, play.stack[-1].frame_type
    leave(play, step.id)
    if other is not None and skill is source:
        enter(play, skill, other, kind)
        return True
    if source is not None:
        kind = next((f.frame_type for f in frames_of(play, source.id) if f.block_id is None), kind)
        end(play, source)
    if not frames_of(play, skill.id):
        launch(play, skill, other, kind)
    elif not _again(play, step, skill):
        after(play, source)
    return True


def _again(play: Play, step: Step, skill: Skill) -> bool:
    """Whether a skill was interrupted, and is taken up where it was; what is under way anyhow is not begun twice."""
    if any(f.frame_type == "interrupt" for f in frames_of(play, skill.id)):
        take_up(play, skill.id)
        return True
    name = step.target.name if step.target is not None else skill.id
    play.note("step-target-running", f"step `{step.id}` leads to `{name}`, which is under way already: it is passed")
    return False


def _target(play: Play, step: Step) -> Target | None:
    """What the step leads to; told where there is nothing to begin."""
    name = step.target.name if step.target is not None else ""
    found = _own(play.skill, name) or find_target(play.project, name)
    message = f"step `{step.id}` leads to `{name}`, which there is not"
    if found is not None:
        skill, other = found
        first = other or start_of(skill)
        if first is not None or skill.paragraphs:
            return skill, first
        message = f"step `{step.id}` leads to `{name}`, which has no single block to begin with"
    play.note_once(step.id, "step-target-unknown", message)
    return None


def _own(skill: Skill | None, name: str) -> Target | None:
    """A block of the running skill, by its bare id or the engine's own name for it."""
    if skill is None:
        return None
    return next(((skill, b) for b in skill.blocks if name in (b.id, compiled(skill, b))), None)
