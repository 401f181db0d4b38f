"""The timeline: turns, events that unfold, and the engine's own form of each."""

from __future__ import annotations

import pytest

from inspector.panels.timeline import Timeline
from inspector.screens.event import EventShown
from inspector_core.events import Activated, AuthorSet, CustomerSaid, ModelSaid
from tests.inspector.screen import opened, press, text

SIZES = [(80, 24), (120, 40), (200, 50)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_moment_unfolds_into_its_events_and_folds_again(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        pilot.app.store.play(CustomerSaid("hi"), Activated("card_replacement"))
        await press(pilot, ["6", "space"])
        shown = text(pilot)
        assert "skill_activated" in shown
        assert "of bookkeeping" in shown
        await press(pilot, ["space"])
        assert "skill_activated" not in text(pilot)


async def test_bookkeeping_is_shown_on_demand() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("hi"), ModelSaid("hello"))
        await press(pilot, ["6", "space"])
        assert "bot_turn_ended" in text(pilot)
        assert "1 of bookkeeping" in text(pilot)
        await press(pilot, ["b"])
        assert "bookkeeping  " not in text(pilot).split("Timeline")[1].rsplit("\n", 1)[0]


async def test_the_turns_number_stands_at_its_first_moment_alone() -> None:
    async with opened(size=(120, 60)) as pilot:
        pilot.app.store.play(CustomerSaid("hi"), ModelSaid("hello"), CustomerSaid("bye"), ModelSaid("bye"))
        await pilot.pause()
        timeline = pilot.app.screen.query_one(Timeline)
        numbers = ["".join(words for words, _ in row.drawn(80))[:3].strip() for row in timeline.rows]
        assert numbers == ["", "1", "", "2", ""]


async def test_an_event_is_shown_as_the_engine_writes_it_in_both_forms() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("hi"), ModelSaid("hello"))
        await press(pilot, ["6", "space", "down", "enter"])
        assert isinstance(pilot.app.screen, EventShown)
        assert '"event": "bot"' in text(pilot)
        assert "flat" in text(pilot)
        await press(pilot, ["w"])
        assert '"event_id"' in text(pilot)
        await press(pilot, ["w", "left"])
        assert '"event": "user"' in text(pilot)
        await press(pilot, ["escape"])
        assert not isinstance(pilot.app.screen, EventShown)


async def test_what_the_author_did_by_hand_is_no_event_of_the_engine() -> None:
    async with opened() as pilot:
        pilot.app.store.play(AuthorSet("project.authenticated", True))
        await press(pilot, ["6", "space", "down", "enter"])
        assert "the engine records nothing of this" in text(pilot)


async def test_an_unfolded_moment_names_the_gates_it_moved() -> None:
    async with opened() as pilot:
        pilot.app.store.play(AuthorSet("project.authenticated", True))
        await press(pilot, ["6", "space"])
        timeline = pilot.app.screen.query_one(Timeline)
        assert any("gate process_card_replacement: hidden → asks" in " ".join(row.search.split()) or
                   row.search == "process_card_replacement: hidden → asks" for row in timeline.rows)  # fmt: skip
        assert "process_card_replacement: hidden → asks" in text(pilot)


async def test_the_cursor_stays_with_its_moment_when_others_unfold() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("hi"), Activated("card_replacement"), ModelSaid("hello"))
        await press(pilot, ["6", "up", "space", "down"])
        timeline = pilot.app.screen.query_one(Timeline)
        assert timeline.current is not None
        assert timeline.current.id == (2, 0)
        await press(pilot, ["["])
        assert timeline.current.id == 2
