"""A replayed recording says at every event what folding it event by event says, and what a report there would say."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CustomerSaid,
    Event,
    FieldsSet,
    Resolved,
    SessionBegan,
    Stub,
)
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.gates import report
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay import Replay
from inspector_core.mantle.replay.fold import EVERY
from inspector_core.mantle.wire.rebuild import BEGINNING, Rebuilt, moments
from tests.core.drawn import drawn_agent, drawn_event
from tests.core.handmade import Played, asks, field, gate, local, project, says, skill
from tests.core.test_engine_properties import AGENTS, NAMED, PLAYS
from tests.core.test_rebuild import GOING, WIDE, made, recorded, stack

SHOP = project(
    skill(
        "shop", tools=(local("pay", n="integer"), local("look")), fields=(field("shop.n", settable=True),),
        gates=(gate("pay", "session.shop.n > 1", asks("utter_ask")), gate("look", "session.project.auth")),
    ),
    skill("other", tools=(local("walk"),), gates=(gate("walk", "session.shop.n"),)),
    fields=(field("project.auth"),), responses=(says("utter_ask", "Sure {n}?"),),
)  # fmt: skip
TALK: tuple[Event, ...] = (
    CustomerSaid("hello"), Activated("shop"), FieldsSet({"n": 2}), Called((Call("pay", {"n": 1}),)),
    CustomerSaid("yes"), Resolved(True, Stub({"ok": True}, (("n", 0),))),
)  # fmt: skip


def replayed(agent: Project, moves: Sequence[Event]) -> Replay:
    return Replay(agent, recorded(Played(agent), moves))


def shown(found: Rebuilt) -> tuple[object, ...]:
    state = found.state
    return (
        repr(sorted(state.memory.items())), repr(sorted(state.writes.items())), state.stack, repr(state.pending),
        state.turn, state.triggers, state.frames, state.calls, state.position, state.over, state.buttons, state.fired,
        found.stack, repr(found.engine), found.blocks, repr(found.answered), found.problem,
    )  # fmt: skip


def holds(replay: Replay) -> None:
    """Everything it says of each event is what the slow ways say."""
    expected = [BEGINNING, *moments(replay.events)]
    for number, then in enumerate(expected):
        point = replay.at(number)
        assert shown(replay.rebuilt(number)) == shown(then)
        assert shown(point.rebuilt) == shown(then)
        judged = report(replay.project, then.state)
        for own in replay.project.skills:
            stood = {v.tool: v.standing for v in judged.of(own.id) if v.kind != "built-in"}
            assert {t: h.standing(number) for t, h in replay.histories(own.id).items() if stood} == stood
        moved = [c for c in point.changes if c.tool in replay.histories(c.skill or "") and c.before and c.after]
        assert (number in replay.gate_changes) == bool(moved), (number, moved)


@given(NAMED, PLAYS)
def test_a_replay_says_at_every_event_what_folding_and_judging_say(name: str, moves: list[Event]) -> None:
    holds(replayed(AGENTS[name], moves))


@given(GOING)
def test_it_does_so_through_blocks_digressions_and_new_sessions(moves: list[Event]) -> None:
    holds(replayed(WIDE, moves))


@pytest.mark.parametrize("seed", range(20))
def test_it_does_so_for_any_agent(seed: int) -> None:
    chance = Random(seed)
    agent = drawn_agent(chance)
    play = Played(agent)
    moves: list[Event] = [SessionBegan()]
    for _ in range(25):
        moves.append(drawn_event(chance, agent, play.state))
        play(moves[-1])
    holds(replayed(agent, moves))


@given(st.integers(0, 4 * EVERY), st.integers(0, 4 * EVERY))
def test_any_moment_of_a_long_recording_can_be_had_in_any_order(first: int, second: int) -> None:
    for number in (first, second, first):
        point = LONG.at(number)
        assert point.state.memory == ({"shop.n": number} if number else {})
        assert LONG.value("shop.n", number) == (number or None)
        assert LONG.written("shop.n", number) == (number or None)
        assert point.state.turn.number == 0


LONG = Replay(SHOP, [made("memory_set", key="shop.n", value=n) for n in range(1, 4 * EVERY + 1)])


def test_who_opened_and_who_closed_a_gate_is_found_from_any_event() -> None:
    replay = replayed(SHOP, TALK)
    history = replay.history("shop", "pay")
    assert history is not None
    last = len(replay)
    opened, closed = history.opened(last), history.closed(last)
    assert opened is not None
    assert closed is not None
    assert replay.events[opened - 1].fields["key"] == replay.events[closed - 1].fields["key"] == "shop.n"
    assert [history.standing(n) for n in (opened - 1, opened, closed - 1, closed)] == [
        "error",
        "asks",
        "asks",
        "hidden",
    ]
    assert history.opened(opened - 1) is None
    assert history.closed(closed - 1) is None
    assert history.closed(closed) == closed


def test_gate_changes_and_turns_are_walked_forwards_and_backwards() -> None:
    replay = replayed(SHOP, TALK)
    forth, at = [], 0
    while (found := replay.next_change(at)) is not None:
        forth.append(at := found)
    back, at = [], len(replay) + 1
    while (found := replay.previous_change(at)) is not None:
        back.append(at := found)
    assert forth == back[::-1] == list(replay.gate_changes)
    assert [replay.events[n - 1].name for n in replay.turns] == ["user", "user"]
    assert replay.next_turn(1) == replay.turns[1] == replay.previous_turn(len(replay))


def test_a_confirmed_call_is_one_thing_of_several_records() -> None:
    [one] = replayed(SHOP, TALK).confirmations
    replay = replayed(SHOP, TALK)
    assert (one.tool, one.arguments, one.outcome) == ("pay", {"n": 1}, "confirmed")
    assert one.ask is not None
    assert one.answer is not None
    names = [replay.events[n - 1].fields.get("tool_name", "bot") for n in one.events]
    assert names == ["pay", "bot", "pay", "resolve_tool_confirmation"]
    assert replay.confirmation_of[one.pause] is replay.confirmation_of[one.answer]


@pytest.mark.parametrize(
    ("after", "outcome", "runs"),
    [
        ((), "open", 0),
        ((CustomerSaid("no"), Resolved(False)), "declined", 1),
        ((CustomerSaid("hm"), Activated("other")), "open", 0),
    ],
)
def test_a_question_may_be_declined_or_left_open(after: tuple[Event, ...], outcome: str, runs: int) -> None:
    [one] = replayed(SHOP, (*TALK[:4], *after)).confirmations
    assert (one.outcome, len(one.runs)) == (outcome, runs)


def test_a_question_is_dropped_with_its_skill() -> None:
    [one] = replayed(SHOP, (*TALK[:4], CustomerSaid("stop"), Cancelled())).confirmations
    assert one.outcome == "dropped"


def test_a_tool_that_runs_twice_on_one_yes_is_seen() -> None:
    events = recorded(Played(SHOP), TALK)
    run = next(e for e in events if e.metadata.get("source") == "tool_confirmation")
    [one] = Replay(SHOP, [*events, run]).confirmations
    assert len(one.runs) == 2


def test_the_block_and_the_step_are_told() -> None:
    frame = {"frame_id": "f1", "skill_id": "shop", "block_id": "b", "step_id": "s"}
    replay = Replay(SHOP, [stack({"op": "add", "path": "/0", "value": frame}), made("stack", update="?")])
    assert replay.at(1).block == ("shop", "b", "s")
    assert replay.at(2).problem == "the stack's update can't be read as JSON"
    assert list(replay.problems) == [2]
    assert replay.at(99).number == 2
    assert replay.at(-1).event is None


def test_a_session_that_began_with_memory_is_replayed_from_there() -> None:
    replay = Replay(SHOP, [made("user", text="hi")], start({"project.auth": True}))
    history = replay.history("shop", "look")
    assert history is not None
    assert history.standings == ("offered",)
    assert replay.value("project.auth", 1) is True


def test_held_against_other_files_the_events_stay() -> None:
    replay = replayed(SHOP, TALK[:3])
    again = replay.over(project(skill("shop", tools=(local("pay"),))))
    assert again.events is replay.events
    history = again.history("shop", "pay")
    assert history is not None
    assert history.standings == ("offered",)


def test_what_the_author_wrote_stays_through_a_new_session() -> None:
    replay = replayed(SHOP, (AuthorSet("shop.n", 5), CustomerSaid("a"), SessionBegan()))
    assert replay.at(len(replay)).state.memory["shop.n"] == 5
