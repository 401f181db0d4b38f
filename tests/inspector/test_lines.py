"""Rows of a panel as they are drawn."""

from __future__ import annotations

from textual.pilot import Pilot

from inspector.panels.memory import Memory
from tests.inspector.screen import opened, press


def lit(pilot: Pilot[int], words: str) -> bool:
    """Whether the words stand on the screen in the look of the row under the cursor."""
    cursor = pilot.app.current_theme.panel
    segments = (s for strip in pilot.app.screen._compositor.render_strips() for s in strip)
    looks = [s.style for s in segments if words in s.text and s.style and s.style.bold]
    return any(look.bgcolor and look.bgcolor.name == str(cursor).lower() for look in looks)


async def test_the_cursors_row_is_lit_in_a_list_that_was_scrolled() -> None:
    async with opened() as pilot:
        await press(pilot, ["4", "end"])
        assert pilot.app.screen.query_one(Memory).scroll_offset.y > 0
        assert lit(pilot, "customer_name")
        await press(pilot, ["up"])
        assert lit(pilot, "authenticated")
        assert not lit(pilot, "customer_name")
