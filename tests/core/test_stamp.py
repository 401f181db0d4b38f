"""Played records as events: times and ids that follow from what was given, and nothing left to chance."""

from __future__ import annotations

import json
import re
import uuid

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import Activated, Call, Called, CustomerSaid, Event, ModelSaid, Record, Stub
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.wire.envelope import from_entry, to_envelope
from inspector_core.mantle.wire.flat import to_flat
from inspector_core.mantle.wire.stamp import Stamps, event_id, following, stamped
from inspector_core.mantle.wire.tracker import TrackerEvent, is_own
from tests.core.handmade import Played, field, local, project, skill
from tests.core.test_engine_properties import AGENTS, NAMED, PLAYS

STAMPS = Stamps("c1", "s1", 1000.0, 0.5)
PAY = project(skill("pay", tools=(local("send"),), fields=(field("pay.ref"),)))


def events_of(*moves: Event) -> list[TrackerEvent]:
    """The whole conversation, stamped move by move."""
    events: list[TrackerEvent] = []
    play, stamps = Played(PAY), STAMPS
    for move in moves:
        made, stamps = stamped(play(move).last, stamps)
        events += made
    return events


def test_events_are_numbered_and_timed_one_after_the_other() -> None:
    events = events_of(CustomerSaid("pay"), Activated("pay"), ModelSaid("Done."))
    assert [e.sequence for e in events] == list(range(len(events)))
    assert [e.timestamp for e in events] == [1000.0 + n / 2 for n in range(len(events))]
    assert {(e.conversation_id, e.session_id) for e in events} == {("c1", "s1")}


def test_a_move_begins_when_it_was_made_and_never_before_what_was() -> None:
    said = (Record("user", {"text": "a"}), Record("bot_turn_ended"))
    first, stamps = stamped(said, STAMPS, 2000.0)
    second, stamps = stamped(said, stamps, 3000.0)
    back, _ = stamped(said, stamps, 5.0)
    assert [e.timestamp for e in (*first, *second, *back)] == [2000.0, 2000.5, 3000.0, 3000.5, 3001.0, 3001.5]


def test_a_skill_says_which_message_of_the_customers_it_was_activated_by() -> None:
    events = events_of(CustomerSaid("a"), ModelSaid("b"), CustomerSaid("pay"), Activated("pay"))
    heard = [e.timestamp for e in events if e.name == "user"]
    activated = next(e for e in events if e.name == "skill_activated")
    assert activated.metadata["triggering_user_message_timestamp"] == heard[1]


def test_a_skill_that_starts_before_any_message_was_activated_by_the_session() -> None:
    events, _ = stamped((Record("session_started"), Record("skill_activated", {"skill_id": "hi"})), STAMPS)
    assert events[1].metadata == {"triggering_user_message_timestamp": 1000.0}


def test_the_customers_message_has_what_a_channel_gives_along() -> None:
    (event,), _ = stamped((Record("user", {"text": "set:x"}, {"button_title": "X"}),), STAMPS)
    message = event.fields["message_id"]
    assert re.fullmatch("[0-9a-f]{32}", str(message))
    assert event.fields == {
        "text": "set:x", "input_channel": "inspector", "message_id": message, "anonymized_at": None,
        "parse_data": {
            "intent": {"name": None, "confidence": 0.0}, "entities": [], "text": "set:x", "message_id": message,
            "metadata": {"button_title": "X"}, "commands": [],
        },
    }  # fmt: skip


def test_what_the_engine_prints_at_its_default_is_filled_in() -> None:
    call = Called((Call("send", {}, Stub({"ok": 1}, (("ref", "R1"),))),))
    events = events_of(CustomerSaid("pay"), Activated("pay"), call, ModelSaid("Done."))
    written = next(to_flat(e) for e in events if e.name == "memory_set")
    assert written is not None
    assert (written["key"], written["value"], written["anonymized_at"]) == ("pay.ref", "R1", None)
    said = next(to_flat(e) for e in events if e.name == "bot")
    assert said == {
        "event": "bot", "timestamp": said and said["timestamp"], "text": "Done.", "data": {}, "anonymized_at": None,
        "metadata": {"mantle_response_source": "llm", "session_id": "s1"},
    }  # fmt: skip


@given(st.lists(st.tuples(st.floats(0, 2e9), st.integers(0, 2**40)), unique_by=lambda p: p[1], max_size=20))
def test_ids_are_of_version_seven_each_of_its_own_and_in_the_order_of_time(pairs: list[tuple[float, int]]) -> None:
    ids = [uuid.UUID(event_id(at, n, "c", "s")) for at, n in pairs]
    assert {i.version for i in ids} <= {7}
    assert len(set(ids)) == len(pairs)
    assert [i.int >> 80 for i in ids] == [int(at * 1000) for at, _ in pairs]
    assert ids == [uuid.UUID(event_id(at, n, "c", "s")) for at, n in pairs]


@given(NAMED, PLAYS)
def test_all_that_the_engine_records_has_both_forms(name: str, moves: list[Event]) -> None:
    play, stamps = Played(AGENTS[name]), STAMPS
    for move in moves:
        play.state, records = step(play.project, play.state, move)
        events, stamps = stamped(records, stamps)
        for event in events:
            entry, flat = to_envelope(event), to_flat(event)
            assert (entry is None) is (flat is None) is is_own(event)
            if entry is not None and flat is not None:
                assert repr(from_entry(json.loads(json.dumps(entry)))) == repr(event)  # nan is not equal to itself
                assert repr(from_entry(json.loads(json.dumps(flat))).fields) == repr(event.fields)


@given(NAMED, PLAYS)
def test_what_follows_on_events_that_were_read_again_is_stamped_as_if_it_had_been_made_at_once(
    name: str, moves: list[Event]
) -> None:
    play, stamps = Played(AGENTS[name]), STAMPS
    events: list[TrackerEvent] = []
    for move in moves:
        made, stamps = stamped(play(move).last, stamps)
        events += made
    assert following(events, Stamps(stamps.conversation_id, "another", STAMPS.started_at, STAMPS.step)) == (
        stamps if events else Stamps(stamps.conversation_id, "another", STAMPS.started_at, STAMPS.step)
    )


def test_what_was_read_out_of_order_or_without_a_time_moves_no_clock_back() -> None:
    odd = [TrackerEvent("bot", timestamp=5000.0, sequence=7), TrackerEvent("bot", timestamp=4000.0, sequence=2)]
    after = following([*odd, TrackerEvent("bot")], STAMPS)
    assert (after.latest, after.sequence, after.session_id) == (5000.0, 9, "s1")
