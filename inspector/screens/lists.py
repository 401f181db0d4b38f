"""Help for a panel, and the menu of moves: lists to read or to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from inspector.actions import Action, actions_for, keys_for
from inspector.screens.dialog import Dialog
from inspector.visible import visible

__all__ = ["Help", "Menu"]


class Help(Dialog[None]):
    """What a panel shows and what can be pressed in it."""

    BINDINGS: ClassVar = [Binding("escape,question_mark,f1,q", "dismiss(None)", "leave")]

    def __init__(self, panel: str, about: str, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self.panel, self.about, self.keymap = panel, about, keymap

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = self.panel or "inspector"
            dialog.border_subtitle = "esc leaves"
            with VerticalScroll():
                if self.about:
                    yield Static(Content(self.about + "\n"))
                yield from self._keys(actions_for(self.panel))
                yield Static(Content("\neverywhere"), classes="dim")
                yield from self._keys(actions_for("app"))
                yield from _key("↑ ↓ j k", "move through rows; page up, page down, g and G go further")
                yield from _key("tab", "the next panel")

    def _keys(self, actions: tuple[Action, ...]) -> ComposeResult:
        for action in actions:
            yield from _key(keys_for(action, self.keymap), action.tooltip)


def _key(key: str, what: str) -> ComposeResult:
    with Horizontal(classes="help"):
        yield Static(Content(key), classes="key")
        yield Static(Content(what), classes="what")


class Menu(Dialog[int | None]):
    """A list to choose from; gives the index of what was chosen. `about` stands above it."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "leave")]

    def __init__(self, title: str, options: tuple[str, ...], about: str = "") -> None:
        super().__init__()
        self.heading, self.options, self.about = title, options, about

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = Content(visible(self.heading))
            dialog.border_subtitle = "enter chooses · esc leaves"
            if self.about:
                yield Static(Content(visible(self.about, lines=True) + "\n"))
            yield OptionList(*(Option(Content(visible(text))) for text in self.options))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)
