"""Letta's records as chat messages: those of its interface, and those in its agent files.

Each tells one thing. What the model thinks is not said to anyone, and much that is filed as the customer's is not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from inspector_core.recording.chat import Message, words

__all__ = ["of_file", "of_records"]

_SPEAKS = "send_message"
"""The tool through which older agents speak; what stands beside its calls are thoughts."""


def of_records(values: Sequence[object]) -> Iterator[Message]:
    """Chat messages for the records of the interface."""
    for value in values:
        if isinstance(value, Mapping):
            for message in (*_said(value), *_returned(value)):
                yield {**message, "created_at": value.get("date")}


def _said(value: Message) -> list[Message]:
    content = words(value.get("content"))
    match value.get("message_type"):
        case "user_message":
            return [_from_user(content)]
        case "assistant_message":
            return [{"role": "assistant", "content": content}]
        case "tool_call_message" | "approval_request_message":
            return [{"role": "assistant", "tool_calls": [_call(c) for c in _each(value, "tool_calls", "tool_call")]}]
        case "tool_return_message" | "approval_response_message":
            return []
        case str(kind):
            thought = value.get("reasoning", value.get("summary"))
            return [{"role": kind, "content": thought if isinstance(thought, str) else content}]
        case _:
            return []


def _from_user(text: str) -> Message:
    """A message of the customer's, or what the server files under that role to wake the agent."""
    try:
        found: object = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(kind := found.get("type"), str):
        return {"role": "user", "content": text}
    said = found.get("message")
    return {"role": "user", "content": said} if kind == "user_message" else {"role": kind, "content": text}


def _call(call: Message) -> Message:
    return {"id": call.get("tool_call_id"), "name": call.get("name"), "arguments": call.get("arguments", {})}


def _returned(value: Message) -> list[Message]:
    """What calls returned, in the form in which a failure is told too."""
    if value.get("message_type") not in ("tool_return_message", "approval_response_message"):
        return []
    found = _each(value, "tool_returns", None) or _each(value, "approvals", None) or [value]
    return [_answer(one) for one in found if "tool_return" in one]


def _answer(one: Message) -> Message:
    return {"role": "user", "content": [{
        "type": "tool_result", "tool_use_id": one.get("tool_call_id"), "content": one.get("tool_return"),
        "is_error": one.get("status") == "error",
    }]}  # fmt: skip


def _each(value: Message, many: str, one: str | None) -> list[Message]:
    """The newer list, or else the older single one."""
    found = value.get(many)
    if isinstance(found, list):
        return [item for item in found if isinstance(item, Mapping)]
    single = value.get(one) if one else None
    return [single] if isinstance(single, Mapping) else []


def of_file(messages: Sequence[object]) -> Iterator[Message]:
    """Chat messages for those of an agent file."""
    every = [message for message in messages if isinstance(message, Mapping)]
    speaks = any(name == _SPEAKS for message in every for name, _ in _asked(message))
    for message in every:
        content = words(message.get("content"))
        if message.get("role") == "user":
            yield {**message, **_from_user(content)}
        elif message.get("role") == "assistant" and speaks:
            yield {**message, "role": "reasoning", "tool_calls": []}
            yield {**message, "content": None}
            yield from ({**message, "content": said, "tool_calls": []} for said in _spoken(message))
        else:
            yield message


def _spoken(message: Message) -> Iterator[str]:
    for name, arguments in _asked(message):
        if name != _SPEAKS or not isinstance(arguments, str):
            continue
        try:
            found: object = json.loads(arguments)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and isinstance(said := found.get("message"), str):
            yield said


def _asked(message: Message) -> Iterator[tuple[object, object]]:
    for call in _each(message, "tool_calls", None):
        function = call.get("function")
        if isinstance(function, Mapping):
            yield function.get("name"), function.get("arguments")
