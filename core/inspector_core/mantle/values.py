"""Values as an author types and reads them: text to a typed value, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from inspector_core.classes import dataclass

if TYPE_CHECKING:
    from inspector_core.mantle.project import Field

__all__ = ["Refused", "as_text", "choices", "mistyped", "next_flip", "parse_value", "type_word"]

_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a typed text is no value of the field."""

    message: str
    hint: str


def as_text(value: object) -> str:
    """A value as the screen shows it: text in quotes, so that `'false'` and `false` can't be mistaken."""
    match value:
        case None:
            return "unset"
        case bool():
            return "true" if value else "false"
        case str():
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
        case int() | float():
            return repr(value)
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)


def type_word(value: object) -> str:
    """The field's word for a value's type."""
    match value:
        case None:
            return "unset"
        case bool():
            return "bool"
        case str():
            return "text"
        case int():
            return "int"
        case float():
            return "float"
        case list() | tuple():
            return "list"
        case _:
            return "json"


def choices(field: Field) -> tuple[object, ...] | None:
    """All values a field can hold, unset first, where they can be listed; else `None`."""
    if field.type == "bool":
        return (None, True, False)
    if field.type == "categorical" and field.enum_values:
        return (None, *field.enum_values)
    return None


def next_flip(field: Field | None, value: object) -> object:
    """What `space` makes of a value: the next of the field's choices, round and round; the value itself if none.

    A key that no file declares goes round as a bool would.
    """
    options = choices(field) if field else (None, True, False)
    if options is None:
        return value
    places = [i for i, option in enumerate(options) if type(option) is type(value) and option == value]
    return options[(places[0] + 1) % len(options)] if places else options[0]


_FITS: Mapping[str, frozenset[str]] = {
    "text": frozenset({"text"}), "int": frozenset({"int"}), "float": frozenset({"float", "int"}),
    "bool": frozenset({"bool"}), "list": frozenset({"list"}),
}  # fmt: skip
"""For each declared type, the types of value that are of it; the others take anything."""


def mistyped(field: Field | None, value: object) -> bool:
    """Whether a value is not of its entry's declared type, which `set_fields` and tools do not mind (§3.5)."""
    if field is None or value is None:
        return False
    if field.type == "categorical" and field.enum_values:
        return value not in field.enum_values
    return field.type in _FITS and type_word(value) not in _FITS[field.type]


def parse_value(field: Field | None, text: str) -> object | Refused:
    """A typed text as a value of the field's type; after `=`, any JSON value, of another type too."""
    if text.startswith("="):
        return _json(text[1:])
    match field.type if field else "any":
        case "int":
            return _number(text, whole=True)
        case "float":
            return _number(text, whole=False)
        case "bool":
            return _bool(text)
        case "list" | "json":
            return _json(text)
        case "categorical" if field and field.enum_values:
            return _one_of(field, text)
        case _:
            return text


def _json(text: str) -> object | Refused:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as problem:
        return Refused(
            f"`{text.strip()}` is not JSON: {problem}", "text needs double quotes; true, false and null are bare"
        )
    return value


def _number(text: str, *, whole: bool) -> object | Refused:
    """Arithmetic is welcome (`12 * 30`): evaluated with no names and no functions."""
    from simpleeval import InvalidExpression, SimpleEval

    kind = "a whole number" if whole else "a number"
    try:
        value = SimpleEval(functions={}, names={}).eval(text.strip())
    except (InvalidExpression, SyntaxError, ArithmeticError, TypeError, ValueError, RecursionError, KeyError):
        return Refused(f"`{text.strip()}` is not {kind}", "write digits, or a sum such as `12 * 30`")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (whole and value != int(value)):
        return Refused(f"`{text.strip()}` is not {kind}", "start with `=` to write a value of another type on purpose")
    return int(value) if whole else value


def _bool(text: str) -> object | Refused:
    word = text.strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    return Refused(f"`{text.strip()}` is neither true nor false", 'write `="…"` to store text in a bool on purpose')


def _one_of(field: Field, text: str) -> object | Refused:
    known = {str(v): v for v in field.enum_values}
    if text.strip() in known:
        return known[text.strip()]
    return Refused(f"`{text.strip()}` is none of {', '.join(known)}", 'write `="…"` to store another value on purpose')
