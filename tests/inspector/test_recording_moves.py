"""Moving through a recording: by event, turn and gate change; to when a gate turned; by itself; two side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.panels.recorded import Recorded
from inspector.viewed import scrubbed
from tests.inspector.looking import RECORDINGS, REPLACED, at, looking, said, settled, shown, written, wrote
from tests.inspector.screen import opened, press, text

OTHER = RECORDINGS / "card_kept.jsonl"


async def test_steps_by_event_turn_and_gate_change() -> None:
    async with looking() as pilot:
        replay = shown(pilot).judged.replay
        await press(pilot, ["right_square_bracket", "right_square_bracket", "left_square_bracket"])
        assert at(pilot) == 1
        await press(pilot, ["right_curly_bracket"])
        assert at(pilot) == replay.turns[2] - 1
        await press(pilot, ["left_curly_bracket"])
        assert at(pilot) == replay.turns[1] - 1
        pilot.app.viewer.go(0)
        await press(pilot, ["full_stop"])
        assert at(pilot) == replay.gate_changes[0]
        await press(pilot, ["full_stop", "comma"])
        assert at(pilot) == replay.gate_changes[0]
        await press(pilot, ["comma"])
        assert "no gate changed earlier" in text(pilot)


async def test_the_arrows_move_the_moment_with_the_cursor() -> None:
    async with looking() as pilot:
        await press(pilot, ["down", "down", "up"])
        assert at(pilot) == 1
        await press(pilot, ["end"])
        assert at(pilot) == len(shown(pilot).events)


async def test_from_a_tool_one_key_goes_to_where_its_gate_turned_and_says_by_what() -> None:
    async with looking() as pilot:
        history = shown(pilot).judged.replay.history("card_replacement", "process_card_replacement")
        assert history is not None
        await press(pilot, ["end", "2"])
        pilot.app.main.query_one("#tools").select(("card_replacement", "process_card_replacement"))
        await press(pilot, ["w"])
        assert at(pilot) == max(history.opened(44) or 0, history.closed(44) or 0)
        assert f"by event {at(pilot)}" in text(pilot)
        before = at(pilot)
        await press(pilot, ["w"])
        assert at(pilot) < before


async def test_from_a_value_one_key_goes_to_where_it_was_written() -> None:
    async with looking() as pilot:
        await press(pilot, ["end", "4"])
        pilot.app.main.query_one("#memory").select("card_replacement.fee_cents")
        await press(pilot, ["w"])
        assert at(pilot) == 26
        assert "written by event 26" in text(pilot)


async def test_in_a_session_too_a_tool_knows_when_its_gate_turned() -> None:
    async with opened() as pilot:
        pilot.app.store.set("project.authenticated", True)
        pilot.app.store.set("card_replacement.attempts", 2)
        await pilot.pause()
        pilot.app.main.query_one("#tools").select(("card_replacement", "process_card_replacement"))
        await press(pilot, ["w"])
        assert pilot.app.store.view.session.cursor == 1
        assert "hidden → asks" in text(pilot)


@pytest.mark.parametrize(
    ("typed", "number"), [("0", 0), ("12", 12), ("44", 44), ("100%", 44), ("50%", 22), (" t1 ", 1), ("T2", 14)]
)
async def test_a_place_is_typed_as_a_number_a_share_or_a_turn(typed: str, number: int) -> None:
    async with looking() as pilot:
        assert scrubbed(typed, shown(pilot)) == number


@pytest.mark.parametrize("typed", ["", "-1", "45", "101%", "t0", "t9", "x", "1e3", "²", "9" * 400, "5 0"])
async def test_what_is_no_place_is_refused(typed: str) -> None:
    async with looking() as pilot:
        assert isinstance(scrubbed(typed, shown(pilot)), str)


async def test_it_goes_on_by_itself_until_space_or_the_end() -> None:
    async with looking() as pilot:
        await press(pilot, ["P"])
        assert shown(pilot).playing
        assert "4 a second" in text(pilot)
        await press(pilot, ["greater_than_sign"])
        assert "8 events a second" in text(pilot)
        pilot.app._tick()
        pilot.app._tick()
        assert at(pilot) >= 2  # a tick may have come by itself
        await press(pilot, ["2", "space"])
        assert not shown(pilot).playing
        assert pilot.app.ticking is None
        where = at(pilot)
        await press(pilot, ["space"])
        assert at(pilot) == where
        pilot.app.viewer.go(43)
        await press(pilot, ["P"])
        pilot.app._tick()
        assert at(pilot) == 44
        assert pilot.app.ticking is None


async def test_what_goes_on_passes_over_bookkeeping() -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(3)
        pilot.app.viewer.run(True)
        pilot.app.viewer.tick()
        assert at(pilot) == 6  # `stack` and the `activate` that led to it were passed


async def test_space_is_the_panels_own_while_nothing_goes_on() -> None:
    async with opened() as pilot:
        pilot.app.main.query_one("#memory").select("project.authenticated")
        await press(pilot, ["4", "space"])
        assert len(pilot.app.store.view.session.events) == 1


async def test_two_recordings_stand_side_by_side_at_their_first_difference() -> None:
    async with looking(size=(160, 50)) as pilot:
        pilot.app.open_recording(REPLACED, None, OTHER)
        await settled(pilot)
        compared = shown(pilot).compared
        assert compared is not None
        assert at(pilot) == compared.beside.left(compared.beside.differences[0])
        assert "first difference of" in text(pilot)
        assert "differences to card_kept.jsonl" in text(pilot)
        first = at(pilot)
        await press(pilot, ["v"])
        assert at(pilot) >= first
        await press(pilot, ["V", "enter"])
        await settled(pilot)
        assert shown(pilot).name == "card_kept.jsonl"
        assert shown(pilot).compared is not None
        await press(pilot, ["V", "down", "down", "enter"])
        assert shown(pilot).compared is None


async def test_rows_that_only_the_other_has_can_be_passed(tmp_path: Path) -> None:
    left = written(tmp_path / "l.jsonl", [said("hi"), said("bye")])
    right = written(tmp_path / "r.jsonl", [said("hi"), wrote("a.b", 1), wrote("a.c", 1), said("bye")])
    async with looking(left) as pilot:
        pilot.app.open_recording(left, None, right)
        await settled(pilot)
        assert at(pilot) == 1
        await press(pilot, ["home", "down", "down", "down"])
        assert at(pilot) == 2


async def test_the_same_recording_beside_itself_has_no_difference() -> None:
    async with looking() as pilot:
        pilot.app.open_recording(REPLACED, None, REPLACED)
        await settled(pilot)
        assert "no difference to card_replaced.jsonl" in text(pilot)


async def test_the_filter_sifts_the_events_and_the_cursor_stays_near(tmp_path: Path) -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(20)
        timeline = pilot.app.main.query_one(Recorded)
        await press(pilot, ["slash", *"find_cards", "enter"])
        assert 0 < len(timeline.rows) < 10
        assert all("find_cards" in row.search for row in timeline.rows)
        assert at(pilot) == 20
        await press(pilot, ["escape"])
        assert len(timeline.rows) == 45


async def test_bookkeeping_can_be_left_out() -> None:
    async with looking() as pilot:
        await press(pilot, ["b"])
        timeline = pilot.app.main.query_one(Recorded)
        assert not any(row.search.startswith("stack") for row in timeline.rows)


async def test_a_hundred_thousand_rows_cost_what_is_on_the_screen(tmp_path: Path) -> None:
    events = [said("hi") if n % 20 == 0 else wrote("project.authenticated", n % 2 == 0) for n in range(100_000)]
    async with looking(written(tmp_path / "long.jsonl", events)) as pilot:
        timeline = pilot.app.main.query_one(Recorded)
        assert len(timeline.rows) == 100_001
        made = 0
        row = type(timeline.rows).row

        def counted(self: object, place: int) -> object:
            nonlocal made
            made += 1
            return row(self, place)

        type(timeline.rows).row = counted
        try:
            await press(pilot, ["end", "right_square_bracket", "colon", *"50%", "enter"])
        finally:
            type(timeline.rows).row = row
        assert at(pilot) == 50_000
        assert made < 2_000
