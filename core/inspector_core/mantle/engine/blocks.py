"""An ordered block's pointer: where it stands, where it goes next, and how the block ends (§2.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.engine import triggers
from inspector_core.mantle.engine.finish import after, finish
from inspector_core.mantle.engine.memory import clear_pending
from inspector_core.mantle.engine.play import Broken, Play
from inspector_core.mantle.engine.stack import frames_of
from inspector_core.mantle.project import Block, Step
from inspector_core.proof import Truth

__all__ = ["END", "complete_block", "follow", "holds", "leave", "move", "pass_by", "target"]

END: Final = "END"
"""The step that every block has, written or not."""


def holds(play: Play, condition: Condition, what: str) -> bool:
    """Whether a condition of the running block holds; one that can't be evaluated breaks the turn (§4.3)."""
    truth = condition.truth(scope.view(play.project, play.skill_id, play.memory, condition))
    if truth is Truth.ERRORS:
        raise Broken(f"{what} can't be evaluated: `{condition.text}`")
    return truth is Truth.HOLDS


def target(play: Play, block: Block, step: Step) -> str | None:
    """The id of the step that comes next; `None` past the last one, or where no branch matches."""
    if step.next is None:
        at = next(i for i, s in enumerate(block.steps) if s is step)
        return block.steps[at + 1].id if at + 1 < len(block.steps) else None
    for branch in step.next:
        if branch.condition is None or holds(play, branch.condition, f"a branch of step `{step.id}`"):
            return branch.then
    return None


def follow(play: Play, block: Block, step: Step) -> None:
    """Go on from a step that is done; the block ends where nothing follows."""
    to = target(play, block, step)
    if to is None or to == END:
        complete_block(play, step.id if to is None else END)
    else:
        move(play, to)


def pass_by(play: Play, block: Block, step: Step) -> None:
    """Go on from a step while something else goes first: where nothing follows, the block ends when it has a say."""
    to = target(play, block, step)
    move(play, END if to is None else to)


def move(play: Play, step_id: str) -> None:
    """Put the live frame's pointer on a step."""
    top = play.stack[-1]
    passed = (*top.visited, top.step_id) if top.step_id is not None else top.visited
    play.stack = (*play.stack[:-1], replace(top, step_id=step_id, visited=passed))
    play.advances += 1
    play.record_stack()


def complete_block(play: Play, step_id: str) -> None:
    """The live block is done, and with it a skill that consists of blocks alone and has no other under way."""
    top, skill = play.stack[-1], play.skill
    leave(play, step_id)
    if skill is not None and skill.kind == "blocks-only" and all(f.block_id is None for f in frames_of(play, skill.id)):
        finish(play, skill)
        return
    play.record_stack()
    if play.top is not None and play.top.skill_id == top.skill_id:
        after(play, None)


def leave(play: Play, step_id: str) -> None:
    """Take a block that is done off the stack, and with it the confirmation that it waited for."""
    top = play.stack[-1]
    if play.pending is not None and play.pending.frame_id == top.frame_id:
        clear_pending(play)
    play.record("ordered_block_completed", skill_id=top.skill_id, block_id=top.block_id, step_id=step_id)
    play.stack = play.stack[:-1]
    play.asked = tuple(a for a in play.asked if a.frame_id != top.frame_id)
    play.advances += 1
    triggers.forget(play)
