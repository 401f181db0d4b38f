"""`--mapping`: gates of a recording that carries no memory, by the author's word for what its results tell."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Inspector

CHAT = """\
{"role": "user", "content": "pay it"}
{"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "look_up", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "c", "content": "{\\"owed\\": 250}"}
"""


def files(folder: Path, mapping: str) -> tuple[Path, Path]:
    recording, rules = folder / "chat.jsonl", folder / "map.yml"
    recording.write_text(CHAT)
    rules.write_text(mapping)
    return recording, rules


def test_gates_are_judged_by_the_memory_that_results_tell(agent: Path, tmp_path: Path, inspector: Inspector) -> None:
    recording, rules = files(tmp_path, "look_up:\n  result.owed: pay.amount\n")
    for at, standing in ((1, "error"), (2, "offered")):
        ran = inspector("replay", agent, recording, "--mapping", rules, "--at", at, "--format", "json")
        tools = {row["tool"]: row for row in ran.rows("tools")}
        assert (ran.code, tools["submit_payment"]["standing"]) == (0, standing)


def test_without_a_mapping_it_is_told_without_gates(agent: Path, tmp_path: Path, inspector: Inspector) -> None:
    recording, _ = files(tmp_path, "")
    ran = inspector("replay", agent, recording)
    assert (ran.code, "look_up" in ran.out, "memory_set" in ran.out) == (0, True, False)


def test_a_mapping_that_is_wrong_is_told_with_its_place(agent: Path, tmp_path: Path, inspector: Inspector) -> None:
    recording, rules = files(tmp_path, "look_up:\n  result.owed: amount\n")
    ran = inspector("replay", agent, recording, "--mapping", rules)
    assert (ran.code, "map.yml:2:16: `amount` is no memory entry" in ran.err) == (2, True)
