"""Lines that have something in them, found without looking at all the others."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["lines_with"]


def lines_with(text: str, mark: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the lines begin and end that hold the mark, as far as they lie between two offsets."""
    at = text.find(mark, start, end)
    while at >= 0:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        yield max(text.rfind("\n", start, at) + 1, start), stop
        at = text.find(mark, stop, end)
