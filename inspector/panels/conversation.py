"""The conversation: what was said and done, the pending confirmation as a card, and a line to type into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester

from inspector.buttons import Button, buttons
from inspector.messages import Answered, PanelWanted, Played
from inspector.panels.line import Line
from inspector.panels.lines import Lines, Row, bindings, clip, pad, wrap
from inspector.pieces import Piece
from inspector.questions import Question, question
from inspector.reports.tell import Told, tell
from inspector.turns import record_of
from inspector.typed import COMMANDS
from inspector.view import View
from inspector.visible import visible
from inspector_core.mantle.engine.state import State
from inspector_core.session import Moment

if TYPE_CHECKING:
    from inspector.viewed import Viewed

__all__ = ["Card", "Conversation", "Log", "Talk"]

_PLACEHOLDER = "the customer says…  / for the model"

SHOWN = 400
"""So many events of a recording are shown."""

WHO = 9
"""Cells for the name at the left."""


class Log(Lines):
    """What was said and done, oldest first; follows the end. The buttons of the last message can be tapped."""

    BINDINGS: ClassVar = bindings("log")
    ABOUT: ClassVar = (
        "What was said and done, oldest first. Under the agent's last message are its buttons, if it has any: `enter`"
        " taps the one under the cursor, as the customer would. `note` is what the engine does without a record of it."
    )

    def __init__(self, *, id: str) -> None:
        super().__init__("Conversation", id=id)
        self.follow_end = True
        self.border_title = None
        self.view: View | None = None
        self.told: list[tuple[Moment[State], int, tuple[Row, ...]]] = []
        self.recorded: dict[tuple[int, int, int], tuple[Row, ...]] = {}
        """The rows of a recording's events, by recording, width and number."""

    def show(self, view: View) -> None:
        self.view = view
        width = self.scrollable_content_region.width - 1
        if width > 0:
            self.show_rows(self._rows(view, width))

    def on_resize(self) -> None:
        if self.view:
            self.show(self.view)
        super().on_resize()

    def action_tap(self) -> None:
        if self.current and isinstance(self.current.id, Button):
            self.post_message(Played((self.current.id.event,)))

    def chosen(self) -> None:
        self.action_tap()

    def _rows(self, view: View, width: int) -> list[Row]:
        """The rows of all moments up to the one looked at; those told before are kept, so that a step costs its own."""
        if view.viewed is not None:
            return self._recorded(view.viewed, width)
        moments = view.session.moments[: view.session.cursor + 1]
        del self.told[len(moments) :]
        for index, moment in enumerate(moments):
            if index == len(self.told):
                self.told.append((moment, width, _moment_rows(index, moment, width)))
            elif self.told[index][0] is not moment or self.told[index][1] != width:
                self.told[index] = (moment, width, _moment_rows(index, moment, width))
        rows = [row for _, _, rows in self.told for row in rows]
        rows += [_button_row(button) for button in buttons(view.state)]
        return rows or [Row("empty", ((line, "dim"),), quiet=True) for line in wrap(_EMPTY, width)]

    def _recorded(self, viewed: Viewed, width: int) -> list[Row]:
        """The rows of the events up to the one looked at; of very many the last ones."""
        events, last = viewed.events, viewed.number
        first = max(last - SHOWN, 0)
        if len(self.recorded) > 4 * SHOWN:
            self.recorded.clear()
        rows = [Row("before", ((f"… {first} events before", "dim"),), quiet=True)] if first else []
        for number in range(first, last):
            key = id(events), width, number
            if key not in self.recorded:
                told = enumerate(tell(record_of(events[number])))
                self.recorded[key] = tuple(row for n, t in told for row in _told_rows((number, n), t, width))
            rows += self.recorded[key]
        return rows or [Row("empty", (("nothing was said yet: ] goes on", "dim"),), quiet=True)]


