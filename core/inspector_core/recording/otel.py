"""OpenTelemetry's spans of generative models: those that ran a tool, and those that say what was said around it.

Attributes stand flat, in a mapping, or in a list of keys with values, and spans alone, in lists, or under resources.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from inspector_core.classes import NamedTuple
from inspector_core.recording.chat import moment
from inspector_core.recording.entries import Entry
from inspector_core.recording.openai import mappings, text_of
from inspector_core.recording.placed import line_of
from inspector_core.recording.told import Asked, Message, Other, Part, Returned, Said, words

__all__ = ["conversations", "moment_of"]

Attributes = Mapping[str, object]

_ARGUMENTS = ("gen_ai.tool.call.arguments", "gen_ai.tool.arguments", "input.value", "input")
_RESULT = ("gen_ai.tool.call.result", "gen_ai.tool.result", "output.value", "output")
_HOLDS = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "spans")
_DEEPEST = 40
_FAILED = (2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR")


class _Span(NamedTuple):
    held: Mapping[str, object]
    told: Attributes
    line: int
    place: int
    began: float | None
    ended: float | None


def conversations(found: Iterable[Entry]) -> Iterator[tuple[str | None, list[Message]]]:
    """The spans of each conversation, as messages in the order of time; a trace is one where none is named."""
    held = [one for entry in found for one in _spans(entry.value, entry.line, 0)]
    every = [_span(span, line, place) for place, (span, line) in enumerate(held)]
    named = {_trace(s): name for s in every if (name := text_of(s.told, "gen_ai.conversation.id"))}
    groups: dict[str, list[_Span]] = {}
    for span in every:
        own, trace = text_of(span.told, "gen_ai.conversation.id"), _trace(span)
        groups.setdefault(own or named.get(trace, trace), []).append(span)
    for name, spans in groups.items():
        yield name or None, _messages(sorted(spans, key=_when))


def _spans(value: object, line: int, depth: int) -> Iterator[tuple[Mapping[str, object], int]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for one in value:
            yield from _spans(one, line, depth + 1)
    elif isinstance(value, Mapping):
        inner = [value[key] for key in _HOLDS if key in value]
        if not inner:
            yield value, line_of(value, line)
        for one in inner:
            yield from _spans(one, line_of(value, line), depth + 1)


def _span(held: Mapping[str, object], line: int, place: int) -> _Span:
    began = moment_of(held, "startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime", "timestamp")
    ended = moment_of(held, "endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime")
    return _Span(held, _attributes(held), line, place, began, ended if ended is not None else began)


def moment_of(held: Mapping[str, object], *names: str) -> float | None:
    """The time under the first of these names: a date, or a number since 1970 of a unit that its size tells."""
    value = next((held[name] for name in names if held.get(name) is not None), None)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 25:
        value = int(value)
    at = moment(value)
    if at is None:
        return None
    return next((at / unit for least, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)) if at >= least), at)


def _when(span: _Span) -> tuple[float, int]:
    """By the time at which a span ended; those without a time stay where the file has them, before the others."""
    return (span.ended if span.ended is not None else 0.0, span.place)


def _trace(span: _Span) -> str:
    context = span.held.get("context")
    inner: Mapping[str, object] = context if isinstance(context, Mapping) else {}
    return text_of(span.held, "traceId") or text_of(span.held, "trace_id") or text_of(inner, "trace_id")


def _messages(spans: list[_Span]) -> list[Message]:
    """What the spans tell in order; each call once, by the span that ran it if there is one."""
    ran = {text_of(s.told, "gen_ai.tool.call.id") for s in spans if _tool(s)}
    heard: list[Message] = []
    seen: list[object] = []
    for span in spans:
        parts = tuple(_ran(span)) if _tool(span) else tuple(_talked(span, seen, ran))
        heard += [Message((part,), span.line, span.held, span.ended) for part in parts]
    return heard


def _tool(span: _Span) -> str | None:
    operation = span.told.get("gen_ai.operation.name", "execute_tool")
    return text_of(span.told, "gen_ai.tool.name") or None if operation == "execute_tool" else None


def _ran(span: _Span) -> Iterator[Part]:
    call, tool = text_of(span.told, "gen_ai.tool.call.id"), _tool(span) or ""
    call = call or text_of(span.held, "spanId") or text_of(span.held, "span_id") or f"span {span.place}"
    yield Asked(call, tool, _first(span.told, _ARGUMENTS))
    failed = _failed(span)
    why = _why(span) if failed else None
    text = words(_first(span.told, _RESULT))
    yield Returned(call, tool, text if text is not None else why, failed)


def _failed(span: _Span) -> bool:
    return _status(span).get("code", _status(span).get("status_code")) in _FAILED or "error.type" in span.told


def _why(span: _Span) -> str | None:
    status = _status(span)
    return text_of(status, "message") or text_of(status, "description") or text_of(span.told, "error.type") or None


def _status(span: _Span) -> Mapping[str, object]:
    found = span.held.get("status")
    return found if isinstance(found, Mapping) else {"code": found if isinstance(found, int | str) else None}


def _talked(span: _Span, seen: list[object], ran: set[str]) -> Iterator[Part]:
    """What a span of a model's reply says that no span before it has said."""
    every = [*_given(span.told, "gen_ai.input.messages"), *_given(span.told, "gen_ai.output.messages")]
    new = every[_common(every, seen) :]
    seen[:] = every or seen
    yield from (part for one in new for part in _message(one) if _call_of(part) not in ran or not _call_of(part))
    if not every:
        yield Other(text_of(span.told, "gen_ai.operation.name") or "span", span.held, text_of(span.held, "name"))


