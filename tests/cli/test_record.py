"""Recording from the shell: into a new file alone, and only where there is a session to record."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path
from struct import pack

import pytest

from inspector_core.recording.opening import open_recording
from tests.cli.conftest import Inspector
from tests.cli.test_play import BANK, GOOD

SECONDS = 60


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "pay.yml"
    path.write_text(GOOD)
    return path


def test_a_script_that_is_played_can_be_recorded(
    inspector: Inspector, agent: Path, script: Path, tmp_path: Path
) -> None:
    file = tmp_path / "pay.jsonl"
    ran = inspector("play", agent, script, "--record", file)
    assert (ran.code, ran.err) == (0, "")
    found = open_recording(file.read_bytes(), file.name)
    assert found.findings == ()
    assert found.own is not None
    assert [type(m.event).__name__ for m in found.own.moves] == ["CustomerSaid", "Activated", "FieldsSet", "Called"]


def test_nothing_is_recorded_over_a_file(inspector: Inspector, agent: Path, script: Path) -> None:
    before = script.read_text()
    ran = inspector("play", agent, script, "--record", script)
    assert ran.code == 2
    assert "nothing is recorded over it" in ran.err
    assert script.read_text() == before


def test_one_file_takes_one_session(inspector: Inspector, agent: Path, script: Path, tmp_path: Path) -> None:
    ran = inspector("play", agent, script, script, "--record", tmp_path / "both.jsonl")
    assert ran.code == 2
    assert "these are 2 scripts" in ran.err
    assert not (tmp_path / "both.jsonl").exists()


@pytest.mark.parametrize("option", ["--record", "--resume"])
def test_a_report_is_no_session(inspector: Inspector, agent: Path, tmp_path: Path, option: str) -> None:
    ran = inspector(agent, "--format", "text", option, tmp_path / "a.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert not (tmp_path / "a.jsonl").exists()


def test_a_session_is_recorded_anew_or_further_and_not_both(inspector: Inspector, agent: Path) -> None:
    assert inspector(agent, "--record", "a", "--resume", "b").code == 2


class Terminal:
    """The command in a pseudo-terminal."""

    def __init__(self, *arguments: object) -> None:
        self.child, self.terminal = pty.fork()
        if not self.child:
            ioctl(0, termios.TIOCSWINSZ, pack("HHHH", 40, 120, 0, 0))
            os.environ |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLUMNS": "120", "LINES": "40"}
            os.execv(sys.executable, [sys.executable, "-m", "inspector", *map(str, arguments)])
        self.seen = b""

    def until(self, words: bytes) -> None:
        """Read on until these words are on the screen."""
        end = time.monotonic() + SECONDS
        while words not in self.seen and time.monotonic() < end:
            if select.select([self.terminal], [], [], 1)[0]:
                self.seen += os.read(self.terminal, 1 << 16)
        assert words in self.seen, self.seen[-2000:]
        self.seen = self.seen.partition(words)[2]

    def say(self, words: str) -> None:
        """Go to the conversation, and say something there; until it is on the screen."""
        for keys in ("t", words):
            os.write(self.terminal, keys.encode())
            self.quiet()
        self.seen = b""
        os.write(self.terminal, b"\r")
        self.until(words.encode())

    def quiet(self) -> None:
        """Read on until nothing more comes: what was typed is on its line."""
        while select.select([self.terminal], [], [], 0.3)[0]:
            self.seen += os.read(self.terminal, 1 << 16)

    def end(self, how: signal.Signals) -> None:
        os.kill(self.child, how)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def test_what_the_screen_of_a_killed_app_has_shown_is_in_its_file_and_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "killed.jsonl"
    app = Terminal(BANK, "--record", file)
    app.until(b"recording")
    app.say("mycardisgone")
    app.end(signal.SIGKILL)
    found = open_recording(file.read_bytes(), file.name).own
    assert found is not None
    assert [m.event.text for m in found.moves] == ["mycardisgone"]
    again = Terminal(BANK, "--resume", file)
    again.until(b"mycardisgone")
    again.say("andmyphone")
    again.end(signal.SIGKILL)
    found = open_recording(file.read_bytes(), file.name).own
    assert found is not None
    assert [m.event.text for m in found.moves] == ["mycardisgone", "andmyphone"]
