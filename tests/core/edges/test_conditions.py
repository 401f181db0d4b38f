"""The edge cases of §11 that are about conditions and about how files are read, by their numbers."""

from __future__ import annotations

import pytest

from inspector_core.mantle.checks import check
from inspector_core.mantle.condition import parse
from inspector_core.proof import Truth
from tests.core.agents import project
from tests.core.edges.small import agent, block, codes, errors, played, prose, started, verdict


def truth(condition: str, **memory: object) -> Truth:
    return parse(condition).truth({f"pay.{key}": value for key, value in memory.items()})


@pytest.mark.parametrize(
    "condition",
    [
        "session.pay.a in 'x'", "session.pay.a > -1", "session.pay.a == true", "session.pay-a.b", " session.pay.a",
        "session.pay.a.b",
    ],
)  # fmt: skip
def test_edge_01_conditions_are_parsed_as_python(condition: str) -> None:
    assert truth(condition, a=1) is Truth.ERRORS
    assert parse(condition).problem is not None


def test_edge_01_a_bare_session_is_true_though_no_train_accepts_it() -> None:
    assert truth("session") is Truth.HOLDS
    assert parse("session").problem is not None


def test_edge_02_an_unset_entry_is_null_and_only_an_ordering_with_it_errors() -> None:
    assert truth("session.pay.x > 5") is Truth.ERRORS
    assert truth("not session.pay.x > 5") is Truth.ERRORS
    assert truth("session.pay.x != 5") is Truth.HOLDS
    assert truth("session.pay.x == None") is Truth.HOLDS


def test_edge_03_what_the_short_circuit_skips_cannot_err() -> None:
    assert truth("session.pay.ok or session.pay.x > 5", ok=True) is Truth.HOLDS
    assert truth("session.pay.x > 5 or session.pay.ok", ok=True) is Truth.ERRORS


def test_edge_05_a_gate_is_not_checked_at_train_and_a_typo_reads_null_for_ever() -> None:
    given = agent(front="tool_constraints:\n- go:\n    requires: session.pay.paiid", names=["go"])
    assert not errors(given)
    closed = verdict(started(given, pay__paid=True), "go")
    assert (closed.offered, closed.reason) == (False, "unknown-key")
    assert "inspector.gate.unknown-key" in codes(given)


def test_edge_06_yaml_decides_what_a_condition_is() -> None:
    plain = agent(front="tool_constraints:\n- go:\n    requires: not session.pay.paid", names=["go"])
    assert verdict(started(plain), "go").offered
    boolean = agent(front="tool_constraints:\n- go:\n    requires: true", names=["go"])
    assert "skill.markdown.invalid_tool_constraints" in errors(boolean)
    bare_on = agent(front="utter:\n- utter_hi:\n    on: activate", responses="responses:\n  utter_hi:\n  - text: Hi.\n")
    assert bare_on.skill_by_id["pay"].triggers[0].on_activate


def test_edge_09_what_is_ignored_and_what_is_fatal() -> None:
    ignored = agent(
        "Go to @block.main.\n\n" + block("- id: a\n  noop: true\n- id: END\n  utter: nothing", more="name: Main\n"),
        memory="schema:\n  public:\n    paid: {type: bool, colour: red}\n",
        agent="agent: {persona: Kind.}\norchestrator: {model_group: main}\nelsewhere: 1\n",
    )
    assert not errors(ignored)
    fatal = agent("Go to @block.main.\n\n" + block("- id: a\n  noop: true\n  colour: red"))
    assert "skill.step.invalid" in errors(fatal)
    assert "skill.markdown.unknown_frontmatter_key" in errors(agent(front="colour: red"))


def test_edge_10_a_quoted_id_or_an_indented_end_turns_a_block_into_prose() -> None:
    for body in (':::ordered_block id="main"\nsteps: []\n:::', ":::ordered_block id=main\nsteps: []\n  :::"):
        given = agent(f"Help.\n\n{body}")
        assert not errors(given)
        assert given.skill_by_id["pay"].blocks == ()
        assert any(":::ordered_block" in p.text for p in given.skill_by_id["pay"].paragraphs)


def test_edge_37_types_that_the_engine_cannot_read_become_strings() -> None:
    code = (
        "from typing import Literal, Optional\nfrom rasa.mantle.tools.decorator import ToolContext, tool\n"
        '@tool(description="d")\nasync def go(a: int | None, b: Literal["x"], c: dict, d: Optional[int], '
        "e: list[int], context: ToolContext):\n    return None\n"
    )
    schema = agent(code=code).skill_by_id["pay"].tools[0].schema
    properties = schema["properties"]
    assert isinstance(properties, dict)
    kinds = [properties[name]["type"] for name in "abcde"]
    assert kinds == ["string", "string", "string", "integer", "array"]


def test_edge_39_a_constrained_tool_that_a_hybrid_block_asks_for_is_hidden_there() -> None:
    given = agent(
        "Go to @block.main.\n\n" + block("- id: a\n  instructions: Call @tool.go now."),
        front="tool_constraints:\n- go:\n    requires: session.pay.paid", names=["go"],
    )  # fmt: skip
    play = started(given, pay__paid=True)
    assert not verdict(play, "go", "main").offered
    assert "inspector.block.hides-tool" in codes(given)


@pytest.mark.parametrize(
    ("front", "body", "code"),
    [
        ("requires: session.pay.paid", "Help.", "skill.requires.removed"),
        ("complete_when: session.pay.paid", "Help.", "skill.complete_when.mapping_required"),
        ("", "@block.main\n\n" + block("- id: a\n  collect: amount\n  force_collection: true"),
         "skill.step.outdated_force_collection"),
        ("", "@block.main\n\n" + block("- id: a\n  collect: amount\n  tool: go"), "skill.step.outdated_collect_tool"),
    ],
)  # fmt: skip
def test_edge_40_old_constructs_are_read_and_flagged(front: str, body: str, code: str) -> None:
    given = agent(body, front=front, names=["go"])
    assert code in {f.code for f in check(given)}
    assert played(given).project.skill_by_id["pay"].tools


def test_edge_38_a_bundled_skill_is_replaced_as_a_whole() -> None:
    assert agent().skill_by_id["default_continue_interrupted"].bundled
    replaced = project({"skills/default_continue_interrupted/skill.md": prose("Ask.")})
    skill = replaced.skill_by_id["default_continue_interrupted"]
    assert not skill.bundled
    assert skill.is_default
    assert skill.fields == ()
    assert any("interrupted_task_name" in f"{f.message} {f.hint}" for f in check(replaced))
