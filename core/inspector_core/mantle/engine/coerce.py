"""Text that the customer gave, made into a value of its entry's type: by `correct` and by buttons alone (§3.8)."""

from __future__ import annotations

import json
import re
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.project import Field

__all__ = ["SETS", "Setting", "Unfit", "coerce", "from_button", "setting"]

SETS: Final = "set:"
"""How the payload of a button that writes memory begins."""
_GRAMMAR: Final = re.compile(r"set:session\.([^.=\s]+)\.([^.=\s]+)=(.+)", re.DOTALL)
_BOOLS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Unfit(NamedTuple):
    """A text is no value of its entry."""

    wanted: str
    """What the entry takes, in words."""


class Setting(NamedTuple):
    """What a payload says: which entry is to become what."""

    key: str
    text: str


def setting(payload: str) -> Setting | None:
    """A payload taken apart; `None` where it is not of the one form that the engine reads."""
    match = _GRAMMAR.fullmatch(payload)
    return Setting(f"{match[1]}.{match[2]}", match[3]) if match is not None else None


def coerce(field: Field, value: object) -> object | Unfit:
    """What `correct` writes: text read as the entry's bool, int or float; anything else is left as it is."""
    if not isinstance(value, str):
        return value
    match field.type:
        case "bool":
            return _BOOLS.get(value.lower(), Unfit("true or false"))
        case "int":
            return _number(value, int, "a whole number")
        case "float":
            return _number(value, float, "a number")
        case _:
            return value


def from_button(field: Field, text: str) -> object | Unfit:
    """What a button writes: its text is read as the type of the entry, whichever that is (§3.7)."""
    match field.type:
        case "categorical" if field.enum_values:
            names = ", ".join(f"`{value}`" for value in field.enum_values)
            return next((v for v in field.enum_values if str(v) == text), Unfit(f"one of {names}"))
        case "list":
            found = _json(text)
            return found if isinstance(found, list) else Unfit("a JSON array")
        case "json":
            found = _json(text)
            return Unfit("JSON") if found is None else found
        case _:
            return coerce(field, text)


def _number(text: str, kind: type[int] | type[float], wanted: str) -> object | Unfit:
    try:
        return kind(text)
    except ValueError:
        return Unfit(wanted)


def _json(text: str) -> object:
    """The text as JSON; `None` where it is none, which counts as a failure just as JSON's own null does."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
