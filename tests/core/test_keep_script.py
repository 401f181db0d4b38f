"""A conversation kept as a script plays again as it was, and expects what was marked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    CustomerSaid,
    Event,
    FieldsSet,
    ModelSaid,
    Resolved,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.mantle.wire.flat import from_flat, to_flat
from inspector_core.mantle.wire.own import Header, Kept, Move, kept
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.recording.keep.conversation import of_recording, of_session
from inspector_core.recording.keep.keeping import keep
from inspector_core.recording.keep.marks import EVERYTHING, Marks, read_marks
from inspector_core.recording.sessions import Recorded
from inspector_core.recording.sessions import Session as RecordedSession
from inspector_core.script.reading import read
from inspector_core.script.running import run
from inspector_core.session import Session, begin
from inspector_core.source import Source
from tests.core.agents import project
from tests.core.drawn import drawn_agent, drawn_event
from tests.core.test_fixture_scripts import SCRIPTS, named, played
from tests.core.test_script_run import FILES

PAY = project(FILES)
TALK: tuple[Event, ...] = (
    CustomerSaid("my bill"), Activated("pay"), FieldsSet({"amount": 5}), Called((Call("send"),)),
    CustomerSaid("yes"), Resolved(True, Stub({"ok": True}), "send"), ModelSaid("Anything else?"),
)  # fmt: skip
RANGES = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 30)), max_size=3)
MARKS = RANGES.map(lambda ranges: Marks(tuple((first, first + more) for first, more in ranges)))


def session(events: Iterable[Event], agent: Project = PAY, memory: Mapping[str, object] | None = None) -> Played:
    found = begin(MANTLE, agent, memory or {})
    for event in events:
        found = found.apply(event)
    return found


Played = Session[Project, State]


def recorded(told: Played) -> RecordedSession:
    """The session as the engine would have recorded it, read from its flat form."""
    events, _ = stamped((r for m in told.moments for r in m.records), Stamps("c", "s", 1.0))
    forms = [json.loads(json.dumps(form)) for event in events if (form := to_flat(event)) is not None]
    return RecordedSession("c", "s", tuple(Recorded(from_flat(form), 1) for form in forms))


def drawn(seed: int, length: int = 15) -> Played:
    chance = Random(seed)
    agent = drawn_agent(chance)
    found = begin(MANTLE, agent, {})
    for _ in range(length):
        found = found.apply(drawn_event(chance, agent, found.now.state))
    return found


# -- it passes -----------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), MARKS)
def test_a_script_of_a_played_session_passes_whatever_was_marked(seed: int, marks: Marks) -> None:
    told = drawn(seed)
    assert keep(of_session(told), "script", told.project, marks=marks).problem is None


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
@pytest.mark.parametrize("marks", [EVERYTHING, Marks(((3, 12),))], ids=["everything", "a part"])
def test_the_fixtures_kept_as_scripts_pass(path: Path, marks: Marks) -> None:
    told = played(path).session
    assert keep(of_session(told), "script", told.project, marks=marks).problem is None


def test_a_kept_script_plays_the_same_moves() -> None:
    told = session(TALK, memory={"pay.paid": False})
    again = run(MANTLE, PAY, read(Source("s.yml", keep(of_session(told), "script", PAY).text)).script)
    assert again.session.events == TALK
    assert again.session.seed == {"pay.paid": False}


def test_what_lies_behind_the_moment_that_is_looked_at_is_not_kept() -> None:
    assert [m.event for m in of_session(session(TALK).go(2)).moves] == list(TALK[:2])


def test_a_script_that_no_longer_passes_says_why() -> None:
    told = session(TALK)
    assert keep(of_session(told), "script", PAY).problem is None
    closed = project({**FILES, "skills/pay/skill.md": FILES["skills/pay/skill.md"].replace("amount > 0", "amount > 9")})
    problem = keep(of_session(told), "script", closed).problem
    assert problem is not None
    assert "line 6: expected `call: send` to be carried out, but refused" in problem


def test_a_conversation_in_which_nothing_has_happened_is_a_script_all_the_same() -> None:
    found = keep(of_session(session(())), "script", PAY)
    assert found.text == "script: a kept conversation\nsteps: []\n"
    assert found.problem is None


# -- from a recording ----------------------------------------------------------------------------------------------


def test_the_moves_of_a_recording_are_found_again() -> None:
    told = of_recording(recorded(session(TALK)))
    assert [m.event for m in told.moves] == list(TALK)
    assert told.notes == ()


UNTOLD = {"traces/cut_short": "an answer that was cut off leaves no event"}
BY_HAND = {p for p in SCRIPTS if any(isinstance(e, AuthorSet) for e in played(p).session.events)}
TOLD = [p for p in SCRIPTS if p not in BY_HAND and named(p) not in UNTOLD]


@pytest.mark.parametrize("path", TOLD, ids=named)
def test_the_fixtures_are_played_again_from_their_records_alone(path: Path) -> None:
    """Only what memory began with is given besides."""
    told = played(path).session
    again = session((m.event for m in of_recording(recorded(told)).moves), told.project, told.seed)
    assert records(again) == records(told)


def records(told: Played) -> list[str]:
    return [repr(record) for moment in told.moments for record in moment.records]


@given(st.integers(0, 400))
def test_a_recording_of_almost_any_conversation_makes_a_script_that_can_be_read(seed: int) -> None:
    told = drawn(seed)
    text = keep(of_recording(recorded(told)), "script", told.project).text
    assert not read(Source("s.yml", text)).broken


def test_nearly_every_recording_makes_a_script_that_passes() -> None:
    """Of what is drawn here some leaves no event, such as the author's own hand in memory."""
    found = [drawn(seed) for seed in range(60)]
    quiet = [s for s in found if not any(isinstance(e, AuthorSet) for e in s.events)]
    passed = [keep(of_recording(recorded(s)), "script", s.project).problem is None for s in quiet]
    assert sum(passed) > 0.9 * len(passed)


