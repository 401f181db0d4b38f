"""The skills panel: where a block stands, what waits on the stack, and routing as a place to look at."""

from __future__ import annotations

from dataclasses import replace

from textual.pilot import Pilot

from inspector.panels.skills import Skills
from inspector.view import Look, View
from inspector_core.events import Activated, Cancelled, CustomerSaid
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import Frame, State
from inspector_core.mantle.project import Step
from inspector_core.session import begin
from tests.core import handmade
from tests.inspector.screen import opened, press

STARTED = (CustomerSaid("my card is gone"), Activated("card_replacement"))
BLOCK = "card_replacement__pick_card"


def rows(pilot: Pilot[int]) -> list[str]:
    """All rows, as drawn in forty cells."""
    panel = pilot.app.screen.query_one(Skills)
    return ["".join(words for words, _ in row.drawn(40)).rstrip() for row in panel.rows]


async def test_the_stack_stands_at_the_top_while_something_runs() -> None:
    async with opened() as pilot:
        assert "stack" not in rows(pilot)
        assert "nothing runs: s starts" in rows(pilot)
        pilot.app.store.play(*STARTED)
        await pilot.pause()
        assert rows(pilot)[:2] == ["stack", " • card_replacement"]


async def test_a_live_block_shows_which_steps_were_passed_and_where_it_stands() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED, Activated(BLOCK))
        await pilot.pause()
        assert rows(pilot)[1:5] == [" • › pick_card", "     ▸ ask_card", "     · look_up", "     · known"]
        before = pilot.app.store.view.state.top
        assert before is not None
        assert before.step_id == "ask_card"


async def test_a_passed_step_is_ticked() -> None:
    steps = [Step(id, "route", handmade.HERE) for id in ("a", "b", "c")]
    pay = handmade.skill("pay", blocks=[handmade.block("main", steps=steps)])
    stack = (Frame("f1", "pay"), Frame("f2", "pay", "main", "b", visited=("a",)))
    session = begin(MANTLE, handmade.project(pay), {})
    moment = replace(session.now, state=State(stack=stack))
    async with opened() as pilot:
        pilot.app.screen.query_one(Skills).show(View(replace(session, moments=(moment,)), Look("pay")))
        assert rows(pilot)[1:5] == [" • › main", "     ✓ a", "     ▸ b", "     · c"]


async def test_what_waits_is_told_by_a_sign_and_the_engines_word() -> None:
    async with opened(size=(200, 50)) as pilot:
        pilot.app.store.play(*STARTED, Activated(BLOCK), Activated("travel_notice"))
        await pilot.pause()
        told = [" ".join(row.split()) for row in rows(pilot)]
        assert told[:5] == [
            "stack", "• travel_notice", "‖ › pick_card · ask_card", "interrupt", "‖ card_replacement interrupt",
        ]  # fmt: skip


async def test_routing_is_active_while_nothing_runs_and_can_be_looked_at() -> None:
    async with opened() as pilot:
        await press(pilot, ["1", "g", "enter"])
        assert pilot.app.store.view.look == Look()
        assert next(row for row in rows(pilot) if row.startswith("routing")).endswith("●◂")


async def test_the_look_follows_into_a_block_and_not_into_the_engines_own_skills() -> None:
    async with opened() as pilot:
        store = pilot.app.store
        store.play(*STARTED)
        store.play(Activated(BLOCK))
        assert store.view.look == Look("card_replacement", "pick_card")
        store.play(CustomerSaid("i travel"), Activated("travel_notice"))
        store.play(Cancelled())
        assert store.view.state.skill == "default_continue_interrupted"
        assert store.view.look == Look("travel_notice")


async def test_a_frame_can_be_looked_at() -> None:
    async with opened() as pilot:
        pilot.app.store.play(*STARTED, Activated("travel_notice"))
        await press(pilot, ["1"])
        panel = pilot.app.screen.query_one(Skills)
        frame = next(row for row in panel.rows if isinstance(row.id, tuple) and row.id[2:3] == ("card_replacement",))
        panel.select(frame.id)
        await press(pilot, ["enter"])
        assert pilot.app.store.view.look == Look("card_replacement")
