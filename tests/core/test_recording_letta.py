"""Letta's records: what was said, called and returned, and the rules it all ran under."""

from __future__ import annotations

import json

import pytest

from inspector_core.recording.detect import Format
from inspector_core.recording.letta import OUTPUT, rules_of
from tests.core.foreign import Object, asked, in_lines, opened, problems, record, told

CALL = {"name": "pay", "arguments": '{"to": "Ann"}', "tool_call_id": "t1"}
RULES = [{"type": "run_first", "tool_name": "find"}, {"type": "constrain_child_tools", "tool_name": "find"}]


def test_records_of_the_interface_are_told_with_what_calls_returned() -> None:
    records = [
        record("user_message", content="Pay Ann"), record("reasoning_message", reasoning="Hm."),
        record("tool_call_message", tool_call=CALL),
        record("tool_return_message", tool_return="no money", status="error", tool_call_id="t1"),
        record("user_message", content='{"type": "heartbeat", "reason": "again"}'),
        record("assistant_message", content=[{"type": "text", "text": "I can't."}]),
    ]  # fmt: skip
    expected = [
        "user Pay Ann", "letta.reasoning_message Hm.", 'pay {"to": "Ann"} failed no money',
        'letta.heartbeat {"type": "heartbeat", "reason": "again"}', "bot I can't.",
    ]  # fmt: skip
    for found in (opened(records), in_lines(*records), opened({"messages": records})):
        assert (found.format, told(found), problems(found)) == (Format.LETTA, [expected], [])
        assert {one.event.timestamp for one in found.sessions[0].events} == {1743479191.0}


def test_the_text_that_rules_look_at_is_kept_beside_what_a_tool_said() -> None:
    several = [{"type": "tool", "tool_return": "yes", "status": "success", "tool_call_id": "t1"}]
    found = opened([record("tool_call_message", tool_calls=[CALL]),
                    record("tool_return_message", tool_returns=several)])  # fmt: skip
    event = found.sessions[0].events[0].event
    assert (event.fields["result"], event.fields["is_error"]) == ("yes", False)
    assert json.loads(str(event.metadata[OUTPUT])) == {"status": "OK", "message": "yes"}


def test_a_call_that_waits_for_approval_has_no_result_until_one_comes() -> None:
    waiting = record("approval_request_message", tool_calls=[CALL])
    decided = record("approval_response_message", approvals=[{"type": "approval", "tool_call_id": "t1",
                                                             "approve": False, "reason": "too much"}])  # fmt: skip
    denied = record("tool_return_message", tool_return="Error: denied", status="error", tool_call_id="t1")
    assert told(opened([waiting, decided, denied])) == [[
        "letta.approval_request pay", "letta.approval_response denied: too much",
        'pay {"to": "Ann"} failed Error: denied',
    ]]  # fmt: skip
    assert problems(opened([waiting])) == [("the call of `pay` has no result", 2)]


def packed(message: object, status: str = "OK") -> str:
    return json.dumps({"status": status, "message": message, "time": "2025-03-31 08:46:44 PM"}, indent=2)


def older(name: str = "teller") -> Object:
    wrapped = json.dumps({"type": "user_message", "message": "Pay Ann"})
    messages = [
        {"role": "user", "content": [{"type": "text", "text": wrapped}], "created_at": "2025-04-01T03:46:31"},
        asked("c1", "send_message", '{"message": "Done."}', "They want to pay."),
        {"role": "tool", "tool_call_id": "c1", "content": packed(None), "tool_returns": [{"status": "success"}]},
        asked("c2", "pay", "{}"),
        {"role": "tool", "tool_call_id": "c2", "content": packed({"left": 5}, "Failed")},
    ]
    return {"agent_type": "memgpt_agent", "name": name, "tool_rules": RULES, "messages": messages, "tools": []}


OLDER = [
    "letta.agent 2 tool rules", "user Pay Ann", "letta.reasoning They want to pay.", "bot Done.",
    'send_message {"message": "Done."} None', 'pay {} failed {"left": 5}',
]  # fmt: skip


def test_in_an_older_agent_file_thoughts_are_not_said_and_what_is_said_is_a_call_too() -> None:
    found = opened(older())
    assert (found.format, found.sessions[0].name, told(found)) == (Format.LETTA_FILE, "teller", [OLDER])
    events = [one.event for one in found.sessions[0].events]
    assert json.loads(str(events[-1].metadata[OUTPUT]))["status"] == "Failed"


@pytest.mark.parametrize("wrap", [
    lambda agent: json.dumps(agent),
    lambda agent: {"schema_version": 1, "agent": agent},
    lambda agent: {"agents": [agent], "groups": [], "tools": [], "blocks": []},
])  # fmt: skip
def test_an_agent_file_is_known_however_it_is_wrapped(wrap: object) -> None:
    assert callable(wrap)
    found = opened(wrap(older()))
    assert (found.format, told(found)) == (Format.LETTA_FILE, [OLDER])


def test_rules_are_kept_as_they_are_written_each_with_its_agents_conversation() -> None:
    tools = [{"id": "tool-0", "name": "find"}]
    newer = {"agents": [{**older("a"), "tools": []}, {**older("b"), "tool_rules": None}], "tools": tools}
    found = opened(newer)
    rules = [rules_of(tuple(one.event for one in session.events)) for session in found.sessions]
    assert [(s.name, len(r)) for s, r in zip(found.sessions, rules, strict=True)] == [("a", 2), ("b", 0)]
    assert list(rules[0]) == RULES
    assert found.sessions[0].events[0].event.fields["entry"] == {
        "agent_type": "memgpt_agent", "name": "a", "tool_rules": RULES, "tools": tools,
    }  # fmt: skip


def test_the_newer_kind_of_agent_says_what_stands_beside_its_calls() -> None:
    agent = {**older(), "agent_type": "letta_v1_agent", "messages": [asked("c1", "pay", "{}", "One moment.")]}
    assert told(opened(agent))[0][1:] == ["bot One moment.", "pay {} None"]


def test_results_that_stand_beside_a_message_are_each_its_calls_own() -> None:
    calls = [{"id": c, "type": "function", "function": {"name": t, "arguments": "{}"}} for c, t in ("ax", "by")]
    returns = [
        {"tool_call_id": c, "status": s, "func_response": packed(c)} for c, s in (("a", "success"), ("b", "error"))
    ]
    messages = [{"role": "assistant", "content": [], "tool_calls": calls}, {"role": "tool", "tool_returns": returns}]
    assert told(opened({"agent_type": "letta_v1_agent", "messages": messages}))[0][1:] == ["x {} a", "y {} failed b"]


def test_approvals_in_a_file_are_told_like_those_of_the_interface() -> None:
    messages = [{"role": "approval", "tool_calls": [{"id": "a", "function": {"name": "pay", "arguments": "{}"}}]},
                {"role": "approval", "approvals": [{"type": "approval", "tool_call_id": "a", "approve": True}]},
                {"role": "approval", "approve": False, "denial_reason": "no", "approvals": None},
                {"role": "approval", "approvals": [{"tool_call_id": "a", "func_response": packed("ok")}]}]  # fmt: skip
    assert told(opened({"agent_type": "letta_v1_agent", "messages": messages}))[0][1:] == [
        "letta.approval_request pay", "letta.approval_response approved", "letta.approval_response denied: no",
        "pay {} ok", "letta.approval_response",
    ]  # fmt: skip
