"""Every kind of event with its fields (§8.1), and how each field is put on the wire (§8.2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.payload import as_json
from inspector_core.mantle.wire.tracker import number

__all__ = ["KINDS", "Field", "Malformed", "completed", "enveloped", "opened"]

Form = Literal["name", "text", "text?", "flag", "number", "number?", "json", "json object", "struct", "data"]


class Field(NamedTuple):
    """A field of an event; a `name` must be there, and any other may be left out."""

    name: str
    form: Form

    @property
    def wire(self) -> str:
        """Its name in the envelope."""
        return f"{self.name}_json" if self.form in ("json", "json object") else self.name


def _kind(**forms: Form) -> tuple[Field, ...]:
    return tuple(Field(name, form) for name, form in forms.items())


_IN_SKILL = _kind(skill_id="name", step_id="text?")
_IN_BLOCK = _kind(skill_id="name", block_id="name", step_id="text?")

KINDS: Mapping[str, tuple[Field, ...]] = {
    "session_started": (),
    "user": _kind(
        text="text?", parse_data="struct", input_channel="text?", message_id="text?", anonymized_at="number?"
    ),
    "bot": _kind(text="text?", data="data", anonymized_at="number?"),
    "memory_set": _kind(key="name", value="json", anonymized_at="number?"),
    "memory_cleared": _kind(key="name"),
    "skill_activated": _kind(skill_id="name"),
    "skill_completed": _kind(skill_id="name"),
    "skill_cancelled": _IN_SKILL,
    "skill_interrupted": _IN_SKILL,
    "skill_resumed": _IN_SKILL,
    "ordered_block_entered": _kind(skill_id="name", block_id="name"),
    "ordered_block_completed": _IN_BLOCK,
    "ordered_block_cancelled": _IN_BLOCK,
    "ordered_block_interrupted": _IN_BLOCK,
    "ordered_block_resumed": _IN_BLOCK,
    "tool_executed": _kind(
        tool_name="name", arguments="json object", source="text", result="json", is_error="flag",
        error_message="text?", mcp_server="text?",
    ),
    "stack": _kind(update="name"),
    "action": _kind(name="name", hide_rule_turn="flag", policy="text?", confidence="number?", action_text="text?"),
    "bot_turn_ended": (),
    "unsupported_request_classified": _kind(label="name", reason="text?", user_message="text?"),
    "user_silence_timeout": _kind(timeout="number"),
    "user_input_suppressed": _kind(text="text?", modality="text?", reason="text?"),
    "user_barge_in": (),
    "tts_finished": (),
    "session_ended": (),
    "inactive": (),
}  # fmt: skip
"""The kinds that both forms have; every other name is unknown."""


class Malformed(Exception):
    """What is wrong with an entry, in words for the author; turned into a finding by whoever reads the file."""


def completed(kind: str, given: Mapping[str, object]) -> dict[str, object]:
    """An event's fields from the flat form: those left out at their defaults, and unknown ones kept."""
    fields = {f.name: _CHECKS[f.form](kind, f.name, given.get(f.name)) for f in KINDS[kind]}
    return fields if given.keys() <= fields.keys() else {**fields, **{k: given[k] for k in given if k not in fields}}


def enveloped(kind: str, fields: Mapping[str, object]) -> dict[str, object]:
    """An event's fields as the envelope has them: JSON in texts, whole numbers in structs as floats."""
    known = KINDS[kind]
    payload = {f.wire: _wire(f.form, fields.get(f.name)) for f in known}
    names = {f.name for f in known}
    return {**{k: v for k, v in fields.items() if k not in names}, **payload}


def opened(kind: str, payload: Mapping[str, object]) -> dict[str, object]:
    """An event's fields from its envelope."""
    wires = {f.wire: f for f in KINDS[kind]}
    given = {k: v for k, v in payload.items() if k not in wires}
    for wire, field in wires.items():
        given[field.name] = _unwired(kind, field, payload.get(wire))
    return completed(kind, given)


def _wire(form: Form, value: object) -> object:
    match form:
        case "json" | "json object":
            return as_json(value)
        case "struct":
            return _struct(value)
        case "data":
            data = _struct(value)
            return {"buttons": None, **data} if isinstance(data, dict) else {"buttons": None}
        case _:
            return value


def _struct(value: object) -> object:
    """As a protobuf struct gives it back: a whole number is a float, where a float can hold it."""
    match value:
        case bool():
            return value
        case int():
            found = number(value)
            return found if found == value else value
        case Mapping():
            return {key: _struct(item) for key, item in value.items()}
        case list() | tuple():
            return [_struct(item) for item in value]
        case _:
            return value


def _unwired(kind: str, field: Field, value: object) -> object:
    match field.form:
        case "json" | "json object" if value is not None:
            return _parsed(kind, field.wire, value)
        case "data" if isinstance(value, Mapping):
            return {k: v for k, v in value.items() if k != "buttons" or v is not None}
        case _:
            return value


def _parsed(kind: str, wire: str, text: object) -> object:
    if not isinstance(text, str):
        raise Malformed(f"`{wire}` of `{kind}` is no text")
    if not text:
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"`{wire}` of `{kind}` can't be read as JSON") from error
    return value


def _name(kind: str, field: str, value: object) -> object:
    if not isinstance(value, str):
        raise Malformed(f"`{kind}` has no `{field}`" if value is None else f"`{field}` of `{kind}` is no text")
    return value


def _text(kind: str, field: str, value: object) -> object:
    return "" if value is None else _name(kind, field, value)


def _maybe_text(kind: str, field: str, value: object) -> object:
    return None if value is None else _name(kind, field, value)


def _flag(kind: str, field: str, value: object) -> object:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise Malformed(f"`{field}` of `{kind}` is neither true nor false")


def _number(kind: str, field: str, value: object) -> object:
    return 0.0 if value is None else _maybe_number(kind, field, value)


def _maybe_number(kind: str, field: str, value: object) -> object:
    found = number(value)
    if value is not None and found is None:
        raise Malformed(f"`{field}` of `{kind}` is no number")
    return found


def _anything(kind: str, field: str, value: object) -> object:
    return value


def _mapping(kind: str, field: str, value: object) -> object:
    if value is None or isinstance(value, Mapping):
        return {} if value is None else value
    raise Malformed(f"`{field}` of `{kind}` is no mapping")


_CHECKS: Mapping[Form, Callable[[str, str, object], object]] = {
    "name": _name, "text": _text, "text?": _maybe_text, "flag": _flag, "number": _number, "number?": _maybe_number,
    "json": _anything, "json object": _mapping, "struct": _mapping, "data": _mapping,
}  # fmt: skip
