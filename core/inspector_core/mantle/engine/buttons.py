"""Buttons whose tap writes memory before anything else happens in the turn (§3.7)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from inspector_core.mantle import scope
from inspector_core.mantle.engine.coerce import Unfit, from_button
from inspector_core.mantle.engine.memory import put
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.validate import snapshot, validate
from inspector_core.mantle.project import Field

__all__ = ["SETS", "Setting", "press", "setting"]

SETS: Final = "set:"
"""How the payload of a button that writes memory begins."""
_SKIPPED: Final = "utter_set_memory_button_skipped"
_GRAMMAR: Final = re.compile(r"set:session\.([^.=\s]+)\.([^.=\s]+)=(.+)", re.DOTALL)


class Setting(NamedTuple):
    """What a payload says: which entry is to become what."""

    key: str
    text: str


def setting(payload: str) -> Setting | None:
    """A payload taken apart; `None` where it is not of the one form that the engine reads."""
    match = _GRAMMAR.fullmatch(payload)
    return Setting(f"{match[1]}.{match[2]}", match[3]) if match is not None else None


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
