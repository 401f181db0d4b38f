"""A recording written in another form: what the form can carry comes back, and what it can't is counted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import AuthorSet, CustomerSaid, Record
from inspector_core.mantle.wire.kinds import KINDS
from inspector_core.mantle.wire.own import Header, header_line, lines
from inspector_core.mantle.wire.stamp import Stamps
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.detect import Format
from inspector_core.recording.forms import write
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording
from inspector_core.recording.sessions import Recorded, Session
from tests.core.foreign import ANTHROPIC, OPENAI, Object, asked, in_lines, opened, record, told
from tests.core.wired import JSON, of_kind

ENGINES = ("own", "envelope", "flat")


def again(found: Recording, form: str) -> Recording:
    return open_recording(write(found, form).text.encode(), "again")


def events(found: Recording) -> list[TrackerEvent]:
    return [one.event for session in found.sessions for one in session.events]


def recording(*told: TrackerEvent) -> Recording:
    return Recording(Format.MANTLE, (Session("c", "s", tuple(Recorded(event, 1) for event in told)),))


EVENTS = st.sampled_from([k for k in sorted(KINDS) if k != "session_started"]).flatmap(of_kind).map(
    lambda event: event._replace(conversation_id="c", session_id="s", event_id=None, sequence=None, timestamp=1.0)
)  # fmt: skip


@pytest.mark.parametrize("form", ENGINES)
@given(st.lists(EVENTS, min_size=1, max_size=4))
def test_every_event_of_the_engines_comes_back_from_the_forms_it_has(
    form: str, given_events: list[TrackerEvent]
) -> None:
    kept = [event._replace(user_id=None, deployment_environment=None) for event in given_events]
    if form == "flat":
        kept = [event._replace(conversation_id=None) for event in kept]
    found = again(recording(*(kept if form == "flat" else given_events)), form)
    assert events(found) == (kept if form == "flat" else given_events)


def test_our_own_file_keeps_the_moves_that_were_made() -> None:
    text, stamps = header_line(Header("1", "mantle", "digest"), Stamps("c", "s", 1.0))
    for move, records in ((CustomerSaid("hi"), [Record("user", {"text": "hi"})]),
                          (AuthorSet("a.b", 1), [Record("inspector_set", {"key": "a.b", "value": 1})])):  # fmt: skip
        more, stamps = lines(move, records, stamps)
        text += more
    first = open_recording(text.encode(), "own")
    second = again(first, "own")
    assert first.own is not None
    assert second.own == first.own
    assert [move.event for move in first.own.moves] == [CustomerSaid("hi"), AuthorSet("a.b", 1)]
    lost = write(first, "envelope").lost
    assert lost == {"moves of the inspector's own file": 2, "`inspector_set` events": 1}


@pytest.mark.parametrize("form", ENGINES)
def test_what_others_recorded_comes_back_from_our_forms_with_its_unknown_events(form: str) -> None:
    letta = opened([record("user_message", content="hi"), record("ping", detail="?")])
    for found in (opened(OPENAI), opened({"id": "a", "messages": ANTHROPIC}), letta):
        assert told(again(found, form)) == told(found)


@pytest.mark.parametrize("form", ENGINES)
def test_several_conversations_stay_apart(form: str) -> None:
    found = in_lines({"id": "a", "messages": OPENAI}, {"id": "b", "messages": OPENAI[1:2]})
    assert [(s.name, len(s.events)) for s in again(found, form).sessions] == [("a", 5), ("b", 1)]


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
CALLS = st.lists(st.tuples(st.sampled_from(["pay", "find"]), st.dictionaries(WORDS, JSON, max_size=2), WORDS),
                 min_size=1, max_size=3)  # fmt: skip


@st.composite
def chats(draw: st.DrawFn) -> list[Object]:
    """Conversations with everything that a chat message of OpenAI's form can say."""
    messages: list[Object] = []
    for turn in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["user", "assistant", "system", "calls"]))
        if kind != "calls":
            messages.append({"role": kind, "content": draw(WORDS)})
            continue
        calls = draw(CALLS)
        words = draw(st.none() | WORDS)
        made = [{"id": f"{turn}.{n}", "type": "function", "function": {"name": tool, "arguments": json.dumps(given)}}
                for n, (tool, given, _) in enumerate(calls)]  # fmt: skip
        messages.append({"role": "assistant", "content": words, "tool_calls": made})
        messages += [{"role": "tool", "tool_call_id": f"{turn}.{n}", "content": result}
                     for n, (_, _, result) in enumerate(calls)]  # fmt: skip
    return messages


def without_system(found: Recording) -> Recording:
    sessions = (s._replace(events=tuple(e for e in s.events if "." not in e.event.name)) for s in found.sessions)
    return replace(found, sessions=tuple(sessions))


