"""The quick way to read envelopes reads what the usual way reads, or nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.wire.envelope import from_entry, to_envelope
from inspector_core.mantle.wire.kinds import KINDS
from inspector_core.mantle.wire.quick import quick_events
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording import mantle
from tests.core.wired import ANY_EVENT, ENTRIES, JSON, of_kind


def usual(lines: list[str]) -> list[TrackerEvent]:
    return [from_entry(json.loads(line)) for line in lines]


@given(st.lists(ANY_EVENT, min_size=1, max_size=5))
def test_every_envelope_is_read_as_in_the_usual_way(events: list[TrackerEvent]) -> None:
    lines = [json.dumps(to_envelope(event)) for event in events]
    assert repr(quick_events("\n".join(lines).encode())) == repr(usual(lines))


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind_is_known(name: str) -> None:
    @given(of_kind(name))
    def read(event: TrackerEvent) -> None:
        line = json.dumps(to_envelope(event))
        assert repr(quick_events(line.encode())) == repr(usual([line]))

    read()


OUTSIDE = st.dictionaries(
    st.sampled_from(
        ["conversation_id", "timestamp", "event_id", "sequence", "session_id", "metadata", "more", "event"]
    ),
    st.one_of(
        JSON, st.just('{"session_id": "s", "a": 1}'), st.just('{"session_id": " "}'), st.just("[]"), st.just("3")
    ),
)
ODD = st.builds(
    lambda outside, name, payload: {**outside, name: payload}, OUTSIDE, st.sampled_from(sorted(KINDS)),
    JSON | st.dictionaries(st.sampled_from(["key", "value_json", "text", "data", "tool_name", "result_json"]), JSON),
)  # fmt: skip


@given(ENTRIES | ODD)
def test_whatever_else_stands_in_a_line_is_read_in_the_same_way_or_left_to_the_usual_one(entry: object) -> None:
    line = json.dumps(entry)
    found = quick_events(line.encode())
    if found is not None:
        assert repr(found) == repr(usual([line]))


@pytest.mark.parametrize(
    "line",
    [
        '{"memory_set": {"key": "a.b", "value_json": "1"}, "user": {"text": "two"}}', '{"user": {"text": "a"}',
        '{"memory_set": {"key": "a.b", "x": 1}}', '{"event": "user", "text": "flat"}', "[]", "null",
        '{"inspector": {"played": "listened"}}',
        '{"user": {"text": "a"}, "metadata": "{"}', '{"tool_executed": {"tool_name": "t", "arguments_json": "[1]"}}',
    ],
)  # fmt: skip
def test_what_is_not_plainly_an_envelope_is_left_to_the_usual_way(line: str) -> None:
    assert quick_events(line.encode()) is None


@pytest.mark.parametrize("value", ["123456789012345678901234567890", "NaN", '"\\ud800"', "1e999", "-0.0", " true "])
def test_values_that_only_python_takes_are_taken(value: str) -> None:
    line = json.dumps({"memory_set": {"key": "a.b", "value_json": value}})
    assert repr(quick_events(line.encode())) == repr(usual([line]))


def test_a_long_file_is_read_quickly_to_the_same_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"conversation_id": "c", "session_id": "s", "timestamp": 1.0}
    lines = [json.dumps({**entry, "event_id": f"e{n // 2}", "user": {"text": "hello"}}) for n in range(20)]
    data = "\n".join(lines).encode()
    slow = mantle.read(data, "x")
    monkeypatch.setattr(mantle, "_LONG", 10)
    quick = mantle.read(data, "x")
    assert quick.sessions == slow.sessions
    assert (quick.repeated, len(quick.sessions[0].events)) == (slow.repeated, 10)
    for odd in (data + b"\n\n", data + b'\n{"torn', b"\n" + data, data.replace(b'"user"', b'"users"', 1)):
        monkeypatch.setattr(mantle, "_LONG", 10)
        again = mantle.read(odd, "x")
        monkeypatch.setattr(mantle, "_LONG", 10**9)
        assert (again.sessions, again.findings) == (mantle.read(odd, "x").sessions, mantle.read(odd, "x").findings)
