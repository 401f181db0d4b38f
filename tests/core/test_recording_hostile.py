"""Other makers' recordings as they must not be: cut off, in odd encodings, deep, huge, and never the end of us."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.recording.entries import Entry, Fault
from inspector_core.recording.forms import FORMS, write
from inspector_core.recording.opening import open_recording
from inspector_core.recording.placed import line_of, placed
from tests.core.foreign import ANTHROPIC, OPENAI, SAID, SPAN, Object, exported, opened, problems, record, told
from tests.core.wired import JSON, OBJECTS

LETTA: Object = {"agent_type": "memgpt_agent", "name": "teller", "messages": OPENAI, "tool_rules": []}
FILES: dict[str, object] = {
    "openai": OPENAI, "anthropic": {"messages": ANTHROPIC},
    "tau-bench": [{"task_id": 1, "reward": 0.0, "traj": OPENAI}],
    "letta": [record("user_message", content="Pay Ann"), record("assistant_message", content="Done.")],
    "request": {"request": {"messages": OPENAI[:4]}, "response": {"choices": [{"message": OPENAI[4]}]}},
    "af": LETTA, "otel": exported({"spanId": "s", "attributes": SPAN}),
}  # fmt: skip
"""One file of each format, as a value."""


def in_lines(values: list[Object]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.mark.parametrize("name", FILES)
def test_cut_off_anywhere_what_stands_before_the_cut_is_told_in_order(name: str) -> None:
    text = json.dumps(FILES[name], indent=1)
    whole = [line for lines in told(open_recording(text.encode(), "x")) for line in lines]
    for end in range(0, len(text) - 1, 7):
        found = open_recording(text[:end].encode(), "x")
        lines = [line for lines in told(found) for line in lines]
        said = [line for line in lines if line.startswith(("user", "bot"))]
        assert said == [line for line in whole if line.startswith(("user", "bot"))][: len(said)]
        assert found.findings
    assert whole


def test_cut_off_in_the_middle_of_a_message_that_message_alone_is_lost() -> None:
    text = json.dumps({"messages": OPENAI}, indent=1)
    found = open_recording(text[: text.index("Done.")].encode(), "x")
    assert told(found) == [SAID[:-1]]
    line = text[: text.rindex('"content"')].count("\n") + 1
    assert problems(found) == [("it ends in the middle of a value", line)]


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-be"),
        lambda text: b"\n\n" + text.encode(),
    ],
    ids=["bom", "crlf", "utf-16", "utf-16-be", "blank"],
)
@pytest.mark.parametrize("written", [lambda v: json.dumps(v, indent=1), in_lines], ids=["array", "lines"])
def test_an_encoding_or_a_line_end_changes_nothing(
    written: Callable[[list[Object]], str], encode: Callable[[str], bytes]
) -> None:
    found = open_recording(encode(written(OPENAI)), "x")
    assert (told(found), found.findings) == ([SAID], ())


def test_a_wrong_byte_is_a_sign_for_it_and_is_told() -> None:
    data = in_lines([*OPENAI, {"role": "user", "content": "caf#"}]).encode().replace(b"#", b"\xe9")
    found = open_recording(data, "x")
    assert told(found)[0][-1] == "user caf\ufffd"
    assert problems(found) == [("it is not UTF-8 throughout: the first odd byte is on line 6", 1)]


def test_a_line_of_a_megabyte_is_a_line() -> None:
    long = {"role": "user", "content": "x" * 1_000_000}
    found = open_recording(in_lines([long, *OPENAI]).encode(), "x")
    assert [len(line) for line in told(found)[0][:2]] == [1_000_005, len(SAID[0])]


def test_what_a_file_is_shows_behind_a_megabyte_too() -> None:
    found = open_recording(json.dumps([{"content": "x" * 1_000_000, "role": "user"}]).encode(), "x")
    assert [one.event.name for one in found.sessions[0].events] == ["user"]


def test_a_first_line_that_is_broken_hides_nothing() -> None:
    found = open_recording(('{"role": "us\n' + in_lines(OPENAI)).encode(), "x")
    assert told(found) == [SAID]
    assert problems(found) == [("it ends in the middle of a value", 1)]


@pytest.mark.parametrize("value", [
    [1, None, "x", [], OPENAI[1]], {"messages": [None, 5, OPENAI[1], {"role": 5}]}, {"messages": {"role": "user"}},
    {"role": "user", "content": 5}, {"role": "assistant", "tool_calls": 5, "content": None},
    [{"role": "assistant", "tool_calls": [None, {"function": 5}, {"id": 5, "function": {"name": 5}}]}],
    {"agent_type": 5, "messages": [5], "tool_rules": 5}, {"agents": 5, "tools": []}, {"message_type": 5},
    {"resourceSpans": 5}, {"resourceSpans": [{"scopeSpans": [{"spans": [5, {"attributes": [5, {"value": 1}]}]}]}]},
    {"gen_ai.tool.name": "x", "status": 5, "gen_ai.tool.call.arguments": "[1]"}, {"task_id": [], "traj": [5]},
    {"gen_ai.operation.name": "chat", "gen_ai.input.messages": '[5, {"role": "user", "parts": [5, {"type": 5}]}]'},
])  # fmt: skip
def test_what_has_another_shape_than_it_should_have_is_kept_or_said(value: object) -> None:
    found = opened(value)
    assert found.sessions or found.findings
    for form in FORMS:
        assert isinstance(write(found, form).text, str)


def test_numbers_of_any_size_escapes_and_lone_surrogates_come_in_and_go_out_again() -> None:
    arguments = '{"n": ' + "9" * 5000 + ', "x": 1e999, "s": "\\u0000\\ud800\\u001b[2J"}'
    text = '[{"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "t", "arguments": ' + (
        json.dumps(arguments) + '}}]}, {"role": "tool", "tool_call_id": "c", "content": "\\ud800"}]')  # fmt: skip
    found = open_recording(text.encode(), "x")
    assert [one.event.name for one in found.sessions[0].events] == ["tool_executed"]
    for form in FORMS:
        assert open_recording(write(found, form).text.encode(), "x").sessions


def test_conversations_are_not_looked_for_without_end() -> None:
    deep = b"[" * 400 + b'{"role": "user", "content": "hi"}' + b"]" * 400
    assert [one.event.name for s in open_recording(deep, "x").sessions for one in s.events] == ["openai.entry"]
    open_recording(b'{"spans":' * 400 + b'{"gen_ai.tool.name": "x"}' + b"}" * 400, "x")
    nested = b'{"request": ' * 90_000 + b'{"role": 1}'
    assert open_recording(b'{"role": "user", "content": "hi"}\n' + nested, "x").findings


def test_a_clock_that_goes_backwards_changes_no_order() -> None:
    records = [record("user_message", content=str(n)) | {"date": f"2025-04-0{9 - n}T00:00:00Z"} for n in range(1, 4)]
    assert told(opened(records)) == [["user 1", "user 2", "user 3"]]


@pytest.mark.parametrize(
    "text",
    ['{"role": "user", "content": [\n' * 20_000, '[{"role": "assistant"}\n{oops\n' * 10_000,
     in_lines([{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "t"}}]},
               {"role": "tool", "tool_call_id": "b", "content": ""}]) * 10_000],
)  # fmt: skip
def test_a_file_full_of_what_is_wrong_is_read_in_steady_time_and_told_in_short(text: str) -> None:
    found = open_recording(text.encode(), "x")
    assert len(found.findings) <= 210


def test_a_broken_value_reaches_no_further_than_its_line() -> None:
    text = (
        in_lines([{"messages": OPENAI[:2]}])
        + '{"messages": [{"role": "user", "content": "a"},\n'
        + in_lines(OPENAI[1:2])
    )
    found = [(type(one), one.line) for one in placed(text)]
    assert found == [(Entry, 1), (Entry, 2), (Fault, 2), (Entry, 3)]


def test_lines_are_those_of_the_file_whatever_stands_before() -> None:
    text = "\n" + json.dumps([{"messages": OPENAI}, {"messages": OPENAI}], indent=2)
    lines = text.split("\n")
    for one in placed(text):
        assert isinstance(one, Entry)
        assert isinstance(one.value, dict)
        for message in one.value["messages"]:
            assert lines[line_of(message, 0) - 1].strip() == "{"
            assert json.loads(lines[line_of(message, 0)].partition(": ")[2].rstrip(",")) == message["role"]


ROLES = st.sampled_from(["user", "assistant", "tool", "system", "memory_set"]) | JSON
KEYS = st.sampled_from(["role", "content", "tool_calls", "function_call", "messages", "traj", "request", "response",
                        "choices", "agents", "agent_type", "message_type", "tool_returns", "approvals", "spans", "type",
                        "attributes", "gen_ai.tool.name", "task_id", "created_at", "status", "date", "message", "input",
                        "output", "gen_ai.input.messages", "parts", "tools", "id", "call_id", "name"])  # fmt: skip
ODD = st.recursive(
    JSON | OBJECTS, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v, max_size=4), max_leaves=12
)


@given(st.lists(st.dictionaries(KEYS, ODD, max_size=5), max_size=3), KEYS, ROLES)
def test_whatever_stands_in_such_a_file_it_is_opened_and_written_without_a_crash(
    values: list[Object], key: str, role: object
) -> None:
    for first in ({"role": role}, {"message_type": role}, {"agent_type": 1}, {"gen_ai.tool.name": role}, {key: role}):
        found = opened([{**first, **value} for value in [{}, *values]])
        assert all(session.events for session in found.sessions)
        for form in FORMS:
            write(found, form)
