"""The main job, on the screen: see why, flip, call, answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.panels.conversation import Card, Talk
from inspector.panels.memory import Memory
from inspector.panels.tools import Tools
from inspector.view import Look
from inspector_core.events import AuthorSet
from tests.inspector.screen import opened, press, text, type_line

TOOL = "process_card_replacement"


def tools(pilot: Pilot[int]) -> Tools:
    return pilot.app.screen.query_one(Tools)


async def on_tool(pilot: Pilot[int], name: str = TOOL, skill: str = "card_replacement") -> None:
    assert tools(pilot).select((skill, name))
    await pilot.pause()


async def test_the_reason_of_a_hidden_tool_stands_in_its_row_and_its_proof_beside() -> None:
    async with opened() as pilot:
        await on_tool(pilot)
        shown = text(pilot)
        row = next(line for line in shown.split("\n") if "✗ hidden   process_" in line)
        assert "authenticated is unset" in row
        assert "project.authenticated = true" in shown
        assert "would open it" in shown


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_the_story_of_the_demo(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        await on_tool(pilot)
        await press(pilot, ["4"])
        assert pilot.app.screen.query_one(Memory).select("project.authenticated")
        await press(pilot, ["space"])
        assert "process_card_replacement: hidden → asks" in text(pilot)
        await press(pilot, ["2"])
        await on_tool(pilot)
        await press(pilot, ["C"])
        assert pilot.app.store.view.state.pending is not None
        assert "process_card_replacement asks" in text(pilot)
        await type_line(pilot, "what does it cost?")
        assert pilot.app.store.view.state.pending is not None
        await type_line(pilot, "/model it is free")
        assert pilot.app.store.view.state.pending is not None
        await type_line(pilot, "no")
        assert pilot.app.store.view.state.pending is None
        said = [r.fields.get("text") for r in pilot.app.store.view.records if r.event == "bot"]
        assert any("nothing" in str(t) for t in said)
        assert "card_replacement.submitted" not in pilot.app.store.view.state.memory
        await press(pilot, ["escape", "2"])
        await on_tool(pilot)
        await press(pilot, ["C"])
        assert pilot.app.store.view.state.pending is not None
        await type_line(pilot, "yes")
        assert pilot.app.store.view.state.pending is None
        runs = [r for r in pilot.app.store.view.records if r.metadata.get("source") == "tool_confirmation"]
        assert [("declined" in str(r.fields["result"])) for r in runs] == [True, False]
        assert pilot.app.store.view.state.memory["card_replacement.submitted"] is True


async def test_no_key_pressed_in_haste_says_yes() -> None:
    async with opened() as pilot:
        pilot.app.store.play(AuthorSet("project.authenticated", True))
        await on_tool(pilot)
        await press(pilot, ["C"])
        assert pilot.app.screen.query_one(Talk).has_focus
        card = pilot.app.screen.query_one(Card)
        card.focus()
        await pilot.pause()
        assert card.current is not None
        assert card.current.id == "nothing"
        await press(pilot, ["enter", "space", "enter"])
        assert pilot.app.store.view.state.pending is not None
        pilot.app.screen.query_one("#talk").focus()
        await press(pilot, ["enter", "enter"])
        assert pilot.app.store.view.state.pending is not None


async def test_one_key_opens_the_gate_and_one_takes_it_back() -> None:
    async with opened() as pilot:
        await on_tool(pilot)
        await press(pilot, ["o"])
        assert pilot.app.store.view.state.memory["project.authenticated"] is True
        await press(pilot, ["u"])
        assert "project.authenticated" not in pilot.app.store.view.state.memory
        await press(pilot, ["ctrl+r"])
        assert pilot.app.store.view.state.memory["project.authenticated"] is True


async def test_time_travel_shows_what_was_and_undo_brings_back_what_was_dropped() -> None:
    async with opened() as pilot:
        store = pilot.app.store
        store.play(AuthorSet("project.authenticated", True))
        store.play(AuthorSet("card_replacement.selected_card_id", "4821"))
        await press(pilot, ["["])
        assert "card_replacement.selected_card_id" not in store.view.state.memory
        assert "looking back" in text(pilot)
        store.play(AuthorSet("card_replacement.reason", "lost"))
        assert len(store.view.session.moments) == 3
        await press(pilot, ["u"])
        assert len(store.view.session.moments) == 3
        assert store.view.session.cursor == 1
        await press(pilot, ["]"])
        assert store.view.state.memory["card_replacement.selected_card_id"] == "4821"


async def test_the_filter_finds_tools_of_all_skills() -> None:
    async with opened() as pilot:
        await press(pilot, ["2", "slash", *"file_n".replace("_", " ").split()[0], "enter"])
        shown = text(pilot)
        assert "file_notice" in shown
        assert "find_cards" not in shown
        await press(pilot, ["escape"])
        assert "find_cards" in text(pilot)


async def test_looking_at_another_skill_judges_for_it() -> None:
    async with opened() as pilot:
        pilot.app.store.look(Look("travel_notice"))
        await pilot.pause()
        assert "file_notice" in text(pilot)
        assert "travel_notice · prose" in text(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_every_panel_is_a_key_away_and_explains_itself(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        reached: list[str | None] = []
        for panel in "12345678":
            await press(pilot, ["escape", panel])  # out of the line to type into, where a digit is a digit
            focused = pilot.app.main.focused
            assert focused is not None
            assert focused.region.width > 10
            assert pilot.app.main.about_focused()
            reached.append(focused.id)
        assert reached == ["skills", "tools", "why", "memory", "talk", "timeline", "problems", "prompt"]


async def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "agent.yml").write_text("agent: {}\n")
    (tmp_path / "skills").mkdir()
    async with opened(tmp_path) as pilot:
        assert "skills/<id>/skill.md" in text(pilot)


async def test_the_first_frame_wears_the_theme() -> None:
    async with opened() as pilot:
        assert pilot.app.theme == "inspector-dark"
        assert pilot.app.screen.styles.background.hex == "#14161D"
