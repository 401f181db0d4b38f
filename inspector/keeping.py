"""Recording in the app: what is shown is in the file first. What it needs is loaded when it is first used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.scripting import Scripting

if TYPE_CHECKING:
    from inspector.recorder import Begun, Recorder
    from inspector.store import Played

__all__ = ["Keeping"]


class Keeping(Scripting):
    """The part of the app that records the session into a file that the author has named."""

    recorder: Recorder | None = None

    def begin_recording(self, begun: Begun) -> None:
        """Record from the beginning on, before anything is shown; where a session is taken up again, begin with it."""
        self.recorder, session = begun.recorder, begun.session or self.store.view.session
        self.store.view = replace(self.store.view, session=session, recording=True)
        self.store.keep = self._keep

    def stop_recording(self) -> None:
        """Let the file go; a second time does nothing."""
        if self.recorder is not None:
            self.recorder.close()
            self.recorder = None

    def action_record(self) -> None:
        """Ask for a file and record into it; where it is done already, stop."""
        if self.recorder is not None:
            told = f"recorded in {self.recorder.journal.path}"
            self.stop_recording()
            self.store.record(None)
            self.say(told)
            return
        from inspector.screens.record import RecordInto

        self.push_screen(RecordInto(), self._record_into)

    def _record_into(self, path: Path | None) -> None:
        from inspector.cli.parser import version
        from inspector.journal import CannotRecord, create
        from inspector.recorder import Recorder

        if path is None:
            return
        try:
            self.recorder = Recorder(create(path), version())
        except CannotRecord as problem:
            self.say(problem.message, wrong=True)
            return
        self.store.record(self._keep)
        if self.recorder is not None:
            self.say(f"recording into {path}")

    def _keep(self, session: Played) -> str:
        """Record what is new of a session; says why it can't be, where nothing is recorded any more."""
        from inspector.disk import reason
        from inspector.journal import CannotRecord

        if self.recorder is None:
            return ""
        try:
            self.recorder.follow(session)
        except (OSError, CannotRecord) as error:
            why = reason(error) if isinstance(error, OSError) else error.message
            told = f"recording has stopped: {why}: {self.recorder.journal.path}"
            self.stop_recording()
            return told
        return ""
