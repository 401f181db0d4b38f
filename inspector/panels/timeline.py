"""The timeline: every moment of the session, with the gates that it opened and closed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import ClassVar, assert_never

from rich.cells import cell_len
from textual.geometry import Region

from inspector.messages import MomentChosen, RecordWanted
from inspector.panels.lines import Lines, Row, bindings, clip, pad
from inspector.pieces import Piece, Tone
from inspector.reports.tell import failure
from inspector.turns import entries
from inspector.view import View
from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Resolved,
    Searched,
    SessionBegan,
    Stubbed,
)
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import BUILT_IN
from inspector_core.mantle.values import as_text
from inspector_core.session import Moment

ModelMove = (
    ModelSaid | Called | FieldsSet | Activated | Corrected | Searched | CannotHelp | Completed | Cancelled | Listened
)

__all__ = ["Timeline", "named"]


class Timeline(Lines):
    """One row a moment, which unfolds into its events; the moment that is looked at is under the cursor."""

    BINDINGS: ClassVar = bindings("timeline")
    ABOUT: ClassVar = (
        "Every moment of the session, turn by turn: what happened, and which tools it opened or closed. `space`"
        " unfolds the events that the engine would have recorded of a moment; what only keeps its books is counted,"
        " and `b` shows that too. `enter` on a moment looks at it, `enter` on an event shows the record itself. `[`"
        " and `]` go a moment back and forth, `{` and `}` a turn, `,` and `.` to the next moment at which a gate"
        " changed. Looking at an earlier moment shows everything as it was; playing on from there drops what came"
        " after, and undo brings it back."
    )

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(title, id=id)
        self.moments: tuple[Moment[State], ...] = ()
        self.told: list[tuple[Row, ...]] = []
        """The rows of each moment."""
        self.opened: set[int] = set()
        """The moments that are unfolded."""
        self.every = False
        """Bookkeeping is shown too."""
        self.at = 0
        """The moment that is looked at."""

    def show(self, view: View) -> None:
        session = view.session
        self.at = session.cursor
        self._tell(session.moments)
        self._lay(session.cursor)
        turns = session.moments[-1].state.turn.number
        past = " · looking back" if session.cursor < len(session.moments) - 1 else ""
        self.border_title = (
            f"{self.title} · turn {view.state.turn.number} of {turns}"
            f" · event {session.cursor} of {len(session.moments) - 1}{past}"
        )
        self.refresh()

    def _lay(self, cursor: Hashable) -> None:
        """Show the rows; the cursor goes to the row of that id."""
        self.show_rows(row for rows in self.told for row in rows)
        at = next((i for i, row in enumerate(self.rows) if row.id == cursor), None)
        if at is not None:
            self.cursor = at
            self.scroll_to_region(Region(0, at, 1, 1), animate=False, immediate=True, force=True)
        self.refresh()

    def _tell(self, moments: tuple[Moment[State], ...]) -> None:
        """The rows of all moments; those of moments that were there before are kept, so that a step costs its own."""
        same = next((i for i, (a, b) in enumerate(zip(self.moments, moments, strict=False)) if a is not b), None)
        known = min(len(self.moments), len(moments)) if same is None else same
        self.opened = {index for index in self.opened if index < known}
        self.moments = moments
        self.told[known:] = [self._rows(index) for index in range(known, len(moments))]

    def _rows(self, index: int) -> tuple[Row, ...]:
        """A moment's own row, and where it is unfolded, its events and what became of the gates."""
        moment = self.moments[index]
        first = index == 0 or self.moments[index - 1].state.turn.number != moment.state.turn.number
        row = _row(index, moment, first, index in self.opened)
        return (row, *_details(index, moment, self.every)) if index in self.opened else (row,)

    # -- acting --------------------------------------------------------------------------------------------------

    def _under(self) -> tuple[int, int | None] | None:
        """The moment under the cursor, and which of its records."""
        match self.current.id if self.current else None:
            case int(index):
                return index, None
            case (int(index), int(number)):
                return index, number
            case _:
                return None

    def action_visit(self) -> None:
        match self._under():
            case (index, None):
                self.post_message(MomentChosen(index))
            case (index, int(number)):
                self.post_message(RecordWanted(index, number))

    def action_unfold(self) -> None:
        if (under := self._under()) and self.moments[under[0]].records:
            self.opened ^= {under[0]}
            self.told[under[0]] = self._rows(under[0])
            self._lay(under[0])

    def action_bookkeeping(self) -> None:
        self.every = not self.every
        for index in self.opened:
            self.told[index] = self._rows(index)
        under = self._under()
        self._lay(self.current.id if self.current and under and under[1] is None else under[0] if under else self.at)

    def chosen(self) -> None:
        self.action_visit()


