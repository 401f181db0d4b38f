"""Sessions made up by a seed, and what a file of theirs comes to when it is read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.mantle.wire.own import Kept
from inspector_core.mantle.wire.rebuild import rebuild
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording
from inspector_core.session import Session, begin
from tests.core.drawn import drawn_agent, drawn_event
from tests.core.test_rebuild import known

__all__ = ["agent", "holds", "moves", "own", "read", "started"]

Played = Session[Project, State]


def agent(seed: int) -> Project:
    return drawn_agent(Random(seed))


def started(project: Project, seed: dict[str, object] | None = None) -> Played:
    return begin(MANTLE, project, seed or {})


def moves(session: Played, chance: Random) -> Iterator[Played]:
    """The session after one more move, and one more, without end."""
    while True:
        session = session.apply(drawn_event(chance, session.project, session.now.state))
        yield session


def read(path: Path) -> Recording:
    return open_recording(path.read_bytes(), path.name)


def own(path: Path) -> Kept:
    """The moves of a file of ours, all of whose lines can be read."""
    recording = read(path)
    assert recording.findings == ()
    assert recording.own is not None
    return recording.own


def holds(path: Path, session: Played) -> None:
    """The file holds the session: each move, and of each what came of it, so that its end is the same too."""
    held = own(path)
    assert repr([m.event for m in held.moves]) == repr(list(session.events))
    came = [[e.name for e in move.events] for move in held.moves]
    assert came == [[r.event for r in moment.records] for moment in session.moments[1:]]
    assert held.header is not None
    again = begin(MANTLE, session.project, held.header.seed)
    for move in held.moves:
        again = again.apply(move.event)
    assert repr(again.now.state) == repr(session.moments[-1].state)
    if not session.seed:
        assert known(rebuild(e for move in held.moves for e in move.events)) == known(session.moments[-1].state)