def _common(every: list[object], seen: list[object]) -> int:
    """How many messages at the beginning of both are the same."""
    try:
        return next((n for n, (a, b) in enumerate(zip(every, seen, strict=False)) if _said(a) != _said(b)),
                    min(len(every), len(seen)))  # fmt: skip
    except RecursionError:
        return 0


def _said(message: object) -> object:
    """A message without why it ended, which only the reply itself tells."""
    return {k: v for k, v in message.items() if k != "finish_reason"} if isinstance(message, Mapping) else message


def _given(told: Attributes, name: str) -> list[object]:
    found = told.get(name)
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except (ValueError, RecursionError):
            return []
    return found if isinstance(found, list) else []


def _message(message: object) -> Iterator[Part]:
    if not isinstance(message, Mapping):
        yield Other("entry", message)
        return
    role = text_of(message, "role")
    for part in mappings(message.get("parts")):
        yield _part(part, role)


def _part(part: Mapping[str, object], role: str) -> Part:
    match part.get("type"):
        case "text" if role in ("user", "assistant"):
            return Said("user" if role == "user" else "bot", words(part.get("content")) or "")
        case "tool_call":
            return Asked(text_of(part, "id"), text_of(part, "name"), part.get("arguments"))
        case "tool_call_response":
            return Returned(text_of(part, "id"), "", words(part.get("response", part.get("result"))))
        case kind:
            name = role if kind == "text" else kind
            return Other(name if isinstance(name, str) and name else "part", part, words(part.get("content")) or "")


def _call_of(part: Part) -> str:
    return part.call if isinstance(part, Asked | Returned) else ""


def _attributes(span: Mapping[str, object]) -> Attributes:
    """A span's attributes, whose form is a mapping, a list of keys with values, or the span itself."""
    found = span.get("attributes")
    if isinstance(found, list):
        return {text_of(one, "key"): _value(one.get("value"), 0) for one in mappings(found)}
    return found if isinstance(found, Mapping) else span


def _value(value: object, depth: int) -> object:
    """What is in `{"stringValue": …}`, in a list of such, or in one of keys with such."""
    if not isinstance(value, Mapping) or len(value) != 1 or depth > _DEEPEST:
        return value
    [(kind, held)] = value.items()
    if kind in ("arrayValue", "array_value") and isinstance(held, Mapping):
        items = held.get("values")
        return [_value(one, depth + 1) for one in items] if isinstance(items, list) else []
    if kind in ("kvlistValue", "kvlist_value") and isinstance(held, Mapping):
        return {text_of(one, "key"): _value(one.get("value"), depth + 1) for one in mappings(held.get("values"))}
    if kind in ("intValue", "int_value") and isinstance(held, str):
        return int(held) if held.removeprefix("-").isdigit() and held.isascii() and len(held) < 25 else held
    return held


def _first(told: Attributes, names: tuple[str, ...]) -> object:
    return next((told[name] for name in names if told.get(name) is not None), None)
