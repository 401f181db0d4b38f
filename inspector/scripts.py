"""Scripts on disk: found, read like any file of an agent, and saved where the author says, never over another file."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from inspector import disk
from inspector.disk import Unreadable
from inspector.errors import UsageError
from inspector.locate import cannot_open
from inspector_core.finding import did_you_mean
from inspector_core.script.reading import read
from inspector_core.script.values import ScriptText
from inspector_core.source import Source

__all__ = ["FOLDER", "MAX_SCRIPTS", "Exists", "Found", "file_name", "find", "find_own", "save"]

FOLDER = "scripts"
"""Where an agent's own scripts are."""
MAX_SCRIPTS = 2_000
_DEEPEST = 8
_ENDINGS = (".yml", ".yaml")


@dataclass(frozen=True, slots=True)
class Found:
    """One script file."""

    path: str
    """As seen from where the command was called."""
    text: ScriptText | None
    """What was read; `None` where it can't be."""
    why: str = ""
    """Why it can't be."""


class Exists(Exception):
    """There is a file of that name already."""


def find(named: Sequence[Path]) -> tuple[Found, ...]:
    """The scripts in the files and folders that were named, folders in the order of their names.

    Links to what is named are the user's own; links inside are not followed. Raises `UsageError`.
    """
    return tuple(found for path in named for found in _named(path))


def find_own(agent: Path) -> tuple[Found, ...]:
    """The scripts in the agent's own folder for them; none where there is no such folder. Raises `CannotLoad`."""
    try:
        with disk.root_directory(os.path.realpath(agent)) as root:
            return tuple(_own(root, agent))
    except (OSError, ValueError) as error:
        raise cannot_open(agent, error) from None


def _own(root: int, agent: Path) -> Iterator[Found]:
    shown = str(agent / FOLDER)
    try:
        with disk.directory(root, FOLDER) as folder:
            yield from _inside(folder, shown, _Budget())
    except FileNotFoundError:
        return
    except OSError as error:
        yield Found(shown, None, _why(error))


def _named(path: Path) -> Iterator[Found]:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            with disk.root_directory(str(path)) as folder:
                yield from _inside(folder, str(path), _Budget())
        else:
            with disk.root_directory(str(path.parent)) as folder:
                yield _read(folder, path.name, str(path))
    except FileNotFoundError:
        hint = did_you_mean(path.name, _neighbours(path))
        raise UsageError(f"there is no script `{path}`", code="not-found", hint=hint) from None
    except (OSError, ValueError) as error:
        why = disk.reason(error) if isinstance(error, OSError) else "it can't be the name of a file"
        raise UsageError(f"`{path}` can't be read: {why}", code="unreadable") from None


def _neighbours(path: Path) -> list[str]:
    try:
        return sorted(os.listdir(path.parent))[:MAX_SCRIPTS]
    except OSError:
        return []


@dataclass
class _Budget:
    """How many scripts one folder may still hold."""

    left: int = MAX_SCRIPTS


def _inside(folder: int, shown: str, budget: _Budget, depth: int = 0) -> Iterator[Found]:
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda e: e.name)
    for entry in listed:
        path = os.path.join(shown, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if depth < _DEEPEST and not entry.name.startswith((".", "_")):
                with disk.directory(folder, entry.name) as below:
                    yield from _inside(below, path, budget, depth + 1)
        elif entry.name.endswith(_ENDINGS):
            budget.left -= 1
            if budget.left < 0:
                return
            yield _read(folder, entry.name, path)
    if budget.left == 0:
        yield Found(shown, None, f"it holds more than {MAX_SCRIPTS:,} scripts, and the rest is left out")


def _read(folder: int, name: str, path: str) -> Found:
    path = f"./{path}" if path.startswith((":", "-", "#")) else path  # no reader of a report takes it for an option
    try:
        text, _ = disk.read(folder, name)
    except Unreadable as error:
        return Found(path, None, error.why)
    except OSError as error:
        return Found(path, None, _why(error))
    return Found(path, read(Source(path, text)))


def _why(error: OSError) -> str:
    return "it is a link, and is not followed" if error.errno in (errno.ELOOP, errno.ENOTDIR) else disk.reason(error)


def file_name(name: str) -> str:
    """A file name for a script of this name: letters, digits and `_` alone."""
    kept = re.findall(r"[a-z0-9]+", name.lower())
    return f"{'_'.join(kept)[:60] or 'script'}.yml"


def save(folder: Path, name: str, text: str, *, overwrite: bool = False) -> Path:
    """Write a script into a folder, which is made where it isn't there; never through a link.

    Raises `Exists` where a file of that name is there, unless it may be overwritten; and `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # for no reader of a pipe is waited
    flags |= os.O_TRUNC if overwrite else os.O_EXCL
    with disk.root_directory(str(folder)) as parent:
        try:
            fd = os.open(name, flags, 0o644, dir_fd=parent)
        except FileExistsError:
            raise Exists(str(folder / name)) from None
        with open(fd, "w", encoding="utf-8") as opened:
            opened.write(text)
    return folder / name
