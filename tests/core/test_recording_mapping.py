"""Memory of a recording that carries none: only what the author's file says, and never anything else."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.finding import Severity
from inspector_core.mantle.wire.rebuild import rebuild
from inspector_core.recording.mapping import INFERRED, MemoryMapping, read_mapping, undeclared
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording
from inspector_core.source import Source
from tests.core.foreign import Object, asked
from tests.core.wired import JSON


def mapping(text: str) -> MemoryMapping:
    return read_mapping(Source("map.yml", dedent(text)))


def opened(messages: list[Object], rules: MemoryMapping) -> Recording:
    return open_recording(json.dumps(messages).encode(), "rec.json", rules)


def call(result: object, tool: str = "get_customer", arguments: object = None) -> list[Object]:
    text = result if isinstance(result, str) else json.dumps(result)
    return [asked("c", tool, json.dumps(arguments or {})), {"role": "tool", "tool_call_id": "c", "content": text}]


def memory(found: Recording) -> dict[str, object]:
    return dict(rebuild(one.event for one in found.sessions[0].events).memory)


CUSTOMER = mapping("""\
    get_customer:
      result.customer_id: project.customer_id
      result.accounts[0].id: [project.account, pay.account]
      result["first name"]: project.name
      arguments.email: project.email
    """)


def test_memory_is_what_the_file_says_that_results_and_arguments_tell() -> None:
    result = {"customer_id": "c7", "accounts": [{"id": 1}, {"id": 2}], "first name": "Ann", "other": True}
    found = opened(call(result, arguments={"email": "a@b.c"}), CUSTOMER)
    assert memory(found) == {
        "project.customer_id": "c7", "project.account": 1, "pay.account": 1, "project.name": "Ann",
        "project.email": "a@b.c",
    }  # fmt: skip
    assert found.findings == CUSTOMER.findings == ()


def test_without_a_mapping_there_is_no_memory() -> None:
    assert memory(open_recording(json.dumps(call({"customer_id": "c7"})).encode(), "rec.json")) == {}


def test_a_write_stands_before_its_call_and_says_that_it_is_inferred() -> None:
    rules = mapping("get_customer:\n  result.customer_id: project.customer_id\n")
    write, executed = (one.event for one in opened(call({"customer_id": 5}), rules).sessions[0].events)
    assert (write.name, write.fields["value"], executed.name) == ("memory_set", 5, "tool_executed")
    assert write.metadata[INFERRED] == "result.customer_id: project.customer_id"
    provenance = write.metadata["mantle_write_provenance"]
    assert isinstance(provenance, dict)
    assert (provenance["tool"], provenance["tool_call_id"], provenance["position"]) == ("get_customer", "c", 1)


def test_null_clears_and_what_isnt_there_writes_nothing() -> None:
    rules = mapping("get_customer:\n  result.id: project.customer_id\n  result.name: project.name\n")
    found = opened([*call({"id": 1, "name": "Ann"}), *call({"id": None})], rules)
    assert memory(found) == {"project.name": "Ann"}


def test_a_call_that_failed_or_has_no_result_writes_nothing() -> None:
    rules = mapping("get_customer:\n  arguments.id: project.customer_id\n")
    blocks: list[Object] = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": c, "name": "get_customer", "input": {"id": 1}}]}
        for c in "ab"
    ]
    failed: Object = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "is_error": True}]}
    found = opened([blocks[0], failed, blocks[1]], rules)
    assert memory(found) == {}
    assert "the recording has no call of `get_customer` that came back" in [f.message for f in found.findings]


def test_a_result_that_is_no_json_is_a_text() -> None:
    rules = mapping("get_customer:\n  result: project.name\n")
    assert memory(opened(call("Ann Lee"), rules)) == {"project.name": "Ann Lee"}
    assert memory(opened(call("[" * 100_000), rules)) == {"project.name": "[" * 100_000}


def test_a_line_that_nothing_in_the_recording_answers_to_is_told() -> None:
    rules = mapping("get_customer:\n  result.id: project.id\nget_order:\n  result.id: pay.order\n")
    found = opened(call({"customer_id": 1}), rules)
    assert [(f.message, f.span.path, f.span.line, f.severity) for f in found.findings] == [
        ("no call of `get_customer` has `result.id`", "map.yml", 2, Severity.WARNING),
        ("the recording has no call of `get_order` that came back", "map.yml", 3, Severity.INFO),
    ]


def test_a_recording_that_has_memory_keeps_its_own() -> None:
    events = [{"event": "memory_set", "key": "project.customer_id", "value": 1, "timestamp": 1.0},
              {"event": "tool_executed", "tool_name": "get_customer", "result": '{"customer_id": 2}'}]  # fmt: skip
    found = opened(events, CUSTOMER)
    assert memory(found) == {"project.customer_id": 1}
    assert [f.code for f in found.findings] == ["inspector.recording.mapping"]


@pytest.mark.parametrize(
    ("text", "message", "hint", "column"),
    [
        ("t:\n  reslt.id: project.id\n", "`reslt.id` is no path", "did you mean `result`?", 3),
        ("t:\n  result..id: project.id\n", "`result..id` is no path", "such as", 3),
        (
            "t:\n  result.id: session.project.id\n",
            "`session.project.id` is no memory entry",
            "leave out `session.`",
            14,
        ),
        ("t:\n  result.id: system.turn\n", "`system.turn` is no memory entry", "entries of `system`", 14),
        ("t:\n  result.id: id\n", "`id` is no memory entry", "such as", 14),
        ("t:\n  result.id: 5\n", "`5` is no memory entry", "such as", 14),
        ("t: result.id\n", "`t` has to be a mapping", None, 4),
        ("- t\n", "it is a list, and has to be a mapping of tools", None, 1),
        ("", "there is nothing in this file", "begin with", 1),
    ],
)
def test_what_the_file_gets_wrong_is_told_with_its_place(
    text: str, message: str, hint: str | None, column: int
) -> None:
    found = mapping(text)
    assert found.broken
    (finding,) = found.findings
    assert finding.message.startswith(message)
    assert (finding.hint or "").startswith(hint or "")
    assert finding.span.column == column


def test_a_file_that_yaml_cant_read_is_told() -> None:
    assert mapping("t: [").broken


def test_entries_that_no_file_declares_are_told_with_what_may_be_meant() -> None:
    found = undeclared(mapping("t:\n  result.id: project.custmer_id\n"), frozenset({"project.customer_id"}))
    assert [(f.message, f.hint) for f in found] == [
        ("no file declares `project.custmer_id`", "did you mean `project.customer_id`?"),
    ]  # fmt: skip


@given(st.dictionaries(st.sampled_from(["customer_id", "accounts", "first name"]), JSON) | JSON, JSON)
def test_whatever_a_result_is_each_write_is_a_part_of_it(result: object, arguments: object) -> None:
    found = opened(call(result if isinstance(result, dict) else json.dumps(result), arguments=arguments), CUSTOMER)
    held = memory(found)
    if isinstance(result, dict) and result.get("customer_id") is not None:
        assert held["project.customer_id"] == result["customer_id"]
    else:
        assert "project.customer_id" not in held


def test_a_recording_has_memory_of_its_own_or_by_a_mapping() -> None:
    messages = call({"customer_id": 1})
    assert opened(messages, CUSTOMER).has_memory
    assert not open_recording(json.dumps(messages).encode(), "x").has_memory
    assert open_recording(b'[{"event": "user", "text": "hi"}]', "x").has_memory
