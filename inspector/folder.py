"""Disk to text: the files that an agent consists of (§1), and no others, read once and kept while they stay the same.

Nothing on disk makes it raise but a root that is no agent: what can't be read is left out, with the reason.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path

from inspector import disk
from inspector.disk import Stamp, Unreadable
from inspector.errors import CannotLoad
from inspector.layout import holds_more, wanted
from inspector.locate import cannot_open, not_an_agent
from inspector_core.classes import dataclass
from inspector_core.source import FolderText

__all__ = ["MAX_DEPTH", "MAX_ENTRIES", "MAX_FILES", "MAX_TOTAL", "Folder", "is_agent", "read_folder", "require_agent"]

MAX_FILES = 20_000
MAX_ENTRIES = 200_000
"""Names looked at, whether read or not."""
MAX_TOTAL = 256 << 20
"""Characters held of all files together."""
MAX_DEPTH = 32

_SETTLED = 2_000_000_000
"""Nanoseconds after which a file system's clock has certainly ticked: a later write shows in the stamp."""

_SIGNS = frozenset({"agent.yml", "skills"})
"""One of these makes a folder an agent's."""


@dataclass(frozen=True, slots=True, eq=False)
class Folder(FolderText):
    """A folder's text with what is needed to read it again cheaply."""

    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    """Of the files whose text need not be read again while their stamp stays the same."""
    linked: bool = False
    """Some of it was reached through links."""

    def same_as(self, other: FolderText) -> bool:
        """Nothing that a dialect sees differs."""
        return (
            self.files == other.files and self.directories == other.directories and self.unreadable == other.unreadable
        )


def read_folder(root: Path, previous: Folder | None = None, changed: Iterable[str] | None = None) -> Folder:
    """What an agent's folder says now.

    Texts that stay as they were are the same objects as in `previous`. With `changed` (relative paths), only these are
    looked at, as far as they are plain files in known folders; otherwise everything is. Files that matter by their
    name alone (`references/`, near misses such as `SKILL.md`) have an empty text. Raises `CannotLoad`.
    """
    try:
        where = os.path.realpath(root)
        name = os.path.basename(os.path.abspath(root)) or where
        with disk.root_directory(where) as fd:
            folder = _Patch(where, fd, name, previous).read(changed) if previous and changed is not None else None
            folder = folder or _Walk(where, fd, previous).read(name)
    except (OSError, ValueError) as error:
        raise cannot_open(root, error) from None
    if not _is_agent(folder):
        raise not_an_agent(root)
    return folder


def require_agent(root: Path) -> None:
    """Raise `CannotLoad` for what `read_folder` would refuse, without reading it."""
    try:
        with disk.root_directory(os.path.realpath(root)) as fd:
            names = set(os.listdir(fd))
    except (OSError, ValueError) as error:
        raise cannot_open(root, error) from None
    if not names & _SIGNS:
        raise not_an_agent(root)


def is_agent(root: Path) -> bool:
    """Whether a folder can be opened as an agent."""
    try:
        require_agent(root)
    except CannotLoad:
        return False
    return True


def _is_agent(folder: FolderText) -> bool:
    return any(n in folder.files or n in folder.directories or n in folder.unreadable for n in _SIGNS)


@dataclass
class _Full(Exception):
    """A bound is reached: the rest is left out."""

    path: str
    why: str


