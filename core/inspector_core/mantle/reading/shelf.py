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
        self._old_parts: Mapping[str, object] = previous.parts if previous else {}
        self.sources = {path: self._source(path, text) for path, text in folder.files.items()}
        self.parts: dict[str, object] = {}
        """By path; by a directory's path with its `/` what was put together from several files."""

    def _source(self, path: str, text: str) -> Source:
        old = self._before.get(path)
        return old if old is not None and old.text == text else Source(path, text)

    def part(self, path: str, kind: type[T], read: Callable[[Source], T]) -> T | None:
        """What a file was read as; `None` where there is no such file."""
        source = self.sources.get(path)
        if source is None:
            return None
        part = self.parts.get(path)
        if not isinstance(part, kind):
            part = self._old_parts.get(path) if self._before.get(path) is source else None
            if not isinstance(part, kind):
                part = read(source)
            self.parts[path] = part
        return part

    def whole(self, path: str, kind: type[T], made_of: tuple[object, ...], make: Callable[[], T]) -> T:
        """What is put together from parts; the earlier one while every part is the very same as then."""
        old = self._old_parts.get(path)
        if isinstance(old, _Whole) and isinstance(old.value, kind) and _same(old.made_of, made_of):
            self.parts[path] = old
            return old.value
        value = make()
        self.parts[path] = _Whole(made_of, value)
        return value


class _Whole:
    """A value with the parts that it was made of."""

    __slots__ = ("made_of", "value")

    def __init__(self, made_of: tuple[object, ...], value: object) -> None:
        self.made_of = made_of
        self.value = value


def _same(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    return len(left) == len(right) and all(a is b for a, b in zip(left, right, strict=True))
