"""The values that a JSON text holds, one after the other: an array's items, lines, or objects in a row.

One that can't be read costs only itself, and a text that was cut off is read up to there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import NamedTuple

from inspector_core.recording.text import decoded

__all__ = ["Entry", "Fault", "entries", "items_after", "streamed"]

_BLANK = " \t\r\n"
_DECODE = JSONDecoder().raw_decode


class Entry(NamedTuple):
    """A value, and the line it begins on, counted from 1."""

    value: object
    line: int
    conversation: str | None = None
    """Whose it is, where what stands around it says so."""


class Fault(NamedTuple):
    """Something that can't be read, in words, and its line."""

    message: str
    line: int


def entries(text: str) -> Iterator[Entry | Fault]:
    """The text's values; of an array at the top, its items."""
    return _Scan(text, 0).values()


def items_after(text: str, offset: int) -> Iterator[Entry | Fault]:
    """The items of an array whose `[` stands just before an offset."""
    return _Scan(text, offset).items()


def streamed(lines: Iterable[bytes]) -> Iterator[Entry | Fault]:
    """The values of JSON lines, each as its line comes in; blank lines hold none."""
    for number, line in enumerate(lines, 1):
        text, problem = decoded(line) if number == 1 else decoded_line(line)
        if problem is not None:
            yield Fault("it is no text", number)
        elif text.strip():
            yield _value(text, number)


def decoded_line(line: bytes) -> tuple[str, str | None]:
    """One line of UTF-8, and what is wrong with it."""
    try:
        return line.decode(), None
    except UnicodeDecodeError:
        return "", "it is not UTF-8"


def _value(text: str, number: int) -> Entry | Fault:
    try:
        return Entry(json.loads(text), number)
    except (ValueError, RecursionError) as error:
        return Fault(_why(error, text), number)


def _why(error: ValueError | RecursionError, text: str) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if not isinstance(error, JSONDecodeError):
        return "it holds a number that is too long"
    ends = not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
    return "it ends in the middle of a value" if ends else "it can't be read as JSON"


class _Scan:
    """A place in the text, moving forward; it lives for one reading."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.line = text.count("\n", 0, at) + 1

    def values(self) -> Iterator[Entry | Fault]:
        while self._to_next(_BLANK):
            if self.text[self.at] == "[":
                self._forward(self.at + 1)
                yield from self.items()
            else:
                found = self._one()
                yield found
                if isinstance(found, Fault) and not self._next_start():
                    return

    def items(self) -> Iterator[Entry | Fault]:
        """An array's items up to its end; commas too many or too few are passed over."""
        while self._to_next(_BLANK + ","):
            if self.text[self.at] == "]":
                self._forward(self.at + 1)
                return
            found = self._one()
            yield found
            if isinstance(found, Fault) and not self._next_start():
                return
        yield Fault("it ends in the middle of an array", self.line)

    def _to_next(self, passed: str) -> bool:
        at, text = self.at, self.text
        while at < len(text) and text[at] in passed:
            at += 1
        self._forward(at)
        return at < len(text)

    def _forward(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def _one(self) -> Entry | Fault:
        line = self.line
        try:
            value, end = _DECODE(self.text, self.at)
        except (ValueError, RecursionError) as error:
            return Fault(_why(error, self.text), line)
        self._forward(end)
        return Entry(value, line)

    def _next_start(self) -> bool:
        """Go on with the next line that begins as the one did that can't be read."""
        begin = self.text.rfind("\n", 0, self.at) + 1
        indent = self.text[begin : self.at]
        if indent.strip():
            return False
        found = min((p for p in (self.text.find(f"\n{indent}{c}", self.at) for c in "{[") if p >= 0), default=-1)
        self._forward(found + 1 if found >= 0 else len(self.text))
        return found >= 0
