"""However the app is told to end, it ends: in a terminal that is there, and in one that is gone."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time
from pathlib import Path

import pytest

BANK = Path(__file__).resolve().parents[2] / "fixtures" / "bank"
PATIENCE_S = 20.0


def started() -> tuple[int, int]:
    """The app in a terminal of its own, its first frame drawn: its process, and our end of the terminal."""
    child, master = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="100", LINES="30")
        os.execv(sys.executable, [sys.executable, "-m", "inspector", str(BANK)])
    seen, end = b"", time.monotonic() + PATIENCE_S
    while b"lock_card" not in seen and time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            seen += os.read(master, 65536)
    assert b"lock_card" in seen
    return child, master


def ended(child: int, master: int | None = None) -> int:
    """How the process ended, while what it still writes is taken from it."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if master is not None and select.select([master], [], [], 0.05)[0]:
            try:
                os.read(master, 65536)
            except OSError:
                master = None
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("it goes on")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_it_ends_when_told_to(how: signal.Signals) -> None:
    child, master = started()
    os.kill(child, how)
    assert os.waitstatus_to_exitcode(ended(child, master)) == 0
    os.close(master)


def test_it_ends_with_its_terminal() -> None:
    child, master = started()
    os.close(master)
    ended(child)


def test_it_ends_where_nobody_takes_what_it_writes() -> None:
    child, master = started()
    os.kill(child, signal.SIGTERM)
    ended(child)
    os.close(master)
