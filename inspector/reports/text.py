"""Lines for people: sanitised, coloured where that is wanted, and harmless in the log of any build server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from inspector.pieces import Line, Piece, Tone
from inspector.visible import harmless, visible

__all__ = ["blank", "printed", "say"]

_CODES: Mapping[Tone, str] = {
    "dim": "2", "good": "32", "bad": "31", "ask": "33", "error": "1;31", "head": "1", "value": "36", "accent": "35",
}  # fmt: skip

_WIDEST = 60
"""The rightmost column that all lines of a run share."""


def say(*pieces: Piece | str) -> Line:
    """A line of these pieces; those without a tone are plain."""
    return Line(tuple((p, "plain") if isinstance(p, str) else p for p in pieces))


def blank() -> Line:
    """An empty line."""
    return Line(())


def printed(lines: Iterable[Line], color: bool = False) -> str:
    """The lines as text, each with its end; nothing from any file acts on a terminal or on a build server."""
    return "".join(f"{_line(line, color)}\n" for run in _runs(lines) for line in _aligned(run))


def _runs(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that stand together: those with something at the right share its column."""
    return (list(run) for _, run in groupby(lines, key=lambda line: bool(line.pieces)))


def _aligned(run: list[Line]) -> Iterator[Line]:
    """What stands at the right as a last piece, in one column as far as the lines are not too long for that."""
    column = max((w for line in run if line.right and (w := _width(line)) <= _WIDEST), default=0)
    for line in run:
        if line.right is None:
            yield line
        else:
            gap = " " * (max(column - _width(line), 0) + 2)
            yield Line((*line.pieces, (gap, "plain"), line.right))


def _width(line: Line) -> int:
    return sum(len(visible(text)) for text, _ in line.pieces)


def _line(line: Line, color: bool) -> str:
    shown = [(visible(text), tone) for text, tone in line.pieces]
    plain = "".join(text for text, _ in shown)
    safe = harmless(plain)
    if not color or safe != plain:
        return safe.rstrip()
    return "".join(_painted(*piece) for piece in shown).rstrip()


def _painted(text: str, tone: Tone) -> str:
    code = _CODES.get(tone)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text.strip() else text
