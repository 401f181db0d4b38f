"""Recordings of the engine's, as they are found: in every form, mixed, cut off, doubled, and never the end of us."""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import CustomerSaid, ModelSaid, Record
from inspector_core.mantle.wire.envelope import to_envelope
from inspector_core.mantle.wire.flat import to_flat
from inspector_core.mantle.wire.own import Header, Rewound, header_line, lines
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.detect import Format, detect, detect_text
from inspector_core.recording.entries import Entry, Fault, entries, streamed
from inspector_core.recording.mantle import read, read_entries
from inspector_core.recording.recording import Recording
from inspector_core.recording.text import decoded
from tests.core.wired import ANY_EVENT, ENTRIES, JSON

Object = dict[str, object]

RECORDS = (
    Record("session_started"),
    Record("skill_activated", {"skill_id": "pay"}),
    Record("user", {"text": "Bezahlen — bitte"}),
    Record("memory_set", {"key": "pay.amount", "value": 5}),
    Record("bot_turn_ended"),
)
EVENTS, _ = stamped(RECORDS, Stamps("c1", "s1", 1000.0))
FLAT = [to_flat(event) or {} for event in EVENTS]
SEALED = [to_envelope(event) or {} for event in EVENTS]
NAMES = [event.name for event in EVENTS]


def names(found: Recording) -> list[list[str]]:
    return [[one.event.name for one in session.events] for session in found.sessions]


def problems(found: Recording) -> list[tuple[str, int]]:
    return [(finding.code.rpartition(".")[2], finding.span.line) for finding in found.findings]


def array(items: Sequence[object]) -> bytes:
    return json.dumps(items, indent=1).encode()


def in_lines(items: Sequence[object], end: str = "\n") -> bytes:
    return "".join(json.dumps(item, ensure_ascii=False) + end for item in items).encode()


def tracker(events: Sequence[object], sender: str = "c1") -> Object:
    return {"sender_id": sender, "slots": {"pay.events": []}, "latest_message": {}, "events": events, "paused": False}


@pytest.mark.parametrize("written", [array, in_lines])
@pytest.mark.parametrize("items", [FLAT, SEALED, [*FLAT[:2], *SEALED[2:]]], ids=["flat", "sealed", "mixed"])
def test_an_array_or_lines_in_either_form_or_both_hold_one_session(written: object, items: list[Object]) -> None:
    data = array(items) if written is array else in_lines(items)
    found = read(data, "rec.json")
    assert detect(data) is found.format is Format.MANTLE
    assert [s.session_id for s in found.sessions][-1] == "s1"
    assert [name for session in names(found) for name in session] == NAMES
    assert found.findings == ()


def test_one_event_alone_is_a_recording_too() -> None:
    assert names(read(json.dumps(SEALED[0], indent=2).encode(), "one.json")) == [["session_started"]]


def test_a_tracker_gives_its_events_its_conversation() -> None:
    found = read(json.dumps(tracker(FLAT), indent=1).encode(), "t.json")
    assert (found.format, names(found)) == (Format.TRACKER, [NAMES])
    assert {one.event.conversation_id for one in found.sessions[0].events} == {"c1"}


def test_trackers_in_a_row_or_in_an_array_are_conversations_of_their_own() -> None:
    two = [tracker(FLAT, "a"), tracker(FLAT[:2], "b")]
    for data in (array(two), in_lines(two)):
        assert [(s.conversation_id, len(s.events)) for s in read(data, "t.json").sessions] == [("a", 5), ("b", 2)]


def test_sessions_begin_where_their_id_is_new_or_where_they_say_so() -> None:
    other, _ = stamped(RECORDS[:2], Stamps("c1", "s2", 2000.0))
    nameless = [{"event": "session_started", "timestamp": 1.0}, {"event": "inactive", "timestamp": 2.0}]
    found = read(array([*SEALED, *(to_envelope(e) or {} for e in other)]), "two.json")
    assert [(s.session_id, len(s.events)) for s in found.sessions] == [("s1", 5), ("s2", 2)]
    assert names(read(array([*nameless, *nameless]), "two.json")) == [["session_started", "inactive"]] * 2


def test_conversations_that_are_mixed_in_one_file_are_told_apart() -> None:
    other, _ = stamped(RECORDS, Stamps("c2", "s9", 1000.0))
    mixed = [entry for pair in zip(SEALED, (to_envelope(e) or {} for e in other), strict=True) for entry in pair]
    found = read(in_lines(mixed), "stream.jsonl")
    assert [(s.conversation_id, s.session_id, len(s.events)) for s in found.sessions] == [
        ("c1", "s1", 5), ("c2", "s9", 5),
    ]  # fmt: skip
    assert found.findings == ()


