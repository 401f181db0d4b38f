"""From a save to the report of the new reading: our watcher, the kernel's own, and the library's defaults."""

from __future__ import annotations

import asyncio
import ctypes
import os
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median

from bench.measure import Row, at_least, at_most, percentile
from inspector.folder import read_folder
from inspector.watch import folder_changes
from inspector_core.mantle.engine.state import EMPTY
from inspector_core.mantle.gates import report
from inspector_core.mantle.reading.folder import read
from tests.generate import agent_folder, skill_name

__all__ = ["saves"]

SKILLS, ROUNDS, SAVES = 100, 4, 8
PATIENCE = 5.0
"""Seconds to wait for news of a save before it counts as missed."""

WRITER = """
import sys, time
for line in sys.stdin:
    path, text = line.rstrip("\\n").split("\\t")
    with open(path, "a") as file:
        file.write(text + "\\n")
    print(time.monotonic(), flush=True)
"""

News = AsyncIterator[frozenset[str]]


def saves(room: Path) -> Iterator[Row]:
    """A `skill.md` of a folder of 100 skills is saved by another process, again and again."""
    root = room / "saves"
    agent_folder(root, SKILLS)
    found = asyncio.run(_every(root))
    middle = {name: median(seconds) for name, seconds in found.items()}
    yield at_least("14", "save to report: watchfiles' defaults / ours", middle["defaults"] / middle["ours"], 2.5)
    yield at_most("15", "save to report: ours / raw inotify", middle["ours"] / middle["raw"], None,
                  note=f"{1000 * middle['ours']:.1f} and {1000 * middle['raw']:.1f} ms")  # fmt: skip
    slow = 1000 * percentile(found["ours"], 0.9)
    yield at_most("", "save to report: ours, nine in ten within", slow, 50, 15, unit="ms")


async def _every(root: Path) -> dict[str, list[float]]:
    ways: dict[str, Callable[[Path], News]] = {"ours": folder_changes, "raw": _inotify, "defaults": _defaults}
    found: dict[str, list[float]] = {name: [] for name in ways}
    order, chance = list(ways), Random(0)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for name in order:
            found[name] += await _watched(root, ways[name](root))
    return found


async def _watched(root: Path, news: News) -> list[float]:
    """Seconds from the end of each save to its report."""
    file = root / "skills" / skill_name(SKILLS // 2) / "skill.md"
    text, found = file.read_text(), []
    folder = read_folder(root)
    project = read(folder)
    looking = asyncio.ensure_future(anext(news))
    await asyncio.sleep(0.3)
    with subprocess.Popen([sys.executable, "-c", WRITER], stdin=-1, stdout=-1, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        for number in range(SAVES):
            await asyncio.sleep(0.15)
            line = f"Save {number} at {time.monotonic()}."
            writer.stdin.write(f"{file}\t{line}\n")
            writer.stdin.flush()
            while line not in folder.files[f"skills/{file.parent.name}/skill.md"]:
                changed = await asyncio.wait_for(looking, PATIENCE)
                folder = read_folder(root, folder, changed or None)
                project = read(folder, project)
                report(project, EMPTY, None)
                looking = asyncio.ensure_future(anext(news))
            seen = time.monotonic()
            found.append(seen - float(writer.stdout.readline()))
        writer.stdin.close()
    looking.cancel()
    await asyncio.wait([looking])
    file.write_text(text)
    return found


async def _defaults(root: Path) -> News:
    from watchfiles import awatch

    async for changes in awatch(root):
        yield frozenset(os.path.relpath(path, root) for _, path in changes)


CLOSE_WRITE, MOVED_TO = 0x8, 0x80


async def _inotify(root: Path) -> News:
    """The floor: the kernel's own word that a file was written and closed, the moment it comes."""
    libc = ctypes.CDLL(None, use_errno=True)
    watching = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    folders: dict[int, str] = {}
    for folder, _, _ in os.walk(root):
        folders[libc.inotify_add_watch(watching, os.fsencode(folder), CLOSE_WRITE | MOVED_TO)] = folder
    ready, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_reader(watching, ready.set)
    try:
        while True:
            await ready.wait()
            ready.clear()
            with suppress(BlockingIOError):
                paths = _paths(folders, os.read(watching, 1 << 16))
                yield frozenset(os.path.relpath(path, root) for path in paths)
    finally:
        loop.remove_reader(watching)
        os.close(watching)


def _paths(folders: Mapping[int, str], events: bytes) -> Iterator[str]:
    at = 0
    while at < len(events):
        watch, _, _, length = struct.unpack_from("iIII", events, at)
        name = os.fsdecode(events[at + 16 : at + 16 + length].rstrip(b"\0"))
        yield f"{folders[watch]}/{name}"
        at += 16 + length
