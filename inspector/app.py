"""The app: routes what panels tell to the store, and what the store makes of it to the screen."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Input

from inspector import messages as told
from inspector.actions import ACTIONS, action_of, actions_for
from inspector.config import config_folder, read_config
from inspector.effects import clock, editor_command, open_editor
from inspector.reload import Reloader
from inspector.screens.main import Main
from inspector.store import Store, find_tool
from inspector.themes import bundled_themes, user_themes
from inspector.typed import Answer, CallTyped, Wrong, understand
from inspector.view import View
from inspector.visible import visible
from inspector_core.events import Call, Called, FieldsSet
from inspector_core.mantle.moves import available
from inspector_core.mantle.project import Project
from inspector_core.source import Span

__all__ = ["Inspector", "run"]


class Inspector(App[int]):
    """Holds the store; every change of the session comes through here and is painted as one view."""

    CSS_PATH = "styles/app.tcss"
    TITLE = "inspector"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar = [
        Binding(a.key, a.method, a.label, show=False, tooltip=a.tooltip, id=a.id) for a in actions_for("app")
    ]

    def __init__(
        self,
        root: Path,
        version: str,
        empty: Project,
        seed: Mapping[str, object] | None = None,
        watching: bool = True,
    ) -> None:
        self.keymap_now: dict[str, str] = {}
        super().__init__()
        self.root, self.version, self.watching = root, version, watching
        self.store = Store(empty, seed or {}, self.paint)
        self.main = Main()

    # -- starting ------------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        config = read_config(config_folder())
        own, problems = user_themes(config_folder())
        for theme in (*bundled_themes(), *own):
            self.register_theme(theme)
        self.keymap_now = dict(config.keys)
        self.set_keymap(config.keys)
        known = config.theme in self.available_themes
        self.theme = config.theme if known else "inspector-dark"
        unknown = () if known else (f"config.toml: there is no theme `{config.theme}`",)
        self.push_screen(self.main)
        for problem in (*config.problems, *problems, *unknown):
            self.notify(visible(problem), severity="warning", markup=False)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.paint(self.store.view)
        if self.watching:
            self.run_worker(Reloader(self.root, self.version, self.post_message).watch(), group="watch", exclusive=True)

    def paint(self, view: View) -> None:
        """Show a view; before the screen is there, there is nothing to show it on."""
        if self.main.is_mounted:
            self.main.show(view)

    def say(self, words: str, *, wrong: bool = False) -> None:
        """A line of news at the foot of the screen."""
        from inspector.panels.bars import KeyBar

        self.main.query_one(KeyBar).show_news(words, "error" if wrong else "accent")

    # -- what panels tell ----------------------------------------------------------------------------------------

    def on_folder_read(self, message: told.FolderRead) -> None:
        self.store.reload(message.project, clock())

    def on_folder_checked(self, message: told.FolderChecked) -> None:
        self.store.found(message.findings)

    def on_folder_lost(self, message: told.FolderLost) -> None:
        self.store.lost(message.why)

    def on_played(self, message: told.Played) -> None:
        self.store.play(*message.events)

    def on_answered(self, message: told.Answered) -> None:
        self.store.answer(message.words, message.confirmed)
        self.main.go_to("conversation")

    def on_value_set(self, message: told.ValueSet) -> None:
        self.store.set(message.key, message.value)

    def on_looked_at(self, message: told.LookedAt) -> None:
        self.store.look(message.look)

    def on_moment_chosen(self, message: told.MomentChosen) -> None:
        self.store.go(message.index)

    def on_gate_open_wanted(self, message: told.GateOpenWanted) -> None:
        self.say(self.store.open_gate(message.skill, message.tool))

    def on_place_wanted(self, message: told.PlaceWanted) -> None:
        self._edit(message.span)

    def on_edit_wanted(self, message: told.EditWanted) -> None:
        from inspector.screens.edit import Chosen, EditValue

        def keep(chosen: Chosen | None) -> None:
            if chosen is not None:
                self.store.set(message.key, chosen.value)

        view = self.store.view
        field = view.project.field_by_key.get(message.key)
        self.push_screen(EditValue(message.key, field, view.state.memory.get(message.key)), keep)

    def on_call_wanted(self, message: told.CallWanted) -> None:
        from inspector.screens.call import CallForm, FilledCall

        tool = find_tool(self.store.view.project, message.skill, message.tool)
        stub = self.store.stub(message.skill, message.tool)
        if tool is None or message.at_once:
            self._builtin(message.tool) if tool is None else self._call_at_once(message)
            return

        def call(filled: FilledCall | None) -> None:
            if filled is not None:
                self.store.call(message.skill, message.tool, filled.arguments, filled.stub)
                self._to_card()

        verdict = self.store.view.report.find(message.tool, message.skill)
        self.push_screen(CallForm(tool, stub, bool(verdict and verdict.confirmation)), call)

    def _call_at_once(self, message: told.CallWanted) -> None:
        self.store.call_again(message.skill, message.tool)
        self._to_card()

    def _builtin(self, name: str) -> None:
        """The engine's own tools have their own ways in."""
        prompts = {"set_fields": "/set ", "activate": "/start ", "complete": "/complete", "cancel": "/cancel",
                   "listen": "/listen", "resolve_tool_confirmation": "/yes"}  # fmt: skip
        if name in prompts:
            self._type(prompts[name])
        else:
            self.say(f"`{name}` can't be called here", wrong=True)

    def _to_card(self) -> None:
        """A call that made the customer be asked puts the focus on the question, once it is drawn."""
        if self.store.view.state.active_pending is not None:
            self.main.go_to("conversation")
            self.call_after_refresh(self.main.focus_card)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id != "prompt":
            return
        meaning = understand(event.value, self.store.view.state.active_pending is not None)
        match meaning:
            case None:
                return
            case Wrong(message):
                self.say(message, wrong=True)
                return
            case Answer(words, confirmed):
                self.store.answer(words or ("yes" if confirmed else "no"), confirmed)
            case CallTyped(calls):
                skill = self.store.view.look.skill
                made = tuple(Call(name, given, self.store.stub(skill, name)) for name, given in calls)
                self.store.start_and_play(skill, Called(made))
            case FieldsSet():
                self.store.start_and_play(self.store.view.look.skill, meaning)
            case _:
                self.store.play(meaning)
        event.input.value = ""

    # -- actions -------------------------------------------------------------------------------------------------

    def action_act(self, action_id: str) -> None:
        """Do what an action of the table does, in the panel it belongs to; for clicks and the palette."""
        action = action_of(action_id)
        if action is None:
            return
        if action.panel != "app":
            self.main.go_to(action.panel)
        target = self if action.panel == "app" else self.main.query_one(f"#{action.panel}")
        self.call_later(self.run_action, action.method.removeprefix("app."), target)

    def action_help(self) -> None:
        from inspector.screens.lists import Help

        self.push_screen(Help(self.main.focused_panel(), self.main.about_focused(), self.keymap_now))

    def action_moves(self) -> None:
        from inspector.screens.lists import Menu

        moves = available(self.store.view.project, self.store.view.state)

        def make(chosen: int | None) -> None:
            if chosen is not None:
                self._make(chosen)

        self.push_screen(Menu("what can be done now", tuple(m.label for m in moves)), make)

    def _make(self, index: int) -> None:
        """Carry out a move of the menu: at once where it needs no words, else in the form or the line for it."""
        view = self.store.view
        move = available(view.project, view.state)[index]
        if move.kind == "call":
            self.post_message(told.CallWanted(view.state.skill, move.name))
        elif line := self.store.make(move):
            self._type(line)
        self._to_card()

    def _type(self, line: str) -> None:
        self.main.go_to("conversation")
        prompt = self.main.query_one("#prompt", Input)
        prompt.value = line
        prompt.cursor_position = len(line)

    def action_filter(self) -> None:
        self.main.open_filter()

    def action_edit_place(self) -> None:
        lines = self.main.focused_lines()
        if lines and lines.current and lines.current.span:
            self._edit(lines.current.span)
        else:
            self.say("this row has no place in the files", wrong=True)

    def _edit(self, span: Span) -> None:
        command = editor_command(self.root, span, os.environ)
        if command is None:
            self.say("no editor: set EDITOR", wrong=True)
            return
        with self.suspend():
            problem = open_editor(command)
        self.refresh()
        if problem:
            self.say(problem, wrong=True)

    def action_copy(self) -> None:
        lines = self.main.focused_lines()
        if lines and lines.current:
            text = visible(lines.current.copy or lines.current.search)
            self.copy_to_clipboard(text)
            self.say(f"copied: {text}")

    def action_undo(self) -> None:
        if not self.store.undo():
            self.say("nothing to undo")

    def action_redo(self) -> None:
        if not self.store.redo():
            self.say("nothing to redo")

    def action_say(self) -> None:
        self.main.go_to("conversation")

    def action_step(self, by: int) -> None:
        self.store.go(self.store.view.session.cursor + by)

    def action_turn(self, by: int) -> None:
        self.store.go_turn(by)

    def action_gate_change(self, by: int) -> None:
        if not self.store.go_gate_change(by):
            self.say("no gate changed " + ("later" if by > 0 else "earlier"))

    def action_restart(self) -> None:
        self.store.restart()

    def action_problems(self) -> None:
        self.main.toggle_problems()

    def action_panel(self, name: str) -> None:
        self.main.go_to(name)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        for action in ACTIONS:
            if action.id != "app.command-palette":
                yield SystemCommand(
                    f"{action.panel}: {action.label}", action.tooltip, lambda a=action.id: self.action_act(a)
                )
        yield SystemCommand("app: theme", "choose the colours", self.action_change_theme)


def run(root: Path, version: str = "3.21", seed: Mapping[str, object] | None = None) -> int:
    """Open a folder on the screen; returns the exit code."""
    from inspector_core.mantle.dialect import MANTLE
    from inspector_core.source import FolderText

    empty = MANTLE.read(FolderText(root.resolve().name, {}, frozenset()))
    app = Inspector(root, version, empty, seed)
    app.run()
    return app.return_code or 0