def _row(index: int, moment: Moment[State], first: bool, opened: bool) -> Row:
    glyph, tone = _glyph(moment)
    turn = f"{(moment.state.turn.number or '') if first else '':>3} "
    fold = "  " if not moment.records else "▾ " if opened else "▸ "
    moved = ", ".join(str(c) for c in moment.moved if c.tool not in BUILT_IN)
    what = named(moment.event)

    def draw(width: int) -> tuple[Piece, ...]:
        room = max(width - 10, 8)
        if moved:
            room = min(max(cell_len(what), room // 3), 48, room * 2 // 3)
        rest = clip(moved, width - room - 10)
        return (turn, "head"), (fold, "dim"), (glyph + " ", tone), (pad(what, room) + "  ", "plain"), (rest, "accent")

    return Row(index, draw, f"{what} {moved}", copy=f"{what} {moved}".strip())


def _details(index: int, moment: Moment[State], every: bool) -> Iterator[Row]:
    for entry in entries(moment.records, every):
        name = f"{entry.folded} of bookkeeping" if entry.folded else entry.name
        tone: Tone = (
            "error" if entry.wrong else "dim" if entry.folded or entry.name.startswith("inspector_") else "plain"
        )
        told = f"{name} {entry.text}"
        yield Row((index, entry.number), _detail(name, entry.text, tone), told, copy=told)
    for change in moment.moved:
        if change.tool not in BUILT_IN:
            words = str(change)
            yield Row((index, words), _detail("gate", words, "accent"), words, copy=words)


def _detail(name: str, text: str, tone: Tone) -> Callable[[int], tuple[Piece, ...]]:
    head = f"{'':8}{name:<23} "
    return lambda width: ((head, "dim"), (clip(text, width - cell_len(head)), tone))


def _glyph(moment: Moment[State]) -> tuple[str, Tone]:
    if any(failure(r) for r in moment.records):
        return "!", "error"
    match moment.event:
        case Resolved(confirmed=True):
            return "✓", "good"
        case Resolved():
            return "✗", "bad"
        case Called() if moment.state.pending is not None:
            return "?", "ask"
        case AuthorSet() | AuthorCleared():
            return "○", "value"
        case _:
            return "●", "plain"


def named(event: Event | None) -> str:
    """An event in a few words."""
    match event:
        case None:
            return "the session begins"
        case CustomerSaid(text):
            return f"customer: {text}"
        case AuthorSet(key, value):
            return f"{key} = {as_text(value)}"
        case AuthorCleared(key):
            return f"{key} unset"
        case Resolved(confirmed):
            return "the customer agrees" if confirmed is True else "the customer declines"
        case SessionBegan():
            return "the channel opens the session"
        case Stubbed(tool, stub):
            return f"{tool} does {'as its code reads' if stub is None else 'as you say'} from now on"
        case _:
            return _model(event)


def _model(event: ModelMove) -> str:
    match event:
        case ModelSaid(text):
            return f"model: {text}"
        case Called(calls):
            return "call " + ", ".join(c.tool for c in calls)
        case FieldsSet(values):
            return "set " + ", ".join(f"{k} = {as_text(v)}" for k, v in values.items())
        case Activated(target, fills):
            filling = ", ".join(f"{k} = {as_text(v)}" for k, v in fills.items())
            return f"start {target}{f', filling {filling}' if filling else ''}"
        case Completed() | Cancelled():
            return f"{'complete' if isinstance(event, Completed) else 'cancel'} the skill"
        case Corrected(key, value):
            return f"correct {key} = {as_text(value)}"
        case Searched(query):
            return f"search for {query}"
        case CannotHelp():
            return "can't help"
        case Listened():
            return "listen"
        case _:
            assert_never(event)
