"""A session: a fold of events over a project. The log is the truth; any moment is a refold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Generic, TypeVar

from inspector_core.classes import dataclass
from inspector_core.dialect import Dialect
from inspector_core.events import Event, Record
from inspector_core.report import Change, Report, changes

__all__ = ["Moment", "Session", "begin"]

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True, slots=True, eq=False)
class Moment(Generic[S]):
    """One event with what it led to; the first moment of a session has none."""

    event: Event | None
    records: tuple[Record, ...]
    state: S
    report: Report
    moved: tuple[Change, ...] = ()
    """The tools whose standing this moment changed."""


@dataclass(frozen=True, eq=False)
class Session(Generic[P, S]):
    """A project, the moments played over it, and a cursor into them."""

    dialect: Dialect[P, S]
    project: P
    seed: Mapping[str, object]
    """The memory the session began with."""
    moments: tuple[Moment[S], ...]
    """The first is the empty start; one more for each event."""
    cursor: int
    """Index of the moment that is looked at."""
    origin: Moment[S] | None = None
    """What was before its first event, where it goes on from a moment of something else: a recording."""

    @property
    def now(self) -> Moment[S]:
        """The moment that is looked at."""
        return self.moments[self.cursor]

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything played, up to the end."""
        return tuple(m.event for m in self.moments if m.event is not None)

    def apply(self, event: Event) -> Session[P, S]:
        """Play one event after the moment looked at; moments behind the cursor are dropped, as after an undo."""
        at = self.now
        state, records = self.dialect.step(self.project, at.state, event)
        report = self.dialect.report(self.project, state, at.report)
        moment = Moment(event, records, state, report, changes(at.report, report))
        kept = self.moments[: self.cursor + 1]
        return replace(self, moments=(*kept, moment), cursor=self.cursor + 1)

    def go(self, index: int) -> Session[P, S]:
        """Look at another moment; an index outside is clamped."""
        return replace(self, cursor=min(max(index, 0), len(self.moments) - 1))

    def over(self, project: P) -> Session[P, S]:
        """The same events folded over a newer reading of the folder, the cursor where it was."""
        session = replace(self, project=project).anew()
        for event in self.events:
            session = session.apply(event)
        return session.go(self.cursor)

    def anew(self) -> Session[P, S]:
        """A session that begins as this one did, in which nothing has happened yet."""
        if self.origin is None:
            return begin(self.dialect, self.project, self.seed)
        first = replace(self.origin, report=self.dialect.report(self.project, self.origin.state), moved=())
        return replace(self, moments=(first,), cursor=0)


def begin(dialect: Dialect[P, S], project: P, seed: Mapping[str, object]) -> Session[P, S]:
    """A session in which nothing has happened yet."""
    state = dialect.start(project, seed)
    return Session(dialect, project, seed, (Moment(None, (), state, dialect.report(project, state)),), 0)
