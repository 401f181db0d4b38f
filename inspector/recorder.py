"""Keeps a file of ours in step with a session: what is played, taken back, played again, or played over other files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from uuid import uuid4

from inspector.disk import reason
from inspector.effects import now
from inspector.journal import CannotRecord, Journal, create, reopen
from inspector_core.classes import NamedTuple
from inspector_core.events import Event
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.mantle.wire.digest import digest
from inspector_core.mantle.wire.kinds import Malformed
from inspector_core.mantle.wire.own import (
    FORMAT,
    Header,
    Kept,
    Line,
    Reloaded,
    Rewound,
    header_line,
    kept,
    lines,
    read_line,
)
from inspector_core.mantle.wire.stamp import Stamps, following
from inspector_core.session import Moment, Session, begin

__all__ = ["DIALECT", "Begun", "Recorder", "record", "resume"]

DIALECT = "mantle"

Played = Session[Project, State]


class Recorder:
    """Writes what a session has more than its file, and no less: the file's moves are always the session's."""

    def __init__(self, journal: Journal, tool: str, clock: Callable[[], float] = now) -> None:
        self.journal, self.tool, self.clock = journal, tool, clock
        self.stamps = Stamps(f"inspector-{uuid4()}", f"session-{uuid4()}", clock())
        self.session: Played | None = None
        """As it is in the file."""
        self.project = ""
        """The digest of the files that the file says it was played over last."""
        self.read: Project | None = None
        """The reading whose digest was taken last."""
        self.count = 0
        """So many moves count in the file."""

    def follow(self, session: Played) -> None:
        """Have the file hold this session; it is on the disk when this returns. Raises `OSError` or `CannotRecord`."""
        before, at = self.session, self.clock()
        if session.origin is not None:
            raise CannotRecord("a session that goes on from a recording has no beginning to record", code="branched")
        if before is session or (before is not None and before.moments is session.moments):
            return
        text, stamps, count = self._heading(session, at)
        alike = _alike(before.moments, session.moments) if before is not None and count else 0
        if alike < count:
            more, stamps = lines(Rewound(alike), (), stamps, at)
            text.append(more)
        for moment in session.moments[alike + 1 :]:
            more, stamps = lines(_event(moment), moment.records, stamps, at)
            text.append(more)
        if text:
            self.journal.add("".join(text))
        self.session, self.stamps, self.count = session, stamps, len(session.moments) - 1

    def close(self) -> None:
        self.journal.close()

    def _heading(self, session: Played, at: float) -> tuple[list[str], Stamps, int]:
        """What has to be said before the moves, the stamps after it, and how many moves count then."""
        before, made = self.session, self.project
        if self.read is not session.project:
            self.read, self.project = session.project, digest(session.project.sources)
        if before is None or not _same(before.seed, session.seed):
            header = Header(self.tool, DIALECT, self.project, session.seed)
            text, stamps = header_line(header, self.stamps, at)
            return [text], stamps, 0
        if made != self.project:
            text, stamps = lines(Reloaded(self.project), (), self.stamps, at)
            return [text], stamps, self.count
        return [], self.stamps, self.count


def _alike(before: tuple[Moment[State], ...], after: tuple[Moment[State], ...]) -> int:
    """How many moves in a row were the same in both, and came to the same.

    A session shares its moments with the one it grew out of: where one is the same, so are all before it.
    """
    both = min(len(before), len(after))
    if before[0] is after[0]:
        return next((i for i in range(both - 1, 0, -1) if before[i] is after[i]), 0)
    pairs = zip(before[1:both], after[1:both], strict=True)
    return next(
        (i for i, (a, b) in enumerate(pairs) if not (_same(a.event, b.event) and _same(a.records, b.records))), both - 1
    )


def _same(one: object, other: object) -> bool:
    """To the type of each value: `True` and `1` are equal and not the same."""
    return one is other or repr(one) == repr(other)


def _event(moment: Moment[State]) -> Event:
    if moment.event is None:
        raise ValueError("only the first moment of a session has no event")
    return moment.event


class Begun(NamedTuple):
    """A recorder to begin with, and the session that it has taken up again, if it has."""

    recorder: Recorder
    session: Played | None = None


def record(path: Path, session: Played, tool: str) -> None:
    """Write a whole session into a new file. Raises `CannotRecord`."""
    recorder = Recorder(create(path), tool)
    _follow(recorder, session, path)
    recorder.close()


def resume(path: Path, project: Project, tool: str) -> tuple[Recorder, Played]:
    """Take up the session of a file: played again over the files as they are now, to be recorded further.

    What the file holds is kept as it is; where the moves come to something else today, it is added. Raises
    `CannotRecord`.
    """
    journal, found = reopen(path)
    try:
        read = tuple(_lines(found.data))
        own = _own(path, read)
    except CannotRecord:
        journal.close()
        raise
    session = begin(MANTLE, project, own.header.seed if own.header else {})
    for move in own.moves:
        session = session.apply(move.event)
    recorder = Recorder(journal, tool)
    recorder.stamps = following((line.event for line in read), recorder.stamps)
    recorder.session, recorder.count = _as_recorded(session, own, tool), len(own.moves)
    recorder.project = own.project or ""
    _follow(recorder, session, path)
    return recorder, session


def _follow(recorder: Recorder, session: Played, path: Path) -> None:
    try:
        recorder.follow(session)
    except OSError as error:
        recorder.close()
        raise CannotRecord(f"`{path}` can't be written: {reason(error)}", code="unrecordable") from None


def _lines(data: bytes) -> Iterator[Line]:
    for line in data.splitlines():
        try:
            yield read_line(json.loads(line))
        except (ValueError, RecursionError, Malformed):
            continue


def _own(path: Path, read: Iterable[Line]) -> Kept:
    own = kept(read)
    if own.header is None:
        raise CannotRecord(f"`{path}` is no recording made here", code="not-ours")
    if own.header.format > FORMAT:
        raise CannotRecord(f"`{path}` was made by a newer inspector", code="newer", hint="update the inspector")
    if own.header.dialect != DIALECT:
        raise CannotRecord(f"`{path}` is of another kind of agent: {own.header.dialect}", code="not-ours")
    return own


def _as_recorded(session: Played, own: Kept, tool: str) -> Played:
    """The session as far as the file certainly holds it: a last move may have been cut off between two lines."""
    same = own.header is not None and own.header.tool == tool and own.project == digest(session.project.sources)
    pairs = zip(session.moments[1:], own.moves, strict=True)
    short = (i for i, (moment, move) in enumerate(pairs) if len(moment.records) != len(move.events))
    whole = next(short, len(own.moves)) if same else 0
    return Session(session.dialect, session.project, session.seed, session.moments[: whole + 1], whole)
