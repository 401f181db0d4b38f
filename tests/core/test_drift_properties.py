"""What holds of every recording: it is replayed to what was played, and the files it was played over find no fault."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Called,
    CustomerSaid,
    Event,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
)
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.replay import Replay, drift
from inspector_core.mantle.wire.own import Header as OwnHeader
from inspector_core.mantle.wire.own import Kept, header_line, kept, lines, read_line
from inspector_core.mantle.wire.stamp import Stamps
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.entries import Entry, entries
from tests.core.drawn import drawn_agent, drawn_event
from tests.core.handmade import Played
from tests.core.kept import BANK
from tests.core.test_broken import folder_text
from tests.core.test_engine_properties import AGENTS, NAMED, PLAYS
from tests.core.test_rebuild import known, recorded
from tests.core.wired import ANY_EVENT

AGENT = read(folder_text(BANK))


def through_a_file(moves: list[Event], agent: Project) -> tuple[Kept, list[TrackerEvent], Played]:
    """The session as it was played, and what a file of ours that was written meanwhile holds."""
    play = Played(agent)
    text, stamps = header_line(OwnHeader("0", "mantle", "?"), Stamps("c", "s", 1.0))
    for move in moves:
        more, stamps = lines(move, play(move).last, stamps)
        text += more
    read_lines = [read_line(one.value) for one in entries(text) if isinstance(one, Entry)]
    return kept(read_lines), [line.event for line in read_lines], play


@given(NAMED, PLAYS)
def test_a_recorded_file_is_replayed_to_the_live_sessions_states(name: str, moves: list[Event]) -> None:
    found, _, _ = through_a_file(moves, AGENTS[name])
    play, number = Played(AGENTS[name]), 0
    events = [event for move in found.moves for event in move.events]
    replay = Replay(AGENTS[name], events)
    assert [repr(move.event) for move in found.moves] == [repr(move) for move in moves]
    for move in found.moves:
        play(move.event)
        number += len(move.events)
        assert known(replay.rebuilt(number).state) == known(play.state)


@pytest.mark.parametrize("seed", range(40))
def test_a_session_has_no_drift_over_the_files_it_was_played_over(seed: int) -> None:
    chance = Random(seed)
    agent = drawn_agent(chance)
    play = Played(agent)
    moves: list[Event] = [SessionBegan()]
    for _ in range(25):
        moves.append(drawn_event(chance, agent, play.state))
        play(moves[-1])
        if cuts(moves[-1]):  # after a turn that was cut off the customer speaks, and nobody else
            moves.append(CustomerSaid("wait"))
            play(moves[-1])
    found = drift(Replay(agent, recorded(Played(agent), moves)))
    assert [one for one in found if one.kind != "value"] == []  # what doesn't fit now did not fit then


def cuts(move: Event) -> bool:
    match move:
        case Called(calls):
            return any(call.stub is not None and call.stub.interrupted for call in calls)
        case Resolved(stub=Stub() as stub) | Searched(stub=stub):
            return stub.interrupted
        case _:
            return False


@given(st.lists(ANY_EVENT, max_size=12))
def test_anything_that_calls_itself_a_recording_can_be_judged(events: list[TrackerEvent]) -> None:
    replay = Replay(AGENT, events)
    drift(replay, before=replace(AGENT, skills=()))
    assert [replay.at(n).number for n in range(len(events) + 1)] == list(range(len(events) + 1))