class _Reader:
    """What a reading has found so far."""

    def __init__(self, where: str, root: int, previous: Folder | None) -> None:
        self.where, self.root, self.previous = where, root, previous
        self.files: dict[str, str] = {}
        self.directories: set[str] = set()
        self.unreadable: dict[str, str] = {}
        self.stamps: dict[str, Stamp] = {}
        self.linked = False
        self.total = 0
        self.now = time.time_ns()

    def text(self, parent: int, name: str, path: str) -> None:
        """Read one file, or take its text from the previous reading; a file that has just gone is not there."""
        if len(self.files) >= MAX_FILES:
            raise _Full(path, f"the folder holds more than {MAX_FILES:,} files, and the rest is left out")
        try:
            text, stamp = disk.read(parent, name)
        except Unreadable as error:
            self.unreadable[path] = error.why
        except FileNotFoundError:
            pass
        except OSError as error:
            self.unreadable[path] = disk.reason(error)
        else:
            before = self.previous.files.get(path) if self.previous else None
            self.keep(path, before if before == text else text, stamp)

    def keep(self, path: str, text: str, stamp: Stamp) -> None:
        self.total += len(text)
        if self.total > MAX_TOTAL:
            raise _Full(path, f"the folder holds more than {MAX_TOTAL >> 20} MiB, and the rest is left out")
        self.files[path] = text
        if max(stamp.changed, stamp.modified) < self.now - _SETTLED:
            self.stamps[path] = stamp

    def folder(self, name: str) -> Folder:
        ordered = dict(sorted(self.files.items()))
        return Folder(name, ordered, frozenset(self.directories), self.unreadable, self.stamps, self.linked)


