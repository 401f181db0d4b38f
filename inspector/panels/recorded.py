"""The timeline of a recording: all its events turn by turn, with the gates that they moved and the drift; or two beside
each other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, overload

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Region

from inspector.messages import RecordedChosen, RecordedWanted
from inspector.panels.lines import Lines, Row, bindings, clip, pad
from inspector.pieces import Piece, Tone
from inspector.turns import bookkeeping, brief, record_of
from inspector.view import View
from inspector.viewed import Viewed
from inspector.visible import visible
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["Recorded"]

_NAME = 22
"""Cells for an event's name."""


class Recorded(Lines):
    """One row an event, made when it is drawn; the moment that is looked at is under the cursor."""

    BINDINGS: ClassVar = bindings("recording")
    ABOUT: ClassVar = (
        "Every event of the recording, turn by turn. The moment under the cursor is the one that all panels show: tools"
        " with their gates by today's files, memory with who wrote it, the conversation up to there. `≠ drift` marks"
        " what today's files would have had go otherwise; the explanation says how. `enter` shows the event as the"
        " engine recorded it. `[` and `]` go an event back and forth, `{` and `}` a turn, `,` and `.` to the next gate"
        " change, `d` and `D` to the next drift and the one before, `:` to a number, a share or a turn. `w` on a tool"
        " goes to where its gate last opened or closed. `P` plays on by itself, `space` stops that. Nothing here"
        " changes the recording: `B` begins a session from this moment, `L` goes to the session and back."
    )

    def __init__(self, title: str, *, id: str, explain: Callable[[int], None]) -> None:
        super().__init__(title, id=id)
        self.explain = explain
        self.viewed: Viewed | None = None
        self.every = True
        """Bookkeeping is shown too."""
        self.texts: list[str] = []
        """What the filter looks at, once it is used."""

    def show(self, view: View) -> None:
        viewed, was = view.viewed, self.viewed
        if viewed is None:
            return
        self.viewed = viewed
        if was is None or was.events is not viewed.events:
            self.texts = []
        if was is None or was.judged is not viewed.judged or was.compared is not viewed.compared:
            self._lay()
        self._put_on(viewed.number)
        self.border_title = Content(visible(self._title(viewed)))
        self.border_subtitle = Content(visible(self._subtitle(viewed)))
        self.refresh()
        if self.has_focus:
            self.explain(viewed.number)

    def _title(self, viewed: Viewed) -> str:
        turns = len(viewed.judged.replay.turns)
        told = f"{self.title} · turn {viewed.turn} of {turns} · event {viewed.number} of {len(viewed.events)}"
        if viewed.unknown:
            told += f" · gates unknown: {viewed.unknown}"
        elif count := viewed.judged.drift_count:
            told += f" · {count} drift{'s' if count > 1 else ''}"
        if viewed.compared is not None:
            count = len(viewed.compared.beside.differences)
            told += f" · {count or 'no'} difference{'' if count == 1 else 's'} to {viewed.compared.name}"
        return f"{told} · {viewed.name}"

    def _subtitle(self, viewed: Viewed) -> str:
        if self.needle:
            return f"/{self.needle}"
        return f"▶ {viewed.speed} a second · space stops" if viewed.playing else ""

    # -- rows ----------------------------------------------------------------------------------------------------

    def filter(self, needle: str) -> None:
        self.needle = needle
        self._lay()
        if self.viewed is not None:
            self._put_on(self.viewed.number)
            self.border_subtitle = Content(visible(self._subtitle(self.viewed)))
        self.refresh()

    def _lay(self) -> None:
        viewed = self.viewed
        if viewed is None:
            return
        if viewed.compared is not None:
            self.rows = _Pairs(viewed)
        else:
            self.rows = _Events(viewed, self._numbers(viewed))
        self._measure()

    def _numbers(self, viewed: Viewed) -> Sequence[int]:
        numbers: Sequence[int] = range(len(viewed.events) + 1)
        if not self.every:
            numbers = [n for n in numbers if n == 0 or not bookkeeping(record_of(viewed.events[n - 1]))]
        words = self.needle.lower().split()
        if not words:
            return numbers
        self.texts = self.texts or ["", *(_told(event).lower() for event in viewed.events)]
        drifts = viewed.judged.drifts
        texts = ((n, self.texts[n] + (" ≠ drift" if n in drifts else "")) for n in numbers)
        return [n for n, text in texts if all(word in text for word in words)]

    def _put_on(self, number: int) -> None:
        """The cursor on the row of the moment; where that one isn't shown, on the one before."""
        rows = self.rows
        if isinstance(rows, (_Events, _Pairs)) and len(rows) and rows.number(self.cursor) != number:
            self.cursor = rows.place(number)
        self.cursor = min(self.cursor, max(len(rows) - 1, 0))
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, immediate=True, force=True)

    def on_resize(self) -> None:
        super().on_resize()
        if self.viewed is not None:
            self._put_on(self.viewed.number)

    # -- acting --------------------------------------------------------------------------------------------------

    def moved(self) -> None:
        """Look at the moment under the cursor."""
        if isinstance(self.rows, (_Events, _Pairs)):
            self.post_message(RecordedChosen(self.rows.number(self.cursor)))

    def on_focus(self) -> None:
        if self.viewed is not None:
            self.explain(self.viewed.number)

    def action_visit(self) -> None:
        if self.viewed is not None and self.viewed.number:
            self.post_message(RecordedWanted(self.viewed.number))

    def action_bookkeeping(self) -> None:
        self.every = not self.every
        self.filter(self.needle)

    def chosen(self) -> None:
        self.action_visit()


