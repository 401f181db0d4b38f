"""The app: routes what panels tell to the store, and what the store makes of it to the screen."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.screen import Screen

from inspector import messages as told
from inspector.actions import ACTIONS, action_of, actions_for
from inspector.asked import Asked
from inspector.config import DEFAULT_THEME, Config, config_folder, read_config
from inspector.effects import clock, editor_command, open_editor
from inspector.ending import on_signals
from inspector.reload import Reloader
from inspector.replaying import Replaying
from inspector.screens.main import Main
from inspector.store import Store
from inspector.themes import bundled_theme, bundled_themes, user_themes
from inspector.view import View
from inspector.visible import visible
from inspector_core.mantle.project import Project
from inspector_core.source import Span

if TYPE_CHECKING:
    from inspector.recorder import Begun

__all__ = ["Inspector", "run"]

PATIENCE_S = 0.15
"""How long the first frame waits for the first reading, which most folders need much less for."""


class Inspector(Replaying):
    """Holds the store; every change of the session comes through here and is painted as one view."""

    CSS_PATH = "styles/app.tcss"
    TITLE = "inspector"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar = [
        *(Binding(a.key, a.method, a.label, show=False, tooltip=a.tooltip, id=a.id) for a in actions_for("app")),
        Binding("space", "pause", show=False, priority=True),
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
        self.painted = asyncio.Event()
        self.typed_ahead: list[events.Key] = []
        self.register_theme(bundled_theme(DEFAULT_THEME))
        self.set_reactive(App.theme, DEFAULT_THEME)  # before the first frame, which a later change would draw twice
        self.stylesheet.set_variables(self.get_css_variables())

    # -- starting ------------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        config = read_config(config_folder())
        self.keymap_now = dict(config.keys)
        self.set_keymap(config.keys)
        if config.theme != DEFAULT_THEME:
            self._themes(config)
        on_signals(self.exit)
        self.config = config

    def on_ready(self) -> None:
        """All is laid out: read the folder, for the first frame to show it."""
        if self.watching:
            reloader = Reloader(self.root, self.version, self.post_message, self.painted)
            self.run_worker(reloader.watch(), group="watch", exclusive=True)
            self.set_timer(PATIENCE_S, self._first_frame)
        else:
            self._first_frame()

    def _first_frame(self) -> None:
        if not self.main.begun:
            if self.alone:
                self.store.show(replace(self.store.view, reading=False))
                self.open_asked()
            self.main.begin(self.store.view)
            self.main.call_later(self._settle)

    async def _settle(self) -> None:
        """See to what could wait for the first frame."""
        await self.main.furnish()
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        if self.config.theme == DEFAULT_THEME:
            self._themes(self.config)
        self.painted.set()
        await self._release()

    async def _release(self) -> None:
        """The keys typed ahead, one by one, since any may move the focus to where the next belongs."""
        if self.typed_ahead:
            reader = self.focused or self.screen
            await super().on_event(self.typed_ahead.pop(0))
            reader.call_later(self.call_after_refresh, self._release)

    async def on_event(self, event: events.Event) -> None:
        """Keys typed before the first frame are meant for what it shows."""
        waits = bool(self.typed_ahead) or not self.painted.is_set()
        if isinstance(event, events.Key) and waits and not event.is_forwarded:
            self.typed_ahead.append(event)
        else:
            await super().on_event(event)

    def _themes(self, config: Config) -> None:
        """All themes, the user's too; told what is wrong with any, and with the settings."""
        own, problems = user_themes(config_folder())
        for theme in (*bundled_themes(), *own):
            self.register_theme(theme)
        known = config.theme in self.available_themes
        wanted = config.theme if known else DEFAULT_THEME
        if wanted != self.theme:
            self.theme = wanted
        unknown = () if known else (f"config.toml: there is no theme `{config.theme}`",)
        for problem in (*config.problems, *problems, *unknown):
            self.notify(visible(problem), severity="warning", markup=False)

    def pop_screen(self) -> AwaitComplete:
        """Leave a dialog; what is pressed twice, before a dialog is gone, doesn't take the one screen away with it."""
        return AwaitComplete() if self.screen is self.main else super().pop_screen()

    def get_default_screen(self) -> Main:
        """The one screen, so that no empty one is laid out before it."""
        self.main.fit(self.size.width)
        return self.main

    def paint(self, view: View) -> None:
        """Show a view; before the screen is there, there is nothing to show it on."""
        if self.main.begun:
            self.main.show(view)

    # -- what panels tell ----------------------------------------------------------------------------------------

    def on_folder_read(self, message: told.FolderRead) -> None:
        self.store.reload(message.project, clock())
        self._first_frame()
        self.open_asked()

    def on_folder_checked(self, message: told.FolderChecked) -> None:
        self.store.found(message.findings)

    def on_folder_lost(self, message: told.FolderLost) -> None:
        self.store.lost(message.why)
        self._first_frame()

    def on_played(self, message: told.Played) -> None:
        self.store.play(*message.events)

    def on_answered(self, message: told.Answered) -> None:
        self.store.answer(message.words, message.confirmed)

    def on_value_set(self, message: told.ValueSet) -> None:
        self.store.set(message.key, message.value)

    def on_looked_at(self, message: told.LookedAt) -> None:
        self.store.look(message.look)

    def on_moment_chosen(self, message: told.MomentChosen) -> None:
        self.store.go(message.index)

    def on_gate_open_wanted(self, message: told.GateOpenWanted) -> None:
        self.say(self.store.open_gate(message.skill, message.tool))

    def on_panel_wanted(self, message: told.PanelWanted) -> None:
        self.main.go_to(message.name)

    def on_place_wanted(self, message: told.PlaceWanted) -> None:
        self._edit(message.span)

    # -- actions -------------------------------------------------------------------------------------------------

    def action_act(self, action_id: str) -> None:
        """Do what an action of the table does, in the panel it belongs to; for clicks and the palette."""
        action = action_of(action_id)
        if action is None or (action.panel == "recording" and not self.looking()):
            return
        if action.panel != "app":
            self.main.go_to(action.panel)
        target = self if action.panel == "app" else self.main.query_one(f"#{action.panel}")
        self.call_later(self.run_action, action.method.removeprefix("app."), target)

    def action_command_palette(self) -> None:
        from inspector.screens.palette import Palette

        if not any(isinstance(screen, Palette) for screen in self.screen_stack):
            self.push_screen(Palette())

    def action_help(self) -> None:
        from inspector.screens.lists import Help

        self.push_screen(Help(self.main.focused_panel(), self.main.about_focused(), self.keymap_now))

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
        if self.looks:
            self.viewer.step(by)
            return
        self.store.go(self.store.view.session.cursor + by)

    def action_turn(self, by: int) -> None:
        if self.looks:
            self.viewer.turn(by)
            return
        self.store.go_turn(by)

    def action_gate_change(self, by: int) -> None:
        if not (self.viewer.gate_change(by) if self.looks else self.store.go_gate_change(by)):
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


def run(
    root: Path,
    version: str = "3.21",
    seed: Mapping[str, object] | None = None,
    begun: Begun | None = None,
    asked: Asked | None = None,
    alone: bool = False,
) -> int:
    """Open a folder on the screen, the session recorded where that is wanted, or a recording looked at.

    `alone`: there is no folder, and the recording is all that is shown. Returns the exit code.
    """
    from inspector_core.mantle.dialect import MANTLE
    from inspector_core.source import FolderText

    empty = MANTLE.read(FolderText(asked.recording.name if alone and asked else root.resolve().name, {}, frozenset()))
    app = Inspector(root, version, empty, seed, watching=not alone)
    app.asked, app.alone = asked, alone
    if begun is not None:
        app.begin_recording(begun)
    app.run()
    app.stop_recording()
    return app.return_code or 0
