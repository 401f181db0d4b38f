"""How a session begins: what the channel knows, and the greeting (§3.5, §8.3)."""

from __future__ import annotations

from typing import Final

from inspector_core.events import SessionBegan
from inspector_core.mantle.engine import defaults
from inspector_core.mantle.engine.phase import go_on
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.seeds import seed
from inspector_core.mantle.engine.speech import end_turn
from inspector_core.mantle.engine.stack import frames_of
from inspector_core.mantle.engine.state import Turn

__all__ = ["open_session"]

_GREET: Final = "/session_start"
"""What a channel says for a customer who has said nothing yet."""


def open_session(play: Play, event: SessionBegan) -> None:
    """Begin anew: of what was before, only what the author put into memory stays."""
    play.forget()
    play.record("session_started")
    seed(play, event.metadata)
    if not defaults.start(play, defaults.SESSION_START):
        return
    if event.greets:
        play.turn = Turn(play.turn.number + 1, said=_GREET)
        play.record("user", text=_GREET)
        go_on(play)
        if play.turn.open and not frames_of(play, defaults.SESSION_START):
            end_turn(play)
