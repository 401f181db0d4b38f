"""Steps that lead out of their block: `call`, which comes back, and `link`, which does not (§2.6)."""

from __future__ import annotations

from inspector_core.mantle.engine.activate import launch
from inspector_core.mantle.engine.blocks import leave, pass_by
from inspector_core.mantle.engine.finish import end
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.stack import enter, frames_of
from inspector_core.mantle.project import Block, Skill, Step
from inspector_core.mantle.targets import Target, compiled, find_target, start_of

__all__ = ["call", "link"]


def call(play: Play, block: Block, step: Step) -> bool:
    """Push another skill, or another block of this one; the pointer is past the step before that."""
    found = _target(play, step)
    if found is None:
        return False
    skill, other = found
    pass_by(play, block, step)
    if other is not None and skill.id == play.skill_id:
        enter(play, skill, other, "call")
    else:
        launch(play, skill, other, "call")
    return True


def link(play: Play, block: Block, step: Step) -> bool:
    """Go over to another block of this skill, which ends the block alone; or to another skill, which ends both."""
    found = _target(play, step)
    if found is None:
        return False
    skill, other = found
    kind = play.stack[-1].frame_type
    leave(play, step.id)
    if other is not None and skill.id == play.skill_id:
        enter(play, skill, other, kind)
        return True
    source = play.skill
    below = next((f for f in frames_of(play, source.id) if f.block_id is None), None) if source is not None else None
    if source is not None:
        end(play, source)
    launch(play, skill, other, below.frame_type if below is not None else "regular")
    return True


def _target(play: Play, step: Step) -> Target | None:
    """What the step leads to; told where that can't be begun."""
    name = step.target.name if step.target is not None else ""
    running = play.skill
    found = _own(running, name) or find_target(play.project, name)
    reason, message = "step-target-unknown", f"step `{step.id}` leads to `{name}`, which there is not"
    if found is not None:
        skill, other = found
        own = running is not None and skill.id == running.id
        if own and other is not None:
            return found
        if other is None and start_of(skill) is None and not skill.paragraphs and not skill.bundled:
            message = f"step `{step.id}` leads to `{name}`, which has no single block to begin with"
        elif frames_of(play, skill.id):
            reason, message = "step-target-running", f"step `{step.id}` leads to `{name}`, which is under way already"
        else:
            return skill, other or start_of(skill)
    play.note_once(step.id, reason, message)
    return None


def _own(skill: Skill | None, name: str) -> Target | None:
    """A block of the running skill, by its bare id or the engine's own name for it."""
    if skill is None:
        return None
    return next(((skill, b) for b in skill.blocks if name in (b.id, compiled(skill, b))), None)