def test_what_was_said_before_a_session_has_its_id_belongs_to_it() -> None:
    found = read(array([{"event": "user", "timestamp": 1.0, "text": "/session_start"}, *FLAT[1:]]), "f.json")
    assert [(s.session_id, len(s.events)) for s in found.sessions] == [("s1", 5)]


OLD: list[Object] = [
    {"event": "flow_started", "flow_id": "pay", "skill_id": "pay"},
    {"event": "skill_activated", "skill_id": "pay"},
    {"event": "slot", "name": "pay.n", "value": 1},
    {"event": "memory_set", "key": "pay.n", "value": 1},
    {"event": "slot", "name": "pay.n", "value": None},
    {"event": "memory_cleared", "key": "pay.n"},
    {"event": "mcp_tool_executed", "tool_name": "send", "arguments": {}, "result": "{}"},
    {"event": "tool_executed", "tool_name": "send", "arguments": {}, "result": "{}"},
    {"event": "flow_completed", "flow_id": "pay", "skill_id": "pay"},
    {"event": "ordered_block_completed", "skill_id": "pay", "block_id": "main"},
]


def test_what_a_development_build_says_twice_is_told_once() -> None:
    found = read(array(OLD), "dev.json")
    assert names(found) == [
        ["skill_activated", "memory_set", "memory_cleared", "tool_executed", "ordered_block_completed"]
    ]
    assert found.repeated == 5


@pytest.mark.parametrize(
    ("event", "after"),
    [
        ({"event": "slot", "name": "pay.n", "value": 1}, {"event": "memory_set", "key": "pay.n", "value": 2}),
        ({"event": "slot", "name": "pay.n", "value": 1}, {"event": "memory_cleared", "key": "pay.n"}),
        ({"event": "slot", "name": "pay.n", "value": 1}, {"event": "user", "text": "hi"}),
        ({"event": "mcp_tool_executed", "tool_name": "a"}, {"event": "tool_executed", "tool_name": "b"}),
        ({"event": "flow_started", "skill_id": "a"}, {"event": "skill_activated", "skill_id": "b"}),
        ({"event": "mood", "skill_id": "a"}, {"event": "skill_activated", "skill_id": "a"}),
    ],
)
def test_an_older_event_that_says_something_of_its_own_is_kept(event: Object, after: Object) -> None:
    found = read(array([event, after]), "dev.json")
    assert (names(found), found.repeated) == ([[str(event["event"]), str(after["event"])]], 0)


def test_an_event_that_was_delivered_twice_is_told_once() -> None:
    found = read(in_lines([*SEALED, SEALED[1], SEALED[4]]), "broker.jsonl")
    assert (names(found), found.repeated) == ([NAMES], 2)


@pytest.mark.parametrize(
    "bad", ['{"event": "user", "te', "not json", "5", '{"event": 5}', "{}", '{"event": "memory_set"}']
)
def test_one_bad_line_costs_only_itself(bad: str) -> None:
    text = in_lines(FLAT[:2]) + f"{bad}\n".encode() + in_lines(FLAT[2:])
    found = read(text, "bad.jsonl")
    assert (names(found), problems(found)) == ([NAMES], [("unreadable", 3)])


def test_one_bad_item_of_an_array_costs_only_itself() -> None:
    data = array(FLAT).replace(b'"skill_activated"', b'"skill_activated', 1)
    found = read(data, "bad.json")
    assert (names(found), problems(found)) == ([[NAMES[0], *NAMES[2:]]], [("unreadable", 9)])


@pytest.mark.parametrize(
    "data", [array(SEALED), in_lines(SEALED), json.dumps(SEALED).encode()], ids=["array", "lines", "one line"]
)
def test_a_file_cut_off_anywhere_is_read_up_to_there(data: bytes) -> None:
    for end in range(0, len(data), 7):
        found = read(data[:end], "cut.json")
        told = names(found)[0] if found.sessions else []
        assert told == NAMES[: len(told)]
        assert len(told) >= data[:end].count(b'"deployment_environment"') - 2


def test_a_tracker_cut_off_in_its_events_has_those_before_the_cut() -> None:
    text = json.dumps(tracker(FLAT), indent=1)
    found = read(text[: text.index('"memory_set"')].encode(), "cut.json")
    assert (names(found), [code for code, _ in problems(found)]) == ([NAMES[:3]], ["unreadable"])
    assert found.sessions[0].conversation_id == "c1"
    assert problems(read(text[:90].encode(), "cut.json")) == [("unreadable", 7)]


def test_the_events_of_a_tracker_have_their_own_lines_whatever_stands_around_them() -> None:
    odd = {"slots": {"a": {"events": [5]}}, "events": FLAT, "note": '"events": [', "sender_id": "late"}
    text = json.dumps(odd, indent=1)
    found = read(text.encode(), "t.json")
    begins = [number for number, line in enumerate(text.split("\n"), 1) if line == "  {"]
    assert [one.line for one in found.sessions[0].events] == begins
    assert (found.sessions[0].conversation_id, found.findings) == ("late", ())


