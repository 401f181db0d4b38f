"""`inspector rules`, and the other commands where what they open is an agent under tool rules."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.conftest import Inspector

ROOT = Path(__file__).parents[2]
RULES = ROOT / "fixtures" / "rules"
BRANCHING = RULES / "branching" / "branching.yml"
CASES = ROOT / "tests" / "core" / "cases" / "letta.jsonl"


def test_every_tool_is_told_with_the_rules_on_it(inspector: Inspector) -> None:
    ran = inspector("rules", BRANCHING, "--history", "classify_ticket", "--last-output", "billing")
    assert ran.code == 0
    assert "ticket_router · Letta 0.16.8 (retired server), the rules alone · 6 rules" in ran.out
    assert "✓ allowed      refund" in ran.out
    assert "routes: the output `billing` is mapped to `refund`" in ran.out


def test_an_answer_for_programs_has_the_place_of_each_rule(inspector: Inspector) -> None:
    ran = inspector("rules", BRANCHING, "--history", "classify_ticket", "--last-output", "odd", "--format", "json")
    assert ran.json["allowed"] == ["ask_colleague"]
    assert ran.json["after_last_call"] == {
        "goes_on": True, "stop": None, "why": "`classify_ticket` has rules on what follows it",
    }  # fmt: skip
    tools = ran.json["tools"]
    assert isinstance(tools, dict)
    assert [row["place"] for row in tools["ask_colleague"]] == ["branching.yml:12:5", "branching.yml:21:5"]


def test_a_loop_shows_its_defects(inspector: Inspector) -> None:
    asked = ["rules", BRANCHING, "--history", "classify_ticket", "--last-output", "billing", "--loop", "v3"]
    ran = inspector(*asked, "--format", "json")
    assert ran.json["offered"] == ["ask_colleague"]
    assert ran.json["defects"] == ["output-unpacked"]
    assert "defect of the loop: conditional rules are given the bare message" in inspector(*asked).out


def test_an_empty_set_names_the_smallest_group_of_rules(inspector: Inspector) -> None:
    dead_end = RULES / "findings" / "dead-end" / "shows.yml"
    ran = inspector("rules", dead_end, "--history", "answer,search")
    assert "the smallest group of rules that leaves nothing:" in ran.out
    ran = inspector("rules", dead_end, "--history", "answer,search", "--format", "json")
    assert (ran.json["error"], ran.json["conflict"]) == (
        "empty", ["constrain_child_tools search → answer", "max_count_per_step answer ≤ 1"],
    )  # fmt: skip


def test_lines_are_answered_in_the_shapes_of_the_cases(inspector: Inspector) -> None:
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    names = ("allowed", "error", "terminal", "continue", "approval", "uncalled_required", "force", "prefilled")
    lines = "".join(
        json.dumps({k: case[k] for k in ("rules", "available", "history", "last_output")}) + "\n" for case in cases
    )
    ran = inspector("rules", "--jsonl", stdin=lines)
    assert ran.code == 0
    assert [{n: told[n] for n in names} for told in ran.lines] == [{n: c["expect"][n] for n in names} for c in cases]


def test_a_line_that_is_no_question_is_an_error_in_its_place(inspector: Inspector) -> None:
    ran = inspector("rules", "--jsonl", stdin='{"rules": 3}\n{"rules": [], "available": ["a"]}\n')
    assert ran.code == 1
    assert isinstance(ran.lines[0]["error"], dict)
    assert ran.lines[1]["allowed"] == ["a"]


def test_the_rules_are_drawn_in_three_forms(inspector: Inspector) -> None:
    mermaid = inspector("rules", BRANCHING, "--graph", "mermaid", "--history", "classify_ticket").out
    assert mermaid.startswith("flowchart TD\n")
    assert 'n1 -->|"billing"| n2' in mermaid
    assert "style n1 stroke-width:4px" in mermaid
    assert 'n1 -> n2 [label="billing"];' in inspector("rules", BRANCHING, "--graph", "dot").out
    drawn = ElementTree.fromstring(inspector("rules", BRANCHING, "--graph", "svg").out)
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "ask_colleague (at most 1)" in words
    assert "billing" in words


def test_a_hostile_name_stays_a_name_in_a_drawing(inspector: Inspector, tmp_path: Path) -> None:
    name = 'a"]; end\n%%{init}%%<script>alert(1)</script>\x1b[2J'
    rules = [{"type": "run_first", "tool_name": name}, {"type": "exit_loop", "tool_name": name}]
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"tools": [name], "tool_rules": rules}))
    for form in ("mermaid", "dot", "svg"):
        out = inspector("rules", path, "--graph", form).out
        assert "\x1b" not in out
        assert "<script>" not in out or form == "dot"
    assert "\x1b" not in inspector("rules", path).out
    assert len(inspector("rules", path, "--graph", "mermaid").out.splitlines()) == 7


@pytest.mark.parametrize(
    "arguments", [["rules"], ["rules", BRANCHING, "--jsonl"], ["rules", ROOT / "README.md"], ["rules", "no.af"]]
)
def test_what_can_not_be_asked_is_said(inspector: Inspector, arguments: list[object]) -> None:
    ran = inspector(*arguments)
    assert ran.code in (2, 3)
    assert ran.err.startswith(("inspector: ", '{"error": '))


# -- the other commands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["af", "yml", "py", "ts"])
def test_the_commands_open_any_of_its_sources(inspector: Inspector, suffix: str) -> None:
    path = RULES / "approval" / f"approval.{suffix}"
    ran = inspector(path)
    assert ran.code == 0
    assert "payment_desk · tool rules of Letta 0.16.8, a retired server · 1 offered, 3 hidden" in ran.out
    gates = inspector("gates", path, "--format", "json").rows("tools")
    assert {row["tool"]: row["reason"] for row in gates} == {
        "look_up_invoice": "offered",
        "prepare_payment": "not-first",
        "execute_payment": "not-first",
        "answer": "not-first",
    }
    why = inspector("why", path, "execute_payment").out
    assert "✗ run_first look_up_invoice  begins: nothing was called yet" in why
    assert "✓ requires_approval execute_payment  asks: a person is asked before it runs" in why
    assert inspector("check", path).code == 0
    played = inspector("play", path)
    assert played.code == 0
    assert "2 scripts passed" in played.out


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_findings_are_printed_in_every_form(inspector: Inspector, form: str) -> None:
    path = RULES / "findings" / "first-not-attached" / "shows.yml"
    ran = inspector("check", path, "--format", form)
    assert ran.code == 1
    assert "letta.first-not-attached" in ran.out
    assert inspector("check", path, "--explain", "letta.first-not-attached").code == 0


def test_rules_that_were_asked_for_and_are_not_there_any_more_are_listed(inspector: Inspector, tmp_path: Path) -> None:
    returned = tmp_path / "returned.json"
    file = json.loads((RULES / "branching" / "branching.af").read_text("utf-8"))
    file["tool_rules"] = [r for r in file["tool_rules"] if r["type"] != "exit_loop"]
    returned.write_text(json.dumps(file))
    ran = inspector("check", returned, "--before", RULES / "branching" / "branching.py")
    assert ran.code == 1
    assert "`exit_loop refund` of branching.py:23:9 is not among the rules" in ran.out
    same = inspector("check", RULES / "branching" / "branching.af", "--before", RULES / "branching" / "branching.ts")
    assert same.code == 0


def test_a_folder_with_an_agent_file_is_opened_by_it(inspector: Inspector) -> None:
    ran = inspector("gates", RULES / "pipeline")
    assert "report_pipeline" in ran.out
    assert "pipeline.ts" in inspector("check", RULES / "pipeline").out


def test_what_only_skill_folders_have_is_refused(inspector: Inspector) -> None:
    assert "`--skill` is for skill folders" in inspector("gates", BRANCHING, "--skill", "x").err
    assert "nothing reads `a.b`" in inspector("gates", BRANCHING, "--set", "a.b=1").err


def test_a_recorded_conversation_is_replayed_under_the_rules_of_today(inspector: Inspector, tmp_path: Path) -> None:
    file = json.loads((RULES / "branching" / "branching.af").read_text("utf-8"))
    call = {"id": "c1", "type": "function", "function": {"name": "open_incident", "arguments": "{}"}}
    file["messages"] = [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": [], "tool_calls": [call]},
        {"role": "tool", "content": '{"status": "OK", "message": "done"}', "tool_call_id": "c1"},
    ]
    path = tmp_path / "agent.af"
    path.write_text(json.dumps(file))
    ran = inspector("replay", path, path)
    assert ran.code == 0
    assert "open_incident did not run: [ToolConstraintError]" in ran.out
    events = inspector("replay", path, path, "--format", "json").rows("events")
    assert [len(one["records"]) for one in events if isinstance(one["records"], list)] == [1, 1]
