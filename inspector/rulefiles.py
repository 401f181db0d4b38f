"""Agents under tool rules on disk: an agent file, a file of rules, a client's program, or a folder with one."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from inspector import disk
from inspector.dialects import Kind
from inspector.disk import Unreadable
from inspector.errors import CannotLoad
from inspector_core.letta.dialect import LETTA, Letta
from inspector_core.letta.project import LettaProject
from inspector_core.letta.reading.folder import SUFFIXES, fits
from inspector_core.letta.state import State
from inspector_core.source import FolderText

if TYPE_CHECKING:
    from inspector_core.events import Event
    from inspector_core.finding import Finding
    from inspector_core.recording.sessions import Session

__all__ = ["MAX_BYTES", "RULES", "RuleFiles"]

MAX_BYTES = 64 << 20
"""No larger agent file is read: with its messages, one may well have some megabytes."""
_MOST = 500
"""So many names in a folder are looked at."""
_LOOKED_AT = 1 << 20
"""A file in a folder that is larger, and no agent file by its name, is not looked into."""


class RuleFiles(Kind[LettaProject, State]):
    """Tool rules; nothing of a file is run."""

    dialect: Letta = LETTA
    about: ClassVar[str] = "tool rules of Letta 0.16.8, a retired server"

    def opens(self, path: Path) -> bool:
        """A file that holds rules or an agent; of a folder, one in it."""
        try:
            if not path.is_dir():
                return path.name.lower().endswith(SUFFIXES) and _fits(path, MAX_BYTES)
            return next(_candidates(path), None) is not None
        except (OSError, ValueError):
            return False

    def folder(self, path: Path) -> FolderText:
        """The one file, or those of the folder that hold rules."""
        try:
            if path.is_dir():
                found = list(_candidates(path))
                return FolderText(path.resolve().name, {p.name: _text(p) for p in found}, frozenset())
            return FolderText(path.name, {path.name: _text(path)}, frozenset())
        except Unreadable as error:
            raise CannotLoad(f"`{path}` can't be read: {error.why}", code="unreadable") from None
        except OSError as error:
            why = "it is a link, and is not followed" if error.errno == errno.ELOOP else disk.reason(error)
            raise CannotLoad(f"`{path}` can't be read: {why}", code="unreadable") from None
        except ValueError:
            raise CannotLoad(f"`{path}` can't be the name of a file", code="not-found") from None

    def title(self, project: LettaProject) -> str:
        return project.agent.name

    def check(self, project: LettaProject) -> tuple[Finding, ...]:
        from inspector_core.letta.checks import check

        return check(project)

    def since(self, project: LettaProject, before: LettaProject) -> tuple[Finding, ...]:
        from inspector_core.letta.since import lost

        return tuple(lost(before, project))

    def explains(self, code: str) -> str | None:
        from inspector_core.letta.codes import CODES

        return CODES.get(code)

    def events(self, project: LettaProject, session: Session) -> tuple[tuple[int, Event], ...]:
        from inspector_core.letta.replay import events

        return events(project, (recorded.event for recorded in session.events))


RULES = RuleFiles()


def _candidates(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        names = sorted(e.name for e in islice(entries, _MOST) if e.is_file(follow_symlinks=False))
    return (folder / name for name in names if name.lower().endswith(SUFFIXES) and _fits(folder / name, _LOOKED_AT))


def _fits(path: Path, most: int) -> bool:
    """Whether a file is one of ours, by its name and its text; what can't be read is left to the reading to tell."""
    if path.name.lower().endswith(".af"):
        return True
    try:
        return fits(path.name, _text(path, most))
    except (OSError, Unreadable):
        return False


def _text(path: Path, most: int = MAX_BYTES) -> str:
    """A file's text, with line ends as `\\n`."""
    with disk.root_directory(str(path.parent)) as folder:
        data = disk.read_bytes(folder, path.name, most)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
