"""A session and its file: whatever is played, taken back or read anew, the file holds what the session holds."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal import CannotRecord, create
from inspector.recorder import Recorder, record, resume
from inspector_core.events import AuthorSet, CustomerSaid
from inspector_core.mantle.project import Project
from inspector_core.source import Source
from tests.inspector.recorded import Played, agent, holds, moves, own, read, started
from tests.inspector.screen import BANK
from tests.inspector.screen import project as bank

FIRST = AuthorSet("one.n", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def recorder(path: Path) -> Recorder:
    ticks = count(1_000)
    return Recorder(create(path), "1", lambda: float(next(ticks)))


def facts(path: Path) -> list[str]:
    """The names of our own lines, but for the moves."""
    ours = [json.loads(line).get("inspector", {}) for line in path.read_text().splitlines()]
    return [next(iter(one)) for one in ours if one and not {"played", "record"} & one.keys()]


def edited(project: Project) -> Project:
    """The same agent with one more file."""
    return replace(project, sources={**project.sources, "x": Source("x", "")})


@given(st.integers(0, 10_000), st.data())
def test_the_file_holds_the_session_whatever_the_author_does(seed: int, data: st.DataObject) -> None:
    path = Path(os.environ["PYTEST_ROOM"]) / f"{os.urandom(8).hex()}.jsonl"
    session = started(agent(seed))
    keeping, past, chance = recorder(path), [session], Random(seed)
    for way in data.draw(st.lists(st.sampled_from("ppppprugses"), max_size=12)):
        match way:
            case "p":
                past.append(session)
                session = next(moves(session, chance))
            case "u":
                session = chance.choice(past)
            case "g":
                session = session.go(chance.randrange(len(session.moments)))
            case "s":
                session = started(session.project, chance.choice(({}, {"one.n": True}, {"one.n": 1})))
            case "e":
                session = session.over(edited(session.project))
            case _:
                session = session.over(agent(seed + chance.randrange(2)))
        keeping.follow(session)
    keeping.follow(session)
    keeping.close()
    holds(path, session)


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the examples of one test have their files."""
    monkeypatch.setenv("PYTEST_ROOM", str(tmp_path))
    return tmp_path


def test_taking_back_a_reload_and_another_memory_are_facts(path: Path) -> None:
    one = started(agent(1)).apply(FIRST)
    keeping = recorder(path)
    for session in (one, one.apply(CustomerSaid("hello")), one, one.over(edited(one.project)), started(one.project)):
        keeping.follow(session)
    keeping.follow(started(one.project, {"one.n": 1}))
    assert facts(path) == ["header", "rewound", "reloaded", "reloaded", "rewound", "header"]


def test_what_changes_nothing_writes_nothing(path: Path) -> None:
    session = started(agent(1)).apply(FIRST).apply(CustomerSaid("hello"))
    keeping = recorder(path)
    keeping.follow(session)
    written = path.read_bytes()
    keeping.follow(session.go(1))
    keeping.follow(session.over(replace(session.project)))
    assert path.read_bytes() == written


def test_a_reload_that_a_move_comes_to_something_else_over_writes_that_move_again(path: Path) -> None:
    session = started(bank()).apply(CustomerSaid("hello")).apply(AuthorSet("project.authenticated", True))
    keeping = recorder(path)
    keeping.follow(session)
    keeping.follow(session.over(agent(1)))
    assert own(path).project == keeping.project
    holds(path, session.over(agent(1)))


@given(st.integers(0, 10_000), st.integers(0, 12), st.booleans())
def test_a_session_is_taken_up_again_over_the_same_files_or_others(seed: int, played: int, other: bool) -> None:
    path = Path(os.environ["PYTEST_ROOM"]) / f"{os.urandom(8).hex()}.jsonl"
    session = list(islice(moves(started(agent(seed), {"one.n": 1}), Random(seed)), played + 1))[-1]
    record(path, session, "1")
    before = path.read_bytes()
    today = edited(session.project) if other else session.project
    keeping, again = resume(path, today, "1")
    assert repr(again.now.state) == repr(session.now.state)
    assert (path.read_bytes() == before) is not other
    keeping.follow(again.apply(CustomerSaid("go on")))
    keeping.close()
    holds(path, again.apply(CustomerSaid("go on")))
    numbers = [json.loads(line)["sequence"] for line in path.read_text().splitlines()]
    assert numbers == list(range(len(numbers)))
    assert len({json.loads(line)["session_id"] for line in path.read_text().splitlines()}) == 1


def test_a_session_that_has_no_beginning_of_its_own_is_not_recorded_as_if_it_had(path: Path) -> None:
    session = started(agent(1)).apply(FIRST)
    with pytest.raises(CannotRecord, match="no beginning"):
        recorder(path).follow(replace(session, origin=session.now))


def eight_moves(path: Path) -> Played:
    """A session of eight moves, recorded."""
    session = list(islice(moves(started(agent(3)), Random(3)), 8))[-1]
    record(path, session, "1")
    return session


def test_wherever_the_last_line_was_torn_reading_keeps_the_whole_lines_and_going_on_repairs_it(path: Path) -> None:
    session = eight_moves(path)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for end in range(last, len(whole) + 1):
        torn = path.with_name(f"torn-{end}.jsonl")
        torn.write_bytes(whole[:end])
        assert len(own_of(torn)) >= len(session.events) - 1
        keeping, again = resume(torn, session.project, "1")
        assert torn.read_bytes().startswith(whole[:last])
        after = again.apply(CustomerSaid("go on"))
        keeping.follow(after)
        keeping.close()
        holds(torn, after)


def own_of(path: Path) -> tuple[object, ...]:
    """The moves of a file that may hold a line which can't be read."""
    found = read(path).own
    assert found is not None
    return found.moves


def test_wherever_a_file_was_cut_off_it_opens_and_its_session_can_be_taken_up(path: Path) -> None:
    session = eight_moves(path)
    whole, chance = path.read_bytes(), Random(5)
    header = whole.find(b"\n") + 1
    for end in sorted(chance.sample(range(header, len(whole)), 60)):
        torn = path.with_name(f"torn-{end}.jsonl")
        torn.write_bytes(whole[:end])
        kept = len(own_of(torn))
        keeping, again = resume(torn, session.project, "1")
        assert repr(again.events) == repr(session.events[:kept])
        after = again.apply(CustomerSaid("go on"))
        keeping.follow(after)
        keeping.close()
        holds(torn, after)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-ours"),
        (b"hello", "not-ours"),
        (b'{"event": "user", "text": "hi"}\n', "not-ours"),
        (b'{"inspector": {"header": {"tool": "9", "dialect": "mantle", "project": "", "format": 2}}}\n', "newer"),
        (b'{"inspector": {"header": {"tool": "1", "dialect": "letta", "project": ""}}}\n', "not-ours"),
    ],
)
def test_only_a_recording_made_here_is_taken_up(path: Path, data: bytes, code: str) -> None:
    path.write_bytes(data)
    with pytest.raises(CannotRecord) as refused:
        resume(path, agent(1), "1")
    assert refused.value.code == code
    assert path.read_bytes() == data


def test_the_header_says_whose_it_is(path: Path) -> None:
    record(path, started(bank(), {"project.authenticated": True}), "1.2")
    header = own(path).header
    assert header is not None
    assert (header.format, header.tool, header.dialect) == (1, "1.2", "mantle")
    assert header.seed == {"project.authenticated": True}
    assert len(header.project) == 32
    assert sorted(BANK.glob("*.jsonl")) == []
