"""Typing or choosing a memory value."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.panels.line import Line
from inspector.screens.dialog import Dialog
from inspector.visible import visible
from inspector_core.mantle.project import Field
from inspector_core.mantle.values import Refused, as_text, choices, parse_value

__all__ = ["Chosen", "EditValue"]


class Chosen:
    """A value that the author settled on; `None` unsets."""

    def __init__(self, value: object) -> None:
        self.value = value


class EditValue(Dialog[Chosen | None]):
    """One entry's value: from a list where it has one, else typed. A text that is no value is refused in place."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "cancel"), Binding("ctrl+d", "unset", "unset")]

    def __init__(self, key: str, field: Field | None, value: object) -> None:
        super().__init__()
        self.key, self.field, self.value = key, field, value
        self.options = choices(field) if field else None

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_title = Content(visible(self.key))
            dialog.border_subtitle = "enter keeps · ctrl+d unsets · esc leaves"
            yield Static(Content(visible(self._about(), lines=True)), classes="dim")
            if self.options is not None:
                yield OptionList(*(Option(Content(visible(as_text(v)))) for v in self.options), id="options")
            typed = self._typed() if self.options is None else ""
            yield Line(typed, id="value", compact=True, placeholder="" if self.options is None else '="any JSON"')
            yield Static("", id="refused", classes="refused")

    def on_mount(self) -> None:
        if self.options is not None:
            self.query_one(OptionList).focus()
            chosen = [i for i, v in enumerate(self.options) if type(v) is type(self.value) and v == self.value]
            self.query_one(OptionList).highlighted = chosen[0] if chosen else 0

    def _about(self) -> str:
        kind = self.field.type if self.field else "declared nowhere"
        told = f"  {self.field.description}" if self.field and self.field.description else ""
        exact = '\n= and JSON writes a value of any type: =true, =3, ="3"'
        return f"{kind}, now {as_text(self.value)}{told}{exact}"

    def _typed(self) -> str:
        if self.value is None:
            return ""
        kind = self.field.type if self.field else "any"
        if isinstance(self.value, str) and kind not in ("int", "float", "bool", "list", "json"):
            return self.value
        return as_text(self.value) if not isinstance(self.value, str) else f"={as_json(self.value)}"

    def on_input_submitted(self, event: Input.Submitted) -> None:
        value = parse_value(self.field, event.value)
        if isinstance(value, Refused):
            self.query_one("#refused", Static).update(Content(visible(f"{value.message}\n{value.hint}", lines=True)))
        else:
            self.dismiss(Chosen(value))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.options is not None:
            self.dismiss(Chosen(self.options[event.option_index]))

    def action_unset(self) -> None:
        self.dismiss(Chosen(None))


def as_json(value: str) -> str:
    """A text as JSON writes it."""
    import json

    return json.dumps(value, ensure_ascii=False)
