"""A recording alone tells where the conversation stands: what was played is found again in its events (§8.5)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.state import Pending, State, Turn
from inspector_core.mantle.project import Button, Response, Variant
from inspector_core.mantle.wire.envelope import from_entry, to_envelope
from inspector_core.mantle.wire.flat import from_flat, to_flat
from inspector_core.mantle.wire.rebuild import BEGINNING, Rebuilt, advance, is_engines, moments, rebuild
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.mantle.wire.tracker import TrackerEvent
from tests.core.handmade import (
    HERE,
    Played,
    asks,
    block,
    done_when,
    field,
    gate,
    local,
    needs,
    project,
    says,
    skill,
    trigger,
)
from tests.core.stepped import END, calls, collects, links, routes, runs, sets, talks, with_defaults
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
    return memory, state.stack, waiting, turn.number


def flags(turn: Turn) -> tuple[object, ...]:
    """What counts until the customer speaks again."""
    return turn.paused, turn.resolved, turn.searched, turn.trimmed, turn.said


def recorded(play: Played, moves: Iterable[Event]) -> list[TrackerEvent]:
    events: list[TrackerEvent] = []
    stamps = Stamps("c", "s", 1.0)
    for move in moves:
        made, stamps = stamped(play(move).last, stamps)
        events += made
    return events


FORM = skill(
    "form", tools=(local("send"), local("look")), fields=(field("form.n", settable=True), field("form.done")),
    gates=(gate("send", None, asks("utter_ask", "utter_no"), success="utter_ask"),), enters=("main",),
    triggers=(trigger("utter_pick"), trigger("utter_ask", "session.form.done")),
    blocks=(block("main", gate("look", block="main"), steps=(
        collects("ask", "n", "utter_pick"), runs("send", "send"), runs("look", "look"), sets("mark", done=True),
        talks("talk", "session.form.n > 3"), calls("go", "side"), END,
    )),),
)  # fmt: skip
SIDE = skill("side", prose="", blocks=(block("walk", steps=(
    routes("route", [("session.form.n == 2", "again"), (None, "END")]), collects("again", "m", again=True),
    links("there", "late"), END,
)),), fields=(field("side.m", settable=True),))  # fmt: skip
LATE = skill("late", precondition="known", completion=done_when("session.project.p"))
TAP = "set:session.form.n=4"
WIDE = with_defaults(project(
    FORM, SIDE, LATE, skill("know", completion=done_when("session.project.p")), knowledge=True,
    fields=(field("project.p")._replace(seed=True),), preconditions=(needs("known", "session.project.p", "know"),),
    responses=(says("utter_ask", "Sure {n}?"), says("utter_no", "No."), Response(
        "utter_pick", (Variant("Pick.", HERE, buttons=(Button("Four", TAP, HERE),)),), HERE, None,
    )),
))  # fmt: skip
SKILLS = st.sampled_from(["form", "form__main", "side", "late", "know"])
VALUES = st.sampled_from([0, 2, 4, True, "x"])
DOES = st.builds(
    Stub, st.sampled_from([{"ok": 1}, {"error": "no"}]),
    st.lists(st.tuples(st.sampled_from(["n", "done", "p"]), VALUES), max_size=2).map(tuple), st.just(()),
    st.none() | st.just("broke"), st.lists(st.builds(Next, SKILLS), max_size=1).map(tuple), st.booleans(),
)  # fmt: skip
WIDE_EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(CustomerSaid, st.sampled_from(["yes", TAP])), st.just(CustomerSaid("well")), st.builds(Activated, SKILLS),
    st.builds(FieldsSet, st.dictionaries(st.sampled_from(["n", "m"]), VALUES, min_size=1, max_size=1)),
    st.builds(lambda tool, stub: Called((Call(tool, {}, stub),), "so"), st.sampled_from(["send", "look"]), DOES),
    st.builds(Resolved, st.booleans(), DOES), st.builds(Completed, st.booleans()), st.just(Cancelled()),
    st.builds(Corrected, st.sampled_from(["form.n", "side.m"]), VALUES), st.builds(Searched, st.just("q")),
    st.builds(CannotHelp, st.booleans()), st.builds(Stubbed, st.sampled_from(["send", "look"]), DOES),
    st.builds(SessionBegan, st.dictionaries(st.just("p"), VALUES, max_size=1)), st.just(ModelSaid("so")),
    st.builds(AuthorSet, st.sampled_from(["project.p", "form.n"]), VALUES), st.just(Listened()),
)  # fmt: skip
SAYS = st.sampled_from(["yes", "well", TAP]).map(CustomerSaid)
SCENE = st.one_of(
    SKILLS.map(lambda id: (CustomerSaid("go"), Activated(id))),
    st.sampled_from([("n", 2), ("n", 4), ("m", 1)]).map(lambda f: (FieldsSet({f[0]: f[1]}),)),
    st.tuples(st.just(CustomerSaid("send")), st.builds(lambda stub: Called((Call("send", {}, stub),)), DOES)),
    st.tuples(SAYS, st.builds(Resolved, st.booleans(), DOES)),
    st.tuples(SAYS, WIDE_EVENTS), st.tuples(WIDE_EVENTS),
    st.sampled_from([(CustomerSaid("go"), Activated("form"), Activated("form__main"), FieldsSet({"n": 2}))]),
)  # fmt: skip
GOING = st.lists(SCENE, min_size=2, max_size=12).map(
    lambda scenes: [SessionBegan(), *(move for scene in scenes for move in scene)]
)


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


@given(GOING)
def test_blocks_digressions_handoffs_and_new_sessions_are_rebuilt_at_every_move(moves: list[Event]) -> None:
    play, found, stamps = Played(WIDE), BEGINNING, Stamps("c", "s", 1.0)
    for move in moves:
        events, stamps = stamped(play(move).last, stamps)
        for event in events:
            found = advance(found, event)
            assert found.problem is None
        assert known(found.state) == known(play.state)
        if play.state.turn.open:  # a turn that was cut off records nothing of the call that ran
            assert flags(found.state.turn) == flags(play.state.turn)
        for frame, live in zip(found.state.stack, play.state.stack, strict=True):
            assert set(frame.visited) <= set(live.visited)  # a step that is passed at once is in no record
        for what in ("triggers", "fired", "position", "buttons", "over", "frames"):
            assert getattr(found.state, what) == getattr(play.state, what), what


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
        if live.turn.open:
            assert flags(found.state.turn) == flags(live.turn)
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


def test_a_new_session_forgets_everything_but_what_the_author_wrote_and_goes_on_counting() -> None:
    events = (
        made("user", text="hi"), made("memory_set", key="shop.n", value=1), waits(),
        made("inspector_set", key="shop.x", value=2),
        stack({"op": "add", "path": "/0", "value": frame(4, "shop")}),
        made("ordered_block_entered", skill_id="shop", block_id="main"),
    )  # fmt: skip
    found = at(*events, made("session_started"))
    state = found.state
    assert (state.memory, state.stack, state.pending, state.turn) == ({"shop.x": 2}, (), None, Turn(1))
    assert state.frames == 4
    assert (found.stack, found.engine, found.blocks) == ((), {}, {})


def test_a_seed_of_a_session_is_gone_with_it() -> None:
    seeded = made("memory_set", {"mantle_write_provenance": {"tool": None}}, key="project.p", value=1)
    assert at(made("session_started"), seeded).state.memory == {"project.p": 1}
    assert at(made("session_started"), seeded, made("session_started")).state.memory == {}


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


def test_a_greeting_ends_no_turn_in_which_the_model_still_acts() -> None:
    greeted = (made("user", text="hi"), made("bot", text="Hello."), made("bot_turn_ended"))
    call = made(
        "tool_executed", {"tool_call_id": "call_1"}, tool_name="activate", result="activate: done", is_error=False
    )
    assert not at(*greeted).state.turn.open
    assert at(*greeted, call).state.turn.open


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
        (
            stack(*[{"op": "add", "path": "/0", "value": frame(1, "shop")}] * 257),
            "the stack's update makes it more than 256 frames deep",
        ),
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
