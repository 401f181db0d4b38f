"""Rows of one line each, drawn line by line: the base of every panel, as quick at ten rows as at a hundred thousand."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import islice
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from inspector.actions import actions_for
from inspector.panels.tones import styles
from inspector.pieces import Line, Piece
from inspector.visible import visible
from inspector_core.classes import dataclass
from inspector_core.source import Span

__all__ = ["Lines", "Row", "bindings", "clip", "cut", "line_rows", "pad", "wrap"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a panel. Its text may come straight from the author's files: it is made visible when drawn."""

    id: Hashable
    """What the row is about; the cursor stays on it through changes."""
    pieces: tuple[Piece, ...] | Callable[[int], tuple[Piece, ...]]
    """What it says, or how to say it in so many cells."""
    search: str = ""
    """What the filter looks at; empty for headings, which show while a row of theirs does."""
    span: Span | None = None
    """The place that the editor opens."""
    marked: bool = False
    """The last event or save changed it."""
    quiet: bool = False
    """A heading or a blank: the cursor passes over it."""
    detail: bool = False
    """A quiet line that belongs to the row above it, and shows while that one does."""
    copy: str = ""
    """What copying it gives; empty: its text."""

    def drawn(self, width: int) -> tuple[Piece, ...]:
        """What it says in so many cells."""
        return self.pieces(width) if callable(self.pieces) else self.pieces


class Lines(ScrollView, can_focus=True):
    """Rows with a cursor. A subclass gives the rows; the cursor, the scroll position and the filter stay."""

    DEFAULT_CSS = """
    Lines {
        scrollbar-size: 1 1; scrollbar-gutter: stable; overflow-x: hidden; overflow-y: auto; background: transparent;
    }
    """
    BINDINGS: ClassVar = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home,g", "move(-1000000)", "first", show=False),
        Binding("end,G", "move(1000000)", "last", show=False),
    ]
    ABOUT: ClassVar[str] = ""
    """What the panel shows, in a sentence or two, for the help."""

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(id=id)
        self.title = title
        self.border_title = title
        self.all_rows: tuple[Row, ...] = ()
        self.rows: Sequence[Row] = ()
        self.cursor = 0
        self.needle = ""
        self.follow_end = False
        self.was_focused = False

    # -- what is shown -------------------------------------------------------------------------------------------

    def show_rows(self, rows: Iterable[Row]) -> None:
        """Show these rows; the cursor stays on the row of the same id, else at its place."""
        at = self.current.id if self.current else None
        self.all_rows = tuple(rows)
        self._sift(at)

    def filter(self, needle: str) -> None:
        """Show only rows that contain all the words; empty shows all."""
        self.needle = needle
        self._sift(self.current.id if self.current else None)

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    def select(self, row_id: Hashable) -> bool:
        """Put the cursor on a row; false where there is none of that id."""
        place = next((i for i, row in enumerate(self.rows) if row.id == row_id), None)
        if place is not None:
            self._put(place)
        return place is not None

    def moved(self) -> None:
        """The cursor is on another row; called before the next paint, so that what depends on it is in the same one."""

    # -- inside --------------------------------------------------------------------------------------------------

    def _sift(self, at: Hashable) -> None:
        self.rows = sifted(self.all_rows, self.needle) if self.needle else self.all_rows
        if self.needle and not self.rows:
            self.rows = (Row("nothing", ((f"nothing contains `{self.needle}`: esc shows all", "dim"),), quiet=True),)
        place = next((i for i, row in enumerate(self.rows) if row.id == at and at is not None), None)
        self.cursor = self._usable(self.cursor if place is None else place, 1)
        self.border_subtitle = Content(visible(f"/{self.needle}")) if self.needle else ""
        self._measure()
        if self.follow_end:
            self.cursor = max(len(self.rows) - 1, 0)
            self.scroll_end(animate=False, immediate=True, force=True)
        self.refresh()

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width or self.size.width, len(self.rows))

    def _usable(self, place: int, step: int) -> int:
        """The nearest row that takes the cursor, first in the direction of the step."""
        last = len(self.rows) - 1
        place = min(max(place, 0), max(last, 0))
        for direction in (step, -step):
            at = place
            while 0 <= at <= last:
                if not self.rows[at].quiet:
                    return at
                at += direction
        return place

    def _put(self, place: int) -> None:
        old, self.cursor = self.cursor, place
        self.refresh_lines(old, 1)
        self.refresh_lines(place, 1)
        top = 0 if all(row.quiet for row in islice(self.rows, place)) else place
        self.scroll_to_region(Region(0, top, 1, 1 + place - top), animate=False, immediate=True)
        if old != place:
            self.moved()

    def action_move(self, by: int) -> None:
        self._put(self._usable(self.cursor + by, 1 if by > 0 else -1))

    def action_page(self, by: int) -> None:
        self.action_move(by * max(self.size.height - 1, 1))

    def on_mouse_down(self) -> None:
        self.was_focused = self.has_focus

    async def on_click(self, event: events.Click) -> None:
        row = event.style.meta.get("row")
        if isinstance(row, int) and row < len(self.rows) and not self.rows[row].quiet:
            again = row == self.cursor and self.was_focused
            self._put(row)
            if again or event.chain == 2:
                self.chosen()

    def chosen(self) -> None:
        """A row was clicked that had the cursor already."""

    def on_resize(self) -> None:
        self._measure()
        if self.follow_end:
            self.scroll_end(animate=False, immediate=True)
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The styles are worked out once for all lines: they are the same, and take longer than a line does."""
        self.base, self.tones = self.rich_style, styles(self.app)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        width, base, tones = self.scrollable_content_region.width, self.base, self.tones
        index = y + self.scroll_offset.y
        if index >= len(self.rows):
            return Strip.blank(width, base)
        row = self.rows[index]
        on = Style(meta={"row": index})
        if index == self.cursor and self.has_focus and not row.quiet:
            on += tones["cursor"]
        mark = Segment("▌", base + tones["mark"] + on)
        blank = Segment(" ", base + on)
        pieces = [Segment(visible(text), base + tones[tone] + on) for text, tone in row.drawn(width - 1) if text]
        strip = Strip([mark if row.marked else blank, *pieces])
        return strip.crop_extend(0, width, base + on)


def sifted(rows: Sequence[Row], needle: str) -> tuple[Row, ...]:
    """The rows that contain all words of the needle, under their headings."""
    words = needle.lower().split()
    kept: list[Row] = []
    heading: Row | None = None
    taken = False
    for row in rows:
        if row.detail:
            if taken:
                kept.append(row)
        elif row.quiet:
            heading = row
        elif taken := all(word in row.search.lower() for word in words):
            if heading is not None:
                kept.append(heading)
                heading = None
            kept.append(row)
    return tuple(kept)


def cut(text: str, width: int) -> str:
    """A text in at most so many cells; what is too long loses its middle, since names differ at their ends."""
    text = visible(text)
    if cell_len(text) <= width:
        return text
    if width < 5:
        return set_cell_size(text, max(width, 0))
    head = (width - 1) * 3 // 5
    tail = width - 1 - head
    return set_cell_size(text, head).rstrip() + "…" + text[-tail:].lstrip() if tail else set_cell_size(text, width)


def clip(text: str, width: int) -> str:
    """A text in at most so many cells; what is too long loses its end, since sentences begin with what matters."""
    text = visible(text)
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)).rstrip() + "…"


def pad(text: str, width: int) -> str:
    """A text in exactly so many cells, cut in its middle or filled up."""
    return set_cell_size(cut(text, width), max(width, 0))


def wrap(text: str, width: int) -> list[str]:
    """A text in lines of at most so many cells, broken at spaces where it can be."""
    from textwrap import wrap as broken

    lines = [
        part
        for line in visible(text, lines=True).expandtabs(4).split("\n")
        for part in (broken(line, max(width, 8)) or [""])
    ]
    return lines or [""]


def bindings(panel: str) -> list[BindingType]:
    """A panel's actions as textual binds them."""
    return [Binding(a.key, a.method, a.label, show=False, tooltip=a.tooltip, id=a.id) for a in actions_for(panel)]