class _Walk(_Reader):
    """Looking at everything, folder by folder."""

    def __init__(self, where: str, root: int, previous: Folder | None) -> None:
        super().__init__(where, root, previous)
        self.entries = 0
        self.above: list[tuple[int, int]] = []
        """Device and inode of the folders we are in, to see a link that leads back."""

    def read(self, name: str) -> Folder:
        try:
            self.enter(self.root, ())
        except _Full as full:
            self.unreadable[full.path] = full.why
        return self.folder(name)

    def enter(self, fd: int, parts: tuple[str, ...]) -> None:
        """Look at an open folder that stands at this path."""
        status = os.fstat(fd)
        here = status.st_dev, status.st_ino
        if here in self.above:
            raise Unreadable("it is a link that leads back into itself")
        if len(parts) > MAX_DEPTH:
            raise Unreadable(f"it lies more than {MAX_DEPTH} folders deep")
        self.above.append(here)
        try:
            for entry in self.listed(fd, parts):
                self.look(fd, parts, entry)
        finally:
            self.above.pop()

    def listed(self, fd: int, parts: tuple[str, ...]) -> list[os.DirEntry[str]]:
        entries = []
        with os.scandir(fd) as found:
            for entry in found:
                self.entries += 1
                if self.entries > MAX_ENTRIES:
                    why = f"the folder holds more than {MAX_ENTRIES:,} names, and the rest is left out"
                    raise _Full("/".join(parts) or ".", why)
                entries.append(entry)
        return sorted(entries, key=lambda e: e.name)

    def look(self, fd: int, parts: tuple[str, ...], entry: os.DirEntry[str]) -> None:
        name = entry.name
        want, below = wanted(parts, name), holds_more(parts, name)
        if not _is_text(name):
            if want is not False or below:
                self.unreadable[_path(parts, name)] = "its name is not UTF-8"
        elif entry.is_dir(follow_symlinks=False):
            self.directory(fd, parts, name, below)
        elif want is False and not below:
            return
        elif entry.is_symlink():
            self.link(parts, name, want, below)
        elif want is not False:
            self.file(fd, parts, entry, want)

    def directory(self, fd: int, parts: tuple[str, ...], name: str, below: bool) -> None:
        path = _path(parts, name)
        self.directories.add(path)
        if below:
            with self.noting(path), disk.directory(fd, name) as child:
                self.enter(child, (*parts, name))

    def file(self, fd: int, parts: tuple[str, ...], entry: os.DirEntry[str], want: bool | None) -> None:
        path = _path(parts, entry.name)
        if want is None:
            self.files[path] = ""
        elif not entry.is_file(follow_symlinks=False):
            self.unreadable[path] = "it is not an ordinary file"
        elif not self.kept(path, entry):
            self.text(fd, entry.name, path)

    def kept(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Take the text of a file that still has the stamp it had."""
        stamp = self.previous.stamps.get(path) if self.previous else None
        if stamp is None or self.previous is None:
            return False
        with suppress(OSError):
            if Stamp.of(entry.stat(follow_symlinks=False)) == stamp:
                self.keep(path, self.previous.files[path], stamp)
                return True
        return False

    def link(self, parts: tuple[str, ...], name: str, want: bool | None, below: bool) -> None:
        """Follow a link, if all of it stays in the folder, by opening where it leads from the root down."""
        self.linked = True
        path = _path(parts, name)
        with self.noting(path):
            target = self.resolved(path)
            with disk.inside(self.root, target[:-1]) as parent:
                mode = os.stat(target[-1], dir_fd=parent, follow_symlinks=False).st_mode if target else stat.S_IFDIR
                if stat.S_ISDIR(mode):
                    self.linked_directory(parent, target, (*parts, name), below)
                elif want is None:
                    self.files[path] = ""
                elif want:
                    self.text(parent, target[-1], path)

    def linked_directory(self, parent: int, target: list[str], parts: tuple[str, ...], below: bool) -> None:
        self.directories.add("/".join(parts))
        if below:
            with disk.inside(parent, target[-1:]) as fd:
                self.enter(fd, parts)

    def resolved(self, path: str) -> list[str]:
        """Where a link leads, as steps from the root."""
        try:
            real = os.path.realpath(os.path.join(self.where, path), strict=True)
        except FileNotFoundError:
            raise Unreadable("it is a link to nothing") from None
        if real != self.where and not real.startswith(self.where.rstrip("/") + "/"):
            raise Unreadable("it is a link that leads out of the folder, and is not followed")
        return [p for p in real[len(self.where) :].split("/") if p]

    @contextmanager
    def noting(self, path: str) -> Iterator[None]:
        """What goes wrong in here is why that path is left out."""
        try:
            yield
        except Unreadable as error:
            self.unreadable[path] = error.why
        except FileNotFoundError:
            pass
        except OSError as error:
            self.unreadable[path] = disk.reason(error)


class _Patch(_Reader):
    """Looking only at what is said to have changed; gives up where that is more than plain files in known folders."""

    def __init__(self, where: str, root: int, name: str, previous: Folder) -> None:
        super().__init__(where, root, previous)
        self.name, self.before = name, previous

    def read(self, changed: Iterable[str]) -> Folder | None:
        if self.before.linked:
            return None
        self.files, self.stamps = dict(self.before.files), dict(self.before.stamps)
        self.unreadable, self.directories = dict(self.before.unreadable), set(self.before.directories)
        return self.folder(self.name) if all(self.again(path) for path in changed) else None

    def again(self, path: str) -> bool:
        """Read one path anew; whether that could be done on its own."""
        *parents, name = path.split("/")
        parts = tuple(parents)
        if path in self.directories or name in ("", ".", "..") or (parts and "/".join(parts) not in self.directories):
            return False
        want, below = wanted(parts, name), holds_more(parts, name)
        if want is False:
            return not below
        for known in (self.files, self.stamps, self.unreadable):
            known.pop(path, None)
        try:
            with disk.inside(self.root, parts) as parent:
                return self.plain(parent, name, path, want)
        except (OSError, _Full):
            return False

    def plain(self, parent: int, name: str, path: str, want: bool | None) -> bool:
        try:
            mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return True
        if not stat.S_ISREG(mode):
            return False
        if want is None:
            self.files[path] = ""
        else:
            self.text(parent, name, path)
        return True


def _path(parts: tuple[str, ...], name: str) -> str:
    """The relative path; a name that is not UTF-8 shows its odd bytes by a sign."""
    shown = name if _is_text(name) else name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "/".join((*parts, shown))


def _is_text(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= c <= "\udfff" for c in name)
