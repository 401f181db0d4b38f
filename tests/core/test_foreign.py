"""Recordings that others wrote: what was said and called is told as the engine would, and nothing else is guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.recording.chat import moment, words
from inspector_core.recording.detect import Format
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording
from tests.core.wired import JSON, OBJECTS

Object = dict[str, object]


def opened(value: object) -> Recording:
    return open_recording(json.dumps(value).encode(), "rec.json")


def in_lines(*values: object) -> Recording:
    return open_recording("".join(json.dumps(v) + "\n" for v in values).encode(), "rec.jsonl")


def told(found: Recording) -> list[list[str]]:
    """Each session's events in a few words."""
    return [[_brief(one.event.name, one.event.fields) for one in session.events] for session in found.sessions]


def _brief(name: str, fields: Mapping[str, object]) -> str:
    if name != "tool_executed":
        return f"{name} {fields['text']}"
    failed = "failed " if fields["is_error"] else ""
    return f"{fields['tool_name']} {json.dumps(fields['arguments'])} {failed}{fields['result']}"


def asked(call: str, tool: str, arguments: object, text: str | None = None) -> Object:
    function = {"name": tool, "arguments": arguments}
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [{"id": call, "type": "function", "function": function}],
    }


OPENAI: list[Object] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Pay Ann"},
    asked("c1", "pay", '{"to": "Ann"}', "One moment."),
    {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
    {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
]
SAID = ["system Be kind.", "user Pay Ann", "bot One moment.", 'pay {"to": "Ann"} {"ok": true}', "bot Done."]
ANTHROPIC: list[Object] = [
    {"role": "user", "content": "Pay Ann"},
    {"role": "assistant", "content": [{"type": "text", "text": "One moment."},
                                      {"type": "tool_use", "id": "t1", "name": "pay", "input": {"to": "Ann"}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True,
                                  "content": [{"type": "text", "text": "no money"}]}]},
]  # fmt: skip


@pytest.mark.parametrize("found", [opened(OPENAI), in_lines(*OPENAI), opened({"messages": OPENAI}), opened([OPENAI])])
def test_chat_messages_are_one_conversation_however_they_are_packed(found: Recording) -> None:
    assert (found.format, told(found), found.findings) == (Format.OPENAI, [SAID], ())


def test_words_beside_a_call_are_filler_and_others_an_answer() -> None:
    events = [one.event for one in opened(OPENAI).sessions[0].events]
    assert [e.metadata for e in events if e.name == "bot"] == [
        {"mantle_response_source": "filler"}, {"mantle_response_source": "llm"},
    ]  # fmt: skip
    assert [e.metadata for e in events if e.name == "tool_executed"] == [{"tool_call_id": "c1"}]


def test_each_line_with_messages_is_a_conversation_of_its_own_on_its_line() -> None:
    found = in_lines({"id": "a", "messages": OPENAI}, {"messages": OPENAI[:2]})
    assert [(s.conversation_id, len(s.events), s.events[0].line) for s in found.sessions] == [("a", 5, 1), (None, 2, 2)]


def test_the_answer_that_came_to_a_request_follows_its_messages() -> None:
    assert told(opened({"messages": OPENAI[:4], "choices": [{"message": OPENAI[4]}]})) == [SAID]
    response = {"role": "assistant", "content": [{"type": "text", "text": "I can't."}]}
    found = opened([{"request": {"messages": ANTHROPIC}, "response": response}])
    assert (found.format, told(found)) == (
        Format.ANTHROPIC,
        [["user Pay Ann", "bot One moment.", 'pay {"to": "Ann"} failed no money', "bot I can't."]],
    )


def test_a_test_suites_runs_are_named_by_task_and_trial() -> None:
    runs = [{"task_id": 6, "trial": n, "reward": 1.0, "traj": OPENAI[: n + 1]} for n in (1, 2)]
    assert [(s.name, len(s.events)) for s in opened(runs).sessions] == [("6-1", 2), ("6-2", 4)]


def test_calls_in_one_reply_keep_their_order_and_each_has_its_own_result() -> None:
    calls = [{"id": call, "function": {"name": tool, "arguments": "{}"}} for call, tool in (("c1", "a"), ("c2", "b"))]
    both = {"role": "assistant", "tool_calls": calls}
    answers = [{"role": "tool", "tool_call_id": call, "content": call.upper()} for call in ("c2", "c1")]
    assert told(opened([both, *answers])) == [["a {} C1", "b {} C2"]]


def test_a_call_without_a_result_or_with_odd_arguments_is_told_all_the_same() -> None:
    old: Object = {"role": "assistant", "function_call": {"name": "old", "arguments": "{}"}}
    found = opened([asked("c1", "pay", "{oops"), old, {"role": "function", "name": "old", "content": "5"}])
    assert told(found) == [["pay {} None", "old {} 5"]]
    assert found.sessions[0].events[0].event.metadata == {"tool_call_id": "c1", "arguments": "{oops"}


def record(kind: str, **more: object) -> Object:
    return {"message_type": kind, "id": "m", "date": "2025-04-01T03:46:31Z", **more}


def test_records_of_lettas_interface_are_told_with_what_calls_returned() -> None:
    call = {"name": "pay", "arguments": '{"to": "Ann"}', "tool_call_id": "t1"}
    found = opened([
        record("user_message", content="Pay Ann"), record("reasoning_message", reasoning="Hm."),
        record("tool_call_message", tool_call=call),
        record("tool_return_message", tool_return="no money", status="error", tool_call_id="t1"),
        record("user_message", content='{"type": "heartbeat", "reason": "again"}'),
        record("assistant_message", content=[{"type": "text", "text": "I can't."}]),
    ])  # fmt: skip
    assert found.format is Format.LETTA
    assert told(found) == [[
        "user Pay Ann", "reasoning_message Hm.", 'pay {"to": "Ann"} failed no money',
        'heartbeat {"type": "heartbeat", "reason": "again"}', "bot I can't.",
    ]]  # fmt: skip
    assert {one.event.timestamp for one in found.sessions[0].events} == {1743479191.0}


def test_in_an_older_agent_file_thoughts_are_not_said_and_what_is_said_is_a_call() -> None:
    wrapped = json.dumps({"type": "user_message", "message": "Pay Ann"})
    messages = [{"role": "user", "content": [{"type": "text", "text": wrapped}]},
                asked("c1", "send_message", '{"message": "Done."}', "They want to pay."),
                {"role": "tool", "tool_call_id": "c1", "content": "OK"}]  # fmt: skip
    for file in ({"agent_type": "memgpt_agent", "name": "teller", "messages": messages},
                 {"agents": [{"name": "teller", "messages": messages}], "tools": []}):  # fmt: skip
        found = opened(file)
        assert (found.format, found.sessions[0].name) == (Format.LETTA_FILE, "teller")
        assert told(found) == [[
            "user Pay Ann", "reasoning They want to pay.", 'send_message {"message": "Done."} OK', "bot Done.",
        ]]  # fmt: skip


SPAN: Object = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay", "gen_ai.tool.call.id": "1",
                "gen_ai.tool.call.arguments": '{"to": "Ann"}', "gen_ai.tool.call.result": "{}"}  # fmt: skip


