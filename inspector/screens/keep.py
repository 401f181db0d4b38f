"""A conversation about to be kept as a test: where, in which form, about which events, and with what taken out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from inspector.panels.line import Line
from inspector.screens.dialog import Dialog
from inspector.visible import visible
from inspector_core.classes import NamedTuple
from inspector_core.mantle.project import Project
from inspector_core.recording.keep.conversation import Conversation
from inspector_core.recording.keep.keeping import Form, KeptTest, keep
from inspector_core.recording.keep.marks import EVERYTHING, Marks, read_marks
from inspector_core.recording.keep.redactor import Redaction

__all__ = ["Choice", "KeepTest"]

_FORMS: Mapping[Form, str] = {"script": "script", "e2e": "end-to-end test", "scenario": "scenario"}
_LONGEST = 20_000
"""So many characters of a test are shown before it is saved."""
_NAME = "a kept conversation"


class Choice(NamedTuple):
    """What is to be saved, and where."""

    folder: Path
    name: str
    text: str


class KeepTest(Dialog[Choice | None]):
    """Gives the test that was chosen; without a folder nothing is saved. What is private is left out unless kept."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "leave")]

    def __init__(self, conversation: Conversation, project: Project | None, folder: str = "", name: str = "") -> None:
        super().__init__()
        self.conversation, self.project = conversation, project
        self.start = {"folder": folder, "called": name, "marks": ""}
        self.form: Form = "script"
        self.marks: Marks = EVERYTHING
        self.shown: set[str] = set()
        self.kept = KeptTest("", ())

    def compose(self) -> ComposeResult:
        count = len(self.conversation.records)
        with Vertical(id="dialog") as dialog:
            dialog.border_title = "keep the conversation as a test"
            dialog.border_subtitle = "tab goes on · enter saves · esc leaves"
            yield from self._line("folder", "folder", "such as ../my-scripts: it is made where it isn't there")
            yield from self._line("called", "name", "what happens in it")
            yield from self._line("marks", "about events", f"such as 3-17, 20; all {count} where nothing is said")
            yield Static("", id="refused", classes="refused")
            with Horizontal(id="forms"):
                for form in _FORMS:
                    yield Button(self._form_label(form), id=form, compact=True)
            yield Static("", id="private-title", classes="dim")
            yield OptionList(id="private")
            with VerticalScroll(id="preview"):
                yield Static("", id="text")

    def _line(self, id: str, label: str, placeholder: str) -> ComposeResult:
        with Horizontal(classes="line"):
            yield Static(Content(label), classes="label")
            yield Line(self.start[id], id=id, compact=True, placeholder=placeholder)

    def _form_label(self, form: Form) -> str:
        return f"{'●' if form == self.form else '○'} {_FORMS[form]}"

    async def on_mount(self) -> None:
        await self._make()

    # -- choosing ------------------------------------------------------------------------------------------------

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        for form in _FORMS:
            if event.button.id == form:
                self.form = form
        for form in _FORMS:
            self.query_one(f"#{form}", Button).label = self._form_label(form)
        await self._make()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.shown ^= {self.kept.redactions[event.option_index].name}
        await self._make()

    async def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id != "marks":
            return
        try:
            marks = read_marks(event.value)
        except ValueError as error:
            self._refuse(str(error))
            return
        self._refuse("")
        if marks != self.marks:
            self.marks = marks
            await self._make()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        folder, name, marks = (self.query_one(f"#{id}", Input).value.strip() for id in ("folder", "called", "marks"))
        try:
            read_marks(marks)
        except ValueError as error:
            self._refuse(str(error))
            return
        if not folder:
            self._refuse("name the folder to save it in")
            self.query_one("#folder", Input).focus()
        else:
            self.dismiss(Choice(Path(folder).expanduser(), name or _NAME, self._text(name)))

    def _text(self, name: str) -> str:
        """The test under the name that it has now."""
        return keep(
            self.conversation, self.form, self.project, marks=self.marks, shown=self.shown, name=name, tried=False
        ).text

    def _refuse(self, words: str) -> None:
        self.query_one("#refused", Static).update(Content(visible(words)))

    # -- showing -------------------------------------------------------------------------------------------------

    async def _make(self) -> None:
        """Make the test anew, away from the screen's own thread: a long conversation takes longer than a key may."""
        marks, shown, form = self.marks, frozenset(self.shown), self.form
        self.kept = await asyncio.to_thread(
            keep, self.conversation, form, self.project, marks=marks, shown=shown, name=_NAME
        )
        self._show()

    def _show(self) -> None:
        found = self.kept.redactions
        hidden = sum(not one.kept for one in found)
        title = f"private: {hidden} of {len(found)} taken out; enter keeps one, or takes it out again" if found else ""
        self.query_one("#private-title", Static).update(Content(title or "nothing in it looks private"))
        listed = self.query_one("#private", OptionList)
        at = listed.highlighted
        listed.clear_options()
        listed.add_options([Option(Content(visible(_row(one)))) for one in found])
        listed.highlighted = at if at is not None and at < len(found) else None
        listed.display = bool(found)
        self.query_one("#text", Static).update(Content(visible(self._preview(), lines=True)))

    def _preview(self) -> str:
        kept = self.kept
        problem = [f"it does not pass over the files as they are: {kept.problem}"] if kept.problem else []
        told = [f"# {line}" for line in (*problem, *kept.notes)]
        text = kept.text if len(kept.text) <= _LONGEST else f"{kept.text[:_LONGEST]}\n… and more"
        return "\n".join([*told, text])


def _row(one: Redaction) -> str:
    """A private value with what becomes of it, and where it stands."""
    places = one.places[0] if len(one.places) == 1 else f"{one.places[0]}, and {len(one.places) - 1} more"
    value = one.value if len(one.value) <= _WIDE else f"{one.value[: _WIDE - 1]}…"
    return f"! kept     {value}  {places}" if one.kept else f"✓ hidden   {value} → {one.instead}  {places}"


_WIDE = 24
