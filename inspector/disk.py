"""Opening what lies in one folder and nothing else: no link is followed by the system, no device is ever opened.

Every step of a path is opened from the descriptor of the step before and refuses links, so that nothing which is
swapped in while we read can lead out of the folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from inspector_core.classes import NamedTuple, dataclass

__all__ = [
    "MAX_BYTES", "Stamp", "Unreadable", "directory", "inside", "read", "read_bytes", "reason", "root_directory",
]  # fmt: skip

MAX_BYTES = 1 << 20
"""No larger file is read: a megabyte is a hundred times what an author writes in one."""

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Stamp(NamedTuple):
    """What tells one state of a file from another without reading it."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


@dataclass
class Unreadable(Exception):
    """Why a file or a folder is left out, in words for the author."""

    why: str


def reason(error: OSError) -> str:
    """An error of the system in words for the author."""
    return (error.strerror or type(error).__name__).lower()


@contextmanager
def root_directory(path: str) -> Iterator[int]:
    """A descriptor of the folder the user named; links on the way to it are the user's own and are followed."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def directory(parent: int, name: str) -> Iterator[int]:
    """A descriptor of a folder in a folder; raises `OSError` where that is a link or no folder."""
    fd = os.open(name, _FLAGS | os.O_DIRECTORY, dir_fd=parent)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def inside(root: int, parts: Sequence[str]) -> Iterator[int]:
    """A descriptor of a folder some steps below the root, opened step by step."""
    fd = os.dup(root)
    try:
        for part in parts:
            below = os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = below
        yield fd
    finally:
        os.close(fd)


def read(parent: int, name: str) -> tuple[str, Stamp]:
    """A file's text as the engine sees it (line ends as `\\n`), and the stamp it had; `Unreadable` or `OSError`."""
    fd = os.open(name, _FLAGS, dir_fd=parent)
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("it is not an ordinary file")
        if status.st_size > MAX_BYTES:
            raise Unreadable(f"it is larger than {MAX_BYTES >> 20} MiB")
        return _decoded(_bytes(fd, status.st_size)), Stamp.of(status)
    finally:
        os.close(fd)


def read_bytes(parent: int, name: str, most: int) -> bytes:
    """All the bytes of an ordinary file of this size at most; `Unreadable` or `OSError`."""
    with os.fdopen(os.open(name, _FLAGS, dir_fd=parent), "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("it is not an ordinary file")
        data = opened.read(most + 1)
    if len(data) > most:
        raise Unreadable(f"it is larger than {most >> 20} MiB")
    return data


def _bytes(fd: int, size: int) -> bytes:
    """Everything in an ordinary file; where it grows while it is read, on to its end or the bound."""
    data = os.read(fd, size + 1)
    while len(data) > size:
        size = len(data)
        data += os.read(fd, MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise Unreadable(f"it is larger than {MAX_BYTES >> 20} MiB")
    return data


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"byte {error.start} (on line {line}) is not UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
