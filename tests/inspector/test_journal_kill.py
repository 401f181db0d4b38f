"""A process that records is killed at any moment: nothing that it said was recorded is lost, and its file opens."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from inspector.recorder import resume
from inspector_core.events import CustomerSaid
from tests.inspector.recorded import agent, holds, read

ROOT = Path(__file__).parents[2]
KILLS = 100
FILES = 25
"""Each file is recorded into, killed and gone on with a few times."""
LATEST = 0.04
"""Seconds within which a recording process is killed."""


class Children:
    """The process that forks one recording child after the other."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.inspector.recording_child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            cwd=ROOT,
        )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.asking, self.answers = self.process.stdin, self.process.stdout.fileno()
        self.heard = b""

    def killed(self, path: Path, seed: int, after: float) -> int:
        """Have a child record, kill it after some seconds, and give the count of moves that it said are recorded."""
        self.asking.write(f"{path} {seed}\n".encode())
        self.asking.flush()
        child = int(self._lines_until(b"began ", 60.0)[-1].split()[1])
        said = self._lines_until(b"gone", after)
        os.kill(child, signal.SIGKILL)
        self.asking.write(b"killed\n")
        self.asking.flush()
        said += self._lines_until(b"gone", 60.0)
        return max((int(line.split()[1]) for line in said if line.startswith(b"recorded ")), default=0)

    def _lines_until(self, word: bytes, seconds: float) -> list[bytes]:
        """The lines that come before one begins with a word, that one too; or before the time is over."""
        end, lines = time.monotonic() + seconds, list[bytes]()
        while not (lines and lines[-1].startswith(word)):
            line, mark, rest = self.heard.partition(b"\n")
            if mark:
                lines.append(line)
                self.heard = rest
            elif select.select([self.answers], [], [], max(0.0, end - time.monotonic()))[0]:
                self.heard += os.read(self.answers, 1 << 16)
            else:
                break
        return lines

    def close(self) -> None:
        self.asking.close()
        self.process.wait(60)
        os.close(self.answers)


@pytest.fixture
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.close()


def test_nothing_that_was_recorded_is_lost_when_the_process_is_killed(children: Children, tmp_path: Path) -> None:
    chance = Random(0)
    recorded = [0] * FILES
    for kill in range(KILLS):
        number = kill % FILES
        path = tmp_path / f"{number}.jsonl"
        said = children.killed(path, number, chance.uniform(0, LATEST))
        recorded[number] = max(recorded[number], said)
        if path.exists():
            found = read(path)
            assert len(found.own.moves if found.own else ()) >= recorded[number]
    assert sum(recorded) > KILLS
    for number in range(FILES):
        path = tmp_path / f"{number}.jsonl"
        if recorded[number]:
            keeping, session = resume(path, agent(number), "1")
            assert len(session.events) >= recorded[number]
            after = session.apply(CustomerSaid("go on"))
            keeping.follow(after)
            keeping.close()
            holds(path, after)