class _Rows(Sequence[Row]):
    """Rows that are made when they are drawn: a hundred thousand cost nothing until then."""

    def __init__(self, viewed: Viewed, total: int) -> None:
        self.viewed, self.total = viewed, total
        self.width = len(str(len(viewed.events)))

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return [self.row(place) for place in range(*index.indices(self.total))]
        if not 0 <= index < self.total:
            raise IndexError(index)
        return self.row(index)

    def row(self, place: int) -> Row:
        raise NotImplementedError


class _Events(_Rows):
    """One recording."""

    def __init__(self, viewed: Viewed, numbers: Sequence[int]) -> None:
        super().__init__(viewed, len(numbers))
        self.numbers = numbers

    def number(self, place: int) -> int:
        return self.numbers[place] if 0 <= place < len(self.numbers) else 0

    def place(self, number: int) -> int:
        return max(bisect_right(self.numbers, number) - 1, 0)

    def row(self, place: int) -> Row:
        number, viewed = self.numbers[place], self.viewed
        if number == 0:
            return Row(0, (("    · ", "dim"), ("the recording begins", "dim")), "begins")
        event = viewed.events[number - 1]
        told = _told(event)
        first = viewed.turn_of(number) != viewed.turn_of(number - 1)
        turn = f"{viewed.turn_of(number) if first else '':>3} "
        drifts, moved = viewed.judged.drifts.get(number, ()), viewed.judged.replay.moved.get(number, ())
        gates = "" if viewed.unknown else ", ".join(map(str, moved))
        glyph, tone = _glyph(viewed, number)
        head = f"{number:>{self.width}} "

        def draw(width: int) -> tuple[Piece, ...]:
            marked = f"≠ drift {', '.join(dict.fromkeys(d.kind for d in drifts))}  " if drifts else ""
            name = pad(event.name, min(_NAME, max(width // 5, 8))) + " "
            room = max(width - 6 - cell_len(head) - cell_len(marked) - cell_len(name), 0)
            text = brief(record_of(event))
            right = min(cell_len(gates) + 2, room // 2) if gates else 0
            words = pad(text, room - right) if right else clip(text, room)
            quiet: Tone = "dim" if tone == "dim" else "plain"
            return (
                (turn, "head"), (glyph + " ", tone), (head, "dim"), (marked, "error"), (name, quiet), (words, quiet),
                (clip(f"  {gates}", right) if right else "", "accent"),
            )  # fmt: skip

        return Row(number, draw, told, copy=told)


class _Pairs(_Rows):
    """Two recordings, the one that is looked at to the left."""

    def __init__(self, viewed: Viewed) -> None:
        self.beside = viewed.compared.beside if viewed.compared is not None else None
        self.pairs = self.beside.pairs if self.beside is not None else ()
        super().__init__(viewed, len(self.pairs))
        self.lefts = list(self._lefts())
        self.others = viewed.compared.events if viewed.compared is not None else ()

    def _lefts(self) -> Iterator[int]:
        """The event of the left side at each place, or the one before."""
        last = 0
        for pair in self.pairs:
            last = last if pair.left is None else pair.left
            yield last

    def number(self, place: int) -> int:
        return self.lefts[place] if 0 <= place < len(self.lefts) else 0

    def place(self, number: int) -> int:
        place = bisect_left(self.lefts, number)
        return place if self.number(place) == number else max(place - 1, 0)

    def row(self, place: int) -> Row:
        pair, viewed = self.pairs[place], self.viewed
        left = _side(viewed.events, pair.left)
        right = _side(self.others, pair.right)
        first = pair.left is not None and viewed.turn_of(pair.left) != viewed.turn_of(pair.left - 1)
        turn = f"{viewed.turn_of(pair.left) if pair.left and first else '':>3} "
        sign, line = "  " if pair.same else "≠ ", "│" if pair.same else "≠"
        words: Tone = "plain" if pair.same else "ask"
        tone: Tone = "dim" if pair.same else "error"

        def draw(width: int) -> tuple[Piece, ...]:
            half = max((width - 9) // 2, 4)
            return (
                (turn, "head"), (sign, tone), (pad(left, half), words), (f" {line} ", tone),
                (clip(right, half), words),
            )  # fmt: skip

        return Row((pair.left, pair.right, place), draw, f"{left} {right}", copy=f"{left} | {right}")


def _side(events: Sequence[TrackerEvent], number: int | None) -> str:
    return "" if number is None else f"{number} {_told(events[number - 1])}"


def _told(event: TrackerEvent) -> str:
    return f"{event.name} {brief(record_of(event))}"


def _glyph(viewed: Viewed, number: int) -> tuple[str, Tone]:
    """What an event was, in a sign; the words beside it say the same."""
    event, replay = viewed.events[number - 1], viewed.judged.replay
    one = replay.confirmation_of.get(number)
    if number in viewed.judged.drifts:
        return "≠", "error"
    if number in replay.problems or event.fields.get("is_error"):
        return "!", "error"
    if one is not None and number == one.pause:
        return "?", "ask"
    if one is not None and number in one.runs:
        return ("✗", "bad") if one.outcome == "declined" else ("✓", "good")
    if bookkeeping(record_of(event)):
        return "·", "dim"
    return ("○", "value") if event.name.startswith(("memory_", "inspector_")) else ("●", "plain")