def test_a_tracker_that_is_cut_off_costs_none_of_those_after_it() -> None:
    broken = json.dumps(tracker(FLAT, "b"))
    for cut in (20, 60, 300, len(broken) - 1):
        text = in_lines([tracker(FLAT, "a")]) + broken[:cut].encode() + b"\n" + in_lines([tracker(FLAT, "c")])
        found = read(text, "t.jsonl")
        assert {"a", "c"} <= {s.conversation_id for s in found.sessions if len(s.events) == 5}
        assert [code for code, _ in problems(found)] == ["unreadable"]


def test_a_flood_of_bad_lines_is_counted() -> None:
    found = read(in_lines(FLAT) + b"{?\n" * 500, "flood.jsonl")
    assert len(found.findings) == 101
    assert found.findings[-1].message == "400 more can't be read"


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + in_lines(FLAT),
        codecs.BOM_UTF16_LE + in_lines(FLAT).decode().encode("utf-16-le"),
        codecs.BOM_UTF32_BE + in_lines(FLAT).decode().encode("utf-32-be"),
        in_lines(FLAT).decode().encode("utf-16-le"),
        in_lines(FLAT).decode().encode("utf-16-be"),
        in_lines(FLAT, "\r\n"),
        b"\r\n \n" + in_lines(FLAT, "\n\n\n"),
    ],
    ids=["utf-8 marked", "utf-16-le marked", "utf-32-be marked", "utf-16-le", "utf-16-be", "crlf", "blank lines"],
)
def test_a_file_in_another_encoding_or_with_other_ends_is_the_same_recording(data: bytes) -> None:
    found = read(data, "odd.jsonl")
    assert (found.format, names(found), found.findings) == (Format.MANTLE, [NAMES], ())
    assert found.sessions[0].events[2].event.fields["text"] == "Bezahlen — bitte"


def test_bytes_that_are_no_text_are_told_with_their_line_and_the_rest_is_read() -> None:
    found = read(in_lines(FLAT).decode().encode("latin-1", "replace").replace(b"?", b"\xe4"), "latin.jsonl")
    assert names(found) == [NAMES]
    assert [(f.code, f.message) for f in found.findings] == [
        ("inspector.recording.encoding", "it is not UTF-8 throughout: the first odd byte is on line 3")
    ]


def test_a_line_of_a_megabyte_is_a_line() -> None:
    found = read(in_lines([*FLAT[:3], {"event": "bot", "text": "x" * 2**20}, *FLAT[3:]]), "long.jsonl")
    assert len(found.sessions[0].events) == 6


def test_a_clock_that_goes_back_is_told_once_and_the_order_of_the_file_stays() -> None:
    back = [{"event": "inactive", "timestamp": t, "metadata": {"session_id": "s1"}} for t in (3.0, 1.0, 0.5)]
    found = read(array(back), "back.json")
    assert [one.event.timestamp for one in found.sessions[0].events] == [3.0, 1.0, 0.5]
    assert [f.message for f in found.findings] == ["`inactive` is said to be earlier than the event before it"]


def test_nothing_at_all_is_an_empty_recording() -> None:
    for data in (b"", b"[]", b"  \n", b"{}", b"[[], 5]", b"null"):
        assert read(data, "none.json").sessions == ()


@pytest.mark.parametrize(
    "deep",
    [b"[" * 100_000, b'{"event":' * 50_000, b"[" * 500 + b"]" * 500, b"9" * 10_000],
    ids=["lists", "mappings", "closed lists", "number"],
)
def test_what_is_nested_or_long_without_end_is_told(deep: bytes) -> None:
    found = read(b"\n".join([in_lines(FLAT), deep, in_lines(SEALED)]), "deep.jsonl")
    assert names(found)[0][: len(NAMES)] == NAMES


def test_a_file_of_ours_holds_its_moves_and_those_taken_back_are_gone() -> None:
    text, stamps = header_line(Header("0.1", "mantle", "d1"), Stamps("c1", "s1", 1000.0))
    for move, record in (
        (CustomerSaid("a"), Record("user", {"text": "a"})),
        (ModelSaid("b"), Record("bot", {"text": "b"})),
        (Rewound(1), None),
        (ModelSaid("c"), Record("inspector_note", {"reason": "r", "message": "m"})),
    ):
        more, stamps = lines(move, [record] if record else [], stamps)
        text += more
    found = read(text.encode(), "own.jsonl")
    assert found.format is Format.OWN
    assert names(found) == [["user", "inspector_note"]]
    assert found.own is not None
    assert [move.event for move in found.own.moves] == [CustomerSaid("a"), ModelSaid("c")]
    assert [one.line for one in found.sessions[0].events] == [3, 8]


