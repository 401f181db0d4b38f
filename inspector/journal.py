"""The file that a session is recorded into: lines are added at its end, and are on the disk before they count.

A file that was cut off in the middle of a line is whole again once the rest of that line is cut off too.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from inspector import disk
from inspector.errors import InspectorError
from inspector_core.classes import NamedTuple

__all__ = ["MAX_BYTES", "CannotRecord", "Found", "Journal", "create", "look", "reopen"]

MAX_BYTES = 1 << 30
"""No larger file is taken up again."""
_sync = getattr(os, "fdatasync", os.fsync)
"""The file's length is made sure of too, where it has grown; its times are not."""
_FLAGS = os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class CannotRecord(InspectorError):
    """A session can't be recorded into the file that was named, or not any more."""


class Found(NamedTuple):
    """A file that is there already."""

    data: bytes
    """All of its lines; without the beginning of one that was cut off."""
    torn: int = 0
    """So many bytes of such a line there are."""


class Journal:
    """A file open for adding to it. What `add` has returned from is on the disk, whatever happens then."""

    def __init__(self, fd: int, path: Path, found: Found | None = None) -> None:
        self.fd, self.path, self.new = fd, path, found is None
        self.size = len(found.data) if found else 0
        self.unended = found is not None and found.data[-1:] not in (b"", b"\n")
        self.torn = found is not None and found.torn > 0

    def add(self, text: str) -> None:
        """Add whole lines, behind the last whole one: where one was cut off, its beginning is taken away first.

        Where the lines don't get to the disk, none of them is left half written. Raises `OSError`.
        """
        data = ("\n" * self.unended + text).encode()
        try:
            if self.torn:
                os.ftruncate(self.fd, self.size)
            _write(self.fd, data)
            _sync(self.fd)
        except OSError:
            with suppress(OSError):  # what can't be cut off is taken away by the next who adds to the file
                os.ftruncate(self.fd, self.size)
            raise
        self.size, self.torn, self.unended = self.size + len(data), False, False

    def close(self) -> None:
        """Let the file go, and take a new one away where nothing was recorded; a second time does nothing."""
        fd, self.fd = self.fd, -1
        if fd >= 0:
            if self.new and self.size == 0:
                with suppress(OSError):
                    os.unlink(self.path)
            os.close(fd)


def _write(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def create(path: Path) -> Journal:
    """A new file, for the user alone to read; never one that is there already. Raises `CannotRecord`."""
    try:
        with disk.root_directory(str(path.parent)) as folder:
            fd = os.open(path.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o600, dir_fd=folder)
            with suppress(OSError):  # some file systems have no way to make sure of a name
                os.fsync(folder)
    except FileExistsError:
        raise CannotRecord(
            f"there is a file already, and nothing is recorded over it: `{path}`", code="exists",
            hint="name a new file, or go on with it by `--resume`",
        ) from None  # fmt: skip
    except (OSError, ValueError) as error:
        raise _cannot(path, error) from None
    _hold(fd)
    return Journal(fd, path)


def _hold(fd: int) -> None:
    """Let no other inspector add to the same file. Raises `BlockingIOError`."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:  # a file system without locks
        return


def look(path: Path) -> Found:
    """What is in a file, which is left as it is. Raises `CannotRecord`."""
    fd = _opened(path, os.O_RDONLY)
    try:
        return _found(fd)
    except (OSError, disk.Unreadable) as error:
        raise _cannot(path, error) from None
    finally:
        os.close(fd)


def reopen(path: Path) -> tuple[Journal, Found]:
    """A file to add to, and what is in it; nothing of it changes before something is added. Raises `CannotRecord`."""
    fd = _opened(path, os.O_RDWR)
    try:
        _hold(fd)
        found = _found(fd)
    except (OSError, disk.Unreadable) as error:
        os.close(fd)
        raise _cannot(path, error) from None
    return Journal(fd, path, found), found


def _opened(path: Path, way: int) -> int:
    try:
        with disk.root_directory(str(path.parent)) as folder:
            return os.open(path.name, way | _FLAGS, dir_fd=folder)
    except (OSError, ValueError) as error:
        raise _cannot(path, error) from None


def _found(fd: int) -> Found:
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        raise disk.Unreadable("it is not an ordinary file")
    if status.st_size > MAX_BYTES:
        raise disk.Unreadable(f"it is larger than {MAX_BYTES >> 30} GiB")
    with open(os.dup(fd), "rb") as opened:
        data = opened.read(MAX_BYTES + 1)
    whole = data.rfind(b"\n") + 1
    if _is_whole(data[whole:]):
        whole = len(data)
    return Found(data[:whole], len(data) - whole)


def _is_whole(line: bytes) -> bool:
    """Whether of a line only the end is missing."""
    if not line.rstrip().endswith(b"}"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _cannot(path: Path, error: OSError | ValueError | disk.Unreadable) -> CannotRecord:
    match error:
        case disk.Unreadable(why):
            pass
        case BlockingIOError():
            why = "another inspector is recording into it"
        case OSError(errno=errno.ELOOP | errno.EMLINK):
            why = "it is a link, and is not followed"
        case OSError():
            why = disk.reason(error)
        case _:
            why = "it can't be the name of a file"
    return CannotRecord(f"it can't be recorded into: {why}: `{path}`", code="unrecordable")
