"""`inspector why`: the explanation of one tool."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Inspector


def test_it_says_the_verdict_the_proof_and_what_would_open_it(inspector: Inspector, agent: Path) -> None:
    ran = inspector("why", agent, "lock_card")
    assert ran.code == 0
    assert "hidden" in ran.out
    assert "session.project.authenticated" in ran.out
    assert "unset" in ran.out
    assert "would open it" in ran.out
    assert "skills/pay/skill.md:8:15" in ran.out


def test_an_error_is_no_falsehood(inspector: Inspector, agent: Path) -> None:
    out = inspector("why", agent, "submit_payment").out
    assert "error" in out
    assert "None >= 100" in out


def test_who_may_write_what_the_gate_reads_is_told(inspector: Inspector, agent: Path) -> None:
    [row] = inspector("why", agent, "lock_card", "--format", "json").rows("tools")
    assert isinstance(row["keys"], list)
    by_key = {k["key"]: k for k in row["keys"]}
    assert set(by_key) == {"project.authenticated", "pay.done"}
    assert any(w["by"] == "submit_payment" for w in by_key["pay.done"]["writers"])


def test_json_has_the_row_of_gates_and_what_would_open_it(inspector: Inspector, agent: Path) -> None:
    [row] = inspector("why", agent, "lock_card", "--format", "json").rows("tools")
    assert (row["tool"], row["standing"], row["reason"]) == ("lock_card", "hidden", "gate-false")
    assert isinstance(row["opens"], list)
    assert {"key": "project.authenticated", "value": True} in [
        {"key": c["key"], "value": c["value"]} for way in row["opens"] for c in way
    ]


def test_what_is_open_has_nothing_to_open(inspector: Inspector, agent: Path) -> None:
    arguments = ("--skill", "pay", "--set", "authenticated=true", "--format", "json")
    [row] = inspector("why", agent, "lock_card", *arguments).rows("tools")
    assert (row["standing"], row["opens"]) == ("asks", [])


def test_in_a_block_the_reason_is_the_blocks(inspector: Inspector, agent: Path) -> None:
    arguments = ("--skill", "pay", "--block", "main", "--set", "authenticated=true", "--format", "json")
    [row] = inspector("why", agent, "lock_card", *arguments).rows("tools")
    assert row["reason"] == "block-hides"


def test_an_unknown_tool_names_the_closest(inspector: Inspector, agent: Path) -> None:
    ran = inspector("why", agent, "lock_crad")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean `lock_card`?" in ran.err