def exported(*spans: Object) -> Object:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def test_a_span_that_ran_a_tool_is_a_call_however_its_attributes_are_kept() -> None:
    listed = [{"key": key, "value": {"stringValue": value}} for key, value in SPAN.items()]
    chat = {"attributes": {"gen_ai.operation.name": "chat", "gen_ai.tool.name": "pay"}}
    for found in (opened(SPAN), opened([{"attributes": SPAN, "span_id": "s"}]),
                  opened(exported({"spanId": "s", "attributes": listed}, chat))):  # fmt: skip
        assert (found.format, told(found)) == (Format.OPENTELEMETRY, [['pay {"to": "Ann"} {}']])


def test_a_span_says_when_it_began_in_which_conversation_and_whether_it_failed() -> None:
    span = {"attributes": {**SPAN, "gen_ai.conversation.id": "c9"}, "startTimeUnixNano": "1500000000",
            "status": {"code": 2}}  # fmt: skip
    (session,) = opened(exported(span)).sessions
    event = session.events[0].event
    assert (session.conversation_id, event.timestamp, event.fields["is_error"]) == ("c9", 1.5, True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"test_cases:\n- test_case: a\n", "it is a test, and no recording"),
        (b"hello", "it is no recording of a kind that is known here"),
        (b"", "it is no recording of a kind that is known here"),
    ],
)
def test_what_is_no_recording_is_told(data: bytes, message: str) -> None:
    found = open_recording(data, "x")
    assert [f.message for f in found.findings] == [message]
    assert found.sessions == ()


def test_the_engines_own_recordings_come_in_by_the_same_door() -> None:
    found = opened([{"event": "user", "text": "hi", "timestamp": 1.0}])
    assert (found.format, told(found)) == (Format.MANTLE, [["user hi"]])


def test_a_broken_line_among_messages_costs_only_itself() -> None:
    text = "\n".join([json.dumps(OPENAI[0]), "{oops", *map(json.dumps, OPENAI[1:])])
    found = open_recording(b"\xef\xbb\xbf" + text.encode(), "x")
    assert told(found) == [SAID]
    assert [(f.code, f.span.line) for f in found.findings] == [("inspector.recording.unreadable", 2)]


def test_conversations_are_not_looked_for_without_end() -> None:
    assert open_recording(b"[" * 400 + b'{"role": "user", "content": "hi"}' + b"]" * 400, "x").sessions == ()
    assert open_recording(b'{"spans":' * 400 + b'{"gen_ai.tool.name": "x"}' + b"}" * 400, "x").sessions == ()


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("2025-04-01T03:46:31", 1743479191.0), ("2025-04-01T05:46:31+02:00", 1743479191.0), (5, 5.0), ("soon", None),
        (None, None), (True, None), ("0001-01-01", -62135596800.0), (10**400, None),
    ],
)  # fmt: skip
def test_a_date_is_a_moment_or_none(date: object, seconds: float | None) -> None:
    assert moment(date) == seconds


def test_words_are_those_of_all_blocks_that_have_any() -> None:
    assert words([{"type": "text", "text": "a"}, {"type": "image"}, "b", 5, {"text": None}]) == "a\nb"
    assert words(None) == words(5) == ""


ROLES = st.sampled_from(["user", "assistant", "tool", "system", "x"]) | JSON
KEYS = st.sampled_from(["role", "content", "tool_calls", "function_call", "messages", "traj", "request", "response",
                        "choices", "agents", "agent_type", "message_type", "tool_returns", "approvals", "spans",
                        "attributes", "gen_ai.tool.name", "task_id", "created_at", "status", "date"])  # fmt: skip
ODD = st.recursive(
    JSON | OBJECTS, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v, max_size=4), max_leaves=12
)


@given(st.lists(st.dictionaries(KEYS, ODD, max_size=5), max_size=3), KEYS, ROLES)
def test_whatever_stands_in_such_a_file_it_is_opened_without_a_crash(
    values: list[Object], key: str, role: object
) -> None:
    for first in ({"role": role}, {"message_type": role}, {"agent_type": 1}, {"gen_ai.tool.name": role}, {key: role}):
        found = opened([{**first, **value} for value in [{}, *values]])
        assert all(session.events for session in found.sessions)
