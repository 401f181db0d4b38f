"""Buttons whose tap writes memory before anything else happens in the turn (§3.7)."""

from __future__ import annotations

from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.engine.coerce import SETS, Unfit, from_button, setting
from inspector_core.mantle.engine.memory import put
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.validate import snapshot, validate
from inspector_core.mantle.project import Field

__all__ = ["press"]

_SKIPPED: Final = "utter_set_memory_button_skipped"


def press(play: Play, text: str) -> bool | None:
    """Do what a tap does to memory: whether it was written; `None`: this is no button that writes.

    A tap that writes nothing is told to the customer, and the turn is to end without the model.
    """
    if not text.startswith(SETS):
        return None
    found = _meant(play, text)
    if found is None:
        play.speak(render(play.project, play.skill_id, _SKIPPED, play.memory))
        return False
    field, value = found
    before = snapshot(play)
    put(play, field.key, value, "customer")
    validate(play, (field.key,), before)
    return True


def _meant(play: Play, payload: str) -> tuple[Field, object] | None:
    """The entry and its new value; `None` for a button that was not offered just now, or can't write that there."""
    asked = setting(payload)
    if asked is None or all(payload != offered for _, offered in play.buttons):
        return None
    field = scope.writable(play.project, play.skill_id, asked.key)
    if field is None or (field.scope == "project" and play.memory.get(field.key) is not None):
        return None
    value = from_button(field, asked.text)
    return None if isinstance(value, Unfit) else (field, value)
