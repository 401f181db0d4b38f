"""The two forms in which the engine's events are kept: each reads back what it wrote, and neither stumbles (§8)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_core.mantle.wire.envelope import from_entry, to_envelope, to_stored
from inspector_core.mantle.wire.flat import from_flat, to_flat
from inspector_core.mantle.wire.kinds import KINDS, Malformed
from inspector_core.mantle.wire.tracker import TrackerEvent
from tests.core.wired import ANY_EVENT, ENTRIES, of_kind

OUTSIDE = {
    "conversation_id": "c1", "timestamp": 1.5, "event_id": "E", "sequence": 3, "session_id": "s", "user_id": None,
    "metadata": None, "deployment_environment": None,
}  # fmt: skip


def made(name: str, metadata: dict[str, object] | None = None, /, **fields: object) -> TrackerEvent:
    return TrackerEvent(name, fields, metadata or {}, 1.5, "s", "E", 3, "c1")


@pytest.mark.parametrize(
    ("event", "name", "payload"),
    [
        (made("session_started"), "session_started", {}),
        (
            made("user", text="hi", parse_data={"intent": {"confidence": 0}}, input_channel="rest"),
            "user",
            {"text": "hi", "parse_data": {"intent": {"confidence": 0.0}}, "input_channel": "rest", "message_id": None,
             "anonymized_at": None},
        ),
        (
            made("bot", text="hello", data={}),
            "bot",
            {"text": "hello", "data": {"buttons": None}, "anonymized_at": None},
        ),
        (
            made("memory_set", key="pay.amount", value=5),
            "memory_set",
            {"key": "pay.amount", "value_json": "5", "anonymized_at": None},
        ),
        (made("memory_cleared", key="pay.amount"), "memory_cleared", {"key": "pay.amount"}),
        (made("skill_activated", skill_id="pay"), "skill_activated", {"skill_id": "pay"}),
        (
            made("skill_cancelled", skill_id="pay", step_id="autonomous"),
            "skill_cancelled",
            {"skill_id": "pay", "step_id": "autonomous"},
        ),
        (
            made("ordered_block_completed", skill_id="pay", block_id="main", step_id="END"),
            "ordered_block_completed",
            {"skill_id": "pay", "block_id": "main", "step_id": "END"},
        ),
        (
            made("tool_executed", tool_name="pay", arguments={"amount": 5}, source="local", result="x", is_error=False),
            "tool_executed",
            {"tool_name": "pay", "arguments_json": '{"amount": 5}', "source": "local", "result_json": '"x"',
             "is_error": False, "error_message": None, "mcp_server": None},
        ),
        (made("stack", update="[]"), "stack", {"update": "[]"}),
        (
            made("action", name="action_listen"),
            "action",
            {"name": "action_listen", "hide_rule_turn": False, "policy": None, "confidence": None,
             "action_text": None},
        ),
        (made("bot_turn_ended"), "bot_turn_ended", {}),
        (made("user_silence_timeout", timeout=30.0), "user_silence_timeout", {"timeout": 30.0}),
        (
            made("unsupported_request_classified", label="l", reason="r", user_message="u"),
            "unsupported_request_classified",
            {"label": "l", "reason": "r", "user_message": "u"},
        ),
    ],
)  # fmt: skip
def test_an_envelope_has_the_outside_and_one_payload_with_its_defaults_printed(
    event: TrackerEvent, name: str, payload: object
) -> None:
    whole = from_flat(to_flat(event) or {})._replace(event_id="E", sequence=3, conversation_id="c1")
    assert to_envelope(whole) == {**OUTSIDE, name: payload}


def test_metadata_is_json_in_a_text_and_lets_the_session_go_only_where_it_is_one() -> None:
    lifted = from_flat({"event": "inactive", "timestamp": 1, "metadata": {"session_id": "s", "tool_call_id": "call_1"}})
    assert (lifted.session_id, dict(lifted.metadata)) == ("s", {"tool_call_id": "call_1"})
    assert (to_envelope(lifted) or {})["metadata"] == '{"tool_call_id": "call_1"}'
    blank = from_flat({"event": "inactive", "timestamp": 1, "metadata": {"session_id": " "}})
    assert (blank.session_id, dict(blank.metadata)) == (None, {"session_id": " "})


def test_the_flat_form_leaves_out_empty_metadata_and_the_server_of_a_local_tool() -> None:
    event = from_flat({"event": "tool_executed", "timestamp": 2, "tool_name": "pay", "source": "local"})
    assert event.fields["arguments"] == {}
    assert event.fields["mcp_server"] is None
    assert to_flat(event) == {
        "event": "tool_executed", "timestamp": 2.0, "tool_name": "pay", "arguments": {}, "source": "local",
        "result": None, "is_error": False, "error_message": None,
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_reads_back_from_both_forms_through_a_text(name: str) -> None:
    @settings(max_examples=25)
    @given(of_kind(name))
    def round_trip(event: TrackerEvent) -> None:
        entry = json.loads(json.dumps(to_envelope(event)))
        assert from_entry(entry) == event
        assert to_envelope(from_entry(entry)) == entry
        flat = json.loads(json.dumps(to_flat(event)))
        assert from_entry(flat) == event._replace(
            event_id=None, sequence=None, conversation_id=None, user_id=None, deployment_environment=None
        )
        assert to_flat(from_entry(flat)) == flat

    round_trip()


@given(ENTRIES)
def test_whatever_stands_for_an_event_is_read_or_told_and_then_written_again(entry: object) -> None:
    try:
        event = from_entry(entry)
    except Malformed:
        return
    stored = to_stored(event)
    assert stored is None or from_entry(stored)._replace(whole=None) == event._replace(whole=None)


@given(ANY_EVENT)
def test_an_event_has_one_payload_whatever_is_in_it(event: TrackerEvent) -> None:
    entry = to_envelope(event) or {}
    assert entry.keys() - OUTSIDE.keys() == {event.name}
    assert entry["metadata"] is None or isinstance(entry["metadata"], str)


def test_an_unknown_event_is_kept_whole_in_the_form_it_came_in() -> None:
    slot = {"event": "slot", "timestamp": "soon", "name": "x", "value": 1, "metadata": {"session_id": "s"}}
    event = from_entry(slot)
    assert (event.name, event.session_id, event.timestamp) == ("slot", "s", None)
    assert (to_flat(event), to_envelope(event), to_stored(event)) == (slot, None, slot)
    envelope = {**OUTSIDE, "mood_changed": {"mood": "fine"}}
    event = from_entry(envelope)
    assert (event.name, event.fields) == ("mood_changed", {"mood": "fine"})
    assert to_stored(event) == envelope
    assert to_flat(event) == {
        "event": "mood_changed", "timestamp": 1.5, "metadata": {"session_id": "s"}, "mood": "fine",
    }  # fmt: skip


def test_what_a_newer_engine_adds_is_kept_and_does_no_harm() -> None:
    event = from_entry(
        {**OUTSIDE, "trace": {"id": 1}, "region": "eu", "skill_activated": {"skill_id": "pay", "why": "?"}}
    )
    assert event.fields == {"skill_id": "pay", "why": "?"}
    assert (to_flat(event) or {})["why"] == "?"


def test_our_own_records_are_in_none_of_the_engines_forms() -> None:
    note = TrackerEvent("inspector_note", {"reason": "resume", "message": "…"})
    assert (to_flat(note), to_envelope(note), to_stored(note)) == (None, None, None)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (5, "it is no mapping"),
        ({}, "it has neither an `event` nor exactly one payload"),
        ({"user": None}, "it has neither an `event` nor exactly one payload"),
        ({"user": {}, "bot": {}}, "it has neither an `event` nor exactly one payload"),
        ({"event": 5}, "`event` is no name"),
        ({"event": "inactive", "metadata": "x"}, "`metadata` of `inactive` is no mapping"),
        ({"inactive": {}, "metadata": "{"}, "`metadata` of `inactive` can't be read as JSON"),
        ({"event": "memory_set", "value": 1}, "`memory_set` has no `key`"),
        ({"event": "skill_activated", "skill_id": 1}, "`skill_id` of `skill_activated` is no text"),
        ({"event": "tool_executed", "tool_name": "p", "arguments": []}, "`arguments` of `tool_executed` is no mapping"),
        ({"event": "bot", "anonymized_at": True}, "`anonymized_at` of `bot` is no number"),
        ({"memory_set": {"key": "a.b", "value_json": "{"}}, "`value_json` of `memory_set` can't be read as JSON"),
        ({"memory_set": {"key": "a.b", "value_json": 5}}, "`value_json` of `memory_set` is no text"),
        ({"inactive": {}, "metadata": "[" * 90_000}, "`metadata` of `inactive` can't be read as JSON"),
    ],
)  # fmt: skip
def test_a_malformed_entry_says_what_is_wrong_with_it(entry: object, problem: str) -> None:
    with pytest.raises(Malformed) as told:
        from_entry(entry)
    assert str(told.value) == problem


@given(st.sampled_from([2**53 + 1, 10**400, -(2**70) - 1, True, 3]))
def test_a_number_that_a_float_can_not_hold_is_kept_in_a_struct(value: int) -> None:
    event = from_entry({"event": "user", "text": "hi", "parse_data": {"n": [value]}})
    assert from_entry(to_envelope(event)).fields["parse_data"] == {"n": [value]}
