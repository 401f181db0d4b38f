"""Envelopes in lines, read in a fraction of the usual time: a long recording is nothing else.

What is read is what `from_entry` reads, event for event. Where anything is not plainly so, nothing is read at all, and
it is for the usual way to tell what is wrong with which line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET, MsgspecError, Struct, UnsetType
from msgspec.json import Decoder, decode
from msgspec.structs import astuple

from inspector_core.mantle.wire.kinds import Malformed, opened
from inspector_core.mantle.wire.tracker import NOTHING, TrackerEvent, session_of

__all__ = ["quick_events"]

_new = tuple.__new__
_Loose = dict[str, Any] | None
"""A payload that is seldom, and is opened in the usual way."""


class _Set(Struct, gc=False, forbid_unknown_fields=True):
    key: str
    value_json: str | None = None
    anonymized_at: float | None = None


class _Cleared(Struct, gc=False, forbid_unknown_fields=True):
    key: str


class _User(Struct, gc=False, forbid_unknown_fields=True):
    text: str | None = None
    parse_data: dict[str, Any] | None = None
    input_channel: str | None = None
    message_id: str | None = None
    anonymized_at: float | None = None


class _Bot(Struct, gc=False, forbid_unknown_fields=True):
    text: str | None = None
    data: dict[str, Any] | None = None
    anonymized_at: float | None = None


class _Call(Struct, gc=False, forbid_unknown_fields=True):
    tool_name: str
    arguments_json: str | None = None
    source: str | None = None
    result_json: str | None = None
    is_error: bool | None = None
    error_message: str | None = None
    mcp_server: str | None = None


class _Envelope(Struct, gc=False):
    """The outside first, then every kind of payload, in the order in which they are likely."""

    conversation_id: str | None = None
    timestamp: float | None = None
    event_id: str | None = None
    sequence: int | None = None
    session_id: str | None = None
    user_id: str | None = None
    metadata: str | None = None
    deployment_environment: str | None = None
    event: Any | UnsetType = UNSET
    memory_set: _Set | None = None
    tool_executed: _Call | None = None
    bot: _Bot | None = None
    user: _User | None = None
    bot_turn_ended: _Loose = None
    memory_cleared: _Cleared | None = None
    stack: _Loose = None
    action: _Loose = None
    skill_activated: _Loose = None
    skill_completed: _Loose = None
    skill_cancelled: _Loose = None
    skill_interrupted: _Loose = None
    skill_resumed: _Loose = None
    ordered_block_entered: _Loose = None
    ordered_block_completed: _Loose = None
    ordered_block_cancelled: _Loose = None
    ordered_block_interrupted: _Loose = None
    ordered_block_resumed: _Loose = None
    session_started: _Loose = None
    unsupported_request_classified: _Loose = None
    user_silence_timeout: _Loose = None
    user_input_suppressed: _Loose = None
    user_barge_in: _Loose = None
    tts_finished: _Loose = None
    session_ended: _Loose = None
    inactive: _Loose = None


_NAMES: Final = _Envelope.__struct_fields__
_FIRST: Final = _NAMES.index("memory_set")
_FLAT: Final = _NAMES.index("event")
_ONE: Final = len(_NAMES) - _FIRST - 1
"""So many payloads are not there where one is."""
_LINES: Final = Decoder(_Envelope)
_WORDS: Final[Mapping[str | None, object]] = {None: None, "": None, "true": True, "false": False, "null": None}


def quick_events(data: bytes) -> list[TrackerEvent] | None:
    """The events of a file of envelopes, a line each; `None` where the usual way has to look at it."""
    try:
        return list(map(_event, _LINES.decode_lines(data)))
    except (MsgspecError, Malformed, ValueError, RecursionError):
        return None


def _event(entry: _Envelope) -> TrackerEvent:
    parts: tuple[Any, ...] = astuple(entry)
    payloads = parts[_FIRST:]
    if parts[_FLAT] is not UNSET or payloads.count(None) != _ONE:
        raise Malformed("it is flat, or it has not exactly one payload")
    conversation, timestamp, event_id, sequence, session, user, written, environment = parts[:_FLAT]
    metadata: Mapping[str, object] = NOTHING
    if written is not None and written != "":
        metadata = _mapping(_value(written))
        if "session_id" in written:
            inside, metadata = session_of(metadata)
            session = session or inside
    place = 0
    while payloads[place] is None:
        place += 1
    name = _NAMES[_FIRST + place]
    open_one = _OPENED.get(name)
    fields = opened(name, payloads[place]) if open_one is None else open_one(payloads[place])
    return _new(TrackerEvent, (name, fields, metadata, timestamp, session, event_id, sequence, conversation, user,
                               environment, None))  # fmt: skip


def _mapping(metadata: object) -> Mapping[str, object]:
    if metadata is None or metadata == {}:
        return NOTHING
    if not isinstance(metadata, dict):
        raise Malformed("`metadata` is no mapping")
    return metadata


def _value(text: str) -> object:
    """JSON in a text; what is in no other JSON, such as a number without bounds, Python's own reader takes."""
    try:
        found: object = decode(text)
    except MsgspecError:
        found = json.loads(text)
    return found


def _maybe(text: str | None) -> object:
    return _WORDS[text] if text in _WORDS else _value(text or "")


def _set(payload: _Set) -> Mapping[str, object]:
    return {"key": payload.key, "value": _maybe(payload.value_json), "anonymized_at": payload.anonymized_at}


def _cleared(payload: _Cleared) -> Mapping[str, object]:
    return {"key": payload.key}


def _user(payload: _User) -> Mapping[str, object]:
    return {
        "text": payload.text, "parse_data": payload.parse_data or {}, "input_channel": payload.input_channel,
        "message_id": payload.message_id, "anonymized_at": payload.anonymized_at,
    }  # fmt: skip


def _bot(payload: _Bot) -> Mapping[str, object]:
    data = payload.data or {}
    if "buttons" in data and data["buttons"] is None:
        del data["buttons"]
    return {"text": payload.text, "data": data, "anonymized_at": payload.anonymized_at}


def _call(payload: _Call) -> Mapping[str, object]:
    arguments = _maybe(payload.arguments_json)
    if arguments is None:
        arguments = {}
    elif not isinstance(arguments, dict):
        raise Malformed("`arguments` is no mapping")
    return {
        "tool_name": payload.tool_name, "arguments": arguments, "source": payload.source or "",
        "result": _maybe(payload.result_json), "is_error": bool(payload.is_error),
        "error_message": payload.error_message, "mcp_server": payload.mcp_server,
    }  # fmt: skip


_OPENED: Mapping[str, Callable[[Any], Mapping[str, object]]] = {
    "memory_set": _set, "memory_cleared": _cleared, "user": _user, "bot": _bot, "tool_executed": _call,
}  # fmt: skip
