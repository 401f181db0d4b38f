"""The prompt panel: the parts of what the model is given, and what a flip would change."""

from __future__ import annotations

import subprocess
import sys

import pytest
from textual.pilot import Pilot

from inspector.panels.memory import Memory
from inspector.panels.prompt import Prompt
from inspector.view import Look
from inspector_core.events import Activated, AuthorSet, CustomerSaid
from tests.inspector.screen import opened, press, text

SIZES = [(80, 24), (120, 40), (200, 50)]
STARTED = (CustomerSaid("my card is gone"), Activated("card_replacement"))


def panel(pilot: Pilot[int]) -> Prompt:
    return pilot.app.screen.query_one(Prompt)


def told(pilot: Pilot[int]) -> list[str]:
    """All rows, those that are scrolled away too."""
    return ["".join(words for words, _ in row.drawn(200)) for row in panel(pilot).rows]


@pytest.mark.parametrize("size", SIZES)
async def test_the_prompt_is_a_key_away_at_every_size(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        pilot.app.store.play(*STARTED)
        await press(pilot, ["8"])
        assert panel(pilot).has_focus
        assert "Help the customer to a new card." in text(pilot)
        assert "Prompt · card_replacement" in text(pilot)
        assert "find_cards(hint: string)" in " ".join(told(pilot))
        await press(pilot, ["2"])
        assert "Help the customer to a new card." not in text(pilot)


async def test_a_paragraph_that_is_kept_back_says_why() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED)
        await press(pilot, ["8"])
        assert any("✗ hidden  if session.card_replacement.submitted" in row for row in told(pilot))
        pilot.app.store.play(AuthorSet("card_replacement.submitted", True))
        await pilot.pause()
        shown = [row for row in panel(pilot).rows if row.marked]
        assert any("✓ shown" in "".join(w for w, _ in row.drawn(200)) for row in shown)


async def test_a_flip_is_foretold_while_the_cursor_is_on_an_entry_in_the_memory_panel() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED)
        await press(pilot, ["8", "4"])
        pilot.app.screen.query_one(Memory).select("project.authenticated")
        await pilot.pause()
        shown = text(pilot)
        assert "if project.authenticated were true" in shown
        assert "+ tool   process_card_replacement" in shown
        await press(pilot, ["2", "8"])
        assert "if project.authenticated were true" not in text(pilot)


async def test_the_key_that_the_cursor_was_on_is_foretold_when_the_prompt_is_opened_from_there() -> None:
    async with opened(size=(80, 24)) as pilot:
        pilot.app.store.play(*STARTED)
        await press(pilot, ["4"])
        pilot.app.screen.query_one(Memory).select("project.authenticated")
        await press(pilot, ["8"])
        assert "if project.authenticated were true" in text(pilot)


async def test_a_tool_unfolds_into_its_schema_and_an_entry_into_its_flips() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED, AuthorSet("card_replacement.submitted", False))
        await press(pilot, ["8"])
        prompt = panel(pilot)
        for words, unfolded in (("find_cards(", '"required": ['), ("submitted  False", "were true")):
            row = next(r for r in prompt.rows if r.search.strip().startswith(words))
            prompt.select(row.id)
            await press(pilot, ["enter"])
            assert any(unfolded in line for line in told(pilot)), words
            await press(pilot, ["enter"])
            assert not any(unfolded in line for line in told(pilot)), words


async def test_the_tool_under_the_cursor_is_explained() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED, AuthorSet("project.authenticated", True))
        await press(pilot, ["8"])
        prompt = panel(pilot)
        row = next(r for r in prompt.rows if r.search.strip().startswith("process_card_replacement("))
        prompt.select(row.id)
        await pilot.pause()
        assert "Why · process_card_replacement" in text(pilot)
        pilot.app.store.play(AuthorSet("card_replacement.reason", "lost"))
        await pilot.pause()
        assert "Why · process_card_replacement" in text(pilot)
        await press(pilot, ["c", "enter"])
        assert pilot.app.store.view.state.pending is not None
        assert "confirmation that waits" in " ".join(told(pilot))


async def test_a_skill_that_does_not_run_is_shown_as_though_it_did_and_routing_too() -> None:
    async with opened() as pilot:
        await press(pilot, ["8"])
        assert "as if card_replacement were active" in text(pilot)
        pilot.app.store.look(Look())
        await pilot.pause()
        assert "Prompt · routing" in text(pilot)
        assert any("verify_identity  left out: it is hidden from routing" in row.search for row in panel(pilot).rows)


async def test_a_block_shows_what_its_step_has_for_the_model() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED, Activated("card_replacement__pick_card"))
        await press(pilot, ["8"])
        assert "step ask_card" in text(pilot)
        assert "Help the customer to a new card." not in text(pilot)


def test_no_start_loads_what_only_the_prompt_or_an_event_needs() -> None:
    program = (
        "import sys, inspector.app; print([m for m in sys.modules if m.startswith(('inspector', 'inspector_core'))])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    late = ("inspector.panels.prompt", "inspector.reports.prompt", "inspector.screens.event", "inspector.completing",
            "inspector_core.mantle.prompt", "inspector_core.mantle.wire.envelope")  # fmt: skip
    assert "'inspector.app'" in ran.stdout
    assert [name for name in late if f"'{name}'" in ran.stdout] == []
