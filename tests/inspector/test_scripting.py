"""Scripts in the app: played to the end, to a step, step by step; and the conversation saved as one."""

from __future__ import annotations

import shutil
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from inspector.screens.lists import Menu
from inspector_core.events import Activated, CustomerSaid
from inspector_core.script.reading import read
from inspector_core.source import Source
from tests.inspector.screen import BANK, opened, press, text

SCRIPT = """\
script: a short one
memory: {project.authenticated: true}
steps:
- customer: my card is gone
- start: card_replacement
- expect: {active: card_replacement}
- say: I am sorry.
"""


def agent(tmp_path: Path, script: str = SCRIPT) -> Path:
    """The bank with one script."""
    root = tmp_path / "bank"
    shutil.copytree(BANK, root, ignore=shutil.ignore_patterns("scripts", "__pycache__"))
    (root / "scripts").mkdir()
    (root / "scripts" / "short.yml").write_text(script)
    return root


async def choose(pilot: Pilot[int], row: int) -> None:
    menu = pilot.app.screen
    assert isinstance(menu, Menu)
    menu.query_one(OptionList).highlighted = row
    await press(pilot, ["enter"])


def events(pilot: Pilot[int]) -> int:
    return len(pilot.app.store.view.session.events)


async def test_a_script_is_played_to_its_end_and_undone_at_once(tmp_path: Path) -> None:
    async with opened(agent(tmp_path)) as pilot:
        await press(pilot, ["x"])
        assert "short.yml  a short one" in text(pilot)
        await choose(pilot, 0)
        await choose(pilot, 0)
        assert "`a short one` passed" in text(pilot)
        assert events(pilot) == 3
        assert pilot.app.store.view.state.memory["project.authenticated"] is True
        await press(pilot, ["u"])
        assert events(pilot) == 0


async def test_a_script_stops_behind_a_step_and_goes_on_step_by_step(tmp_path: Path) -> None:
    async with opened(agent(tmp_path)) as pilot:
        await press(pilot, ["x"])
        await choose(pilot, 0)
        await choose(pilot, 3)  # behind the second step
        assert "next, line 6: expect: {active: card_replacement}" in text(pilot)
        assert events(pilot) == 2
        await press(pilot, ["X", "X"])
        assert "`a short one` passed" in text(pilot)
        assert events(pilot) == 3
        await press(pilot, ["X"])
        assert "the script is over" in text(pilot)


async def test_step_by_step_begins_before_the_first(tmp_path: Path) -> None:
    async with opened(agent(tmp_path)) as pilot:
        await press(pilot, ["x"])
        await choose(pilot, 0)
        await choose(pilot, 1)
        assert events(pilot) == 0
        await press(pilot, ["X"])
        assert pilot.app.store.view.session.events == (CustomerSaid("my card is gone"),)


async def test_a_script_stops_at_what_is_not_as_expected(tmp_path: Path) -> None:
    async with opened(agent(tmp_path, SCRIPT.replace("active: card_replacement", "active: travel_notice"))) as pilot:
        await press(pilot, ["x"])
        await choose(pilot, 0)
        await choose(pilot, 0)
        assert "line 6: expected `travel_notice` to be active, but `card_replacement` is" in text(pilot)
        assert events(pilot) == 2


async def test_a_script_goes_on_over_the_files_as_they_are_now(tmp_path: Path) -> None:
    root = agent(tmp_path)
    async with opened(root) as pilot:
        await press(pilot, ["x"])
        await choose(pilot, 0)
        await choose(pilot, 3)
        before = pilot.app.store.view.project
        pilot.app.store.reload(type(before)(**{s: getattr(before, s) for s in before.__dataclass_fields__}), "14:03:00")
        await press(pilot, ["X"])
        assert pilot.app.store.view.session.project is pilot.app.store.view.project is not before


async def test_a_script_with_a_mistake_is_not_played_but_told(tmp_path: Path) -> None:
    async with opened(agent(tmp_path, "script: '[red]x'\nsteps:\n- custmer: hi\n")) as pilot:
        await press(pilot, ["x"])
        await choose(pilot, 0)
        assert "line 3: `custmer` is no step" in text(pilot)
        assert events(pilot) == 0


async def test_without_scripts_it_says_where_they_would_be(tmp_path: Path) -> None:
    root = agent(tmp_path)
    (root / "scripts" / "short.yml").unlink()
    async with opened(root) as pilot:
        await press(pilot, ["x"])
        assert "`bank/scripts` holds no scripts" in text(pilot)
        await press(pilot, ["X"])
        assert "no script was chosen" in text(pilot)


async def fill(pilot: Pilot[int], folder: Path | str, name: str) -> None:
    pilot.app.screen.query_one("#folder", Input).value = str(folder)
    pilot.app.screen.query_one("#called", Input).value = name
    await press(pilot, ["enter"])


async def test_the_conversation_is_saved_as_a_script_that_plays(tmp_path: Path) -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("hi"), Activated("card_replacement"))
        await press(pilot, ["W"])
        await fill(pilot, tmp_path / "mine", "A new card")
        saved = tmp_path / "mine" / "a_new_card.yml"
        assert "saved as" in text(pilot)
        found = read(Source("s.yml", saved.read_text()))
        assert not found.broken
        assert found.script.name == "A new card"


async def test_nothing_is_written_over_without_asking(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("mine")
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("hi"))
        for row, kept in ((0, True), (1, False)):
            await press(pilot, ["W"])
            await fill(pilot, tmp_path, "a")
            assert "there is one already" in text(pilot)
            await choose(pilot, row)
            assert ((tmp_path / "a.yml").read_text() == "mine") is kept


async def test_without_a_folder_nothing_is_saved(tmp_path: Path) -> None:
    async with opened() as pilot:
        await press(pilot, ["W"])
        await fill(pilot, "", "a")
        assert "name the folder to save it in" in text(pilot)
        await press(pilot, ["escape"])
        assert pilot.app.screen is pilot.app.main


async def test_a_folder_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with opened() as pilot:
        await press(pilot, ["W"])
        await fill(pilot, tmp_path / "file", "a")
        assert "it can't be saved" in text(pilot)
