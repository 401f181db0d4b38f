"""The first frame: it shows the folder, and keys typed before it are for what it shows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual._compositor import LayoutUpdate
from textual.pilot import Pilot
from textual.screen import Screen

from inspector import app as app_module
from inspector.app import Inspector
from inspector.messages import FolderRead
from inspector.panels.tools import Tools
from inspector.reload import Reloader
from tests.inspector.screen import BANK, EMPTY, press, project, text


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """The folder is read when this is set, however long that takes."""
    done = asyncio.Event()

    async def watch(self: Reloader) -> None:
        await done.wait()
        self.tell(FolderRead(project()))

    monkeypatch.setattr(Reloader, "watch", watch)
    monkeypatch.setattr(app_module, "PATIENCE_S", 600)
    monkeypatch.setattr(app_module, "clock", lambda: "14:02:11")
    return done


def opened(root: Path = BANK) -> Inspector:
    return Inspector(root, "3.21", EMPTY)


async def read(pilot: Pilot[int], reading: asyncio.Event) -> None:
    reading.set()
    await pilot.pause()
    await pilot.pause()


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is sent to the terminal, update by update."""
    seen: list[str] = []

    def display(self: Inspector, screen: Screen[object], update: LayoutUpdate | None) -> None:
        if isinstance(update, LayoutUpdate):
            seen.append("".join(segment.text for strip in update.strips for segment in strip))

    monkeypatch.setattr(Inspector, "_display", display)
    return seen


async def test_the_first_frame_is_whole_and_shows_the_folder(reading: asyncio.Event, frames: list[str]) -> None:
    async with opened().run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert frames == []
        await read(pilot, reading)
        for words in ("Mantle 3.21", "✗ hidden   process_", "would open it", "authenticated", "the session begins"):
            assert words in frames[0]
        assert "reading" not in frames[0]


async def test_keys_typed_ahead_find_what_they_were_meant_for(reading: asyncio.Event) -> None:
    async with opened().run_test(size=(120, 40)) as pilot:
        await press(pilot, ["down", "slash", "l", "o", "c", "k"])
        await read(pilot, reading)
        while isinstance(pilot.app, Inspector) and pilot.app.typed_ahead:
            await pilot.pause()
        await pilot.pause()
        assert pilot.app.screen.query_one(Tools).needle == "lock"


async def test_a_folder_that_takes_long_is_not_waited_for(
    reading: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "PATIENCE_S", 0.001)
    async with opened().run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.01)
        assert "reading the folder" in text(pilot)
        await read(pilot, reading)
        assert "✗ hidden   process_" in text(pilot)


@pytest.mark.parametrize(("before", "after"), [((120, 40), (80, 24)), ((80, 24), (120, 40)), ((120, 40), (200, 50))])
async def test_a_terminal_resized_meanwhile_gets_the_layout_of_its_size(
    reading: asyncio.Event, before: tuple[int, int], after: tuple[int, int]
) -> None:
    async with opened().run_test(size=after) as pilot:
        await read(pilot, reading)
        expected = text(pilot)
    reading.clear()
    async with opened().run_test(size=before) as pilot:
        await pilot.resize_terminal(*after)
        await read(pilot, reading)
        assert text(pilot) == expected
