"""The body of a `skill.md`: ordered blocks cut out, the rest split into paragraphs (§2.3, §2.5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Paragraph
from inspector_core.mantle.reading.lines import lines_with
from inspector_core.mantle.reading.notes import Notes
from inspector_core.source import Source

__all__ = ["Fence", "Place", "Prose", "paragraphs", "split"]

_OPENING = re.compile(r":::ordered_block(?:[^\S\n]+id=([\w-]+))?[^\S\n]*\n")
_PARAGRAPH = re.compile(r"(?<![^\n\ufeff])(?:[^\S\n]*\S.*(?:\n|\Z))+")
_MARKER = re.compile(r"(if|else|elif):[^\S\n]*(.*)")


class Fence(NamedTuple):
    """An ordered block's fence, as offsets."""

    id: str | None
    start: int
    id_start: int
    """Where the id stands; where the fence begins if it has none."""
    content: int
    content_end: int


class Prose(NamedTuple):
    """A stretch of prose between fences, as offsets."""

    start: int
    end: int


def _closes(text: str, begin: int, end: int) -> bool:
    """A line of three colons and nothing else, at its very start."""
    return (begin == 0 or text[begin - 1] == "\n") and text[begin:end].rstrip() == ":::"


def split(text: str, start: int, end: int) -> tuple[list[Prose], list[Fence]]:
    """Cut the fences out. Each goes to the first closing line after it, whatever opens in between."""
    closings = [line for line in lines_with(text, ":::", start, end) if _closes(text, *line)]
    prose, fences, at = [], [], start
    while opening := _OPENING.search(text, at, end):
        nth = bisect_left(closings, (opening.end(), 0))
        if nth == len(closings):
            break
        name = opening[1]
        id_start = opening.start(1) if name else opening.start()
        fences.append(Fence(name, opening.start(), id_start, opening.end(), closings[nth][0]))
        prose.append(Prose(at, opening.start()))
        at = closings[nth][1]
    prose.append(Prose(at, end))
    return prose, fences


class Place(NamedTuple):
    """A paragraph, and its text's offsets in the source."""

    paragraph: Paragraph
    start: int
    end: int


def paragraphs(source: Source, prose: Prose, notes: Notes) -> Iterator[Place]:
    """The paragraphs of a stretch of prose, each with the condition that its first line may hold."""
    for match in _PARAGRAPH.finditer(source.text, prose.start, prose.end):
        start, end = _stripped(source.text, match.start(), match.end())
        marker = _MARKER.match(source.text, start, end)
        yield _marked(source, marker, end, notes) if marker else _place(source, start, end)


def _place(source: Source, start: int, end: int, condition: str = "", at: int = 0) -> Place:
    text = source.text[start:end]
    if "\r" in text:  # the engine knows one kind of line end only
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not condition:
        return Place(Paragraph(text, source.span(start, end)), start, end)
    condition_span = source.span(at, at + len(condition))
    return Place(Paragraph(text, source.span(start, end), parse(condition), condition_span), start, end)


def _marked(source: Source, marker: re.Match[str], end: int, notes: Notes) -> Place:
    """A paragraph whose first line starts with `if:`, or with what an author may take for its counterpart."""
    place = source.span(marker.start(), marker.end(1) + 1)
    start, end = _stripped(source.text, marker.end(), end)
    word, condition = marker[1], marker[2].strip()
    if word != "if":
        message = f"prose has no `{word}:`; only `if:` can open a paragraph"
        notes.error(f"skill.markdown.unsupported_prose_{word}", message, place, "write another `if:` paragraph")
        return _place(source, marker.start(), max(end, marker.end()))
    if not condition:
        hint = "write the condition on the same line"
        notes.error("skill.markdown.empty_prose_if_condition", "nothing follows this `if:`", place, hint)
    elif start >= end:
        hint = "write the text right below it, without a blank line between"
        notes.error("skill.markdown.empty_prose_if_body", "no text follows this `if:`", place, hint)
    return _place(source, start, end, condition, marker.start(2))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the white space around it; an empty one at its start where there is nothing else."""
    piece = text[start:end]
    end = start + len(piece.rstrip())
    return (start + len(piece) - len(piece.lstrip()), end) if end > start else (start, start)
