"""A step that speaks, waits, or hangs up (§2.6)."""

from __future__ import annotations

from inspector_core.mantle.engine.blocks import follow, pass_by
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.speech import end_turn
from inspector_core.mantle.project import Block, Step

__all__ = ["act"]


def act(play: Play, block: Block, step: Step) -> bool:
    """Whether the step was passed and the turn goes on."""
    name = step.target.name if step.target is not None else ""
    if name.startswith("utter_"):
        spoken = render(play.project, play.skill_id, name, play.memory)
        if not spoken.blank:
            play.speak(spoken)
        follow(play, block, step)
        return True
    if name not in ("action_listen", "hangup"):
        play.note_once(step.id, "step-action-unknown", f"step `{step.id}` does `{name}`, which the engine doesn't know")
        return False
    play.record("action", name=name, policy=None, confidence=None, action_text=None, hide_rule_turn=False)
    pass_by(play, block, step)
    play.over = name == "hangup"
    end_turn(play)
    return False
