"""Words with a tone: what a report prints in colour and a panel draws in its theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from inspector_core.classes import dataclass

if TYPE_CHECKING:
    from inspector_core.report import Standing
    from inspector_core.source import Span

__all__ = ["GLYPHS", "TONES", "Line", "Piece", "Tone", "standing_tone"]

Tone = Literal["plain", "dim", "good", "bad", "ask", "error", "head", "value", "accent"]
TONES: tuple[Tone, ...] = ("plain", "dim", "good", "bad", "ask", "error", "head", "value", "accent")

Piece = tuple[str, Tone]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an explanation: what it says, what stands at its right edge, and the place it is about."""

    pieces: tuple[Piece, ...]
    right: Piece | None = None
    span: Span | None = None
    wraps: bool = False
    """It is running text, to be broken where it is too long; other lines lose their middle."""
    flush: bool = False
    """What doesn't fit goes on where the line begins, rather than deeper: it is somebody's own text."""
    key: str | None = None
    """The memory key it is about."""
    tool: str | None = None
    """The tool it is about."""


GLYPHS: dict[Standing, str] = {
    "offered": "✓", "hidden": "✗", "asks": "?", "error": "!", "inactive": "·", "not imported": "○", "engine only": "»",
}  # fmt: skip
"""A sign for each standing; the word always stands beside it, since a sign or a colour alone says too little."""

_TONES: dict[Standing, Tone] = {
    "offered": "good", "hidden": "bad", "asks": "ask", "error": "error", "inactive": "dim", "not imported": "dim",
    "engine only": "dim",
}  # fmt: skip


def standing_tone(standing: Standing) -> Tone:
    """The tone in which a standing is drawn."""
    return _TONES[standing]
