"""Dialogs that are left twice, as by a key that repeats."""

from __future__ import annotations

import pytest
from textual.screen import ModalScreen

from tests.inspector.screen import opened, press, text


@pytest.mark.parametrize("size", [(20, 2), (20, 3), (80, 24)])
async def test_pages_of_the_palette_are_turned_at_any_size(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        await press(pilot, ["ctrl+p", "pagedown", "pageup", "pagedown", "escape"])
        assert pilot.app.screen is pilot.app.main


async def test_a_palette_under_another_dialog_is_left_once() -> None:
    async with opened() as pilot:
        await press(pilot, ["ctrl+p"])
        palette = pilot.app.screen
        pilot.app.action_help()
        await pilot.pause()
        help_screen = pilot.app.screen
        palette.dismiss()
        await pilot.pause()
        assert pilot.app.screen is help_screen
        await press(pilot, ["escape", "escape"])
        assert pilot.app.screen is pilot.app.main


@pytest.mark.parametrize("keys", [["a"], ["question_mark"], ["ctrl+p"], ["2", "c"], ["4", "enter"]], ids=" ".join)
async def test_leaving_a_dialog_twice_leaves_the_panels_where_they_are(keys: list[str]) -> None:
    async with opened() as pilot:
        await press(pilot, keys)
        dialog = pilot.app.screen
        assert isinstance(dialog, ModalScreen)
        dialog.dismiss(None)
        dialog.dismiss(None)
        await pilot.pause()
        assert pilot.app.screen is pilot.app.main
        await press(pilot, ["1", "2"])
        assert "find_cards" in text(pilot)


async def test_a_menu_under_another_dialog_stays_until_it_is_left_itself() -> None:
    async with opened() as pilot:
        await press(pilot, ["2", "a"])
        menu = pilot.app.screen
        assert isinstance(menu, ModalScreen)
        pilot.app.action_help()
        await pilot.pause()
        menu.dismiss(None)
        menu.dismiss(None)
        await press(pilot, ["escape"])
        assert pilot.app.screen is menu
        await press(pilot, ["escape"])
        assert pilot.app.screen is pilot.app.main


async def test_the_palette_is_opened_once() -> None:
    async with opened() as pilot:
        for _ in range(2):
            pilot.app.action_command_palette()
            pilot.app.action_help()
        await press(pilot, ["escape", "escape", "escape"])
        assert pilot.app.screen is pilot.app.main
