"""Chat messages that others recorded: what was said and called is told as the engine would, nothing else is guessed."""

from __future__ import annotations

import json

import pytest

from inspector_core.recording.chat import moment
from inspector_core.recording.detect import Format
from inspector_core.recording.recording import Recording
from inspector_core.recording.told import words
from tests.core.foreign import ANTHROPIC, FAILED, OPENAI, SAID, Object, asked, in_lines, opened, problems, told


@pytest.mark.parametrize("found", [opened(OPENAI), in_lines(*OPENAI), opened({"messages": OPENAI}), opened([OPENAI])])
def test_chat_messages_are_one_conversation_however_they_are_packed(found: Recording) -> None:
    assert (found.format, told(found), found.findings) == (Format.OPENAI, [SAID], ())


def test_each_event_knows_its_line_and_what_it_was_read_from() -> None:
    found = opened({"model": "m", "messages": OPENAI[1:]})
    events = found.sessions[0].events
    assert [(one.event.name, one.line) for one in events] == [
        ("openai.request", 4), ("user", 4), ("bot", 8), ("tool_executed", 22), ("bot", 27),
    ]  # fmt: skip
    assert events[3].original == (OPENAI[2], OPENAI[3])
    assert [one.line for one in in_lines(*OPENAI).sessions[0].events] == [1, 2, 3, 4, 5]


def test_words_beside_calls_are_filler_and_others_an_answer_and_calls_of_one_reply_are_a_batch() -> None:
    events = [one.event for one in opened(OPENAI).sessions[0].events]
    assert [e.metadata for e in events if e.name in ("bot", "tool_executed")] == [
        {"mantle_response_source": "filler", "tool_batch_id": "0-c1"},
        {"tool_call_id": "c1", "tool_batch_id": "0-c1"},
        {"mantle_response_source": "llm"},
    ]


def test_replies_are_counted_anew_in_each_turn() -> None:
    calls = [asked("a", "x", "{}"), asked("b", "x", "{}"), {"role": "user", "content": "and?"}, asked("c", "x", "{}")]
    answers: list[Object] = [{"role": "tool", "tool_call_id": call, "content": "ok"} for call in "abc"]
    found = opened([calls[0], answers[0], calls[1], answers[1], calls[2], calls[3], answers[2]])
    batches = [one.event.metadata["tool_batch_id"] for one in found.sessions[0].events if one.event.name != "user"]
    assert batches == ["0-a", "1-b", "0-c"]


def test_each_line_with_messages_is_a_conversation_of_its_own_on_its_line() -> None:
    found = in_lines({"id": "a", "messages": OPENAI}, {"messages": OPENAI[1:2]})
    assert [(s.name, len(s.events), s.events[0].line) for s in found.sessions] == [("a", 5, 1), ("2", 1, 2)]


def test_the_answer_that_came_to_a_request_follows_its_messages() -> None:
    assert told(opened({"messages": OPENAI[:4], "choices": [{"message": OPENAI[4]}]})) == [SAID]
    response = {"role": "assistant", "content": [{"type": "text", "text": "I can't."}]}
    found = opened([{"request": {"messages": ANTHROPIC}, "response": response}])
    assert (found.format, told(found)) == (Format.ANTHROPIC, [[*FAILED, "bot I can't."]])


def test_requests_that_go_on_with_one_conversation_are_one() -> None:
    tools = [{"type": "function", "function": {"name": "pay"}}]
    first = {"request": {"tools": tools, "messages": OPENAI[:2]}, "response": {"choices": [{"message": OPENAI[2]}]}}
    other = {"request": {"messages": [{"role": "user", "content": "hello?"}]}}
    second = {"request": {"tools": tools, "messages": OPENAI[:4]}, "response": {"choices": [{"message": OPENAI[4]}]}}
    found = in_lines(first, other, second)
    assert told(found) == [["user hello?"], ["openai.request with pay", *SAID]]
    assert found.findings == ()


def test_a_request_that_is_sent_again_is_told_again() -> None:
    request = {"request": {"messages": OPENAI[:2]}}
    assert len(in_lines(request, request).sessions) == 2


def test_a_test_suites_runs_are_named_by_task_and_trial_and_end_with_their_reward() -> None:
    runs = [{"task_id": 6, "trial": n, "reward": 1.0, "info": {}, "traj": OPENAI[1 : n + 1]} for n in (1, 2)]
    found = opened(runs)
    assert found.format is Format.TAU_BENCH
    assert [(s.name, len(s.events)) for s in found.sessions] == [("6-1", 2), ("6-2", 4)]
    last = found.sessions[0].events[-1].event
    assert (last.name, last.fields["text"]) == ("tau-bench.run", "reward 1.0")
    assert last.fields["entry"] == {"task_id": 6, "trial": 1, "reward": 1.0, "info": {}}


def test_in_a_test_suite_a_result_that_begins_with_error_is_one() -> None:
    traj = [asked("c", "find", "{}"), {"role": "tool", "tool_call_id": "c", "content": "Error: user not found"}]
    assert told(opened({"task_id": 1, "traj": traj}))[0][0] == "find {} failed Error: user not found"
    assert told(opened(traj)) == [["find {} Error: user not found"]]


def test_calls_of_one_reply_have_each_its_own_result_in_the_order_in_which_these_came() -> None:
    calls = [{"id": call, "function": {"name": tool, "arguments": "{}"}} for call, tool in (("c1", "a"), ("c2", "b"))]
    both = {"role": "assistant", "tool_calls": calls}
    answers = [{"role": "tool", "tool_call_id": call, "content": call.upper()} for call in ("c2", "c1")]
    assert told(opened([both, *answers])) == [["b {} C2", "a {} C1"]]