@given(st.lists(ANY_EVENT, max_size=5), st.booleans())
def test_what_is_written_is_read_back_event_for_event(events: list[TrackerEvent], sealed: bool) -> None:
    named = [event._replace(event_id=None, conversation_id=None, session_id="s") for event in events]
    items = [to_envelope(event) if sealed else to_flat(event) for event in named]
    found = [one.event for session in read(in_lines(items), "all.jsonl").sessions for one in session.events]
    assert sorted(e.name for e in found) == sorted(e.name for e in events)
    assert all(e.session_id == "s" for e in found)


@given(st.lists(ENTRIES, max_size=4), st.binary(max_size=8), st.integers(0, 200))
def test_whatever_a_file_holds_it_is_read_without_a_crash(items: list[object], noise: bytes, at: int) -> None:
    for data in (array(items), in_lines(items), json.dumps(tracker(items)).encode()):
        noisy = data[:at] + noise + data[at:]
        last = decoded(noisy).text.count("\n") + 1
        found = read(noisy, "any")
        assert all(1 <= line <= last for _, line in problems(found))
        assert all(1 <= one.line <= last for session in found.sessions for one in session.events)
        detect(data[at:])


@given(st.lists(JSON, max_size=4))
def test_the_values_of_a_text_are_found_whatever_stands_between_them(values: list[object]) -> None:
    told = [Entry(value, n) for n, value in enumerate(values, 1)]
    assert list(streamed(in_lines(values).splitlines(keepends=True))) == told
    assert [e.value for e in entries(json.dumps(values)) if isinstance(e, Entry)] == values
    objects = [{"a": value} for value in values]
    assert [e.value for e in entries(in_lines(objects).decode()) if isinstance(e, Entry)] == objects


def test_lines_can_be_read_as_they_come_in() -> None:
    coming = [in_lines(SEALED[:1]), b"\n", b"\xff\xfe\xff\n", b"{\n", *in_lines(SEALED[1:]).splitlines(keepends=True)]
    found = list(streamed(coming))
    assert [(one.line, one.message) for one in found if isinstance(one, Fault)] == [
        (3, "it is no text"), (4, "it ends in the middle of a value"),
    ]  # fmt: skip
    assert names(read_entries(found, "tail")) == [NAMES]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("test_cases:\n  - test_case: a\n", Format.MANTLE_TEST),
        ('[{"role": "user", "content": "hi"}]', Format.OPENAI),
        ('{"messages": [{"role": "assistant", "tool_calls": []}]}', Format.OPENAI),
        ('{"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}', Format.ANTHROPIC),
        ('[{"task_id": 1, "reward": 0.0, "traj": []}]', Format.TAU_BENCH),
        ('{"resourceSpans": [{"a": {"key": "gen_ai.tool.name"}}]}', Format.OPENTELEMETRY),
        ('{"gen_ai.tool.name": "x"}', Format.OPENTELEMETRY),
        ('{"agent_type": "memgpt_agent", "tools": []}', Format.LETTA_FILE),
        ('[{"message_type": "tool_call_message"}]', Format.LETTA),
        ('{"a": 1}', Format.UNKNOWN),
        ("hello", Format.UNKNOWN),
        ("", Format.UNKNOWN),
        ('{"note": "\\"event\\": 1', Format.UNKNOWN),
        ('{"user": {"name": "x"}}', Format.UNKNOWN),
    ],
)
def test_a_format_is_known_by_what_the_file_holds(text: str, format: Format) -> None:
    assert detect_text(text) is format


def test_a_hostile_beginning_is_looked_at_once() -> None:
    assert detect_text('{"' + '\\"' * 200_000) is Format.UNKNOWN
    assert detect_text("{" * 200_000) is Format.UNKNOWN


@given(st.binary(max_size=40))
def test_any_bytes_are_text(data: bytes) -> None:
    assert isinstance(decoded(data).text, str)


def test_a_file_of_ours_that_was_cut_off_anywhere_has_every_move_before_the_cut() -> None:
    text, stamps = header_line(Header("0.1", "mantle", "d1", {"pay.amount": 1}), Stamps("c1", "s1", 1000.0))
    first = len(text)
    ends = []
    for n in range(6):
        more, stamps = lines(CustomerSaid(f"Straße {n}"), [Record("user", {"text": f"Straße {n}"})], stamps)
        ends.append(len(text) + more.index("\n"))
        text += more
    for cut in range(first - 1, len(text) + 1):
        found = read(text[:cut].encode(), "own.jsonl")
        assert found.own is not None
        assert found.own.header == Header("0.1", "mantle", "d1", {"pay.amount": 1})
        whole = sum(end <= cut for end in ends)
        assert [move.event for move in found.own.moves] == [CustomerSaid(f"Straße {n}") for n in range(whole)]
        assert len(found.findings) <= 1