def test_what_a_tool_wrote_and_said_is_its_stub() -> None:
    stub = Stub({"ok": True}, (("pay.paid", True),), ("One moment.",))
    told = session((CustomerSaid("hi"), Activated("pay"), FieldsSet({"amount": 5}), Called((Call("look", {}, stub),))))
    assert of_recording(recorded(told)).moves[-1].event == Called((Call("look", {}, stub),))


def test_calls_of_one_reply_stay_together_with_the_words_beside_them() -> None:
    calls = (Call("look", {}, Stub(1)), Call("list_bills", {}, Stub([2])))
    told = session((CustomerSaid("hi"), Activated("pay"), FieldsSet({"amount": 5}), Called(calls, "Wait.")))
    assert of_recording(recorded(told)).moves[-1].event == Called(calls, "Wait.")


def test_a_call_that_was_cut_short_is_known_by_what_it_had_written() -> None:
    stub = Stub(None, (("pay.paid", True),), interrupted=True)
    events = (CustomerSaid("hi"), Activated("pay"), FieldsSet({"amount": 5}), Called((Call("look", {}, stub),)),
              CustomerSaid("stop"))  # fmt: skip
    assert [m.event for m in of_recording(recorded(session(events))).moves] == list(events)


def test_a_session_begins_with_what_its_channel_sent() -> None:
    for greets in (True, False):
        events = (SessionBegan({"a": 1}, greets), CustomerSaid("hi"))
        told = session(events)
        assert tuple(m.event for m in of_recording(recorded(told)).moves) == events
        assert keep(of_session(told), "script", PAY).problem is None


