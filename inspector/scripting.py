"""Scripts in the app: played to their end, to a step or step by step; and the conversation kept as a test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inspector.playing import Playing

if TYPE_CHECKING:
    from inspector.screens.keep import Choice
    from inspector.scripts import Found
    from inspector_core.mantle.engine.state import State
    from inspector_core.mantle.project import Project
    from inspector_core.recording.keep.conversation import Conversation
    from inspector_core.script.running import Run

__all__ = ["Scripting"]


class Scripting(Playing):
    """The part of the app that plays scripts and saves them. What it needs is loaded when it is first used."""

    root: Path
    scripted: Run[Project, State] | None = None
    """The script that was played last, as far as it got."""
    alone = False
    """No agent's files are at hand: a recording is all there is."""
    saved_in = ""
    """The folder that the author named last."""

    # -- playing -------------------------------------------------------------------------------------------------

    def action_scripts(self) -> None:
        """Choose one of the agent's own scripts."""
        from inspector.errors import CannotLoad
        from inspector.screens.lists import Menu
        from inspector.scripts import FOLDER, find_own

        try:
            found = find_own(self.root)
        except CannotLoad as error:
            self.say(error.message, wrong=True)
            return
        if not found:
            self.say(f"`{self.root.name}/{FOLDER}` holds no scripts", wrong=True)
            return

        def choose(chosen: int | None) -> None:
            if chosen is not None:
                self._open_script(found[chosen])

        self.push_screen(Menu("scripts", tuple(_label(one) for one in found)), choose)

    def _open_script(self, found: Found) -> None:
        from inspector.screens.lists import Menu
        from inspector_core.mantle.dialect import MANTLE
        from inspector_core.script.running import ready

        if wrong := _wrong(found):
            self.say(wrong, wrong=True)
            return
        if found.text is None:
            return
        script = found.text.script
        start = ready(MANTLE, self.store.view.project, script)

        def play(chosen: int | None) -> None:
            if chosen is not None:
                self.scripted = start
                self._play_to(len(script.steps) if chosen == 0 else chosen - 1)

        until = (f"stop behind line {step.span.line}: {step.label}" for step in script.steps)
        self.push_screen(Menu(script.name, ("to the end", "step by step", *until)), play)

    def action_script_step(self) -> None:
        """The next step of the script that was chosen."""
        if self.scripted is None:
            self.say("no script was chosen: x lists them", wrong=True)
        elif self.scripted.over:
            self.say("the script is over")
        else:
            self._play_to(self.scripted.at + 1)

    def _play_to(self, step: int) -> None:
        """Play up to this many steps, or to the first failure, over the files as they are now; one step of undo."""
        from dataclasses import replace

        from inspector_core.script.running import advance

        run, failed = self.scripted, False
        if run is None:
            return
        if run.session.project is not self.store.view.project:
            run = replace(run, session=run.session.over(self.store.view.project))
        while run.at < step and not run.over and not failed:
            run = advance(run)
            failed = not run.outcomes[-1].passed
        self.scripted = run
        self.store.replay(run.session)
        self.say(_news(run), wrong=failed)

    # -- saving --------------------------------------------------------------------------------------------------

    def action_save_script(self) -> None:
        """Ask where to and in which form, and keep what is looked at as a test: the session, or a recording."""
        from inspector.screens.keep import KeepTest

        view = self.store.view
        if view.viewed is None and view.session.origin is not None:
            self.say("this session has no beginning to keep: L goes back to the recording, which W keeps", wrong=True)
            return
        name = self.scripted.script.name if self.scripted is not None else ""

        def save(choice: Choice | None) -> None:
            if choice is not None:
                self.saved_in = str(choice.folder)
                self._save(choice)

        self.push_screen(KeepTest(*self._looked_at(), self.saved_in, name), save)

    def _looked_at(self) -> tuple[Conversation, Project | None]:
        """The conversation on the screen, and the files that know what in it is private."""
        from inspector_core.recording.keep.conversation import of_recording, of_session

        view = self.store.view
        if view.viewed is None:
            return of_session(view.session), view.project
        recording = view.viewed.recording
        own = recording.own if len(recording.sessions) == 1 else None
        return of_recording(view.viewed.session, own), None if self.alone else view.session.project

    def _save(self, choice: Choice, *, overwrite: bool = False) -> None:
        from inspector.disk import reason
        from inspector.scripts import Exists, file_name, save

        try:
            path = save(choice.folder, file_name(choice.name), choice.text, overwrite=overwrite)
        except Exists as there:
            self._ask_to_overwrite(str(there), choice)
        except OSError as error:
            self.say(f"it can't be saved: {reason(error)}: {choice.folder}", wrong=True)
        else:
            self.say(f"saved as {path}")

    def _ask_to_overwrite(self, path: str, choice: Choice) -> None:
        from inspector.screens.lists import Menu

        def answer(chosen: int | None) -> None:
            if chosen == 1:
                self._save(choice, overwrite=True)

        self.push_screen(Menu("there is one already", ("leave it", "write over it"), path), answer)


def _label(found: Found) -> str:
    name = found.text.script.name if found.text is not None else ""
    return f"{Path(found.path).name}  {'can not be played: ' + wrong if (wrong := _wrong(found)) else name}"


def _wrong(found: Found) -> str:
    """Why a script can't be played; empty where it can."""
    from inspector_core.finding import Severity

    if found.text is None:
        return found.why
    first = next((f for f in found.text.findings if f.severity is Severity.ERROR), None)
    return f"line {first.span.line}: {first.message}" if first else ""


def _news(run: Run[Project, State]) -> str:
    """Where the script stands, in a line."""
    if run.failures:
        failure = run.failures[-1]
        return f"line {failure.span.line}: expected {failure.expected}, but {failure.was}"
    if run.over:
        return f"`{run.script.name}` passed"
    following = run.script.steps[run.at]
    return f"next, line {following.span.line}: {following.label}"
