"""Which file the session is to be recorded into."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from inspector.panels.line import Line
from inspector.screens.dialog import Dialog
from inspector.visible import visible

__all__ = ["RecordInto"]


class RecordInto(Dialog[Path | None]):
    """Gives the file that was typed. None is proposed: it is the author who says where something is written."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "leave")]

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = "record the session"
            dialog.border_subtitle = "enter records · esc leaves"
            with Horizontal(classes="line"):
                yield Static(Content("file"), classes="label")
                yield Line(id="file", compact=True, placeholder="such as ../recordings/lost_card.jsonl: a new one")
            yield Static("", id="refused", classes="refused")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        if not name:
            self.query_one("#refused", Static).update(Content(visible("name the file to record into")))
        else:
            self.dismiss(Path(name).expanduser())
