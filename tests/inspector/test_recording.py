"""A recording in the app: every panel shows the moment that is looked at, and nothing changes the recording."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from inspector.screens.event import EventShown
from inspector.screens.lists import Menu
from inspector_core.events import CustomerSaid
from tests.inspector.looking import REPLACED, at, called, look_at, looking, said, settled, shown, written, wrote
from tests.inspector.screen import BANK, opened, press, project, text

SIZES = [(80, 24), (120, 40), (200, 50)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_recording_opens_at_its_beginning_with_the_focus_in_its_timeline(size: tuple[int, int]) -> None:
    async with looking(size=size) as pilot:
        assert at(pilot) == 0
        assert "the recording begins" in text(pilot)
        assert "card_replaced.jsonl" in text(pilot)
        assert pilot.app.focused is not None
        assert pilot.app.focused.id == "recording"


async def test_tools_memory_and_conversation_are_as_they_were_at_the_event() -> None:
    async with looking() as pilot:
        await press(pilot, ["colon", *"24", "enter"])
        shown_now = text(pilot)
        assert "offered  lock_card" in shown_now
        assert "'card_4821'" in shown_now
        assert "pick_card completed" in shown_now
        await press(pilot, ["left_square_bracket"])
        assert "hidden   lock_card" in text(pilot)


async def test_the_question_that_waited_is_shown_with_what_became_of_it_and_takes_no_answer() -> None:
    async with looking() as pilot:
        pause = shown(pilot).judged.replay.confirmations[0].pause
        pilot.app.viewer.go(pause)
        await press(pilot, ["5"])
        assert "recorded: process_card_replacement: confirmed" in " ".join(text(pilot).split())
        assert "[y] yes" not in text(pilot)


@pytest.mark.parametrize("keys", [["4", "space"], ["2", "o"], ["2", "c"], ["a"], ["u"], ["R"], ["x"], ["1", "s"]])
async def test_nothing_that_plays_does_anything_to_a_recording(keys: list[str]) -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(9)
        await press(pilot, keys)
        assert "a recording is only looked at" in text(pilot)
        assert at(pilot) == 9
        assert pilot.app.store.view.session.events == ()
        assert pilot.app.screen is pilot.app.main


async def test_a_typed_line_is_refused_and_stays() -> None:
    async with looking() as pilot:
        await press(pilot, ["t", *"hi", "enter"])
        assert "a recording is only looked at" in text(pilot)
        assert pilot.app.store.view.session.events == ()


async def test_an_event_is_shown_as_it_was_recorded() -> None:
    async with looking() as pilot:
        await press(pilot, ["right_square_bracket", "enter"])
        assert isinstance(pilot.app.screen, EventShown)
        assert "my card is gone" in text(pilot)


async def test_the_file_is_never_written() -> None:
    before = REPLACED.read_bytes(), REPLACED.stat().st_mtime_ns
    async with looking() as pilot:
        pilot.app.viewer.go(10)
        await press(pilot, ["B", "4", "space", "L"])
    assert (REPLACED.read_bytes(), REPLACED.stat().st_mtime_ns) == before


async def test_a_session_goes_on_from_the_moment_and_the_recording_is_still_there() -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(24)
        state = pilot.app.store.view.state
        await press(pilot, ["B"])
        session = pilot.app.store.view.session
        assert pilot.app.store.view.viewed is None
        assert session.now.state.memory == state.memory
        assert session.now.state.stack == state.stack
        assert "my card is gone" in pilot.app.main.query_one("#log").rows[0].search
        pilot.app.store.play(CustomerSaid("go on"))
        assert len(pilot.app.store.view.session.events) == 1
        await press(pilot, ["escape", "L"])
        assert at(pilot) == 24
        await press(pilot, ["L"])
        assert "the session again" in text(pilot)
        assert pilot.app.store.view.session.events == (CustomerSaid("go on"),)


async def test_a_branch_begins_again_and_is_played_over_newer_files_from_where_it_began() -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(24)
        await press(pilot, ["B", "escape"])
        pilot.app.store.play(CustomerSaid("go on"))
        fresh = project()
        pilot.app.store.reload(type(fresh)(**{s: getattr(fresh, s) for s in fresh.__dataclass_fields__}), "14:05:00")
        state = pilot.app.store.view.state
        assert state.skill == "card_replacement"
        assert state.memory["card_replacement.selected_card_id"] == "card_4821"
        await press(pilot, ["R"])
        assert pilot.app.store.view.session.events == ()
        assert pilot.app.store.view.state.skill == "card_replacement"


async def test_a_branch_has_no_beginning_to_keep_as_a_test() -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(24)
        await press(pilot, ["B", "escape", "W"])
        assert "no beginning to keep" in text(pilot)
        assert pilot.app.screen is pilot.app.main


async def test_a_branch_can_be_undone() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("mine"))
        await look_at(pilot, REPLACED)
        pilot.app.viewer.go(10)
        await press(pilot, ["B", "escape", "u"])
        assert pilot.app.store.view.session.events == (CustomerSaid("mine"),)


def edited(tmp_path: Path) -> Path:
    root = tmp_path / "bank"
    shutil.copytree(BANK, root)
    skill = root / "skills" / "card_replacement" / "skill.md"
    skill.write_text(
        skill.read_text().replace("session.project.authenticated and not", "not session.project.authenticated and not")
    )
    return root


async def test_a_save_judges_the_recording_anew_and_the_cursor_stays(tmp_path: Path) -> None:
    async with looking() as pilot:
        pilot.app.viewer.go(12)
        assert not shown(pilot).judged.drifts
        from inspector.messages import FolderRead

        pilot.app.post_message(FolderRead(project(edited(tmp_path))))
        await settled(pilot)
        assert at(pilot) == 12
        assert shown(pilot).judged.drifts
        assert "drift" in text(pilot).splitlines()[-1]


async def test_drift_is_marked_by_sign_and_word_and_explained(tmp_path: Path) -> None:
    async with looking(root=edited(tmp_path)) as pilot:
        assert "d goes to the first" in text(pilot)
        await press(pilot, ["d"])
        timeline = text(pilot).split("Recording")[1]
        assert "≠ " in timeline
        assert "≠ drift hidden" in timeline
        told = " ".join(text(pilot).split())
        assert "≠ drift: process_card_replacement would be hidden today" in told
        assert any("session.project.authenticated" in row.search for row in pilot.app.main.query_one("#why").rows)
        first = at(pilot)
        await press(pilot, ["d", "D"])
        assert at(pilot) == first
        await press(pilot, ["D"])
        assert "no drift earlier" in text(pilot)


async def test_a_recording_opens_without_any_agent_and_says_that_its_gates_are_unknown(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", [said("pay"), wrote("pay.amount", 3), called("transfer", {"ok": True})])
    async with looking(path, alone=True) as pilot:
        await press(pilot, ["end"])
        told = text(pilot)
        assert "gates unknown: no agent's files" in told
        assert "· unknown  transfer" in told
        assert "pay.amount" in told
        await press(pilot, ["2"])
        assert "called once up to here" in text(pilot)
        await press(pilot, ["B"])
        assert "nothing can be played on from here" in text(pilot)


async def test_a_tool_that_no_file_has_stands_below_those_that_are_there(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", [said("pay"), called("transfer", {"ok": True}), called("transfer", None)])
    async with looking(path, size=(120, 60)) as pilot:
        await press(pilot, ["end", "2", "end"])
        assert "called in the recording" in text(pilot)
        assert "no file at hand has this tool" in text(pilot)
        assert "called 2 times up to here" in text(pilot)


async def test_a_format_without_memory_has_unknown_gates(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text('[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]')
    async with looking(path) as pilot:
        assert "gates unknown: no memory was recorded" in text(pilot)


async def test_of_several_sessions_the_author_chooses(tmp_path: Path) -> None:
    events = [{**said(f"in {name}"), "metadata": {"session_id": name}} for name in ("one", "two")]
    async with looking(written(tmp_path / "r.jsonl", events)) as pilot:
        assert isinstance(pilot.app.screen, Menu)
        await press(pilot, ["down", "enter"])
        await settled(pilot)
        assert shown(pilot).session.name == "two"


@pytest.mark.parametrize("content", ["", "no recording", "[]", "{", "\x00\x01"])
async def test_what_is_no_recording_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content)
    async with looking(path) as pilot:
        assert pilot.app.store.view.viewed is None
        assert "r.json" in text(pilot).splitlines()[-1]


async def test_nothing_of_a_recording_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e[red]x[/red]\x9b31m"
    events = [said(evil), said(evil, "bot"), wrote(f"a.{evil}", evil), called(evil, {evil: evil}),
              {"event": evil, "timestamp": 1.0}, {**wrote("b.c", 1), "metadata": {"session_id": evil}}]  # fmt: skip
    path = written(tmp_path / f"{evil.replace('/', '')}.jsonl", events)
    for size in SIZES:
        async with looking(path, size=size) as pilot:
            for keys in ([], ["end"], ["enter"], ["escape", "2"], ["4", "end"], ["5"], ["S"]):
                await press(pilot, keys)
                told = text(pilot)
                assert not any(c in told for c in "\x1b\x07\x9b\u202e")
            assert "red" in told or size == (80, 24)


async def test_a_recording_is_opened_by_name_and_another_name_is_refused_in_place(tmp_path: Path) -> None:
    async with opened() as pilot:
        await press(pilot, ["O", *"nothing", "enter"])
        assert "there is no such file" in text(pilot)
        pilot.app.screen.query_one("#asked").value = str(REPLACED)
        await press(pilot, ["enter"])
        await settled(pilot)
        assert at(pilot) == 0


@pytest.mark.parametrize("key", ["d", "D", "v", "V", "colon", "P", "less_than_sign", "B", "L", "S"])
async def test_without_a_recording_its_keys_say_how_to_open_one(key: str) -> None:
    async with opened() as pilot:
        await press(pilot, [key])
        assert "no recording is open: O opens one" in text(pilot)
