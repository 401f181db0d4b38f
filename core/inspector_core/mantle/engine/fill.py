"""The model's own writes: called for, or silently before the first question after an activation (§3.5, §6.3)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.engine import triggers
from inspector_core.mantle.engine.memory import set_fields
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.validate import snapshot, validate

__all__ = ["fill", "fill_silently"]


def fill(play: Play, values: Mapping[str, object]) -> None:
    """A call of `set_fields`, with the checks of what it set."""
    before = snapshot(play)
    answer = set_fields(play, values)
    play.executed("set_fields", values, answer)
    if answer.error is None:
        validate(play, values, before)
        triggers.when(play)


def fill_silently(play: Play) -> bool:
    """Hold a question once, while the model fills in what it knows by then; whether it had anything to fill in."""
    values, play.fills = play.fills, {}
    if not values:
        return False
    play.reply_begins()
    play.call_begins()
    fill(play, values)
    play.call_id = None
    return True
