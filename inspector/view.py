"""What the screen shows at one moment: the one value that every panel paints from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector_core.classes import dataclass
from inspector_core.events import Record
from inspector_core.finding import Finding
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.report import Report
from inspector_core.session import Session

if TYPE_CHECKING:
    from inspector.viewed import Viewed

__all__ = ["Look", "View"]


@dataclass(frozen=True, slots=True)
class Look:
    """Where the author looks: a skill at its own start, or one of its blocks."""

    skill: str | None = None
    block: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A snapshot of everything on the screen; compared by identity, so that painting is decided at no cost."""

    session: Session[Project, State]
    look: Look
    findings: tuple[Finding, ...] = ()
    marked_tools: frozenset[tuple[str | None, str]] = frozenset()
    """Tools whose standing the last event or save changed."""
    marked_keys: frozenset[str] = frozenset()
    """Memory keys that the last event changed."""
    news: str = ""
    """What the last event or save changed, in a line."""
    wrong: bool = False
    """The news is of something that was refused or failed."""
    banner: str = ""
    """Why the last good reading is shown instead of the files as they are; empty while all is well."""
    revision: int = 0
    """How many readings of the folder came before this one."""
    read_at: str = ""
    """The wall-clock time of this reading, as `14:02:11`."""
    reading: bool = False
    """The first reading is still under way."""
    recording: bool = False
    """What is shown is on the disk already."""

    viewed: Viewed | None = None
    """The moment of a recording that is shown in place of the session's."""

    @property
    def project(self) -> Project:
        return self.session.project if self.viewed is None else self.viewed.project

    @property
    def state(self) -> State:
        return self.session.now.state if self.viewed is None else self.viewed.point.state

    @property
    def report(self) -> Report:
        return self.session.now.report if self.viewed is None else self.viewed.point.report

    @property
    def unknown(self) -> str:
        """Why nothing can be said of gates; empty where it can."""
        return "" if self.viewed is None else self.viewed.unknown

    @property
    def records(self) -> tuple[Record, ...]:
        """The conversation's record, up to the moment that is looked at."""
        return tuple(r for m in self.session.moments[: self.session.cursor + 1] for r in m.records)