def line_rows(lines: Iterable[Line], width: int) -> list[Row]:
    """Lines of an explanation as rows of so many cells: what is too long is broken at its words, a tree line is cut."""
    rows: list[Row] = []
    for number, line in enumerate(lines):
        text = "".join(words for words, _ in line.pieces)
        for part, pieces in enumerate(_fitted(line, width)):
            rows.append(Row((number, part), pieces, text, line.span, copy=text.strip()))
    return rows


def _fitted(line: Line, width: int) -> list[tuple[Piece, ...]]:
    pieces = tuple((visible(text), tone) for text, tone in line.pieces)
    right = (visible(line.right[0]), line.right[1]) if line.right else None
    room = width - _length(pieces)
    if right and room > cell_len(right[0]):
        return [(*pieces, (" " * (room - cell_len(right[0])), "plain"), right)]
    if room < 0:
        pieces = (
            tuple(("  ", tone) if len(text) > 2 and text.isspace() else (text, tone) for text, tone in pieces[:-1])
            + (pieces[-1:])
        )
    fitted = _cut_tree(pieces, width) if _is_tree(pieces) else _broken(pieces, width, 0 if line.flush else 2)
    return [*fitted, (("    ", "plain"), right)] if right else fitted


def _length(pieces: Iterable[Piece]) -> int:
    return sum(cell_len(text) for text, _ in pieces)


def _is_tree(pieces: tuple[Piece, ...]) -> bool:
    return any(sign in text for text, _ in pieces[:1] for sign in "├└│")


def _cut_tree(pieces: tuple[Piece, ...], width: int) -> list[tuple[Piece, ...]]:
    """A part of a tree in one line: the part gives way to its value."""
    (first, tone), rest = pieces[0], pieces[1:]
    return [((cut(first, max(width - _length(rest), 12)), tone), *rest)]


def _broken(pieces: tuple[Piece, ...], width: int, deeper: int) -> list[tuple[Piece, ...]]:
    """Pieces broken at their spaces; what follows the first line hangs so many cells deeper."""
    text = "".join(words for words, _ in pieces)
    hang: Piece = (" " * min(len(text) - len(text.lstrip()) + deeper, width // 2), "plain")
    lines: list[list[Piece]] = [[]]
    room = width
    for words, tone in pieces:
        for word in re.findall(r"\s+|\S+", words):
            size = cell_len(word)
            if size > room and lines[-1] and not word.isspace():
                lines.append([hang])
                room = width - len(hang[0])
            lines[-1].append((word if size <= room else cut(word, room), tone))
            room -= size
    return [tuple(line) for line in lines]
