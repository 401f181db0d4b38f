"""Responses spoken by themselves: when a skill starts, and when a condition turns true (§6.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.engine.memory import engine_entry
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.state import Frame
from inspector_core.mantle.project import Skill
from inspector_core.proof import Truth

__all__ = ["forget", "on_activate", "when"]

_FIRED: Final = "system.verbatim_activate_triggers_fired"
_MATCHED: Final = "system.verbatim_when_trigger_match_state"
Mark = tuple[str, str]
"""The id of a skill's frame, and the response that its trigger speaks."""


def on_activate(play: Play, skill: Skill) -> None:
    """What is spoken as a skill's run begins; its memory was reset before, so that variants see initial values."""
    spoken = [t.response.name for t in skill.triggers if t.on_activate]
    run = _run(play, skill)
    if not spoken or run is None:
        return
    play.queue.extend(spoken)
    play.fired |= {(run.frame_id, name) for name in spoken}
    engine_entry(play, _FIRED, _by_frame(play.fired))


def _run(play: Play, skill: Skill) -> Frame | None:
    """The frame of the skill itself, which its triggers are counted by."""
    return next((f for f in play.stack if f.skill_id == skill.id and f.block_id is None), None)


def when(play: Play) -> None:
    """What is spoken because a condition of the active skill holds and did not when last looked at."""
    skill = play.skill
    run = _run(play, skill) if skill is not None else None
    if skill is None or run is None:
        return
    before = play.triggers
    for trigger in skill.triggers:
        condition, mark = trigger.when, (run.frame_id, trigger.response.name)
        if condition is None:
            continue
        holds = condition.truth(scope.view(play.project, skill.id, play.memory, condition)) is Truth.HOLDS
        if holds and mark not in play.triggers:
            play.queue.append(trigger.response.name)
        play.triggers = play.triggers | {mark} if holds else play.triggers - {mark}
    if play.triggers != before:
        engine_entry(play, _MATCHED, _by_frame(play.triggers))


def _by_frame(marks: Iterable[Mark]) -> Mapping[str, list[str]]:
    """Marks as they are kept in memory."""
    found: dict[str, list[str]] = {}
    for frame, response in sorted(marks):
        found.setdefault(frame, []).append(response)
    return found


def forget(play: Play) -> None:
    """Drop what was remembered of frames that are gone."""
    if play.triggers or play.fired:
        alive = {f.frame_id for f in play.stack}
        play.triggers = frozenset(mark for mark in play.triggers if mark[0] in alive)
        play.fired = frozenset(mark for mark in play.fired if mark[0] in alive)