def _button_row(button: Button) -> Row:
    """A button under the last message: a second click, or enter, taps it."""
    title = f"{' ' * (WHO + 1)}[ {button.title} ]"
    sends = "" if button.payload == button.title else f"  {button.payload}"

    def draw(width: int) -> tuple[Piece, ...]:
        words = clip(title, width)
        return (words, "accent"), (clip(sends, width - cell_len(words)), "dim")

    return Row(button, draw, f"button {button.title} {button.payload}", copy=button.payload)


def _moment_rows(index: int, moment: Moment[State], width: int) -> tuple[Row, ...]:
    told = [t for record in moment.records[-SHOWN:] for t in tell(record)]
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
        asked = question(view.project, view.state, view.report)
        became = view.viewed.became if view.viewed is not None else None
        self.display = asked is not None
        if asked is None:
            return
        self.border_title = Content(visible(asked.title))
        self.show_rows(_card_rows(asked, became, max(self.scrollable_content_region.width - 1, 30)))
        self.border_subtitle = asked.note
        self.styles.height = min(len(self.rows) + 2, 10)

    def action_answer(self, confirmed: bool) -> None:
        self.post_message(Answered("yes" if confirmed else "no", confirmed))

    def action_choose(self) -> None:
        if self.current and self.current.id in ("yes", "no"):
            self.action_answer(self.current.id == "yes")

    def chosen(self) -> None:
        self.action_choose()


def _card_rows(asked: Question, became: str | None, width: int) -> Iterator[Row]:
    for line in wrap(asked.asked or _UNSAID[asked.kind], width):
        yield Row("ask", ((line, "plain" if asked.asked else "dim"),), quiet=True)
    yield Row("arguments", ((asked.details, "value"),), quiet=True)
    for warning in asked.warnings:
        yield from (Row("warning", ((line, "error"),), quiet=True) for line in wrap(warning, width))
    if became is not None:
        yield from (Row("became", ((line, "ask"),), quiet=True) for line in wrap(f"recorded: {became}", width))
        return
    yield Row("nothing", (("· no answer yet", "dim"),))
    yield Row("yes", (("[y] yes", "good"), (clip(f"  {asked.yes}", width - 7), "dim")))
    yield Row("no", (("[n] no", "bad"), (clip(f"   {asked.no}", width - 6), "dim")))


_UNSAID = {
    "confirmation": "the ask is left to the model: no response is named for it",
    "resume": "the engine asks this in words of its own",
}
"""What stands for a question whose words are not known."""


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
        from inspector.completing import completions

        if self.view is not None:
            yield from completions(self.view, value)

    def onward(self) -> str:
        """What the line could go on with, for the frame around it; empty while the customer's words are typed."""
        from inspector.completing import onward

        return onward(self.view, self.value) if self.view is not None and self.value.startswith("/") else ""

    def action_leave(self) -> None:
        self.post_message(PanelWanted("tools"))

    def action_take(self) -> None:
        if self.value.startswith("/") and self._suggestion:
            self.action_cursor_right()
        else:
            self.screen.focus_next()


class Conversation(Vertical):
    """Log, card and line, in one frame."""

    turn = ""

    def compose(self) -> ComposeResult:
        self.border_title = "Conversation"
        yield Log(id="log")
        yield Card("Confirmation", id="card")
        yield Talk(id="talk")

    def show(self, view: View) -> None:
        talk = self.query_one(Talk)
        talk.view = view
        waits = question(view.project, view.state, view.report) is not None
        talk.placeholder = "y or n and enter, or anything else the customer says" if waits else _PLACEHOLDER
        talk.placeholder = "B plays on from here" if view.viewed is not None else talk.placeholder
        self.query_one(Card).show(view)
        self.query_one(Log).show(view)
        turn = view.state.turn
        speaks = "the model moves" if turn.open else "the customer speaks next"
        speaks = "as recorded" if view.viewed is not None else speaks
        self.turn = "the conversation is over" if view.state.over else f"turn {turn.number} · {speaks}"
        self.border_subtitle = self.turn

    def on_input_changed(self) -> None:
        """While a move is typed, the frame shows what it could go on with."""
        told = self.query_one(Talk).onward()
        self.border_subtitle = Content(visible(told)) if told else self.turn
