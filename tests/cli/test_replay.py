"""`inspector replay`: a recording is shown event by event, or as of one moment, whatever is in the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector import recordings
from tests.cli.conftest import Inspector
from tests.core.kept import RECORDINGS

BANK = RECORDINGS.parents[1] / "bank"
KEPT = RECORDINGS / "card_kept.jsonl"
EVENTS = [
    {"event": "user", "timestamp": 1.0, "text": "my bill"},
    {"event": "memory_set", "timestamp": 2.0, "key": "pay.amount", "value": 200},
    {"event": "tool_executed", "timestamp": 3.0, "tool_name": "submit_payment", "arguments": {}, "result": "null"},
    {"event": "bot", "timestamp": 4.0, "text": "Done."},
]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(EVENTS))
    return path


def test_each_event_is_told_with_the_gates_it_opened_and_closed(
    inspector: Inspector, agent: Path, recording: Path
) -> None:
    ran = inspector("replay", agent, recording)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"{recording}  session  4 events, 1 turn, 0 questions",
        "1  user            my bill",
        "2  memory_set      pay.amount = 200",
        "   + submit_payment  error → offered  pay",
        "3  tool_executed   submit_payment → null",
        "4  bot             Done.",
    ]


def test_what_became_of_a_question_stands_at_its_pause(inspector: Inspector) -> None:
    out = inspector("replay", BANK, KEPT).out
    assert "? process_card_replacement: declined (asked in 8, declined in 12, answered in 13)" in out
    assert "? process_card_replacement: never answered (asked in 19)" in out


def test_one_moment_is_told_with_memory_tools_and_since_when(
    inspector: Inspector, agent: Path, recording: Path
) -> None:
    out = inspector("replay", agent, recording, "--at", 3).out
    assert "after event 3 of 4" in out
    assert "pay.amount = 200" in out
    assert "written in 2" in out
    told = inspector("replay", agent, recording, "--at", 3, "--format", "json").json
    tools = told["tools"]
    assert isinstance(tools, list)
    [pays] = [t for t in tools if t["tool"] == "submit_payment"]
    assert (pays["standing"], pays["opened"], pays["closed"]) == ("offered", 2, None)
    assert told["memory"] == [{"key": "pay.amount", "value": 200, "written": 2}]


def test_a_moment_that_waits_for_an_answer_says_so(inspector: Inspector) -> None:
    out = inspector("replay", BANK, KEPT, "--at", 8).out
    assert "waits   process_card_replacement: Shall I order the new card? It can't be undone." in out
    assert "process_card_replacement: last opened in" not in out  # it was never closed before


def test_json_has_every_event_and_every_question(inspector: Inspector) -> None:
    told = inspector("replay", BANK, KEPT, "--format", "json").json
    events, questions = told["events"], told["questions"]
    assert isinstance(events, list)
    assert isinstance(questions, list)
    assert [e["number"] for e in events] == list(range(1, 21))
    assert [q["outcome"] for q in questions] == ["declined", "open"]


def test_of_several_sessions_one_is_chosen(inspector: Inspector, agent: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    named = [{**event, "metadata": {"session_id": name}} for name in ("a", "b") for event in EVENTS]
    path.write_text("\n".join(map(json.dumps, named)))
    assert inspector("replay", agent, path).out.splitlines()[1:] == ["  1  a  4 events", "  2  b  4 events"]
    assert [s["session"] for s in inspector("replay", agent, path, "--format", "json").rows("sessions")] == ["a", "b"]
    assert "  b  4 events, 1 turn" in inspector("replay", agent, path, "--session", "b").out
    assert "  b  4 events, 1 turn" in inspector("replay", agent, path, "--session", "2").out
    unknown = inspector("replay", agent, path, "--session", "c")
    assert (unknown.code, "there is no session `c` in it" in unknown.err) == (2, True)
    assert inspector("replay", agent, path, "--at", 1).code == 2


def test_a_recording_without_memory_is_told_without_gates(inspector: Inspector, agent: Path, tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"role": "user", "content": "my bill"}, {"role": "assistant", "content": "It is 5."}]))
    ran = inspector("replay", agent, path)
    assert ran.code == 0
    assert "no memory was recorded, so nothing is said of gates" in ran.out
    assert "my bill" in ran.out
    assert len(inspector("replay", agent, path, "--format", "json").rows("events")) == 2


def test_bad_lines_are_warned_of_and_the_rest_is_shown(inspector: Inspector, agent: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text("\n".join([json.dumps(EVENTS[0]), '{"event": "user", "te', json.dumps(EVENTS[3])]))
    ran = inspector("replay", agent, path)
    assert ran.code == 0
    assert f"inspector: warning: {path}:2: it ends in the middle of a value" in ran.err
    assert "2 events" in ran.out


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"hello", b"[[[[", b"{}", b"\xff\xfe{"])
def test_what_is_no_recording_is_said_so(inspector: Inspector, agent: Path, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "odd.json").write_bytes(data)
    ran = inspector("replay", agent, tmp_path / "odd.json")
    assert ran.code == 1
    assert ran.out == ""


def test_what_can_not_be_read_is_wrong_usage(
    inspector: Inspector, agent: Path, recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link.json").symlink_to(recording)
    assert "it is a link, and is not followed" in inspector("replay", agent, tmp_path / "link.json").err
    assert "it is not there" in inspector("replay", agent, tmp_path / "none.json").err
    assert "is a directory" in inspector("replay", agent, tmp_path).err
    monkeypatch.setattr(recordings, "MAX_BYTES", 10)
    ran = inspector("replay", agent, recording)
    assert (ran.code, "it is larger than" in ran.err) == (2, True)


@pytest.mark.parametrize("number", [-1, 5])
def test_a_moment_that_is_none_is_wrong_usage(inspector: Inspector, agent: Path, recording: Path, number: int) -> None:
    ran = inspector("replay", agent, recording, f"--at={number}")
    assert (ran.code, "they go from 0 to 4" in ran.err) == (2, True)


def test_what_a_recording_says_can_not_act_on_the_terminal(inspector: Inspector, agent: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    odd = "\x1b[2J\u202e##[group]"
    path.write_text(json.dumps([
        {"event": "user", "text": odd, "metadata": {"session_id": odd}}, {"event": odd, "x": odd},
        {"event": "memory_set", "key": odd, "value": odd}, {"event": "stack", "update": odd},
        {"event": "tool_executed", "tool_name": odd, "result": '{"status": "awaiting_confirmation"}'},
    ]))  # fmt: skip
    for more in ((), ("--at", "5"), ("--format", "json"), ("--at", "5", "--format", "json")):
        ran = inspector("replay", agent, path, *more)
        assert ran.code == 0
        assert not {"\x1b", "\u202e"} & {*ran.out, *ran.err}
        assert "##[" not in ran.out
