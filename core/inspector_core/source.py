"""Where a value was written: sources, and spans inside them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import field
from itertools import accumulate

from inspector_core.classes import NamedTuple, dataclass

__all__ = ["NO_FILE", "FolderText", "Source", "Span"]

NO_FILE = ""
"""The file name to parse Python text under: on a syntax error the parser opens the file so named; none is."""

_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""


class Span(NamedTuple):
    """A stretch of one file. Lines and columns count from 1, in characters; the end column is exclusive.

    A named tuple, since a folder makes them by the hundred thousand, each at a third of a frozen dataclass' cost.
    """

    path: str
    """Relative to the agent's root, with `/` between the parts."""
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text, able to turn character offsets into lines and columns."""

    path: str
    text: str
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The offset at which each line starts."""

    def __post_init__(self) -> None:
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        object.__setattr__(self, "starts", (0, *accumulate(lengths[:-1])))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1) of a character offset; an offset outside the text is clamped to it."""
        if not 0 <= offset <= len(self.text):
            offset = 0 if offset < 0 else len(self.text)
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def span(self, start: int, end: int | None = None) -> Span:
        """The span between two character offsets; without an end, an empty span at the start."""
        starts = self.starts
        if end is not None and 0 <= start < end <= len(self.text):
            line = bisect_right(starts, start)
            before = starts[line - 1] - 1
            if line < len(starts) and end >= starts[line]:
                last = bisect_right(starts, end)
                return _new(Span, (self.path, line, start - before, last, end - starts[last - 1] + 1))
            return _new(Span, (self.path, line, start - before, line, end - before))
        line, column = self.position(start)
        if end is None or end <= start:
            return Span(self.path, line, column, line, column)
        return Span(self.path, line, column, *self.position(end))

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end; empty where there is no such line."""
        if not 1 <= number <= len(self.starts):
            return ""
        start = self.starts[number - 1]
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def whole(self) -> Span:
        """The whole file."""
        return self.span(0, len(self.text))


@dataclass(frozen=True, slots=True, eq=False)
class FolderText:
    """What was read of a folder: the only thing a dialect's `read` gets to see of the disk."""

    name: str
    """The folder's own name, for the title."""
    files: Mapping[str, str]
    """Relative path (`/` between the parts) to text."""
    directories: frozenset[str]
    """Relative paths of all directories, empty ones included."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Relative path to why the file was left out, in words for the author."""
