"""Reads the folder when it may have changed, off the screen's own thread, and tells what came of it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from textual.message import Message

from inspector.errors import CannotLoad
from inspector.folder import Folder, read_folder
from inspector.messages import FolderChecked, FolderLost, FolderRead
from inspector.watch import folder_changes
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.project import Project

__all__ = ["QUIET_S", "Reloader"]

QUIET_S = 0.25
"""How long an error must stand before it is shown: a file that is being written may look broken for a moment."""


class Reloader:
    """Keeps the last reading, so that a save costs what it changed."""

    def __init__(
        self, root: Path, version: str, tell: Callable[[Message], object], painted: asyncio.Event | None = None
    ) -> None:
        self.root, self.version, self.tell, self.painted = root, version, tell, painted
        self.folder: Folder | None = None
        self.project: Project | None = None
        self.lost = False

    async def watch(self) -> None:
        """Read, then watch and read again, until cancelled."""
        await self.look(frozenset())
        await asyncio.to_thread(_warm)
        async for paths in folder_changes(self.root):
            await self.look(paths)

    async def look(self, paths: frozenset[str]) -> None:
        """Read what may have changed; tell only what is news, and an error only when it still stands a little later."""
        read = await asyncio.to_thread(self._read, paths)
        if read is not None and self.project is not None and _worse(self.project, read):
            await asyncio.sleep(QUIET_S)
            read = await asyncio.to_thread(self._read, frozenset()) or read
        if read is not None:
            self.project = read
            self.tell(FolderRead(read))
            if self.painted is not None:  # checking would take turns with the drawing of what was read
                await self.painted.wait()
            self.tell(FolderChecked(await asyncio.to_thread(_checked, read)))

    def _read(self, paths: frozenset[str]) -> Project | None:
        try:
            folder = read_folder(self.root, self.folder, paths or None)
        except CannotLoad as problem:
            if not self.lost:
                self.lost = True
                self.tell(FolderLost(problem.message))
            return None
        same = self.folder is not None and folder.same_as(self.folder)
        self.folder = folder
        if same and not self.lost:
            return None
        self.lost = False
        return self._parsed(folder)

    def _parsed(self, folder: Folder) -> Project:
        """The garbage collector waits while many values are made at once; what a folder holds is kept for long."""
        first, was_on = self.project is None, gc.isenabled()
        gc.disable()
        try:
            project = MANTLE.read(folder, self.project)
        finally:
            if was_on:
                gc.enable()
        if first:
            gc.freeze()
        return project


def _checked(project: Project) -> tuple[Finding, ...]:
    """What checking finds; imported here, since the first reading is on the screen before it is needed."""
    from inspector_core.mantle.checks import check

    return check(project)


def _warm() -> None:
    """Import what the first call needs, while nobody waits for it.

    By the name that all others import it by: two threads that take different doors into a package lock each other out.
    """
    import_module("jsonschema")


def _worse(before: Project, after: Project) -> bool:
    def errors(project: Project) -> int:
        return sum(f.severity is Severity.ERROR for f in project.findings)

    return errors(after) > errors(before)
