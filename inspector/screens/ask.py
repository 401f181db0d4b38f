"""One line to type: a file to open, or a place to go to. What can't be understood is refused in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from inspector.panels.line import Line
from inspector.screens.dialog import Dialog
from inspector.visible import visible

__all__ = ["Ask"]


class Ask(Dialog[str | None]):
    """Gives the line as it was typed, once `refuse` has nothing against it."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "leave")]

    def __init__(
        self, title: str, label: str, placeholder: str, refuse: Callable[[str], str], start: str = "", about: str = ""
    ) -> None:
        super().__init__()
        self.heading, self.label, self.placeholder, self.refuse = title, label, placeholder, refuse
        self.start, self.about = start, about

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = Content(visible(self.heading))
            dialog.border_subtitle = "enter goes on · esc leaves"
            if self.about:
                yield Static(Content(visible(self.about, lines=True)), classes="dim")
            with Horizontal(classes="line"):
                yield Static(Content(self.label), classes="label")
                yield Line(self.start, id="asked", compact=True, placeholder=self.placeholder)
            yield Static("", id="refused", classes="refused")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        refused = self.refuse(event.value.strip())
        if refused:
            self.query_one("#refused", Static).update(Content(visible(refused)))
        else:
            self.dismiss(event.value.strip())
