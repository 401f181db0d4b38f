"""Recordings on disk: found, and read like any file of a stranger's."""

from __future__ import annotations

import errno
import gc
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inspector import disk
from inspector.disk import Unreadable
from inspector.errors import UsageError
from inspector_core.finding import did_you_mean
from inspector_core.recording.mapping import MemoryMapping
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording

__all__ = ["MAX_BYTES", "MAX_FILES", "Opened", "find", "open_file", "read_file"]

MAX_BYTES = 256 << 20
"""No larger recording is read: half a million events."""
MAX_FILES = 20_000
_DEEPEST = 8
_ENDINGS = (".json", ".jsonl", ".ndjson", ".log", ".yml", ".yaml", ".af")


@dataclass(frozen=True, slots=True)
class Opened:
    """One file."""

    path: str
    """As seen from where the command was called."""
    recording: Recording | None
    why: str = ""
    """Why it can't be read."""


def open_file(path: Path, mapping: MemoryMapping | None = None) -> Opened:
    """A recording's file, its memory by a mapping where it carries none; whatever it holds, this does not raise."""
    shown = _shown(path)
    data = _data(path)
    if isinstance(data, str):
        return Opened(shown, None, data)
    return Opened(shown, open_recording(data, shown, mapping))


def read_file(path: Path) -> tuple[bytes, str]:
    """A recording's bytes, and its path as it is to be told. Raises `UsageError`."""
    data = _data(path)
    if isinstance(data, str):
        raise UsageError(f"`{_shown(path)}` can't be read: {data}", code="unreadable")
    return data, _shown(path)


def _shown(path: Path) -> str:
    """So that no reader of a report takes it for an option."""
    shown = str(path)
    return f"./{shown}" if shown.startswith((":", "-", "#")) else shown


def _data(path: Path) -> bytes | str:
    """The file's bytes, or why they can't be read."""
    try:
        with disk.root_directory(str(path.parent)) as folder:
            return disk.read_bytes(folder, path.name, MAX_BYTES)
    except Unreadable as error:
        return error.why
    except FileNotFoundError:
        return "it is not there"
    except OSError as error:
        linked = error.errno in (errno.ELOOP, errno.ENOTDIR)
        return "it is a link, and is not followed" if linked else disk.reason(error)
    except ValueError:
        return "it can't be the name of a file"


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is looked for meanwhile: a long recording is a million values, and none of them is any."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def find(named: Sequence[Path]) -> tuple[Path, ...]:
    """The recordings in the files and folders that were named, in the order of their names. Raises `UsageError`.

    Links inside of a folder are found, so that they can be told of, and not followed.
    """
    found = [path for one in named for path in _named(one)]
    if len(found) > MAX_FILES:
        raise UsageError(f"there are more than {MAX_FILES:,} recordings", code="too-many", hint="name fewer folders")
    return tuple(found)


def _named(path: Path) -> Iterator[Path]:
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            yield from _inside(path, 0)
        else:
            yield path
    except FileNotFoundError:
        hint = did_you_mean(path.name, _neighbours(path))
        raise UsageError(f"there is no recording `{path}`", code="not-found", hint=hint) from None
    except (OSError, ValueError) as error:
        why = disk.reason(error) if isinstance(error, OSError) else "it can't be the name of a file"
        raise UsageError(f"`{path}` can't be read: {why}", code="unreadable") from None


def _inside(folder: Path, depth: int) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    for entry in listed:
        if entry.is_dir(follow_symlinks=False):
            if depth < _DEEPEST and not entry.name.startswith((".", "_")):
                yield from _inside(folder / entry.name, depth + 1)
        elif entry.name.endswith(_ENDINGS):
            yield folder / entry.name


def _neighbours(path: Path) -> list[str]:
    try:
        return sorted(os.listdir(path.parent))[:MAX_FILES]
    except OSError:
        return []
