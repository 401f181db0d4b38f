"""OpenTelemetry's spans: those that ran a tool, and what was said around them."""

from __future__ import annotations

import json

import pytest

from inspector_core.recording.detect import Format
from inspector_core.recording.otel import moment_of
from tests.core.foreign import SPAN, Object, exported, in_lines, opened, told


def test_a_span_that_ran_a_tool_is_a_call_however_its_attributes_are_kept() -> None:
    listed = [{"key": key, "value": {"stringValue": value}} for key, value in SPAN.items()]
    for found in (opened(SPAN), opened([{"attributes": SPAN, "span_id": "s"}]), in_lines({"attributes": SPAN}),
                  opened(exported({"spanId": "s", "attributes": listed}))):  # fmt: skip
        assert (found.format, told(found)) == (Format.OPENTELEMETRY, [['pay {"to": "Ann"} {}']])


def test_a_span_of_another_kind_is_kept_and_not_taken_for_a_call() -> None:
    found = opened(exported({"name": "chat gpt", "attributes": {"gen_ai.operation.name": "chat",
                                                               "gen_ai.tool.name": "pay"}}))  # fmt: skip
    assert told(found) == [["opentelemetry.chat chat gpt"]]


def test_a_span_says_when_it_ended_in_which_conversation_and_whether_it_failed() -> None:
    told_as = {k: v for k, v in SPAN.items() if k != "gen_ai.tool.call.result"}
    span = {"attributes": {**told_as, "gen_ai.conversation.id": "c9"}, "startTimeUnixNano": "1700000000000000000",
            "endTimeUnixNano": "1700000001500000000", "status": {"code": 2, "message": "no money"}}  # fmt: skip
    (session,) = opened(exported(span)).sessions
    event = session.events[0].event
    assert (session.conversation_id, event.timestamp) == ("c9", 1700000001.5)
    assert (event.fields["is_error"], event.fields["result"]) == (True, "no money")


def test_values_in_lists_and_under_keys_are_the_values_that_they_hold() -> None:
    given = {"kvlistValue": {"values": [
        {"key": "n", "value": {"intValue": "5"}}, {"key": "ok", "value": {"boolValue": False}},
        {"key": "to", "value": {"arrayValue": {"values": [{"stringValue": "Ann"}]}}},
    ]}}  # fmt: skip
    attributes = [{"key": "gen_ai.tool.name", "value": {"stringValue": "pay"}},
                  {"key": "gen_ai.tool.call.arguments", "value": given}]  # fmt: skip
    event = opened(exported({"spanId": "s", "attributes": attributes})).sessions[0].events[0].event
    assert event.fields["arguments"] == {"n": 5, "ok": False, "to": ["Ann"]}


def part(kind: str, **more: object) -> Object:
    return {"type": kind, **more}


def chat(start: int, messages: list[Object], answer: Object) -> Object:
    asked: Object = {"gen_ai.operation.name": "chat", "gen_ai.conversation.id": "c1"}
    asked["gen_ai.input.messages"] = json.dumps(messages)
    asked["gen_ai.output.messages"] = json.dumps([{**answer, "finish_reason": "stop"}])
    return {"attributes": asked, "traceId": "t", "startTimeUnixNano": start, "endTimeUnixNano": start}


USER: Object = {"role": "user", "parts": [part("text", content="Pay Ann")]}
CALLS: Object = {"role": "assistant", "parts": [part("tool_call", id="1", name="pay", arguments={"to": "Ann"})]}
RESULT: Object = {"role": "tool", "parts": [part("tool_call_response", id="1", response="{}")]}
DONE: Object = {"role": "assistant", "parts": [part("text", content="Done.")]}
BASE, SECOND = 1_700_000_000_000_000_000, 1_000_000_000


def test_what_was_said_is_told_once_though_each_request_says_it_again() -> None:
    first, second = chat(BASE, [USER], CALLS), chat(BASE + 2 * SECOND, [USER, CALLS, RESULT], DONE)
    ran = {"attributes": SPAN, "traceId": "t", "startTimeUnixNano": BASE + SECOND, "endTimeUnixNano": BASE + SECOND}
    expected = ["user Pay Ann", 'pay {"to": "Ann"} {}', "bot Done."]
    assert told(opened(exported(second, first, ran))) == [expected]
    assert told(opened(exported(first, second))) == [expected]


def test_spans_without_a_conversation_belong_to_that_of_their_trace() -> None:
    spans = [{"attributes": {**SPAN, "gen_ai.tool.call.id": str(n)}, "traceId": trace} for n, trace in enumerate("tuu")]
    found = opened(exported(chat(BASE, [USER], DONE), *spans))
    assert [(s.name, len(s.events)) for s in found.sessions] == [("c1", 3), ("u", 2)]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(1_700_000_000_000_000_000, 1.7e9), ("1700000000000000", 1.7e9), (1_700_000_000_000, 1.7e9), (1.7e9, 1.7e9),
     ("2023-11-14T22:13:20Z", 1.7e9), ("9" * 400, None), (None, None)],
)  # fmt: skip
def test_a_time_is_known_by_its_size(value: object, seconds: float | None) -> None:
    assert moment_of({"start_time": value}, "start_time") == seconds
