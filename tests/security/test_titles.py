"""Names of the author's stand in titles of panels and dialogs as what they are, whatever they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.visible import HIDDEN
from tests.inspector.screen import opened, press, text

NAMES = ["[/]", "[@click=app.quit]q[/]", "[bold", "\x1b[31mred\x9b5m", "\u202epay", "{}%s$x"]


def agent(root: Path, name: str) -> Path:
    """An agent that gates a tool of this name, and has a memory entry of it."""
    skill = root / "skills" / "pay"
    skill.mkdir(parents=True)
    said = json.dumps(name)
    (root / "agent.yml").write_text("agent:\n  id: a\n")
    (skill / "skill.md").write_text(
        "---\nname: pay\ndescription: Pays.\ntool_constraints:\n"
        f"- {said}:\n    requires: session.pay.ready\n---\nPay.\n"
    )
    (skill / "memory.yml").write_text(f"schema:\n  public:\n    {said}:\n      type: text\n")
    (skill / "tools.py").write_text(
        "from rasa.mantle.tools.decorator import ToolContext, tool\n\n\n"
        "@tool(description='Pays.')\nasync def pay(context: ToolContext):\n    return None\n"
    )
    return root


def acts(pilot: Pilot[int]) -> set[str]:
    """What clicks on the screen would do, but for our own keys and tabs."""
    strips = pilot.app.screen._compositor.render_strips()
    done = {str(s.style.meta.get("@click", "")) for strip in strips for s in strip if s.style}
    return {d for d in done if d and not d.startswith(("app.act('", "app.panel('", "app.problems"))}


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_in_a_title_is_text(name: str, tmp_path: Path) -> None:
    async with opened(agent(tmp_path, name)) as pilot:

        async def seen(*keys: str) -> None:
            await press(pilot, keys)
            assert re.search(f"[{HIDDEN}]", text(pilot).replace("\n", "")) is None
            assert acts(pilot) == set()

        assert pilot.app.main.query_one("#tools").select(("pay", name))
        await seen("2")
        await seen("c")
        await seen("escape")
        assert pilot.app.main.query_one("#memory").select(f"pay.{name}")
        await seen("4")
        await seen("enter")
        await seen("escape")


@pytest.mark.parametrize("words", NAMES)
async def test_the_words_of_a_filter_are_text(words: str) -> None:
    async with opened() as pilot:
        await press(pilot, ["2", "slash"])
        pilot.app.screen.query_one("#tools").filter(words)
        await pilot.pause()
        assert acts(pilot) == set()
