"""A step that asks for a value (§2.6)."""

from __future__ import annotations

from inspector_core.mantle import scope
from inspector_core.mantle.engine.blocks import follow
from inspector_core.mantle.engine.fill import fill_silently
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
    return asked is None and _ask(play, step, key, filled)


def _asked(play: Play, step: Step) -> Asked | None:
    frame = play.stack[-1].frame_id
    return next((a for a in play.asked if (a.frame_id, a.step_id) == (frame, step.id)), None)


def _ask(play: Play, step: Step, key: str, filled: bool) -> bool:
    """Put the question; a value that is there already is only to be confirmed, in words of the model's.

    Whether the question was held back, and the step is to be looked at again.
    """
    spoken = render(play.project, play.skill_id, step.utterance.name, play.memory) if step.utterance else None
    if spoken is not None and not spoken.blank and fill_silently(play):
        return True
    play.asked = (*play.asked, Asked(play.stack[-1].frame_id, step.id, key))
    if spoken is None or spoken.blank:
        return False
    play.speak(spoken._replace(rephrase=True) if filled else spoken)
    end_turn(play)
    return False