def test_an_id_that_is_used_again_belongs_to_the_latest_open_call() -> None:
    messages = [m for n in (1, 2) for m in (asked("c", f"t{n}", "{}"),
                                            {"role": "tool", "tool_call_id": "c", "content": f"r{n}"})]  # fmt: skip
    assert told(opened(messages)) == [["t1 {} r1", "t2 {} r2"]]


def test_a_call_without_a_result_is_told_where_it_was_made_and_said() -> None:
    found = opened([asked("c1", "pay", "{}"), {"role": "user", "content": "hello?"}])
    assert told(found) == [["pay {} None", "user hello?"]]
    assert found.sessions[0].events[0].event.metadata["result"] == "none recorded"
    assert problems(found) == [("the call of `pay` has no result", 2)]


def test_a_result_without_a_call_is_kept_and_said() -> None:
    found = opened([{"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "c9", "content": "5"}])
    assert told(found) == [["user hi", "openai.result 5"]]
    assert [message for message, _ in problems(found)] == ["a result of `c9` has no call"]


def test_arguments_that_are_no_json_are_kept_as_they_are_and_said() -> None:
    found = opened([asked("c1", "pay", "{oops"), {"role": "tool", "tool_call_id": "c1", "content": ""}])
    assert told(found) == [["pay {} "]]
    assert found.sessions[0].events[0].event.metadata["arguments"] == "{oops"
    assert [message for message, _ in problems(found)] == ["what `pay` was called with can't be read as JSON"]


def test_the_older_form_of_a_call_has_its_result_by_its_name() -> None:
    old: Object = {"role": "assistant", "function_call": {"name": "old", "arguments": "{}"}}
    assert told(opened([old, {"role": "function", "name": "old", "content": "5"}])) == [["old {} 5"]]


def test_items_of_a_response_are_calls_and_results_too() -> None:
    items = [{"role": "user", "content": [{"type": "input_text", "text": "Pay Ann"}]},
             {"type": "reasoning", "summary": []},
             {"type": "function_call", "call_id": "c1", "name": "pay", "arguments": '{"to": "Ann"}'},
             {"type": "function_call_output", "call_id": "c1", "output": "{}"},
             {"type": "message", "role": "assistant", "content": [{"type": "output_text",
                                                                   "text": "Done."}]}]  # fmt: skip
    expected = ["user Pay Ann", "openai.reasoning", 'pay {"to": "Ann"} {}', "bot Done."]
    assert told(opened(items)) == told(in_lines(*items)) == [expected]
    asked = {"request": {"input": items[:1]}, "response": {"output": items[1:]}}
    assert told(opened(asked)) == [expected]


def test_blocks_are_told_in_order_and_those_that_are_unknown_are_kept() -> None:
    image = {"type": "image", "source": {"data": "…"}}
    found = opened([
        {"role": "user", "content": [{"type": "text", "text": "Look"}, image, {"type": "text", "text": "here"}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Hm."},
            {"type": "mcp_tool_use", "id": "m", "name": "see", "server_name": "eyes", "input": {}},
            {"type": "mcp_tool_result", "tool_use_id": "m", "content": [{"type": "text", "text": "a cat"}]},
            {"type": "text", "text": "A cat."}]},
    ])  # fmt: skip
    assert told(found) == [[
        "user Look", "anthropic.image", "user here", "anthropic.thinking Hm.", "see {} a cat", "bot A cat.",
    ]]  # fmt: skip
    events = [one.event for one in found.sessions[0].events]
    assert events[1].fields["entry"] == image
    assert (events[4].fields["source"], events[4].fields["mcp_server"]) == ("mcp", "eyes")


def test_lines_of_an_agents_own_log_are_conversations_by_their_session() -> None:
    lines = [
        {"type": kind, "sessionId": session, "timestamp": "2025-04-01T03:46:31Z", "message": message}
        for session in "ab" for kind, message in zip(("user", "assistant", "user"), ANTHROPIC, strict=True)
    ]  # fmt: skip
    found = in_lines({"type": "summary", "summary": "A payment", "sessionId": "a"}, *lines)
    assert [(s.name, one) for s, one in zip(found.sessions, told(found), strict=True)] == [
        ("a", ["anthropic.summary", *FAILED]), ("b", FAILED),
    ]  # fmt: skip
    assert found.sessions[1].events[0].event.timestamp == 1743479191.0


def test_a_role_that_is_one_of_the_engines_names_is_not_taken_for_it() -> None:
    assert told(opened([{"role": "memory_set", "content": "x"}])) == [["openai.memory_set x"]]


@pytest.mark.parametrize(
    ("date", "seconds"),
    [
        ("2025-04-01T03:46:31", 1743479191.0), ("2025-04-01T05:46:31+02:00", 1743479191.0), (5, 5.0), ("soon", None),
        (None, None), (True, None), ("0001-01-01", -62135596800.0), (10**400, None),
    ],
)  # fmt: skip
def test_a_date_is_a_moment_or_none(date: object, seconds: float | None) -> None:
    assert moment(date) == seconds


def test_a_result_is_its_words_or_else_its_json() -> None:
    assert words([{"type": "text", "text": "a"}, "b"]) == "a\nb"
    assert json.loads(words([{"type": "text", "text": "a"}, {"type": "image"}]) or "")[1] == {"type": "image"}
    assert (words(None), words({"ok": True}), words(5)) == (None, '{"ok": true}', "5")
