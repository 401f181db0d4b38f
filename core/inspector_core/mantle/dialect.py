"""Rasa Mantle skill folders as a dialect: reading, judging and playing in one value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from inspector_core.mantle import gates
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading import folder as reading
from inspector_core.report import Report
from inspector_core.source import FolderText

if TYPE_CHECKING:
    from inspector_core.events import Event, Record

__all__ = ["MANTLE", "Mantle"]


class Mantle:
    """The dialect of the engine's version 3.21."""

    def read(self, folder: FolderText, previous: Project | None = None) -> Project:
        """Everything in a folder; nothing of it is run."""
        return reading.read(folder, previous)

    def start(self, project: Project, memory: Mapping[str, object]) -> State:
        """The state of a session that begins with this memory, declared or not."""
        return start(memory)

    def report(self, project: Project, state: State, previous: Report | None = None) -> Report:
        """Every tool's verdict."""
        return gates.report(project, state, previous)

    def step(self, project: Project, state: State, event: Event) -> tuple[State, tuple[Record, ...]]:
        """What an event makes of a state, and its records."""
        from inspector_core.mantle.engine import turn  # not needed before something is played

        return turn.step(project, state, event)


MANTLE = Mantle()
