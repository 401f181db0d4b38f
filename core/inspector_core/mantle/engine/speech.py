"""What the agent says word for word between two moves, and what ends its turn (§5.7, §6.5)."""

from __future__ import annotations

from dataclasses import replace

from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import render

__all__ = ["close", "end_turn", "speak"]


def speak(play: Play) -> None:
    """The responses that wait, then the ask or the denial, which ends the turn."""
    waiting, play.queue = play.queue, []
    for name in waiting:
        spoken = render(play.project, play.skill_id, name, play.memory)
        if not spoken.blank:
            play.speak(spoken)
    if play.closing is not None:
        play.speak(play.closing)
        play.closing = None
        end_turn(play)


def end_turn(play: Play) -> None:
    """The customer's turn to speak."""
    play.record("bot_turn_ended")
    close(play)


def close(play: Play) -> None:
    """Nobody but the customer can go on; nothing is recorded of it."""
    play.turn = replace(play.turn, open=False)
