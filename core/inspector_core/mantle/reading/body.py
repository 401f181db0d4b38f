"""The body of a `skill.md`: ordered blocks cut out, the rest split into paragraphs (§2.3, §2.5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from inspector_core.classes import NamedTuple
from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Paragraph
from inspector_core.mantle.reading.lines import lines_with
from inspector_core.mantle.reading.notes import Notes
from inspector_core.source import Source

__all__ = ["Fence", "Place", "Prose", "paragraphs", "split"]

_OPENING = re.compile(r":::ordered_block(?:[^\S\n]+id=([\w-]+))?[^\S\n]*\n")
_PARAGRAPH = re.compile(r"(?<![^\n\ufeff])(?:[^\S\n]*\S.*(?:\n|\Z))+")
_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""
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
    colons: bool = True
    """Some of it may look like a fence."""


def _closes(text: str, begin: int, end: int) -> bool:
    """A line of three colons and nothing else, at its very start."""
    return (begin == 0 or text[begin - 1] == "\n") and text[begin:end].rstrip() == ":::"


def split(text: str, start: int, end: int) -> tuple[list[Prose], list[Fence]]:
    """Cut the fences out. Each goes to the first closing line after it, whatever opens in between."""
    marked = list(lines_with(text, ":::", start, end))
    closings = [line for line in marked if _closes(text, *line)]
    prose, fences, at = [], [], start
    while marked and (opening := _OPENING.search(text, max(at, marked[0][0]), end)):
        nth = bisect_left(closings, (opening.end(), 0))
        if nth == len(closings):
            break
        name = opening[1]
        id_start = opening.start(1) if name else opening.start()
        fences.append(Fence(name, opening.start(), id_start, opening.end(), closings[nth][0]))
        prose.append(_prose(at, opening.start(), marked))
        at = closings[nth][1]
    prose.append(_prose(at, end, marked))
    return prose, fences


def _prose(start: int, end: int, marked: list[tuple[int, int]]) -> Prose:
    return Prose(start, end, any(begin < end and stop > start for begin, stop in marked))


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
        paragraph = _new(Paragraph, (text, source.span(start, end), None, None))
    else:
        place = source.span(at, at + len(condition))
        paragraph = Paragraph(text, source.span(start, end), parse(condition), place)
    return _new(Place, (paragraph, start, end))


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
    piece = text[start:end].rstrip()
    if not piece or not piece[0].isspace():
        return start, start + len(piece)
    return start + len(piece) - len(piece.lstrip()), start + len(piece)