def test_a_file_of_ours_has_the_moves_themselves() -> None:
    told = session(TALK, memory={"project.x": 1})
    events = recorded(told).events
    moves, at = [], 0
    for moment in told.moments[1:]:
        assert moment.event is not None
        count = sum(not r.event.startswith("inspector_") for r in moment.records)
        moves.append(Move(moment.event, tuple(one.event for one in events[at : at + count])))
        at += count
    own = kept([])._replace(header=Header("1", "mantle", "d", {"project.x": 1}), moves=tuple(moves))
    found = of_recording(recorded_of(own), own)
    assert found.exact
    assert found.memory == {"project.x": 1}
    assert tuple(m.event for m in found.moves) == TALK


def recorded_of(own: Kept) -> RecordedSession:
    return RecordedSession("c", "s", tuple(Recorded(event, 1) for move in own.moves for event in move.events))


def test_stubs_are_told_before_the_move_that_makes_a_step_run_the_tool() -> None:
    path = next(p for p in SCRIPTS if p.stem == "card_replaced")
    events = [m.event for m in of_recording(recorded(played(path).session)).moves]
    at = next(i for i, e in enumerate(events) if isinstance(e, Stubbed) and e.tool == "find_cards")
    assert isinstance(events[at + 1], FieldsSet)


# -- what is expected ----------------------------------------------------------------------------------------------


def lines(marks: str) -> list[str]:
    text = keep(of_session(session(TALK)), "script", PAY, marks=read_marks(marks)).text
    return [line.strip() for line in text.partition("steps:\n")[2].splitlines() if line.startswith("    ")]


def number(event: str, about: str = "") -> int:
    every = [r for m in session(TALK).moments for r in m.records]
    return next(n for n, r in enumerate(every, 1) if r.event == event and about in repr(r.fields))


def test_only_what_was_marked_is_expected() -> None:
    assert lines(str(number("skill_activated"))) == ["skill_activated: [pay]"]
    assert lines(str(number("memory_set", "pay.amount"))) == ["memory:", "pay.amount: 5"]
    assert lines(str(number("tool_executed", "awaiting"))) == ["asks: send"]
    assert lines(str(number("bot", "It is sent"))) == ["said: [utter_sent]"]
    assert lines(str(number("bot", "Anything"))) == ['said: ["Anything else?"]']
    assert lines("1") == []
    assert lines("1000-") == []


def test_a_range_is_expected_turn_by_turn() -> None:
    assert lines("1-1000") == [
        "asks: send", "said: [utter_ask]", "skill_activated: [pay]", "memory:", "pay.amount: 5",
        "ran: {send: 1}", 'said: [utter_sent, "Anything else?"]',
    ]  # fmt: skip


def test_where_everything_is_kept_the_models_own_words_go_without_saying() -> None:
    assert "said: [utter_sent]" in lines("")


def test_runs_that_are_not_marked_are_counted_with_those_that_are() -> None:
    look = Called((Call("look", {}, Stub(1)),))
    told = session((CustomerSaid("hi"), Activated("pay"), FieldsSet({"amount": 5}), look, CustomerSaid("again"), look))
    count = sum(len(m.records) for m in told.moments)
    found = keep(of_session(told), "script", PAY, marks=Marks(((count, count),)))
    assert "ran: {look: 2}" in found.text
    assert found.problem is None


def test_a_refusal_is_expected_in_any_case() -> None:
    told = session((CustomerSaid("hi"), Activated("nobody"), CustomerSaid("so?"), Activated("pay")))
    found = keep(of_session(told), "script", PAY, marks=Marks(((99, 99),)))
    assert "refused: [activate]" in found.text
    assert found.problem is None


# -- marks ---------------------------------------------------------------------------------------------------------


def test_marks_are_events_and_ranges_of_them() -> None:
    marks = read_marks("3-5, 9,20-")
    assert [n for n in range(1, 23) if marks.has(n)] == [3, 4, 5, 9, 20, 21, 22]
    assert read_marks(" ").everything


@pytest.mark.parametrize("text", ["a", "3-2", "0", "1-2-3", "1,,2", "-3", "1;2", "99999999999"])
def test_marks_that_can_not_be_are_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="`"):
        read_marks(text)
