"""What recording adds to a move: its lines, and having them on the disk, against playing and judging it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.measure import Row, at_most, ratio, times
from inspector.folder import read_folder
from inspector.journal import Found, Journal, create
from inspector.recorder import Recorder
from inspector_core.events import CustomerSaid, ModelSaid
from inspector_core.mantle.dialect import MANTLE
from inspector_core.session import begin
from tests.generate import agent_folder

__all__ = ["records"]

MOVES = 200
"""Moves before the one that is measured."""


class Unsynced(Journal):
    """A file that forgets."""

    def add(self, text: str) -> None:
        os.write(self.fd, text.encode())


def records(room: Path) -> Iterator[Row]:
    """One move of a session of an agent of ten skills and a hundred tools."""
    root = room / "recorded"
    agent_folder(root, 10)
    session = begin(MANTLE, MANTLE.read(read_folder(root)), {})
    for number in range(MOVES // 2):
        session = session.apply(CustomerSaid(f"message {number}")).apply(ModelSaid("yes"))
    move = CustomerSaid("and now?")
    after = session.apply(move)
    nowhere = Path(os.devnull)
    kept = {
        "synced": Recorder(create(room / "synced.jsonl"), "1"),
        "unsynced": Recorder(Unsynced(os.open(nowhere, os.O_WRONLY), nowhere, Found(b"")), "1"),
    }
    for one in kept.values():
        one.follow(session)
    turns = {name: [after, session] for name in kept}

    def record(name: str) -> None:
        """A move, or taking it back: what either writes is about as long."""
        turns[name].reverse()
        kept[name].follow(turns[name][1])

    found = times({
        "play": lambda: session.apply(move), "synced": lambda: record("synced"), "unsynced": lambda: record("unsynced"),
    })  # fmt: skip
    us = {name: f"{1e6 * median(seconds):.0f}" for name, seconds in found.items()}
    note = f"{us['unsynced']} and {us['play']} µs"
    yield at_most("", "one move: its lines / playing and judging it", ratio(found, "unsynced", "play"), 4, note=note)
    note = f"{us['synced']} and {us['play']} µs"
    yield at_most("", "one move: written and synced / playing and judging it", ratio(found, "synced", "play"), None,
                  note=note)  # fmt: skip
    yield at_most("", "one move: written and synced", 1000 * median(found["synced"]), 16, 5, unit="ms")
    for one in kept.values():
        one.close()
