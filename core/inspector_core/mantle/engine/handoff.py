"""Skills that a tool's result hands over to (§5.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from inspector_core.events import Next
from inspector_core.mantle.engine.activate import launch
from inspector_core.mantle.engine.memory import keep_pending
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.stack import frames_of
from inspector_core.mantle.project import Skill
from inspector_core.mantle.targets import Target, start_of

__all__ = ["MOST", "start"]

MOST: Final = 10
"""So many skills can be handed over to in one turn."""


def start(play: Play) -> None:
    """Begin what the tools of this reply hand over to, or put it off until a confirmation that waits is answered."""
    waiting, play.handoffs = play.handoffs, []
    if waiting and play.waits and play.pending is not None:
        keep_pending(play, replace(play.pending, deferred=(*play.pending.deferred, *waiting)))
        return
    for tool, to in waiting:
        _one(play, tool, to)


def _one(play: Play, tool: str, to: Next) -> None:
    found = _found(play, to)
    if isinstance(found, str):
        play.note("next-refused", f"`{tool}` hands over to `{to.skill}`, which the engine passes over: {found}")
        return
    if play.turn.handoffs >= MOST:
        play.note("next-limit", f"`{tool}` hands over to `{to.skill}`, but no more than {MOST} times a turn")
        return
    play.turn = replace(play.turn, handoffs=play.turn.handoffs + 1)
    launch(play, *found, "call")


def _found(play: Play, to: Next) -> Target | str:
    """The skill and its block; or why it can't be handed over to, of which the engine says nothing."""
    skill = play.project.skill_by_id.get(to.skill)
    if skill is None:
        return "there is no such skill"
    if skill.disabled:
        return "it is disabled"
    if frames_of(play, skill.id):
        return "it is under way already"
    if to.block is None:
        return (skill, start_of(skill)) if _begins(skill) else "it has no single block to begin with"
    block = skill.block(to.block)
    if block is None:
        return f"it has no block `{to.block}`"
    return (skill, block) if skill.kind == "blocks-only" else f"`{to.block}` is only entered from its own prose"


def _begins(skill: Skill) -> bool:
    return skill.kind != "blocks-only" or start_of(skill) is not None
