"""The folder's files with what they were read as; what did not change is taken over from an earlier reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from inspector_core.mantle.project import Project
from inspector_core.source import FolderText, Source

__all__ = ["Shelf"]

T = TypeVar("T")


class Shelf:
    """Each file is read at most once, and not at all where its text is that of the earlier reading."""

    def __init__(self, folder: FolderText, previous: Project | None) -> None:
        self._before: Mapping[str, Source] = previous.sources if previous else {}
        self.sources = {path: self._source(path, text) for path, text in folder.files.items()}
        changed = [path for path, source in self.sources.items() if self._before.get(path) is not source]
        gone = self._before.keys() - self.sources.keys()
        self.parts: dict[str, object] = dict(previous.parts) if previous else {}
        """By path; by a directory's path with its `/` what was put together from several files."""
        for path in (*changed, *gone):
            self.parts.pop(path, None)
        self.unreadable = folder.unreadable
        self._homes = {home for path in (*changed, *gone, *self.unreadable) if (home := _home(path))}
        self._modules = any(path.endswith(".py") and not path.startswith("skills/") for path in (*changed, *gone))
        self._kept = previous is not None

    def _source(self, path: str, text: str) -> Source:
        old = self._before.get(path)
        return old if old is not None and old.text == text else Source(path, text)

    def unchanged(self, home: str, kind: type[T]) -> T | None:
        """The earlier value of a skill's directory, where nothing that it could be made of was touched."""
        if not self._kept or self._modules or home in self._homes:
            return None
        old = self.parts.get(home)
        return old.value if isinstance(old, _Whole) and isinstance(old.value, kind) else None

    def part(self, path: str, kind: type[T], read: Callable[[Source], T]) -> T | None:
        """What a file was read as; `None` where there is no such file."""
        source = self.sources.get(path)
        if source is None:
            return None
        part = self.parts.get(path)
        if not isinstance(part, kind):
            part = self.parts[path] = read(source)
        return part

    def whole(self, home: str, kind: type[T], made_of: tuple[object, ...], make: Callable[[], T]) -> T:
        """What is put together from parts; the earlier one while every part is the very same as then."""
        old = self.parts.get(home)
        if isinstance(old, _Whole) and isinstance(old.value, kind) and _same(old.made_of, made_of):
            return old.value
        value = make()
        self.parts[home] = _Whole(made_of, value)
        return value

    def forget(self, homes: set[str]) -> None:
        """Keep of what was put together only that of these directories."""
        for path in [p for p in self.parts if p.endswith("/") and p not in homes]:
            del self.parts[path]


class _Whole:
    """A value with the parts that it was made of."""

    __slots__ = ("made_of", "value")

    def __init__(self, made_of: tuple[object, ...], value: object) -> None:
        self.made_of = made_of
        self.value = value


def _home(path: str) -> str | None:
    """The directory of the skill that a file belongs to."""
    parts = path.split("/", 2)
    return f"{parts[0]}/{parts[1]}/" if len(parts) == 3 and parts[0] == "skills" else None


def _same(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    """Parts are compared by identity, since they are kept while their file is; texts are compared as texts."""
    pairs = zip(left, right, strict=False)
    return len(left) == len(right) and all(a is b or (isinstance(a, str) and a == b) for a, b in pairs)
