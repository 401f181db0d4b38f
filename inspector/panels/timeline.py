"""The timeline: every moment of the session, with the gates that it opened and closed."""

from __future__ import annotations

from typing import ClassVar, assert_never

from rich.cells import cell_len
from textual.geometry import Region

from inspector.messages import MomentChosen
from inspector.panels.lines import Lines, Row, bindings, clip, pad
from inspector.pieces import Piece, Tone
from inspector.reports.tell import failure
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
    """One row a moment; the one that is looked at is under the cursor."""

    BINDINGS: ClassVar = bindings("timeline")
    ABOUT: ClassVar = (
        "Every moment of the session: what happened, and which tools it opened or closed. `[` and `]` go a"
        " moment back and forth, `{` and `}` a turn, `,` and `.` to the next moment at which a gate changed."
        " Looking at an earlier moment shows everything as it was; playing on from there drops what came after,"
        " and undo brings it back."
    )

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(title, id=id)
        self.moments: tuple[Moment[State], ...] = ()

    def show(self, view: View) -> None:
        session = view.session
        self.show_rows(self._rows(session.moments))
        self.cursor = session.cursor
        self.scroll_to_region(Region(0, session.cursor, 1, 1), animate=False, immediate=True, force=True)
        turns = session.moments[-1].state.turn.number
        past = " · looking back" if session.cursor < len(session.moments) - 1 else ""
        self.border_title = (
            f"{self.title} · turn {view.state.turn.number} of {turns}"
            f" · event {session.cursor} of {len(session.moments) - 1}{past}"
        )
        self.refresh()

    def _rows(self, moments: tuple[Moment[State], ...]) -> list[Row]:
        """A row for each moment; those of moments that were there before are kept, so that a step costs one row."""
        same = next((i for i, (a, b) in enumerate(zip(self.moments, moments, strict=False)) if a is not b), None)
        known = min(len(self.moments), len(moments)) if same is None else same
        rows = [*self.all_rows[:known], *(_row(i, m) for i, m in enumerate(moments[known:], known))]
        self.moments = moments
        return rows

    def action_visit(self) -> None:
        if self.current and isinstance(self.current.id, int):
            self.post_message(MomentChosen(self.current.id))

    def chosen(self) -> None:
        self.action_visit()


def _row(index: int, moment: Moment[State]) -> Row:
    glyph, tone = _glyph(moment)
    turn = f"{moment.state.turn.number or '':>3} "
    moved = ", ".join(str(c) for c in moment.moved if c.tool not in BUILT_IN)
    what = named(moment.event)

    def draw(width: int) -> tuple[Piece, ...]:
        room = max(width - 8, 8)
        if moved:
            room = min(max(cell_len(what), room // 3), 48, room * 2 // 3)
        rest = clip(moved, width - room - 8)
        return (turn, "dim"), (glyph + " ", tone), (pad(what, room) + "  ", "plain"), (rest, "accent")

    return Row(index, draw, f"{what} {moved}", copy=f"{what} {moved}".strip())


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
        case Activated(target):
            return f"start {target}"
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
