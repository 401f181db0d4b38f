"""Lines to type into show what acts on a terminal as signs: names, values and samples of the author's get there."""

from __future__ import annotations

import re
from pathlib import Path

from inspector.visible import HIDDEN
from inspector_core.events import AuthorSet
from tests.inspector.screen import opened, press, text

SPEAKS = "\x1b[31mred\x9b5m\u202e"


def agent(root: Path) -> Path:
    """An agent with a skill whose folder is named so, and a tool whose argument begins as such a text."""
    skill = root / "skills" / SPEAKS
    skill.mkdir(parents=True)
    (root / "agent.yml").write_text("agent:\n  id: a\n")
    (skill / "skill.md").write_text("---\nname: pay\ndescription: Pays.\n---\nPay.\n")
    (skill / "tools.py").write_text(
        "from rasa.mantle.tools.decorator import ToolContext, tool\n\n\n@tool(description='Pays.')\n"
        f"async def pay(context: ToolContext, to: dict = {{'a': {SPEAKS!r}}}):\n    return None\n"
    )
    return root


async def test_what_a_line_holds_or_suggests_acts_on_nothing(tmp_path: Path) -> None:
    async with opened(agent(tmp_path)) as pilot:
        pilot.app.store.play(AuthorSet("pay.stray", SPEAKS))

        def seen() -> None:
            assert re.search(f"[{HIDDEN}]", text(pilot).replace("\n", "")) is None

        assert pilot.app.main.query_one("#memory").select("pay.stray")
        await press(pilot, ["4", "enter"])
        seen()
        await press(pilot, ["escape", "2", "c"])
        seen()
        await press(pilot, ["escape", "5", "slash", "s", "t", "a", "r", "t", "space"])
        await pilot.pause(0.2)
        seen()
        await press(pilot, ["right"])
        seen()
