"""A step that asks for a value (§2.6)."""

from __future__ import annotations

from inspector_core.mantle import scope
from inspector_core.mantle.engine.blocks import follow
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.speech import end_turn
from inspector_core.mantle.engine.state import Asked
from inspector_core.mantle.project import Block, Step

__all__ = ["collect"]


def collect(play: Play, block: Block, step: Step) -> bool:
    """Ask once and wait; then the model has it, until the value is there. Whether the block went on."""
    skill_id = play.skill_id or ""
    key = f"{skill_id}.{scope.collected_entry(skill_id, step)}"
    asked = _asked(play, step)
    filled = play.memory.get(key) is not None
    if filled and (not step.ask_before_filling or (asked is not None and asked.filled)):
        if asked is not None and not step.ask_before_filling:
            play.asked = tuple(a for a in play.asked if a is not asked)
        follow(play, block, step)
        return True
    if asked is None:
        _ask(play, step, key, filled)
    return False


def _asked(play: Play, step: Step) -> Asked | None:
    frame = play.stack[-1].frame_id
    return next((a for a in play.asked if (a.frame_id, a.step_id) == (frame, step.id)), None)


def _ask(play: Play, step: Step, key: str, filled: bool) -> None:
    """Put the question; a value that is there already is only to be confirmed, in words of the model's."""
    play.asked = (*play.asked, Asked(play.stack[-1].frame_id, step.id, key))
    if step.utterance is None:
        return
    spoken = render(play.project, play.skill_id, step.utterance.name, play.memory)
    if spoken.blank:
        return
    play.speak(spoken._replace(rephrase=True) if filled else spoken)
    end_turn(play)
