"""Agents under tool rules as a dialect: reading, judging and playing in one value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from inspector_core.classes import dataclass
from inspector_core.letta.loops import Loop
from inspector_core.letta.project import LettaProject
from inspector_core.letta.state import State
from inspector_core.letta.verdicts import report
from inspector_core.report import Report
from inspector_core.source import FolderText

if TYPE_CHECKING:
    from inspector_core.events import Event, Record

__all__ = ["LETTA", "Letta"]


@dataclass(frozen=True, slots=True)
class Letta:
    """The tool rules of the retired server 0.16.8: what they say, or what one of its loops made of them."""

    loop: Loop = Loop.SOLVER
    forgets: bool = False
    """An answer to an approval begins a new request, with no calls in it, as on the server."""

    def read(self, folder: FolderText, previous: LettaProject | None = None) -> LettaProject:
        """The agent of a folder; nothing of it is run."""
        from inspector_core.letta.reading.folder import read

        return read(folder, previous)

    def start(self, project: LettaProject, memory: Mapping[str, object]) -> State:
        """A session in which nothing was called; rules read no memory."""
        return State()

    def report(self, project: LettaProject, state: State, previous: Report | None = None) -> Report:
        """Every tool's verdict."""
        return report(project, state, self.loop)

    def step(self, project: LettaProject, state: State, event: Event) -> tuple[State, tuple[Record, ...]]:
        """What an event makes of a state, and its records."""
        from inspector_core.letta.play import Way, step

        return step(Way(self.loop, self.forgets), project, state, event)


LETTA = Letta()
