"""The app on a hostile folder: what is drawn, and what it touches, in a real pseudo-terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path

import pytest

from inspector.messages import RecordWanted
from inspector.panels.lines import Lines
from inspector.panels.problems import Problems
from inspector.panels.prompt import Prompt
from inspector.view import Look
from inspector.visible import HIDDEN
from inspector_core.events import Activated, CustomerSaid, ModelSaid
from tests.inspector.screen import opened, press, text
from tests.security.hostile import AGENT, SECRET, canaries, hostile_folder
from tests.security.test_hostile import CHANGES, WATCHED, Touch

SECONDS = 60


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("hostile")
    root = hostile_folder(base)
    yield base
    (root / "skills" / "barred").chmod(0o700)


def rows(lines: Lines, most: int = 1000) -> list[str]:
    """The words of a panel's rows, each drawn; what a click on them would do is only ever to choose the row."""
    drawn: list[str] = []
    for row in lines.rows[:most]:
        lines.rows = (row,)
        for segment in lines.render_line(0):
            drawn.append(segment.text)
            assert set(segment.style.meta if segment.style else {}) <= {"row"}
    lines.show_rows(lines.all_rows)
    return drawn


async def test_nothing_of_the_folder_acts_on_the_screen(base: Path) -> None:
    """Every row of every panel, at every skill, is text that can be seen and does nothing when it is clicked."""
    async with opened(base / AGENT, size=(200, 50)) as pilot:
        drawn: list[str] = []
        skills = pilot.app.store.view.project.own_skills
        for skill in skills:
            pilot.app.store.look(Look(skill.id))
            await pilot.pause()
            drawn.append(text(pilot))
            drawn += [t for lines in pilot.app.screen.query(Lines) if lines.id != "problems" for t in rows(lines)]
        await press(pilot, ["8", "4"])
        for skill in skills:
            pilot.app.store.look(Look(skill.id))
            await pilot.pause()
            drawn += rows(pilot.app.screen.query_one(Prompt))
        drawn += rows(pilot.app.screen.query_one(Problems), most=5000)
        everything = "".join(drawn).replace("\n", "")
        assert re.search(f"[{HIDDEN}]", everything) is None
        assert SECRET not in everything
        assert "safe_tool" in everything
        assert "instructions" in everything
    assert canaries(base) == []


async def test_every_skill_can_be_played_and_each_of_its_events_looked_at(base: Path) -> None:
    async with opened(base / AGENT, size=(120, 40)) as pilot:
        store = pilot.app.store
        for skill in store.view.project.own_skills:
            store.play(CustomerSaid(skill.id), Activated(skill.id), ModelSaid("\x1b[2J"))
        await press(pilot, ["8", "6", "space", "b", "enter"])
        drawn = [text(pilot)]
        moment = len(store.view.session.moments) - 1
        pilot.app.post_message(RecordWanted(moment, 0))
        await pilot.pause()
        for key in ["w", "left", "left", "w", "left", "left", "left", "left"]:
            await press(pilot, [key])
            drawn.append(text(pilot))
        assert re.search(f"[{HIDDEN}]", "".join(drawn).replace("\n", "")) is None
    assert canaries(base) == []


async def test_forms_and_dialogs_show_hostile_words_as_text(base: Path) -> None:
    async with opened(base / AGENT, size=(120, 40)) as pilot:
        for key in (
            "2",
            "c",
            "escape",
            "4",
            "enter",
            "escape",
            "a",
            "escape",
            "question_mark",
            "escape",
            "ctrl+p",
            "escape",
        ):
            await press(pilot, [key])
            assert re.search(f"[{HIDDEN}]", text(pilot).replace("\n", "")) is None
    assert canaries(base) == []


def play(base: Path, keys: str) -> tuple[bytes, list[Touch]]:
    """The app in a pseudo-terminal under an audit hook: what it drew, and what the interpreter was asked to do."""
    report = base / "app-report.json"
    child, terminal = pty.fork()
    if not child:
        os.chdir(base)
        environment = {
            "PATH": os.defpath, "HOME": str(base / "home"), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "REPORT": str(report), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        os.execve(sys.executable, [sys.executable, "-P", "-c", WATCHED, AGENT], environment)
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen = _until(terminal, b"watching")
    for key in keys:
        os.write(terminal, key.encode())
        seen += _quiet(terminal)
    os.write(terminal, b"\x11")
    seen += _quiet(terminal, closing=True)
    os.waitpid(child, 0)
    os.close(terminal)
    return seen, [Touch(*entry) for entry in json.loads(report.read_text())]


def _until(terminal: int, words: bytes) -> bytes:
    seen, end = b"", time.monotonic() + SECONDS
    while words not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 65536)
    assert words in seen, seen[-2000:]
    return seen


def _quiet(terminal: int, closing: bool = False) -> bytes:
    """What comes until nothing more does."""
    seen = b""
    try:
        while select.select([terminal], [], [], SECONDS if closing else 0.3)[0]:
            got = os.read(terminal, 65536)
            if not got:
                break
            seen += got
    except OSError:
        pass
    return seen


@pytest.fixture(scope="module")
def played(base: Path) -> tuple[bytes, list[Touch]]:
    return play(base, "jj4jj 2c\x1b1jj\rR7jj5hello\r")


def test_the_app_leaves_no_trace(played: tuple[bytes, list[Touch]], base: Path) -> None:
    assert canaries(base) == []
    assert SECRET.encode() not in played[0]
    assert b"Traceback" not in played[0]


def test_the_app_makes_no_network_socket_and_no_process(played: tuple[bytes, list[Touch]]) -> None:
    """The event loop's own pair of local sockets has no address and leads nowhere."""
    touched = played[1]
    assert touched
    network = [
        t for t in touched if t.event in ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo")
    ]
    assert network == []
    assert [t for t in touched if t.event.startswith("subprocess.") or t.event in CHANGES - {"os.putenv"}] == []


def test_the_app_writes_nothing_but_to_the_terminal(played: tuple[bytes, list[Touch]]) -> None:
    written = [t.path for t in played[1] if t.writes]
    assert [p for p in written if not p.startswith(("/dev/tty", "/dev/null", "/dev/pts"))] == []


def test_the_app_runs_nothing_of_the_folder(played: tuple[bytes, list[Touch]], base: Path) -> None:
    assert [t for t in played[1] if t.event == "exec" and str(base) in t.path] == []


def test_the_app_opens_no_file_but_the_folders_and_our_own(played: tuple[bytes, list[Touch]], base: Path) -> None:
    ours = [
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(__file__).parents[2],
        base / AGENT,
        base / "home",
        Path("/dev"),
    ]
    for touch in (t for t in played[1] if t.event == "open"):
        if os.path.isabs(touch.path):
            assert any(Path(os.path.realpath(touch.path)).is_relative_to(o.resolve()) for o in ours), touch
        elif touch.path and not touch.path.startswith(("(", "<")):
            assert "/" not in touch.path, touch
