"""The conversation: what was said and done, the pending confirmation as a card, and a line to type into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester

from inspector.messages import Answered, PanelWanted
from inspector.panels.line import Line
from inspector.panels.lines import Lines, Row, bindings, pad, wrap
from inspector.pieces import Piece
from inspector.reports.tell import Told, tell
from inspector.typed import COMMANDS
from inspector.view import View
from inspector.visible import visible
from inspector_core.mantle.engine.pending import closed_since
from inspector_core.mantle.engine.state import Pending, State
from inspector_core.session import Moment

__all__ = ["Card", "Conversation", "Log", "Talk"]

_PLACEHOLDER = "the customer says…  / for the model"

WHO = 9
"""Cells for the name at the left."""


class Log(Lines):
    """What was said and done, oldest first; follows the end."""

    def __init__(self, *, id: str) -> None:
        super().__init__("Conversation", id=id)
        self.follow_end = True
        self.border_title = None
        self.view: View | None = None
        self.told: list[tuple[Moment[State], int, tuple[Row, ...]]] = []

    def show(self, view: View) -> None:
        self.view = view
        width = self.scrollable_content_region.width - 1
        if width > 0:
            self.show_rows(self._rows(view, width))

    def on_resize(self) -> None:
        if self.view:
            self.show(self.view)
        super().on_resize()

    def _rows(self, view: View, width: int) -> list[Row]:
        """The rows of all moments up to the one looked at; those told before are kept, so that a step costs its own."""
        moments = view.session.moments[: view.session.cursor + 1]
        del self.told[len(moments) :]
        for index, moment in enumerate(moments):
            if index == len(self.told):
                self.told.append((moment, width, _moment_rows(index, moment, width)))
            elif self.told[index][0] is not moment or self.told[index][1] != width:
                self.told[index] = (moment, width, _moment_rows(index, moment, width))
        rows = [row for _, _, rows in self.told for row in rows]
        return rows or [Row("empty", ((line, "dim"),), quiet=True) for line in wrap(_EMPTY, width)]


def _moment_rows(index: int, moment: Moment[State], width: int) -> tuple[Row, ...]:
    told = [t for record in moment.records for t in tell(record)]
    return tuple(row for number, t in enumerate(told) for row in _told_rows((index, number), t, width))


_EMPTY = (
    "nothing was said yet. Type what the customer says, or play the model: c on a tool calls it, a lists what can be"
    " done now."
)


def _told_rows(number: tuple[int, int], told: Told, width: int) -> Iterator[Row]:
    room = max(width - WHO - 1, 10)
    for part, line in enumerate(wrap(told.text, room)):
        who = told.who if part == 0 else ""
        pieces: tuple[Piece, ...] = ((pad(who, WHO) + " ", "dim"), (line, told.tone))
        yield Row((*number, part), pieces, f"{told.who} {told.text}", copy=told.text)


class Card(Lines):
    """The confirmation that waits. Nothing is chosen at first, so that no key pressed in haste says yes."""

    BINDINGS: ClassVar = bindings("card")
    ABOUT = (
        "A confirmation waits for the customer. `y`: the customer agrees and the tool runs once, with the"
        " arguments captured when it asked. `n`: the customer declines and nothing runs. Anything else the"
        " customer says leaves it waiting."
    )

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(title, id=id)
        self.view: View | None = None

    def on_resize(self) -> None:
        if self.view is not None:
            self.show(self.view)
        super().on_resize()

    def show(self, view: View) -> None:
        self.view = view
        pending = view.state.pending
        self.display = pending is not None
        if pending is None:
            return
        self.border_title = Content(visible(f"{pending.tool} asks"))
        self.border_subtitle = f"asked in turn {pending.turn}"
        self.show_rows(_card_rows(view, pending, max(self.scrollable_content_region.width - 1, 30)))
        self.styles.height = min(len(self.rows) + 2, 10)

    def action_answer(self, confirmed: bool) -> None:
        self.post_message(Answered("yes" if confirmed else "no", confirmed))

    def action_choose(self) -> None:
        if self.current and self.current.id in ("yes", "no"):
            self.action_answer(self.current.id == "yes")

    def chosen(self) -> None:
        self.action_choose()


def _card_rows(view: View, pending: Pending, width: int) -> Iterator[Row]:
    for line in wrap(pending.ask or "the ask is left to the model: no response is named for it", width):
        yield Row("ask", ((line, "plain" if pending.ask else "dim"),), quiet=True)
    given = "  ".join(f"{name}={value!r}" for name, value in pending.arguments.items())
    yield Row("arguments", ((given or "no arguments", "value" if given else "dim"),), quiet=True)
    for warning in _warnings(view, pending):
        yield from (Row("warning", ((line, "error"),), quiet=True) for line in wrap(warning, width))
    yield Row("nothing", (("· no answer yet", "dim"),))
    yield Row("yes", (("[y] yes", "good"), (f"  {pending.tool} runs once", "dim")))
    yield Row("no", (("[n] no", "bad"), ("   nothing runs", "dim")))


def _warnings(view: View, pending: Pending) -> Iterator[str]:
    if view.state.active_pending is None:
        yield f"{pending.skill_id} is not on top: the answer waits until it is again"
    if closed_since(view.report, pending):
        yield "the gate has closed since: a yes still runs it, the engine does not look again"


class Complete(Suggester):
    """Completes a typed move: its command, then the names that fit now."""

    def __init__(self, talk: Talk) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.talk = talk

    async def get_suggestion(self, value: str) -> str | None:
        return next((s for s in self.talk.suggestions(value) if s.startswith(value) and s != value), None)


class Talk(Line):
    """The line to type into. An empty line does nothing, whatever waits."""

    BINDINGS: ClassVar = [
        *bindings("talk"),
        Binding("tab", "take", "take", show=False),
        Binding("up", "recall(-1)", "the line before", show=False),
        Binding("down", "recall(1)", "the line after", show=False),
    ]
    ABOUT = (
        "A line of the conversation. Plain words are the customer's; while a confirmation waits, `y` or `n` and"
        " enter answer it. A line that begins with `/` is the model's move: "
        + ", ".join(COMMANDS)
        + ". The right arrow takes what is"
        " suggested; escape leaves the line."
    )

    def __init__(self, *, id: str) -> None:
        super().__init__(placeholder=_PLACEHOLDER, id=id, compact=True)
        self.suggester = Complete(self)
        self.view: View | None = None
        self.cursor_blink = False
        self.lines: list[str] = []
        self.line = 0

    def sent(self) -> None:
        """The line was understood: it makes room for the next, and the up arrow brings it back."""
        self.lines.append(self.value)
        self.line = len(self.lines)
        self.value = ""

    def action_recall(self, by: int) -> None:
        self.line = min(max(self.line + by, 0), len(self.lines))
        self.value = self.lines[self.line] if self.line < len(self.lines) else ""
        self.cursor_position = len(self.value)

    def suggestions(self, value: str) -> Iterator[str]:
        """Whole lines that the typed one could become."""
        command, space, _ = value.partition(" ")
        if not command.startswith("/") or self.view is None:
            return
        if not space:
            yield from (c for c in COMMANDS if c.startswith(command))
        elif command == "/start":
            yield from (f"/start {s.id}" for s in self.view.project.own_skills)
        elif command == "/call":
            yield from (f"/call {v.tool}" for v in self.view.report.of(self.view.look.skill) if v.offered)
        elif command == "/set":
            skill = self.view.project.skill_by_id.get(self.view.look.skill or "")
            yield from (f"/set {f.entry}=" for f in (skill.fields if skill else ()))

    def action_leave(self) -> None:
        self.post_message(PanelWanted("tools"))

    def action_take(self) -> None:
        if self.value.startswith("/") and self._suggestion:
            self.action_cursor_right()
        else:
            self.screen.focus_next()


class Conversation(Vertical):
    """Log, card and line, in one frame."""

    def compose(self) -> ComposeResult:
        self.border_title = "Conversation"
        yield Log(id="log")
        yield Card("Confirmation", id="card")
        yield Talk(id="talk")

    def show(self, view: View) -> None:
        talk = self.query_one(Talk)
        talk.view = view
        waits = view.state.pending is not None
        talk.placeholder = "y or n and enter, or anything else the customer says" if waits else _PLACEHOLDER
        self.query_one(Card).show(view)
        self.query_one(Log).show(view)
        turn = view.state.turn
        self.border_subtitle = f"turn {turn.number} · {'the model moves' if turn.open else 'the customer speaks next'}"
