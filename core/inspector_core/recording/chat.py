"""Chat messages with tool calls, as OpenAI's and Anthropic's interfaces and many test suites keep them.

They tell what was said and called, and nothing of memory: nothing of it is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from inspector_core.mantle.wire.kinds import completed
from inspector_core.mantle.wire.tracker import TrackerEvent, number

__all__ = ["Message", "conversations", "events_of", "moment", "words"]

Message = Mapping[str, object]

_DEEPEST = 40


class _Result(NamedTuple):
    text: str
    failed: bool


def conversations(value: object, depth: int = 0) -> Iterator[tuple[str | None, list[object]]]:
    """Each conversation in a value, with its name where it has one: a list of messages, or what holds some."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        if any(isinstance(one, Mapping) and "role" in one for one in value):
            yield None, value
        else:
            for one in value:
                yield from conversations(one, depth + 1)
    elif isinstance(value, Mapping):
        yield from _held(value, depth + 1)


def _held(value: Message, depth: int) -> Iterator[tuple[str | None, list[object]]]:
    """The messages under one of the names they are kept under, with the answer that came to them."""
    if isinstance(agents := value.get("agents"), list):
        for agent in agents:
            yield from conversations(agent, depth)
        return
    asked = value.get("request")
    found = asked.get("messages") if isinstance(asked, Mapping) else value.get("messages", value.get("traj"))
    if isinstance(found, list):
        yield _name(value), [*found, *_answers(value.get("response", value))]


def _answers(value: object) -> Iterator[object]:
    if not isinstance(value, Mapping):
        return
    if isinstance(choices := value.get("choices"), list):
        yield from (c.get("message") for c in choices[:1] if isinstance(c, Mapping))
    elif "role" in value and "content" in value:
        yield value


def _name(value: Message) -> str | None:
    """A test's number with that of its trial, or a name."""
    task, trial = value.get("task_id"), value.get("trial")
    if task is not None:
        return f"{task}" if trial is None else f"{task}-{trial}"
    return next((n for key in ("id", "conversation_id", "name") if isinstance(n := value.get(key), str)), None)


def events_of(messages: Iterable[object], conversation: str | None = None) -> Iterator[TrackerEvent]:
    """What was said and called, in order; each call with the result that came to it, wherever that stands."""
    every = [message for message in messages if isinstance(message, Mapping)]
    results = {call: result for message in every for call, result in _results(message)}
    for message in every:
        for event in _message(message, results):
            yield event._replace(conversation_id=conversation, timestamp=moment(message.get("created_at")))


def _message(message: Message, results: Mapping[str, _Result]) -> Iterator[TrackerEvent]:
    role, content = message.get("role"), message.get("content")
    text = words(content)
    if role == "user":
        if text:
            yield _made("user", text=text)
    elif role == "assistant":
        calls = list(_calls(message))
        if text:
            source = "filler" if calls else "llm"  # words beside calls are no answer (§5.7)
            yield _made("bot", {"mantle_response_source": source}, text=text)
        for call, tool, arguments in calls:
            yield _executed(call, tool, arguments, results.get(call))
    elif role not in ("tool", "function") and isinstance(role, str) and text:
        yield TrackerEvent(role, {"text": text})


def _executed(call: str, tool: str, arguments: object, result: _Result | None) -> TrackerEvent:
    given = _object(arguments)
    metadata: dict[str, object] = {"tool_call_id": call}
    if given is None:
        metadata["arguments"] = arguments
    return _made(
        "tool_executed", metadata, tool_name=tool, arguments=given or {}, source="local",
        result=result.text if result else None, is_error=result is not None and result.failed,
    )  # fmt: skip


def _object(arguments: object) -> Mapping[str, object] | None:
    """Arguments as a mapping; `None` where a model has sent something else."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return None
    return arguments if isinstance(arguments, Mapping) else None


def _calls(message: Message) -> Iterator[tuple[str, str, object]]:
    """(id, tool, arguments) of each call in a reply."""
    for call in _mappings(message.get("tool_calls")):
        function = call.get("function")
        asked = function if isinstance(function, Mapping) else call
        yield _text(call, "id"), _text(asked, "name"), asked.get("arguments", {})
    if isinstance(old := message.get("function_call"), Mapping):
        yield _text(old, "name"), _text(old, "name"), old.get("arguments", {})
    for block in _mappings(message.get("content")):
        if block.get("type") == "tool_use":
            yield _text(block, "id"), _text(block, "name"), block.get("input", {})


def _results(message: Message) -> Iterator[tuple[str, _Result]]:
    if message.get("role") in ("tool", "function"):
        yield _text(message, "tool_call_id") or _text(message, "name"), _Result(words(message.get("content")), False)
    for block in _mappings(message.get("content")):
        if block.get("type") == "tool_result":
            yield _text(block, "tool_use_id"), _Result(words(block.get("content")), block.get("is_error") is True)


def _mappings(value: object) -> list[Message]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _text(value: Message, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def words(content: object) -> str:
    """The words of a message, whose content is a text or a list of blocks of which some are texts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    told = [part if isinstance(part, str) else _text(part, "text") for part in parts if isinstance(part, str | Mapping)]
    return "\n".join(text for text in told if text)


def moment(value: object) -> float | None:
    """Seconds since 1970 of a number or a date; one without a zone is taken for UTC."""
    if not isinstance(value, str):
        return number(value)
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _made(name: str, metadata: Mapping[str, object] | None = None, /, **fields: object) -> TrackerEvent:
    """An event of the engine's kind that stands for one of another's."""
    return TrackerEvent(name, completed(name, fields), metadata or {})
