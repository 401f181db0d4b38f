"""Responses spoken by themselves: when a skill starts, and when a condition turns true (§6.5)."""

from __future__ import annotations

from inspector_core.mantle import scope
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.project import Skill
from inspector_core.proof import Truth

__all__ = ["forget", "on_activate", "when"]


def on_activate(play: Play, skill: Skill) -> None:
    """What is spoken as a skill's run begins; its memory was reset before, so that variants see initial values."""
    play.queue.extend(t.response.name for t in skill.triggers if t.on_activate)


def when(play: Play) -> None:
    """What is spoken because a condition of the active skill holds and did not when last looked at."""
    skill = play.skill
    run = next((f for f in play.stack if skill is not None and f.skill_id == skill.id and f.block_id is None), None)
    if skill is None or run is None:
        return
    for trigger in skill.triggers:
        condition, mark = trigger.when, (run.frame_id, trigger.response.name)
        if condition is None:
            continue
        holds = condition.truth(scope.view(play.project, skill.id, play.memory, condition)) is Truth.HOLDS
        if holds and mark not in play.triggers:
            play.queue.append(trigger.response.name)
        play.triggers = play.triggers | {mark} if holds else play.triggers - {mark}


def forget(play: Play) -> None:
    """Drop what was remembered of frames that are gone."""
    if play.triggers:
        alive = {f.frame_id for f in play.stack}
        play.triggers = frozenset(mark for mark in play.triggers if mark[0] in alive)
