"""A process that records sessions for `test_journal_kill` and is killed in the middle of it.

For each line `PATH SEED` that it is given it forks a child, which says its own number, records moves into the file and
says of each one, once it is recorded, how many there are. At the next line, whatever it says, the child's number is
given back; until then it is nobody else's. When the child is gone, that is said.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from random import Random

from inspector.journal import create
from inspector.recorder import Recorder, resume
from tests.inspector.recorded import Played, agent, moves, started

__all__ = ["main"]


def main() -> None:
    while line := sys.stdin.readline():
        path, seed = line.split()
        child = os.fork()
        if child == 0:
            try:
                _record(Path(path), int(seed))
            finally:
                traceback.print_exc()
                os._exit(1)
        sys.stdin.readline()
        os.waitpid(child, 0)
        _say("gone")


def _record(path: Path, seed: int) -> None:
    """Until killed."""
    _say(f"began {os.getpid()}")
    recorder, session = _taken_up(path, seed)
    chance = Random(seed + len(session.moments))
    for after in moves(session, chance):
        recorder.follow(after)
        _say(f"recorded {len(after.events)}")


def _taken_up(path: Path, seed: int) -> tuple[Recorder, Played]:
    """The session that a child before has recorded; a new one, where that came to nothing."""
    if path.exists() and path.stat().st_size:
        return resume(path, agent(seed), "1")
    path.unlink(missing_ok=True)
    return Recorder(create(path), "1"), started(agent(seed))


def _say(words: str) -> None:
    """In one write, so that a kill leaves none of it half said."""
    os.write(1, f"{words}\n".encode())


if __name__ == "__main__":
    main()
