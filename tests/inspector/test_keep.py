"""Keeping what is looked at as a test: what it will say is seen first, and what is private in it."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList

from inspector.screens.keep import KeepTest
from inspector_core.events import Activated, AuthorSet, CustomerSaid
from tests.inspector.screen import opened, press, text

RECORDING = Path(__file__).parents[2] / "fixtures" / "recordings" / "bank" / "card_kept.jsonl"


async def begin(pilot: Pilot[int]) -> KeepTest:
    """A short conversation with a name and an address in it, about to be kept."""
    pilot.app.store.play(
        AuthorSet("project.customer_name", "Ada"), CustomerSaid("I am Ada, ada@mail.example"),
        Activated("card_replacement"),
    )  # fmt: skip
    await press(pilot, ["W"])
    return dialog(pilot)


def dialog(pilot: Pilot[int]) -> KeepTest:
    screen = pilot.app.screen
    assert isinstance(screen, KeepTest)
    return screen


async def save(pilot: Pilot[int], folder: Path) -> str:
    dialog(pilot).query_one("#folder", Input).value = str(folder)
    dialog(pilot).query_one("#called", Input).value = "a test"
    dialog(pilot).query_one("#called", Input).focus()
    await press(pilot, ["enter"])
    return (folder / "a_test.yml").read_text()


async def toggle(pilot: Pilot[int], row: int) -> None:
    listed = dialog(pilot).query_one("#private", OptionList)
    listed.focus()
    listed.highlighted = row
    await press(pilot, ["enter"])


async def test_what_is_private_is_shown_with_its_place_before_anything_is_saved(tmp_path: Path) -> None:
    async with opened() as pilot:
        await begin(pilot)
        screen = text(pilot)
        assert "private: 2 of 2 taken out" in screen
        assert "✓ hidden   Ada → <customer_name 1>  event 1: memory, `project.customer_name`" in screen
        assert "✓ hidden   ada@mail.example → <email 1>  event 2: what the customer says" in screen
        saved = await save(pilot, tmp_path)
        assert "ada" not in saved.lower()
        assert 'customer: "I am <customer_name 1>, <email 1>"' in saved


async def test_each_can_be_kept_and_taken_out_again(tmp_path: Path) -> None:
    async with opened() as pilot:
        await begin(pilot)
        await toggle(pilot, 0)
        assert "private: 1 of 2 taken out" in text(pilot)
        assert "! kept     Ada" in text(pilot)
        await toggle(pilot, 1)
        await toggle(pilot, 1)
        saved = await save(pilot, tmp_path)
        assert 'customer: "I am Ada, <email 1>"' in saved


async def test_the_form_is_chosen_and_seen(tmp_path: Path) -> None:
    async with opened() as pilot:
        shown = await begin(pilot)
        assert "● script" in text(pilot)
        shown.query_one("#e2e", Button).press()
        await pilot.pause()
        assert "○ script" in text(pilot)
        assert "● end-to-end test" in text(pilot)
        assert "test_cases:" in text(pilot)
        shown.query_one("#scenario", Button).press()
        await pilot.pause()
        assert (await save(pilot, tmp_path)).startswith("scenario:\n  name: a test\n")


async def test_a_test_is_about_what_is_marked_and_nothing_else(tmp_path: Path) -> None:
    async with opened() as pilot:
        shown = await begin(pilot)
        shown.query_one("#marks", Input).value = "3-x"
        await pilot.pause()
        assert "`3-x` is no event and no range of events" in text(pilot)
        shown.query_one("#marks", Input).focus()
        await press(pilot, ["enter"])
        assert dialog(pilot) is shown
        shown.query_one("#marks", Input).value = "1000"
        await pilot.pause()
        assert "is no event" not in text(pilot)
        assert "expect" not in await save(pilot, tmp_path)


async def test_a_recording_is_kept_as_it_was_recorded(tmp_path: Path) -> None:
    async with opened() as pilot:
        pilot.app.open_recording(RECORDING)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        await press(pilot, ["W"])
        assert "does not pass" not in text(pilot)
        saved = await save(pilot, tmp_path)
        assert saved.startswith("script: a test\n")
        assert "- customer: I want a new card\n" in saved


async def test_what_does_not_pass_over_the_files_is_told_before_it_is_saved() -> None:
    async with opened() as pilot:
        name = "Ada"
        pilot.app.store.play(
            CustomerSaid("hi"), Activated("card_replacement"), AuthorSet("card_replacement.contact_phone", name)
        )
        await press(pilot, ["W"])
        shown = dialog(pilot)
        shown.kept = shown.kept._replace(problem="line 3: expected this, but that")
        shown._show()
        await pilot.pause()
        assert "# it does not pass over the files as they are: line 3: expected this, but that" in text(pilot)


async def test_nothing_of_a_conversation_acts_on_the_screen() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("\x1b[2J[red]x\u202e a@b.de\x07"))
        await press(pilot, ["W"])
        assert "\x1b" not in text(pilot)
        assert "\u202e" not in text(pilot)


async def test_it_fits_a_small_screen() -> None:
    async with opened(size=(80, 24)) as pilot:
        await begin(pilot)
        screen = text(pilot)
        assert "keep the conversation as a test" in screen
        assert "tab goes on · enter saves · esc leaves" in screen
        assert "✓ hidden" in screen
        assert "script: a kept conversation" in screen
        dialog(pilot).query_one("#folder", Input).focus()
        await press(pilot, ["enter"])
        assert "name the folder to save it in" in text(pilot)
