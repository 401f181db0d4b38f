"""From the start of a process to what it shows: the first painted frame, and what a printing command imports."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from compileall import compile_dir
from pathlib import Path
from random import Random
from statistics import median

import inspector
import inspector_core
import inspector_themes
from bench.measure import Row, at_most
from tests.generate import agent_folder

__all__ = ["imports", "paints"]

PATIENCE = 20.0
ROUNDS = 9

EMPTY_APP = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("PAINTED")
Empty().run()
"""


def paints(room: Path) -> Iterator[Row]:
    """The app over a folder of ten skills and a hundred tools, in a terminal of 120 columns."""
    _as_installed()
    root = room / "painted"
    agent_folder(root, 10)
    commands = {
        "ours": ([sys.executable, "-m", "inspector", str(root)], (b"tool_0", b"palette")),
        "empty": ([sys.executable, "-c", EMPTY_APP], (b"PAINTED",)),
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    order, chance = list(commands), Random(0)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for name in order:
            found[name].append(_painted(*commands[name]))
    rounds = list(zip(found["ours"], found["empty"], strict=True))
    each = median(ours[0] / empty[0] for ours, empty in rounds)
    busy = median(ours[1] / empty[1] for ours, empty in rounds)
    ours, empty = (1000 * median(seconds for seconds, _ in found[name]) for name in ("ours", "empty"))
    note = f"{ours:.0f} and {empty:.0f} ms; {busy:.2f}x by processor time"
    yield at_most("20", "first paint of 100 tools / of an empty Textual app", each, 1.7, 1.5, note=note)


def _as_installed() -> None:
    """With bytecode, as installing leaves it, whatever the environment says of writing it."""
    for package in (inspector, inspector_core, inspector_themes):
        compile_dir(Path(next(iter(package.__path__))), quiet=1)


def _painted(argv: list[str], markers: tuple[bytes, ...]) -> tuple[float, float]:
    """Seconds until all markers, the last at its foot, are out of the terminal; and those of processor time."""
    start = time.monotonic()
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        os.execv(argv[0], argv)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    try:
        seen = b""
        while not all(marker in seen for marker in markers):
            ready, _, _ = select.select([terminal], [], [], PATIENCE)
            if not ready:
                raise TimeoutError(f"{argv[1:]} painted not all of {markers} within {PATIENCE} s")
            seen += os.read(terminal, 1 << 16)
        seconds = time.monotonic() - start
    finally:
        os.kill(child, signal.SIGKILL)
        _, _, used = os.wait4(child, 0)
        os.close(terminal)
    return seconds, used.ru_utime + used.ru_stime


def imports() -> Iterator[Row]:
    """What each printing command imports over bare Python, by whole processes."""
    _as_installed()
    bare = [sys.executable, "-c", "pass"]
    commands = {name: [sys.executable, "-c", _import(name)] for name in ("check", "gates", "why", "eval")}
    found: dict[str, list[float]] = {"bare": [], **{name: [] for name in commands}}
    order, chance = [("bare", bare), *commands.items()], Random(0)
    for _ in range(ROUNDS + 2):
        chance.shuffle(order)
        for name, argv in order:
            found[name].append(_lasting(argv))
    for name in commands:
        over = median(a - b for a, b in zip(found[name], found["bare"], strict=True))
        yield at_most("", f"imports of `inspector {name}` over bare Python", 1000 * over, 60, unit="ms")


def _import(command: str) -> str:
    """The imports of a command, without its work: its help is not even printed."""
    return f"from inspector.cli.parser import load_command; load_command({command!r})"


def _lasting(argv: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(argv, check=True)
    return time.monotonic() - start
