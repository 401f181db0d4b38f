"""The app with a recording open: one of the bank's own, or events made by hand."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from inspector.viewed import Viewed
from tests.inspector.screen import BANK, opened

RECORDINGS = BANK.parents[1] / "fixtures" / "recordings" / "bank"
REPLACED = RECORDINGS / "card_replaced.jsonl"


@asynccontextmanager
async def looking(
    path: Path = REPLACED, size: tuple[int, int] = (120, 40), root: Path = BANK, alone: bool = False
) -> AsyncIterator[Pilot[int]]:
    """The app on a folder, with a recording open at its beginning."""
    async with opened(root, size) as pilot:
        pilot.app.alone = alone
        await look_at(pilot, path)
        yield pilot


async def look_at(pilot: Pilot[int], path: Path) -> None:
    pilot.app.open_recording(path)
    await settled(pilot)


async def settled(pilot: Pilot[int]) -> None:
    """All that is done in the background is done and painted."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def at(pilot: Pilot[int]) -> int:
    """The event that is looked at."""
    return shown(pilot).number


def shown(pilot: Pilot[int]) -> Viewed:
    viewed = pilot.app.store.view.viewed
    assert viewed is not None
    return viewed


def written(path: Path, events: Iterable[dict[str, object]]) -> Path:
    """A recording in the engine's flat form, a line an event."""
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


def said(text: str, who: str = "user") -> dict[str, object]:
    return {"event": who, "text": text, "timestamp": 1.0}


def wrote(key: str, value: object) -> dict[str, object]:
    return {"event": "memory_set", "key": key, "value": value, "timestamp": 1.0}


def called(tool: str, result: object) -> dict[str, object]:
    return {
        "event": "tool_executed",
        "tool_name": tool,
        "arguments": {},
        "result": json.dumps(result),
        "timestamp": 1.0,
    }
