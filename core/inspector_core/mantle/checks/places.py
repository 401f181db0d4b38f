"""Where a word stands, when only the value that it is part of knows its place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from inspector_core.mantle.reading.places import locate
from inspector_core.source import Source, Span

__all__ = ["ahead", "key", "part", "value_of", "word"]

_VALUE = re.compile(r"[ \t]*:[ \t]+(?=\S)")
_FAR = 2000
"""How many characters ahead a key of the same entry may stand."""
_LONG = 20_000
"""A text of more characters is not gone through for each of its parts, unless it stands in the file as it reads."""

Sources = Mapping[str, Source]


def word(sources: Sources, span: Span, text: str, nth: int = 0) -> Span:
    """The nth place of a word inside a span; the whole span where it isn't written so (folded, or escaped)."""
    source = sources.get(span.path)
    if source is None or not text:
        return span
    return _nth(source, *_offsets(source, span), text, nth) or span


def ahead(sources: Sources, span: Span, text: str) -> Span | None:
    """The first place of a word at or after the start of a span, not far from it."""
    source = sources.get(span.path)
    if source is None or not text:
        return None
    start = _offsets(source, span)[0]
    return _nth(source, start, start + _FAR, text, 0)


def key(sources: Sources, span: Span, name: str) -> Span | None:
    """The first place of a key, with its colon behind it, at or after the start of a span."""
    source = sources.get(span.path)
    if source is None:
        return None
    start = _offsets(source, span)[0]
    pattern = re.compile(rf"(?<![\w.-]){re.escape(name)}(?=[\"']?[ \t]*:)")
    match = pattern.search(source.text, start, start + _FAR)
    return source.span(match.start(), match.end()) if match else None


def value_of(sources: Sources, key: Span) -> Span:
    """The beginning of what is written after a key and its colon; the key itself where nothing is."""
    source = sources.get(key.path)
    match = _VALUE.match(source.text, _offset(source, key.end_line, key.end_column)) if source else None
    return source.span(match.end()) if source and match else key


def part(sources: Sources, span: Span, text: str, start: int, end: int) -> Span:
    """The place of `text[start:end]`, where the span is the place of `text`; all of it where finding it takes long."""
    piece, source = text[start:end], sources.get(span.path)
    if source is None or not piece.strip():
        return span
    begin, stop = _offsets(source, span)
    if stop - begin == len(text) and source.text.startswith(text, begin):
        return source.span(begin + start, begin + end)
    if len(text) > _LONG:
        return span
    exact = locate(source, span, text, start, end)
    if exact != span:
        return exact
    before = sum(1 for m in _whole(piece).finditer(text) if m.start() < start)
    return word(sources, span, piece, before)


def _nth(source: Source, start: int, end: int, text: str, nth: int) -> Span | None:
    for match in _whole(text).finditer(source.text, start, end):
        if nth == 0:
            return source.span(match.start(), match.end())
        nth -= 1
    return None


def _offsets(source: Source, span: Span) -> tuple[int, int]:
    return _offset(source, span.line, span.column), _offset(source, span.end_line, span.end_column)


def _offset(source: Source, line: int, column: int) -> int:
    line = min(max(line, 1), len(source.starts))
    return min(source.starts[line - 1] + column - 1, len(source.text))


def _whole(text: str) -> re.Pattern[str]:
    """Finds a text as a whole word: not inside a longer name, nor as the beginning of a longer path."""
    before = r"(?<![\w.-])" if re.match(r"\w", text) else ""
    after = r"(?![\w-]|\.\w)" if re.search(r"\w$", text) else ""
    spaced = r"\s+".join(re.escape(piece) for piece in text.split()) or re.escape(text)
    return re.compile(before + spaced + after)
