"""Recordings in the app: opened, held against the files, moved through, compared, and played on from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.timer import Timer

from inspector import messages as told
from inspector.asked import Asked
from inspector.keeping import Keeping
from inspector.store import ONLY_LOOKED_AT
from inspector_core.mantle.gatelist import BUILT_IN

if TYPE_CHECKING:
    from inspector.viewed import Judged, Viewed
    from inspector.viewer import Viewer
    from inspector_core.recording.recording import Recording
    from inspector_core.recording.sessions import Session

__all__ = ["Replaying"]

NO_RECORDING = "no recording is open: O opens one"


class Replaying(Keeping):
    """The part of the app that shows recordings. What it needs is loaded when one is first opened."""

    asked: Asked | None = None
    alone = False
    """No agent's files are at hand: a recording is all there is."""
    ticking: Timer | None = None
    named_before = ""
    """The file that the author named last."""
    _viewer: Viewer | None = None

    @property
    def viewer(self) -> Viewer:
        if self._viewer is None:
            from inspector.viewer import Viewer

            self._viewer = Viewer(self.store)
        return self._viewer

    @property
    def looks(self) -> bool:
        """A recording is looked at, and not the session."""
        return self.store.view.viewed is not None

    # -- opening -------------------------------------------------------------------------------------------------

    def open_asked(self) -> None:
        """Open what the command line named, once the files have been read."""
        asked, self.asked = self.asked, None
        if asked is not None:
            self.open_recording(asked.recording, asked.session, asked.compare)

    def open_recording(self, path: Path, session: str | None = None, compare: Path | None = None) -> None:
        """Read a file in the background, and look at its session; of several the author chooses one."""
        self.run_worker(self._open(path, session, compare), group="recording", exclusive=True)

    async def _open(self, path: Path, name: str | None, compare: Path | None) -> None:
        recording = await self._read(path)
        if recording is None:
            return
        session = _session(recording, name)
        if session is None:
            self.say(f"there is no session `{name}` in {path.name}", wrong=True)
            return
        await self._look_at(path.name, recording, session)
        if compare is not None:
            await self._compare(compare)
        elif name is None and len(recording.sessions) > 1:
            self.action_session()

    async def _read(self, path: Path) -> Recording | None:
        """What a file holds; where that is nothing, why is said."""
        from inspector.recordings import open_file

        self.say(f"opening {path.name}…")
        opened = await asyncio.to_thread(open_file, path)
        found = opened.recording
        if found is None:
            self.say(f"{path.name} can't be opened: {opened.why}", wrong=True)
        elif not found.sessions:
            why = found.findings[0].message if found.findings else "there is no conversation in it"
            self.say(f"{path.name}: {why}", wrong=True)
        else:
            return found
        return None

    async def _look_at(self, name: str, recording: Recording, session: Session) -> None:
        from inspector.viewed import viewed

        made = await self._judge(recording, session)
        shown = viewed(name, recording, session, made)
        self.viewer.open(shown, _opened(shown))
        self.main.go_to("timeline")
        self._rejudge()

    async def _judge(self, recording: Recording, session: Session, before: Viewed | None = None) -> Judged:
        """Hold a session against the files, in the background: a long one takes longer than a key may."""
        from inspector.viewed import judged

        project = self.store.view.session.project
        first = before.first if before is not None else None
        return await asyncio.to_thread(judged, project, recording, session, first, self.alone)

    def on_folder_read(self, message: told.FolderRead) -> None:
        """Judge the recording anew, once the store has the newer files."""
        self._rejudge()

    def _rejudge(self) -> None:
        held = self._viewer.held if self._viewer is not None else None
        if held is not None and held.project is not self.store.view.session.project:
            self.run_worker(self._judge_anew(held), group="judge", exclusive=True)

    async def _judge_anew(self, held: Viewed) -> None:
        made = await self._judge(held.recording, held.session, held)
        now = self.viewer.held
        if now is not None and now.session is held.session:
            self.viewer.rejudged(made)
            self._rejudge()

    def action_open_recording(self) -> None:
        def opened(name: str | None) -> None:
            if name is not None:
                self.named_before = name
                self.open_recording(Path(name).expanduser())

        self._ask_for_file("open a recording", opened)

    def _ask_for_file(self, title: str, then: Callable[[str | None], None]) -> None:
        from inspector.screens.ask import Ask

        about = "of any kind that is known: the engine's events, chats, spans, agent files, and what was recorded here"
        self.push_screen(Ask(title, "file", "a recorded conversation", _no_file, self.named_before, about), then)

    def action_session(self) -> None:
        from inspector.screens.lists import Menu

        held = self._held()
        if held is None:
            return
        sessions = held.recording.sessions

        def choose(chosen: int | None) -> None:
            if chosen is not None and sessions[chosen] is not held.session:
                self.run_worker(
                    self._look_at(held.name, held.recording, sessions[chosen]), group="recording", exclusive=True
                )

        names = tuple(f"{one.name}  {len(one.events)} events" for one in sessions)
        self.push_screen(Menu(f"sessions of {held.name}", names), choose)

    def _held(self) -> Viewed | None:
        held = self._viewer.held if self._viewer is not None else None
        if held is None:
            self.say(NO_RECORDING, wrong=True)
        return held

    # -- moving --------------------------------------------------------------------------------------------------

    def on_recorded_chosen(self, message: told.RecordedChosen) -> None:
        self.viewer.go(message.number)

    def on_recorded_wanted(self, message: told.RecordedWanted) -> None:
        from inspector.screens.event import EventShown

        if (viewed := self.store.view.viewed) is not None:
            self.push_screen(EventShown(viewed.events, message.number - 1))

    def on_turn_wanted(self, message: told.TurnWanted) -> None:
        if message.tool in BUILT_IN:
            self.say(f"{message.tool} is the engine's own: it has no gate", wrong=True)
            return
        if self.looks:
            words = self.viewer.turned(message.skill or "", message.tool)
        else:
            words = self.store.go_turned(message.skill, message.tool)
        self.say(words or f"nothing opened or closed {message.tool} before")

    def on_write_wanted(self, message: told.WriteWanted) -> None:
        words = self.viewer.written(message.key) if self.looks else self.store.go_written(message.key)
        self.say(words or f"nothing wrote {message.key} before")

    def action_drift(self, by: int) -> None:
        if self.looking() and not self.viewer.drift(by):
            self.say("no drift " + ("later" if by > 0 else "earlier"))

    def action_difference(self, by: int) -> None:
        if self.looking() and not self.viewer.difference():
            self.say("nothing to compare with: V opens another recording")

    def action_scrub(self) -> None:
        from inspector.screens.ask import Ask
        from inspector.viewed import scrubbed

        viewed = self.store.view.viewed
        if viewed is None:
            self.looking()
            return

        def refuse(text: str) -> str:
            found = scrubbed(text, viewed)
            return found if isinstance(found, str) else ""

        def go(text: str | None) -> None:
            if text is not None and isinstance(number := scrubbed(text, viewed), int):
                self.viewer.go(number)

        title = f"go to, of {len(viewed.events)} events in {len(viewed.judged.replay.turns)} turns"
        self.push_screen(Ask(title, "event", "120, 50%, or t3 for a turn", refuse), go)

    def looking(self) -> bool:
        """Whether a recording is looked at; says so where none is."""
        if not self.looks:
            self.say("the session is looked at: L goes back to the recording" if self._aside() else NO_RECORDING)
        return self.looks

    def _aside(self) -> bool:
        return self._viewer is not None and self._viewer.aside is not None

    # -- playing by itself ---------------------------------------------------------------------------------------

    def action_autoplay(self) -> None:
        viewed = self.store.view.viewed
        if viewed is None:
            self.looking()
        elif viewed.playing:
            self.action_pause()
        else:
            if viewed.number == len(viewed.events):
                self.viewer.go(0)
            self.viewer.run(True)
            self._time(viewed.speed)

    def action_pause(self) -> None:
        self._time(0)
        if self.looks:
            self.viewer.run(False)

    def action_speed(self, by: int) -> None:
        if self.looking():
            speed = self.viewer.faster(by)
            self.say(f"{speed} event{'s' if speed > 1 else ''} a second")
            if self.ticking is not None:
                self._time(speed)

    def _time(self, speed: int) -> None:
        """Tick so often a second; 0: no more."""
        if self.ticking is not None:
            self.ticking.stop()
        self.ticking = self.set_interval(1 / speed, self._tick) if speed else None

    def _tick(self) -> None:
        if not self.viewer.tick():
            self._time(0)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`space` stops what goes on by itself, wherever the focus is; else it is the panel's own."""
        return self.ticking is not None if action == "pause" else super().check_action(action, parameters)

    # -- the session, and another recording ----------------------------------------------------------------------

    def action_branch(self) -> None:
        if not self.looking():
            return
        number = self.viewer.viewed.number if self.viewer.viewed is not None else 0
        self._time(0)
        why = self.viewer.branch()
        self.say(why or f"a session from event {number} on; L goes back to the recording", wrong=bool(why))
        if not why:
            self.main.go_to("conversation")

    def action_leave_recording(self) -> None:
        self._time(0)
        if self._held() is not None:
            self.viewer.leave()

    def action_compare(self) -> None:
        from inspector.screens.lists import Menu

        viewed = self.store.view.viewed
        if viewed is None:
            self.looking()
            return
        if viewed.compared is None:
            self._ask_to_compare()
            return

        def choose(chosen: int | None) -> None:
            match chosen:
                case 0:
                    self.run_worker(self._swap(viewed), group="recording", exclusive=True)
                case 1:
                    self._ask_to_compare()
                case 2:
                    self.viewer.compare(None)

        name = viewed.compared.name
        self.push_screen(Menu("compare", (f"look at {name} instead", "with another", f"without {name}")), choose)

    def _ask_to_compare(self) -> None:
        def opened(name: str | None) -> None:
            if name is not None:
                self.named_before = name
                self.run_worker(self._compare(Path(name).expanduser()), group="recording", exclusive=True)

        self._ask_for_file("compare with another recording", opened)

    async def _compare(self, path: Path) -> None:
        from inspector.viewed import compared

        recording, viewed = await self._read(path), self.store.view.viewed
        if recording is None or viewed is None:
            return
        place = viewed.recording.sessions.index(viewed.session)
        session = recording.sessions[min(place, len(recording.sessions) - 1)]
        self.viewer.compare(await asyncio.to_thread(compared, path.name, recording, session, viewed.events))

    async def _swap(self, viewed: Viewed) -> None:
        from inspector.viewed import compared

        other = viewed.compared
        if other is not None:
            await self._look_at(other.name, other.recording, other.session)
            events = [one.event for one in other.session.events]
            self.viewer.compare(
                await asyncio.to_thread(compared, viewed.name, viewed.recording, viewed.session, events)
            )

    # -- only looked at ------------------------------------------------------------------------------------------

    def on_edit_wanted(self, message: told.EditWanted) -> None:
        self._refuse(message)

    def on_call_wanted(self, message: told.CallWanted) -> None:
        self._refuse(message)

    def _refuse(self, message: told.EditWanted | told.CallWanted) -> None:
        if self.looks:
            message.prevent_default()
            self.say(ONLY_LOOKED_AT, wrong=True)

    def action_moves(self) -> None:
        if self.looks:
            self.say(ONLY_LOOKED_AT, wrong=True)
        else:
            super().action_moves()

    def action_scripts(self) -> None:
        if self.looks:
            self.say(ONLY_LOOKED_AT, wrong=True)
        else:
            super().action_scripts()


def _session(recording: Recording, name: str | None) -> Session | None:
    """The session of that name or number; without one the first."""
    if name is None:
        return recording.sessions[0]
    numbered = {str(number): one for number, one in enumerate(recording.sessions, 1)}
    return next((one for one in recording.sessions if one.name == name), numbered.get(name))


def _no_file(name: str) -> str:
    if not name:
        return "name the file"
    try:
        return "" if Path(name).expanduser().is_file() else "there is no such file"
    except (OSError, ValueError, RuntimeError):
        return "it can't be the name of a file"


def _opened(viewed: Viewed) -> str:
    """What was opened, in a line."""
    turns, count = len(viewed.judged.replay.turns), viewed.judged.drift_count
    parts = [f"{len(viewed.events)} events in {turns} turn{'' if turns == 1 else 's'}"]
    if viewed.findings:
        parts.append(f"{len(viewed.findings)} can't be read as they are")
    if viewed.unknown:
        parts.append(f"gates unknown: {viewed.unknown}")
    elif count:
        parts.append(f"{count} drift{'s' if count > 1 else ''}: d goes to the first")
    return ", ".join(parts)
