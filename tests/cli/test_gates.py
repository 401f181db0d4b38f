"""`inspector gates`: every tool's verdict, as a table, as JSON, and line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Inspector, Ran


def standing(ran: Ran, skill: str = "pay") -> dict[object, object]:
    return {t["tool"]: t["standing"] for t in ran.rows("tools") if t["skill"] == skill and t["kind"] != "built-in"}


def test_every_tool_is_judged_as_if_its_skill_were_active(inspector: Inspector, agent: Path) -> None:
    ran = inspector("gates", agent, "--format", "json")
    assert ran.code == 0
    assert standing(ran) == {
        "submit_payment": "error",
        "lock_card": "hidden",
        "list_cards": "offered",
        "run_after_setting_amount": "engine only",
    }


def test_what_memory_holds_opens_gates(inspector: Inspector, agent: Path) -> None:
    ran = inspector("gates", agent, "--set", "pay.amount=100", "--set", "authenticated=true", "--format", "json")
    assert standing(ran) | {"list_cards": ""} == {
        "submit_payment": "offered",
        "lock_card": "asks",
        "list_cards": "",
        "run_after_setting_amount": "engine only",
    }


def test_a_row_has_the_gate_and_its_proof(inspector: Inspector, agent: Path) -> None:
    [row] = [t for t in inspector("gates", agent, "--format", "json").rows("tools") if t["tool"] == "lock_card"]
    expected = {
        "skill": "pay",
        "kind": "local",
        "offered": False,
        "admissible": False,
        "reason": "gate-false",
        "requires": "session.project.authenticated and not session.pay.done",
    }
    assert {k: row[k] for k in expected} == expected
    proof, plan = row["proof"], row["confirmation"]
    assert isinstance(proof, dict)
    assert isinstance(plan, dict)
    assert [c["truth"] for c in proof["children"]] == ["fails", "holds"]
    assert plan["ask_response"] is None


def test_a_skill_alone_is_judged_alone(inspector: Inspector, agent: Path) -> None:
    ran = inspector("gates", agent, "--skill", "pay", "--set", "amount=100", "--format", "json")
    assert {t["skill"] for t in ran.rows("tools")} <= {"pay", None}
    assert standing(ran)["submit_payment"] == "offered"


def test_in_a_block_of_a_skill_with_prose_only_the_blocks_own_tools_are_offered(
    inspector: Inspector, agent: Path
) -> None:
    arguments = ("--set", "amount=100", "--set", "authenticated=true", "--format", "json")
    ran = inspector("gates", agent, "--skill", "pay", "--block", "main", *arguments)
    offered = {t["tool"] for t in ran.rows("tools") if t["offered"] and t["kind"] == "local"}
    assert offered == {"list_cards"}


def test_text_has_a_sign_a_word_and_the_reason(inspector: Inspector, agent: Path) -> None:
    out = inspector("gates", agent).out
    [row] = [line for line in out.splitlines() if "lock_card" in line]
    assert row.startswith("  ✗ hidden")
    assert "authenticated" in row
    assert "! error" in out
    assert "✓ offered" in out


# what is set


def test_a_bare_entry_that_several_skills_have_is_not_guessed(inspector: Inspector, agent: Path) -> None:
    ran = inspector("gates", agent, "--set", "done=true")
    assert ran.code == 2
    assert "`pay.done`, `ship.done`" in ran.err


def test_an_unknown_bare_entry_names_the_closest(inspector: Inspector, agent: Path) -> None:
    ran = inspector("gates", agent, "--set", "amuont=1")
    assert ran.code == 2
    assert "did you mean `amount`?" in ran.err


def test_an_unknown_key_is_set_all_the_same_and_told(inspector: Inspector, agent: Path) -> None:
    ran = inspector("gates", agent, "--set", "pay.amuont=1")
    assert ran.code == 0
    assert ran.err == "inspector: warning: no file declares `pay.amuont` (did you mean `pay.amount`?)\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--skill", "pays"], "did you mean `pay`?"),
        (["--skill", "pay", "--block", "mian"], "did you mean `main`?"),
        (["--block", "main"], "--skill"),
    ],
)
def test_an_unknown_target_is_wrong_usage(inspector: Inspector, agent: Path, arguments: list[str], told: str) -> None:
    ran = inspector("gates", agent, *arguments)
    assert ran.code == 2
    assert told in ran.err


# line by line


def test_lines_are_answered_in_order(inspector: Inspector, agent: Path) -> None:
    questions = [
        {"skill": "pay", "block": None, "memory": {}},
        {"skill": "pay", "memory": {"pay.amount": 100, "project.authenticated": True}},
        {"skill": "pay", "block": "main", "memory": {"pay": {"amount": 100}}},
        {"skill": "ship", "block": None, "memory": {}},
    ]
    ran = inspector("gates", agent, "--jsonl", stdin="\n".join(map(json.dumps, questions)))
    assert ran.code == 0
    closed, opened, block, none = ran.lines
    assert closed == {
        "offered": ["list_cards"],
        "withheld": {
            "lock_card": "gate-false",
            "run_after_setting_amount": "engine-only",
            "submit_payment": "gate-error",
        },
    }
    assert opened["offered"] == ["list_cards", "lock_card", "submit_payment"]
    assert block["offered"] == ["list_cards"]
    assert none == {"offered": [], "withheld": {}}


@pytest.mark.parametrize(
    "bad", ["nonsense", "{}", '{"skill": "none"}', '{"skill": "pay", "block": "none"}', '{"skill": "pay", "memory": 1}']
)
def test_a_bad_line_is_an_error_in_its_place(inspector: Inspector, agent: Path, bad: str) -> None:
    good = '{"skill": "ship"}'
    ran = inspector("gates", agent, "--jsonl", stdin=f"{good}\n{bad}\n{good}\n")
    first, second, third = ran.lines
    assert first == third == {"offered": [], "withheld": {}}
    assert set(second) == {"error"}
    assert ran.code == 1
