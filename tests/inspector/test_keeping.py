"""Recording in the app: what is on the screen is in the file, whatever happens to the app or to the file."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.app import Inspector
from inspector.journal import Journal, create
from inspector.recorder import Begun, Recorder, record, resume
from inspector.view import View
from inspector_core.events import Activated, AuthorSet, CustomerSaid
from tests.inspector.recorded import holds, own, started
from tests.inspector.screen import BANK, EMPTY, opened, press, project, text, type_line


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


async def record_into(pilot: Pilot[int], name: object) -> None:
    await press(pilot, ["r"])
    pilot.app.screen.query_one("#file", Input).value = str(name)
    await press(pilot, ["enter"])


def painted_after_it_is_recorded(pilot: Pilot[int], path: Path) -> list[int]:
    """From now on, each view that is painted is in the file already while it says so; how many moves each had."""
    counts: list[int] = []
    paint = pilot.app.store.on_change

    def look(view: View) -> None:
        if view.recording:
            counts.append(len(own(path).moves))
            holds(path, view.session)
        paint(view)

    pilot.app.store.on_change = look
    return counts


async def test_a_session_is_recorded_from_its_beginning_and_each_move_before_it_is_shown(path: Path) -> None:
    async with opened() as pilot:
        await type_line(pilot, "hello")
        await press(pilot, ["escape"])
        await record_into(pilot, path)
        assert "recording" in text(pilot).splitlines()[0]
        assert f"recording into {path}"[:40] in text(pilot)
        counts = painted_after_it_is_recorded(pilot, path)
        pilot.app.store.play(Activated("card_replacement"))
        pilot.app.store.set("project.authenticated", True)
        await press(pilot, ["u", "u", "ctrl+r", "R", "u", "left_square_bracket"])
        pilot.app.store.reload(project(), "14:03:00")
        assert counts == [2, 3, 2, 1, 2, 0, 2, 2, 2]
        await press(pilot, ["r"])
        assert "recording" not in text(pilot).splitlines()[0]
        assert "recorded in" in text(pilot)
        pilot.app.store.play(CustomerSaid("not recorded any more"))
        assert len(own(path).moves) == 2


async def test_nothing_is_recorded_unless_a_new_file_is_named(path: Path) -> None:
    path.write_text("mine")
    async with opened() as pilot:
        await record_into(pilot, " ")
        assert "name the file to record into" in text(pilot)
        await press(pilot, ["escape"])
        await record_into(pilot, path)
        assert "nothing is recorded over it" in text(pilot)
        pilot.app.store.play(CustomerSaid("hello"))
        assert not pilot.app.store.view.recording
    assert path.read_text() == "mine"


async def test_a_full_disk_ends_the_recording_and_not_the_session(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened() as pilot:
        await record_into(pilot, path)
        before = path.read_bytes()

        def full(self: Journal, text: str) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(Journal, "add", full)
        await type_line(pilot, "hello")
        assert "recording has stopped: no space left on device" in text(pilot)
        assert "recording  " not in text(pilot).splitlines()[0]
        await type_line(pilot, "still there?")
        assert len(pilot.app.store.view.session.events) == 2
    assert path.read_bytes() == before


async def test_a_session_is_recorded_from_the_first_frame_on_with_the_memory_it_began_with(path: Path) -> None:
    app = Inspector(BANK, "3.21", EMPTY, {"project.authenticated": True}, watching=False)
    app.begin_recording(Begun(Recorder(create(path), "1")))
    async with app.run_test(size=(120, 40)) as pilot:
        app.store.reload(project(), "14:02:11")
        await type_line(pilot, "hello")
        held = own(path)
        assert held.header is not None
        assert held.header.seed == {"project.authenticated": True}
        holds(path, app.store.view.session)


async def test_a_session_is_taken_up_again_and_recorded_further(path: Path) -> None:
    session = started(project()).apply(CustomerSaid("hello")).apply(AuthorSet("project.authenticated", True))
    record(path, session, "1")
    app = Inspector(BANK, "3.21", EMPTY, watching=False)
    app.begin_recording(Begun(*resume(path, project(), "1")))
    async with app.run_test(size=(120, 40)) as pilot:
        app.store.reload(project(), "14:02:11")
        await pilot.pause()
        assert "hello" in text(pilot)
        assert app.store.view.state.memory["project.authenticated"] is True
        await type_line(pilot, "my card is gone")
        assert len(own(path).moves) == 3
        holds(path, app.store.view.session)
