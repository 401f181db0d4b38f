"""Conversations of chat messages, however they are packed: lists, lines, requests with answers, runs of a suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from inspector_core.classes import NamedTuple
from inspector_core.mantle.wire.tracker import number
from inspector_core.recording import anthropic, openai
from inspector_core.recording.entries import Entry
from inspector_core.recording.openai import text_of
from inspector_core.recording.placed import line_of
from inspector_core.recording.told import Message, Other, Part, Returned, words

__all__ = ["Talk", "message", "moment", "talks", "to_messages"]

_DEEPEST = 40
_RECENT = 8
"""How many conversations back one is looked for that a request goes on with."""


class Talk(NamedTuple):
    """The messages of one conversation as the file has them."""

    name: str | None
    messages: Sequence[object]
    line: int
    asked: int = 0
    """How many of them were sent with a request: the next request of the conversation begins with them."""
    before: Part | None = None
    after: Part | None = None
    """What stands around the messages: the request's tools, a run's reward."""
    suite: bool = False
    """It is a run of a test suite, which tells errors in words."""


def talks(found: Iterable[Entry]) -> tuple[Talk, ...]:
    """Each conversation; messages that stand in the file one by one are one, and so are requests that go on."""
    loose: dict[str | None, list[object]] = {}
    every: list[Talk] = []
    for entry in found:
        value = entry.value
        alone = isinstance(value, Mapping) and _is_message(value)
        held = [] if alone else list(_held(value, entry.line, 0))
        every += held
        if not held:
            name = (text_of(value, "sessionId") or None) if isinstance(value, Mapping) else None
            if name not in loose:
                loose[name] = []
                every.append(Talk(name, loose[name], entry.line))
            loose[name].append(_Line(value, line_of(value, entry.line)))
    return _going_on(every)


class _Line(NamedTuple):
    """A message in a line of its own, or what else stands in one."""

    message: object
    line: int


def _is_message(value: Mapping[str, object]) -> bool:
    if isinstance(value.get("message"), Mapping) or openai.is_item(value):
        return True
    return "role" in value and not isinstance(value.get("messages"), list)


def _held(value: object, line: int, depth: int) -> Iterator[Talk]:
    """The conversations in a value: a list of messages, or what holds some."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        if any(isinstance(one, Mapping) and _is_message(one) for one in value):
            yield Talk(None, value, _first_line(value, line))
        else:
            for one in value:
                yield from _held(one, line, depth + 1)
    elif isinstance(value, Mapping):
        yield from _object(value, line_of(value, line))


def _first_line(values: list[object], line: int) -> int:
    return next((line_of(one, line) for one in values), line)


def _object(value: Mapping[str, object], line: int) -> Iterator[Talk]:
    asked = next((r for k in ("request", "body", "input") if isinstance(r := value.get(k), Mapping)), value)
    key = next((k for k in ("messages", "traj", "input") if isinstance(asked.get(k), list)), None)
    if key is None:
        if isinstance(value.get("output"), list) or _answers(value):
            yield Talk(_name(value), _answers(value), line)
        return
    messages = asked[key]
    assert isinstance(messages, list)
    answers = _answers(value.get("response", value))
    around = {k: v for k, v in asked.items() if k not in (key, "choices", "response", "output")}
    name, suite = _name(value), key == "traj"
    rest = Other("run" if suite else "request", around, _about(around)) if _tells(around) else None
    yield Talk(
        name, [*messages, *answers], _first_line(messages, line), len(messages) if name is None and not suite else 0,
        None if suite else rest, rest if suite else None, suite,
    )  # fmt: skip


def _tells(around: Mapping[str, object]) -> bool:
    return bool(around.keys() - {"id", "conversation_id", "name"})


