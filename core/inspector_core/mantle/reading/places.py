"""Where the characters of a value stand in its file, in spite of quotes, escapes, folds and indentation."""

from __future__ import annotations

import re

from inspector_core.mantle.reading.nodes import Node
from inspector_core.source import Source, Span

__all__ = ["Cursor", "locate", "text_span"]

_ESCAPE = re.compile(r"\\(?:(x..|u.{4}|U.{8}|[^\r\n])|[ \t]*\r?\n[ \t]*)")
"""An escape in double quotes; one that stands for no character, but joins two lines, has no group."""

_BREAK = re.compile(r"[ \t]*\r?\n\s*")
"""The end of a line with the blank lines and the indentation after it: what a fold makes a space of."""


def text_span(node: Node) -> Span:
    """The text of a scalar without its quotes; of a block scalar its lines, from the first character on."""
    text, start, end = node.source.text, node.start, node.end
    first = text[start : start + 1] if node.quoted else ""
    if first in ("'", '"') and end - start >= 2:
        return node.source.span(start + 1, end - 1)
    if first in ("|", ">") and end > start:
        header = text.find("\n", start, end)
        content = text[header:end].lstrip() if header >= 0 else ""
        return node.source.span(end - len(content), end)
    return node.source.span(start, end)


class Cursor:
    """Goes through a text, and along the characters in the file that it was read from."""

    def __init__(self, source: Source, span: Span, text: str) -> None:
        """The span is the `text_span` of a scalar that reads as the text."""
        self.source = source
        self.span = span
        self.text = text
        self._start = _offset(source, span.line, span.column)
        self._raw = source.text[self._start : _offset(source, span.end_line, span.end_column)]
        self._quote = source.text[self._start - 1 : self._start]
        self._position = self._at = 0

    def part(self, start: int, end: int) -> Span:
        """The place of `text[start:end]`, which begins no earlier than the last one asked for ended.

        Where the text and the file can't be matched, the whole span.
        """
        self._advance(start)
        first = self._at = _past_joints(self._raw, self._quote, self._at)
        self._advance(end)
        return self.span if self._at < 0 else self.source.span(self._start + first, self._start + self._at)

    def _advance(self, position: int) -> None:
        for character in self.text[self._position : position]:
            if self._at < 0:
                break
            self._at = _step(self._raw, self._quote, character, self._at)
        self._position = max(self._position, position)


def locate(source: Source, span: Span, text: str, start: int, end: int | None = None) -> Span:
    """The place of `text[start:end]` where the span is the `text_span` of a scalar that reads as the text."""
    return Cursor(source, span, text).part(start, start if end is None else end)


def _offset(source: Source, line: int, column: int) -> int:
    line = min(max(line, 1), len(source.starts))
    return min(source.starts[line - 1] + column - 1, len(source.text))


def _past_joints(raw: str, quote: str, at: int) -> int:
    """Past escaped line ends, which stand for no character."""
    while quote == '"' and at >= 0 and (escape := _ESCAPE.match(raw, at)) and not escape[1]:
        at = escape.end()
    return at


def _step(raw: str, quote: str, character: str, at: int) -> int:
    """Past the raw characters that one character of the text stands for."""
    at = _past_joints(raw, quote, at)
    if quote == '"' and (escape := _ESCAPE.match(raw, at)):
        return escape.end()
    if quote == "'" and raw.startswith("''", at):
        return at + 2
    if character in " \n" and (fold := _BREAK.match(raw, at)):
        return fold.end()
    if raw.startswith(character, at):
        return at + 1
    return at if character in " \n" else -1
