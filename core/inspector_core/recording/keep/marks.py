"""Which events of a conversation a test is to be about."""

from __future__ import annotations

import re

from inspector_core.classes import NamedTuple

__all__ = ["EVERYTHING", "Marks", "read_marks"]

_PART = re.compile(r"\s*(\d{1,9})\s*(?:(-)\s*(\d{1,9})?\s*)?")


class Marks(NamedTuple):
    """Ranges of events, counted from 1, both ends in; no range at all means every event."""

    ranges: tuple[tuple[int, int], ...] = ()

    @property
    def everything(self) -> bool:
        return not self.ranges

    def has(self, number: int) -> bool:
        return self.everything or any(first <= number <= last for first, last in self.ranges)


EVERYTHING = Marks()
_LAST = 10**9


def read_marks(text: str) -> Marks:
    """`3-17, 20, 25-`; an empty text for everything. Raises `ValueError` with what is wrong, in words."""
    if not text.strip():
        return EVERYTHING
    return Marks(tuple(_range(part) for part in text.split(",")))


def _range(part: str) -> tuple[int, int]:
    found = _PART.fullmatch(part)
    if found is None:
        raise ValueError(f"`{part.strip()}` is no event and no range of events, such as `3-17`")
    first = int(found[1])
    last = int(found[3]) if found[3] else _LAST if found[2] else first
    if first < 1 or last < first:
        raise ValueError(f"`{part.strip()}` holds no event: they are counted from 1, and the first comes first")
    return first, last