def _about(around: Mapping[str, object]) -> str:
    """A request's or a run's own words, in a line."""
    if "reward" in around:
        return f"reward {around['reward']}"
    tools = [text_of(held, "name") for tool in openai.mappings(around.get("tools"))
             for held in (tool, *openai.mappings([tool.get("function")])) if text_of(held, "name")]  # fmt: skip
    told = (text_of(around, "model"), f"with {', '.join(tools)}" if tools else "")
    return " ".join(word for word in told if word)


def _answers(value: object) -> list[object]:
    """What the model answered to a request."""
    if not isinstance(value, Mapping):
        return []
    choices = value.get("choices")
    if isinstance(choices, list):
        return [c["message"] for c in choices[:1] if isinstance(c, Mapping) and isinstance(c.get("message"), Mapping)]
    if isinstance(value.get("output"), list):
        return list(openai.mappings(value["output"]))
    return [value] if "role" in value and "content" in value else []


def _name(value: Mapping[str, object]) -> str | None:
    """A run's task with its trial, or a conversation's own name."""
    task, trial = value.get("task_id"), value.get("trial")
    if task is not None:
        return f"{task}" if trial is None else f"{task}-{trial}"
    return next((n for key in ("conversation_id", "custom_id", "id", "name") if (n := text_of(value, key))), None)


def _going_on(every: list[Talk]) -> tuple[Talk, ...]:
    """Without the requests whose messages a later one begins with: a log tells a conversation each time anew."""
    kept: list[Talk] = []
    for talk in every:
        for at in range(len(kept) - 1, max(-1, len(kept) - 1 - _RECENT), -1):
            if _goes_on(kept[at], talk):
                del kept[at]
                break
        kept.append(talk)
    return tuple(kept)


def _goes_on(before: Talk, talk: Talk) -> bool:
    asked = before.asked
    try:
        return 0 < asked < talk.asked and list(before.messages[:asked]) == list(talk.messages[:asked])
    except RecursionError:
        return False


def to_messages(talk: Talk) -> Iterator[Message]:
    """The messages of a conversation, taken apart."""
    if talk.before is not None:
        yield Message((talk.before,), talk.line, None)
    for value in talk.messages:
        line, given = (value.line, value.message) if isinstance(value, _Line) else (line_of(value, talk.line), value)
        yield message(given, line, talk.suite)
    if talk.after is not None:
        yield Message((talk.after,), talk.line, None)


def message(value: object, line: int, suite: bool = False) -> Message:
    """One message, in whichever of the forms it is."""
    held = value.get("message") if isinstance(value, Mapping) else None
    given = held if isinstance(held, Mapping) else value
    at = moment(value.get("timestamp", value.get("created_at"))) if isinstance(value, Mapping) else None
    if not isinstance(given, Mapping):
        return Message((Other("entry", value),), line, value, at)
    found = tuple(_parts(given, suite))
    return Message(found or (Other(_kind(given), value),), line, value, at)


def _kind(given: Mapping[str, object]) -> str:
    """A word for a message in which there is nothing that is known here."""
    return text_of(given, "role") or text_of(given, "type") or "entry"


def _parts(given: Mapping[str, object], suite: bool) -> Iterator[Part]:
    if openai.is_item(given):
        yield openai.item(given)
        return
    role, content = given.get("role"), given.get("content")
    match role:
        case "user":
            yield from anthropic.parts(content, "user")
        case "assistant":
            yield from anthropic.parts(content if content is not None else given.get("refusal"), "bot")
            yield from openai.calls(given)
        case "tool" | "function":
            yield _failing(openai.result(given)) if suite else openai.result(given)
        case str():
            yield Other(role, given, words(content) or "")
        case _:
            return


def _failing(result: Returned) -> Returned:
    """In a test suite a tool tells an error by the word it begins with."""
    return result._replace(failed=(result.text or "").startswith("Error"))


def moment(value: object) -> float | None:
    """Seconds since 1970 of a number or a date; one without a zone is taken for UTC."""
    if not isinstance(value, str):
        return number(value)
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
