"""What a chat message of OpenAI's form tells: `tool_calls` and `tool`, their older names, and items of responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_core.recording.told import Asked, Other, Part, Returned, words

__all__ = ["calls", "is_item", "item", "mappings", "result", "text_of"]

_ITEMS = ("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "reasoning")


def calls(message: Mapping[str, object]) -> Iterator[Part]:
    """The calls in a reply, and what a model thought of its own."""
    for thought in ("reasoning_content", "reasoning"):
        if message.get(thought):
            yield Other("reasoning", message[thought], words(message[thought]) or "")
    for call in mappings(message.get("tool_calls")):
        yield _call(call)
    old = message.get("function_call")
    if isinstance(old, Mapping):
        yield Asked("", text_of(old, "name"), old.get("arguments"))


def _call(call: Mapping[str, object]) -> Asked:
    for kind in ("function", "custom"):
        held = call.get(kind)
        if isinstance(held, Mapping):
            return Asked(text_of(call, "id"), text_of(held, "name"), held.get("arguments", held.get("input")))
    arguments = call.get("arguments", call.get("args"))
    return Asked(text_of(call, "id") or text_of(call, "tool_call_id"), text_of(call, "name"), arguments)


def result(message: Mapping[str, object]) -> Returned:
    """A message that is a tool's."""
    return Returned(text_of(message, "tool_call_id"), text_of(message, "name"), words(message.get("content")))


def is_item(value: Mapping[str, object]) -> bool:
    """Whether it is an item of a response rather than a message."""
    return "role" not in value and value.get("type") in _ITEMS


def item(value: Mapping[str, object]) -> Part:
    """An item of a response: a call, what came of one, or a thought."""
    kind, call = str(value.get("type")), text_of(value, "call_id")
    if kind.endswith("_output"):
        return Returned(call, "", words(value.get("output")))
    if kind.endswith("_call"):
        return Asked(call, text_of(value, "name"), value.get("arguments", value.get("input")))
    return Other(kind, value, words(value.get("summary")) or "")


def mappings(value: object) -> list[Mapping[str, object]]:
    """Those in a list that are mappings."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def text_of(value: Mapping[str, object], name: str) -> str:
    """A text under a name; empty where there is none."""
    found = value.get(name)
    return found if isinstance(found, str) else ""
