"""Where a conversation is to be saved as a script, and under which name."""

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

__all__ = ["SaveScript"]


class SaveScript(Dialog[tuple[Path, str] | None]):
    """Gives the folder and the name that were typed; without a folder nothing is saved."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "leave")]

    def __init__(self, folder: str, name: str) -> None:
        super().__init__()
        self.start = {"folder": folder, "called": name}

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = "save the conversation as a script"
            dialog.border_subtitle = "enter saves · esc leaves"
            yield from self._line("folder", "folder", "such as ../my-scripts: it is made where it isn't there")
            yield from self._line("called", "name", "what happens in it")
            yield Static("", id="refused", classes="refused")

    def _line(self, id: str, label: str, placeholder: str) -> ComposeResult:
        with Horizontal(classes="line"):
            yield Static(Content(label), classes="label")
            yield Line(self.start[id], id=id, compact=True, placeholder=placeholder)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        folder, name = (self.query_one(f"#{id}", Input).value.strip() for id in ("folder", "called"))
        if not folder:
            self.query_one("#refused", Static).update(Content(visible("name the folder to save it in")))
            self.query_one("#folder", Input).focus()
        else:
            self.dismiss((Path(folder).expanduser(), name or "a saved conversation"))
