"""What any dialect of gated tools gives the rest of the house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from inspector_core.events import Event, Record
from inspector_core.report import Report
from inspector_core.source import FolderText

__all__ = ["Dialect"]

Project = TypeVar("Project")
State = TypeVar("State")


class Dialect(Protocol[Project, State]):
    """Reading, judging and playing; pure and total, so that every caller may trust it with any input."""

    def read(self, folder: FolderText, previous: Project | None = None) -> Project:
        """A folder's values; what is broken is a finding. Unchanged files keep the values of `previous`."""
        ...

    def start(self, project: Project, memory: Mapping[str, object]) -> State:
        """The state of a new session that begins with this memory."""
        ...

    def report(self, project: Project, state: State, previous: Report | None = None) -> Report:
        """Every tool's verdict. `previous` must be of the same project; what can't have changed is taken from it."""
        ...

    def step(self, project: Project, state: State, event: Event) -> tuple[State, tuple[Record, ...]]:
        """What an event makes of a state, and what the engine would record; every event is legal in every state."""
        ...
