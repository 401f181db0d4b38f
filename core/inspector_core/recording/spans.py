"""OpenTelemetry's spans of generative models: those that ran a tool, by the conventions' own names and older ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.chat import events_of

__all__ = ["events_of_span", "spans"]

Span = Mapping[str, object]

_ARGUMENTS = ("gen_ai.tool.call.arguments", "gen_ai.tool.arguments", "input.value", "input")
_RESULT = ("gen_ai.tool.call.result", "gen_ai.tool.result", "output.value", "output")
_DEEPEST = 40


def spans(value: object, depth: int = 0) -> Iterator[Span]:
    """Every span in an export, however it is packed: alone, in lists, or under resources and scopes."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for one in value:
            yield from spans(one, depth + 1)
    elif isinstance(value, Mapping):
        inner = [value[k] for k in _HOLDS if k in value]
        if inner:
            yield from spans(inner, depth + 1)
        else:
            yield value


_HOLDS = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "spans")


def events_of_span(span: Span) -> Iterator[TrackerEvent]:
    """The call that a span stands for; none where it stands for something else."""
    told = _attributes(span)
    tool = told.get("gen_ai.tool.name")
    if not isinstance(tool, str) or told.get("gen_ai.operation.name", "execute_tool") != "execute_tool":
        return
    call = str(told.get("gen_ai.tool.call.id") or span.get("spanId") or span.get("span_id") or tool)
    asked = {
        "role": "assistant",
        "tool_calls": [{"id": call, "name": tool, "arguments": _first(told, _ARGUMENTS) or {}}],
    }
    answer = {"role": "user", "content": [{
        "type": "tool_result", "tool_use_id": call, "content": _first(told, _RESULT), "is_error": _failed(span, told),
    }]}  # fmt: skip
    conversation = told.get("gen_ai.conversation.id")
    for event in events_of([asked, answer], conversation if isinstance(conversation, str) else None):
        yield event._replace(timestamp=_began(span))


def _failed(span: Span, told: Span) -> bool:
    status = span.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, Mapping) else status
    return code in (2, "ERROR", "STATUS_CODE_ERROR") or "error.type" in told


def _began(span: Span) -> float | None:
    found = span.get("startTimeUnixNano", span.get("start_time_unix_nano"))
    text = str(found) if isinstance(found, int | str) and not isinstance(found, bool) else ""
    return int(text) / 1e9 if text.isascii() and text.isdigit() and len(text) < 25 else None


def _attributes(span: Span) -> Span:
    """A span's attributes, whose form is a mapping, a list of keys with values, or the span itself."""
    found = span.get("attributes")
    if isinstance(found, list):
        return {str(one.get("key")): _value(one.get("value")) for one in found if isinstance(one, Mapping)}
    return found if isinstance(found, Mapping) else span


def _value(value: object) -> object:
    """What is in `{"stringValue": …}`."""
    return next(iter(value.values()), None) if isinstance(value, Mapping) and len(value) == 1 else value


def _first(told: Span, names: tuple[str, ...]) -> object:
    return next((told[name] for name in names if told.get(name) is not None), None)
