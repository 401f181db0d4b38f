"""A recording alone tells where the conversation stands: what was played is found again in its events (§8.5)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings

from inspector_core.events import AuthorCleared, AuthorSet, Event
from inspector_core.mantle.engine.state import Pending, State, Turn
from inspector_core.mantle.wire.envelope import from_entry, to_envelope
from inspector_core.mantle.wire.flat import from_flat, to_flat
from inspector_core.mantle.wire.rebuild import BEGINNING, Rebuilt, advance, is_engines, moments, rebuild
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.mantle.wire.tracker import TrackerEvent
from tests.core.handmade import Played
from tests.core.test_engine_properties import AGENTS, NAMED, PLAYS


def at(*events: TrackerEvent) -> Rebuilt:
    found = BEGINNING
    for event in events:
        found = advance(found, event)
    return found


def made(name: str, metadata: dict[str, object] | None = None, /, **fields: object) -> TrackerEvent:
    return TrackerEvent(name, fields, metadata or {}, 1.0)


def stack(*operations: dict[str, object]) -> TrackerEvent:
    return made("stack", update=json.dumps(operations))


def frame(number: int, skill: str, **more: str) -> dict[str, object]:
    return {"frame_id": f"f{number}", "skill_id": skill, "frame_type": "regular", "type": "skill", **more}


def waits(**more: object) -> TrackerEvent:
    value = {"tool_name": "pay", "tool_args": {"n": 1}, "skill_id": "shop", "frame_id": "f1", **more}
    return made("memory_set", key="system.pending_tool_confirmation", value=value)


def known(state: State) -> tuple[object, ...]:
    """What a recording has to tell, in a form in which `nan` equals itself."""
    memory = sorted((k, repr(v)) for k, v in state.memory.items() if not k.startswith("system."))
    pending, turn = state.pending, state.turn
    waiting = repr(pending and (pending.tool, pending.arguments, pending.ask, pending.denial_response, pending.skill_id,
                                pending.frame_id, pending.turn, pending.step_id, pending.deferred))  # fmt: skip
    return memory, state.stack, waiting, turn.number, turn.paused, turn.resolved, turn.searched, turn.trimmed


def recorded(play: Played, moves: Iterable[Event]) -> list[TrackerEvent]:
    events: list[TrackerEvent] = []
    stamps = Stamps("c", "s", 1.0)
    for move in moves:
        made, stamps = stamped(play(move).last, stamps)
        events += made
    return events


def by_hand(move: Event) -> bool:
    """The engine has no event for what the author writes."""
    return isinstance(move, AuthorSet | AuthorCleared)


@given(NAMED, PLAYS)
def test_what_was_played_is_rebuilt_from_the_events_with_the_authors_hand_among_them(
    name: str, moves: list[Event]
) -> None:
    play = Played(AGENTS[name])
    events = recorded(play, moves)
    assert known(rebuild(events)) == known(play.state)


@given(NAMED, PLAYS)
def test_what_was_played_is_rebuilt_from_each_of_the_engines_forms(name: str, moves: list[Event]) -> None:
    play = Played(AGENTS[name])
    events = recorded(play, [move for move in moves if not by_hand(move)])
    flat = [from_flat(entry) for event in events if (entry := to_flat(event)) is not None]
    sealed = [from_entry(entry) for event in events if (entry := to_envelope(event)) is not None]
    assert known(rebuild(flat)) == known(rebuild(sealed)) == known(play.state)


@given(NAMED, PLAYS)
def test_rebuilding_says_at_every_move_what_playing_said(name: str, moves: list[Event]) -> None:
    play, found, stamps = Played(AGENTS[name]), BEGINNING, Stamps("c", "s", 1.0)
    for move in moves:
        events, stamps = stamped(play(move).last, stamps)
        for event in events:
            found = advance(found, event)
            assert found.problem is None
        live = play.state
        assert known(found.state) == known(live)
        assert found.state.triggers == live.triggers
        assert found.state.fired == live.fired
        assert found.state.position == live.position
        assert {k: w.by for k, w in found.state.writes.items()} == {k: w.by for k, w in live.writes.items()}


def test_rebuilding_meets_what_there_is_to_meet() -> None:
    met: Counter[str] = Counter()

    @settings(max_examples=60)
    @given(NAMED, PLAYS)
    def play(name: str, moves: list[Event]) -> None:
        for found in moments(recorded(Played(AGENTS[name]), moves)):
            state = found.state
            met.update(k for k, there in {
                "waits": state.pending, "deep": len(state.stack) > 1, "block": found.blocks, "fired": state.fired,
                "resolved": state.turn.resolved, "memory": state.memory,
            }.items() if there)  # fmt: skip

    play()
    assert met.keys() == {"waits", "deep", "block", "fired", "resolved", "memory"}


def test_a_new_session_forgets_everything() -> None:
    events = (
        made("user", text="hi"),
        made("memory_set", key="shop.n", value=1),
        stack({"op": "add", "path": "/0", "value": frame(1, "shop")}),
    )
    assert at(*events).state.stack
    assert at(*events, made("session_started")) == BEGINNING


def test_the_engines_own_entries_are_kept_apart() -> None:
    found = at(made("memory_set", key="system.consecutive_silence_timeouts", value=0.0),
               made("memory_set", key="session_started_metadata", value={"a": 1}))  # fmt: skip
    assert found.state.memory == {}
    assert found.engine == {"system.consecutive_silence_timeouts": 0.0, "session_started_metadata": {"a": 1}}
    assert is_engines("system.x")
    assert not is_engines("systems.x")


def test_a_confirmation_that_waits_remembers_when_and_in_what_memory_it_paused() -> None:
    found = at(made("user", text="a"), made("memory_set", key="shop.n", value=1), waits(confirmation_ask="Sure?"),
               made("user", text="b"), made("memory_set", key="shop.n", value=2))  # fmt: skip
    assert found.state.pending == Pending("pay", {"n": 1}, "Sure?", None, "shop", "f1", 1, None, {"shop.n": 1})


def test_a_confirmed_call_counts_as_resolved_until_the_next_turn() -> None:
    result = made("tool_executed", {"source": "tool_confirmation"}, tool_name="pay", result="{}", is_error=False)
    cleared = made("memory_cleared", key="system.pending_tool_confirmation")
    found = at(made("user", text="a"), waits(), made("user", text="b"), cleared, result)
    assert found.state.turn == Turn(2, said="b", resolved=frozenset({("shop", "pay")}))
    assert advance(found, made("user", text="c")).state.turn == Turn(3, said="c")


def test_the_pause_and_the_end_of_a_turn_are_told_by_the_events() -> None:
    paused = made("tool_executed", tool_name="pay", result='{"status": "awaiting_confirmation"}', is_error=False)
    turn = at(made("user", text="a"), paused, made("bot_turn_ended")).state.turn
    assert (turn.paused, turn.open) == (True, False)


def test_a_block_is_active_completed_or_neither() -> None:
    found = at(*(made(f"ordered_block_{how}", skill_id="shop", block_id=how) for how in
                 ("entered", "resumed", "completed", "cancelled", "interrupted")))  # fmt: skip
    assert found.blocks == {
        ("shop", "entered"): "active", ("shop", "resumed"): "active", ("shop", "completed"): "completed",
        ("shop", "cancelled"): "inactive", ("shop", "interrupted"): "inactive",
    }  # fmt: skip


def test_a_frame_remembers_the_steps_it_passed() -> None:
    block = frame(1, "shop", block_id="main", step_id="START")
    found = at(stack({"op": "add", "path": "/0", "value": block}),
               stack({"op": "replace", "path": "/0/step_id", "value": "ask"}),
               stack({"op": "replace", "path": "/0/step_id", "value": "pay"}))  # fmt: skip
    assert found.state.stack[0].visited == ("START", "ask")


def test_the_buttons_that_can_be_tapped_are_those_of_the_latest_message() -> None:
    offer = made("bot", text="?", data={"buttons": [{"title": "Yes", "payload": "set:session.shop.n=1"}, 5]})
    assert at(offer).state.buttons == (("Yes", "set:session.shop.n=1"),)
    assert at(offer, made("bot", text="!", data={})).state.buttons == ()


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        (
            stack({"op": "remove", "path": "/3"}),
            "the stack's update doesn't fit: there is no frame `3` in the stack before it",
        ),
        (made("stack", update="["), "the stack's update can't be read as JSON"),
        (stack({"op": "add", "path": "/0", "value": 5}), "a frame of the stack is no mapping"),
        (made("memory_set", key="system.pending_tool_confirmation", value=5), "the pending confirmation is no mapping"),
        (waits(frame_id=None), "the pending confirmation doesn't say whose it is"),
    ],
)
def test_what_can_not_be_followed_is_told_once_and_the_rest_goes_on(event: TrackerEvent, problem: str) -> None:
    found = at(event)
    assert found.problem == problem
    assert found.state.pending is None
    assert advance(found, made("user", text="a")).problem is None


def test_a_number_that_only_the_engine_gives_is_no_number_of_ours() -> None:
    value = {**frame(1, "shop"), "frame_id": "E3OCBL6E"}
    assert at(stack({"op": "add", "path": "/0", "value": value})).state.frames == 0
    assert at(stack({"op": "add", "path": "/0", "value": frame(7, "shop")})).state.frames == 7
