"""What a trap is."""

from __future__ import annotations

from inspector_core.classes import NamedTuple

__all__ = ["Trap"]


class Trap(NamedTuple):
    """One place where a condition says something else than it seems to; offsets are characters of its text."""

    code: str
    message: str
    hint: str | None
    """The condition rewritten, where that is possible; else what to do."""
    start: int
    end: int
    whole: bool = False
    """It is about the condition as a whole, and leaves nothing else to say."""
