"""The app without a terminal: opened on a folder by hand, with no watcher and no clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from textual.pilot import Pilot

from inspector.app import Inspector
from inspector.folder import read_folder
from inspector_core.mantle.checks import check
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.project import Project
from inspector_core.source import FolderText

BANK = Path(__file__).parents[2] / "fixtures" / "bank"
EMPTY = MANTLE.read(FolderText("agent", {}, frozenset()))


def project(root: Path = BANK) -> Project:
    """A folder as read; the bank once for all tests, as nothing can change a reading."""
    return _bank() if root == BANK else MANTLE.read(read_folder(root))


@cache
def _bank() -> Project:
    return MANTLE.read(read_folder(BANK))


@asynccontextmanager
async def opened(root: Path = BANK, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Pilot[int]]:
    """The app on a folder, painted once."""
    app = Inspector(root, "3.21", EMPTY, watching=False)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        read = project(root)
        app.store.reload(read, "14:02:11")
        app.store.found(check(read))
        await pilot.pause()
        yield pilot


def text(pilot: Pilot[int]) -> str:
    """What is on the screen, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def press(pilot: Pilot[int], keys: Sequence[str]) -> None:
    """Press keys one by one, each seen through before the next."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def type_line(pilot: Pilot[int], line: str) -> None:
    """Type a line into the conversation and send it."""
    names = {" ": "space", "/": "slash", "?": "question_mark", "=": "equals_sign", "_": "underscore", ",": "comma",
             ".": "full_stop", "'": "apostrophe", "-": "minus"}  # fmt: skip
    pilot.app.screen.query_one("#talk").focus()
    await pilot.press(*(names.get(c, c) for c in line))
    await press(pilot, ["enter"])