@given(chats())
def test_chat_messages_come_back_from_either_makers_form(messages: list[Object]) -> None:
    found = opened(messages)
    written = write(found, "openai")
    assert (events(open_recording(written.text.encode(), "x")), written.lost) == (events(found), {})
    plain = without_system(found)
    if events(plain):
        assert events(again(plain, "anthropic")) == events(plain)


def test_blocks_of_a_makers_own_come_back_in_the_message_they_belong_to() -> None:
    image = {"type": "image", "source": {"data": "…"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Look"}, image]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "A cat."},
                                          {"type": "tool_use", "id": "a", "name": "pet", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "purr", "is_error": True}]},
    ]  # fmt: skip
    written = write(opened(messages), "anthropic")
    assert json.loads(written.text) == {"messages": messages}
    assert written.lost == {}


def test_what_a_chat_has_no_place_for_is_counted_by_its_kind() -> None:
    found = recording(
        TrackerEvent("session_started", {}, {}, 1.0),
        TrackerEvent("user", {"text": "hi"}, {}, 1.0),
        TrackerEvent("memory_set", {"key": "a.b", "value": 1}),
        TrackerEvent("memory_set", {"key": "a.c", "value": 1}),
        TrackerEvent("bot", {"text": "yes?", "data": {"buttons": [{"title": "x"}]}}, {"utter_action": "utter_x"}),
        TrackerEvent("tool_executed", {"tool_name": "t", "is_error": True, "result": "{}"}, {"source": "execute_step"}),
    )
    written = write(found, "openai")
    assert written.lost == {
        "`session_started` events": 1, "`memory_set` events": 2, "buttons and other data of messages": 1,
        "which call a step or an answer made run": 1, "whether a call failed": 1, "times of events": 1,
        "metadata of events": 2,
    }  # fmt: skip
    assert told(open_recording(written.text.encode(), "x")) == [["user hi", "bot yes?", "t {} {}"]]


def test_flat_events_have_no_place_for_ids() -> None:
    found = open_recording(write(opened(OPENAI), "own").text.encode(), "x")
    event = TrackerEvent("user", {"text": "hi"}, {}, 1.0, "s", "id", 3, "c")
    assert write(recording(event), "flat").lost == {
        "the conversation's name": 1, "`event_id` of events": 1, "`sequence` of events": 1,
    }  # fmt: skip
    assert write(found, "flat").lost == {}


def test_a_call_without_an_id_gets_one_in_the_form_that_needs_it() -> None:
    old: Object = {"role": "assistant", "function_call": {"name": "old", "arguments": "{}"}}
    found = opened([old, {"role": "function", "name": "old", "content": "5"}, asked("c", "t", "{oops")])
    messages = json.loads(write(found, "openai").text)["messages"]
    assert (messages[0]["tool_calls"][0]["id"], messages[1]["tool_call_id"]) == ("call_1", "call_1")
    assert messages[2]["tool_calls"][0]["function"]["arguments"] == "{oops"
    assert len(messages) == 3


def test_an_entry_that_json_cant_hold_is_lost_and_not_the_end_of_it() -> None:
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    found = recording(TrackerEvent("memory_set", {"key": "a.b", "value": deep}), TrackerEvent("user", {"text": "hi"}))
    written = write(found, "flat")
    assert told(open_recording(written.text.encode(), "x"))[0][-1] == "user hi"


def test_an_unknown_event_of_the_engines_stays_in_its_conversation() -> None:
    tracker = {"sender_id": "c", "latest_message": {}, "events": [
        {"event": "session_started", "timestamp": 1.0, "metadata": {"session_id": "s"}},
        {"event": "mood", "timestamp": 2.0, "level": 3, "metadata": {"session_id": "s", "by": "x"}},
        {"event": "metadata", "timestamp": 2.0},
    ]}  # fmt: skip
    found = opened(tracker)
    for form in ("own", "envelope"):
        one = again(found, form).sessions[0].events[1].event
        assert (one.name, one.fields, one.metadata, one.conversation_id) == ("mood", {"level": 3}, {"by": "x"}, "c")


def test_events_that_were_said_twice_are_counted_too() -> None:
    twice = [{"event": "slot", "name": "a.b", "value": 1}, {"event": "memory_set", "key": "a.b", "value": 1}]
    assert write(opened(twice), "own").lost == {"events that say again what another one says": 1}


def test_the_system_words_of_a_test_suite_are_a_message() -> None:
    written = write(opened({"task_id": 1, "reward": 0.0, "traj": OPENAI}), "openai")
    assert told(open_recording(written.text.encode(), "x")) == [told(opened(OPENAI))[0]]
    assert written.lost == {"`tau-bench.run` events": 1}
