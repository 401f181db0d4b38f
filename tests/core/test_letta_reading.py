"""Agents and rules out of files: four ways to write the same, and everything that old or broken ones have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.finding import Severity
from inspector_core.letta.project import LettaProject
from inspector_core.letta.reading.folder import SUFFIXES
from inspector_core.letta.rules import Children, Conditional, ExitLoop, Guard, MaxCount, Node, Rule, RunFirst, wire
from tests.core.ruled import FIXTURES, of_file, of_text, rule_sets

EXIT = {"type": "exit_loop", "tool_name": "a"}
PATTERNS = ("pipeline", "approval", "branching")


def codes(project: LettaProject) -> list[str]:
    return [f.code for f in project.findings]


def refused(project: LettaProject) -> list[str]:
    return [f.code for f in project.findings if f.severity is Severity.ERROR]


def of_rules(*rules: object) -> LettaProject:
    return of_text("rules.json", json.dumps({"tool_rules": rules}))


@pytest.mark.parametrize("name", PATTERNS)
def test_one_agent_written_in_four_ways_is_the_same_agent(name: str) -> None:
    read = {path.suffix: of_file(path) for path in (FIXTURES / name).glob(f"{name}.*")}
    assert set(read) == {".af", ".yml", ".py", ".ts"}
    first, *others = (project.agent for project in read.values())
    assert all(other == first for other in others)
    assert first.rules
    assert first.tools
    assert not first.assumed
    assert all(project.findings == () for project in read.values())


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/*.*")), ids=lambda p: p.name)
def test_every_rule_knows_where_it_was_written(path: Path) -> None:
    project = of_file(path)
    source = project.sources[path.name]
    for rule in project.rules.rules:
        assert rule.span is not None
        lines = [source.line(n) for n in range(rule.span.line, rule.span.end_line + 1)]
        assert rule.tool in "\n".join(lines)


@given(rule_sets)
def test_rules_that_are_written_down_and_read_are_the_same(drawn: list[Rule]) -> None:
    project = of_rules(*map(wire, drawn))
    assert list(project.rules.rules) == drawn
    assert project.findings == ()


@given(st.sampled_from(SUFFIXES), st.text(max_size=80) | st.just('"\\"{') | st.just("[" * 400))
def test_no_text_makes_reading_raise(suffix: str, text: str) -> None:
    of_text(f"agent{suffix}", text)


KEYS = st.sampled_from(["type", "tool_name", "children", "tool_rules", "agents", "tools", "args"])
SCALARS = st.none() | st.booleans() | st.floats() | st.text(max_size=8)


@given(st.recursive(SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(KEYS, v)))
def test_no_value_makes_reading_raise(value: object) -> None:
    of_text("agent.af", json.dumps({"tool_rules": value, "tools": value}))
    of_text("agent.af", json.dumps({"agents": value, "tools": value}))


# -- agent files -------------------------------------------------------------------------------------------------------


def test_an_agent_file_within_a_text_of_json_is_read() -> None:
    path = FIXTURES / "pipeline" / "pipeline.af"
    wrapped = of_text("agent.af", json.dumps(path.read_text("utf-8")))
    assert wrapped.agent == of_file(path).agent
    assert codes(wrapped) == ["letta.file.doubly-encoded"]
    assert all(rule.span is not None and rule.span.line == 1 for rule in wrapped.rules.rules)


def test_fields_that_an_old_export_lost_are_told_and_the_rest_is_read() -> None:
    lost = [
        {"tool_name": "a", "type": "constrain_child_tools"},
        {"tool_name": "b", "type": "conditional"},
        {"tool_name": "c", "type": "exit_loop"},
    ]
    project = of_text("agent.af", json.dumps({"agent_type": "memgpt_agent", "tool_rules": lost, "tools": []}))
    assert project.rules.rules == (ExitLoop("c"),)
    assert refused(project) == ["letta.rule.field-missing"] * 2
    assert '"child_output_mapping"' in (project.findings[1].hint or "")


def test_the_newer_schema_attaches_tools_by_the_files_own_ids() -> None:
    file = {
        "agents": [
            {"name": "plain", "tool_ids": ["tool-1"], "tool_rules": []},
            {"name": "ruled", "tool_ids": ["tool-0", "tool-9"], "tool_rules": [EXIT]},
        ],
        "tools": [{"id": "tool-0", "name": "a"}, {"id": "tool-1", "name": "b"}],
    }  # fmt: skip
    project = of_text("agent.af", json.dumps(file))
    assert (project.agent.name, project.available, project.others) == ("ruled", ("a",), ("plain",))
    assert sorted(codes(project)) == ["letta.file.several-agents", "letta.tools.unknown-id"]


def test_an_agent_that_somebody_made_by_hand_around_kinds_that_never_were() -> None:
    file = {"schema_version": "1", "agent": {"name": "x", "tool_rules": [{"type": "sometimes", "tool_name": "a"}]}}
    assert refused(of_text("agent.af", json.dumps(file))) == ["letta.rule.type-unknown"]


def test_a_broken_file_is_one_finding_at_its_place() -> None:
    [found] = of_text("agent.af", '{"tool_rules": [\n  {"type": }\n]}').findings
    assert (found.code, found.span.line, found.span.column) == ("letta.file.unreadable", 2, 12)


def test_without_tools_those_are_taken_that_rules_name() -> None:
    project = of_rules({"type": "constrain_child_tools", "tool_name": "a", "children": ["b"]})
    assert project.agent.assumed
    assert project.available == ("a", "b")


# -- names of other times ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read", "hint"),
    [
        ({"type": "InitToolRule", "tool_name": "a"}, RunFirst("a"), "write `run_first`"),
        ({"type": "TerminalToolRule", "tool_name": "a"}, ExitLoop("a"), "write `exit_loop`"),
        ({"type": "ToolRule", "tool_name": "a", "children": ["b"]}, Children("a", ("b",)),
         "write `constrain_child_tools`"),
        ({"type": "exit_loop", "toolName": "a"}, ExitLoop("a"), "write `tool_name`"),
        ({"tool_name": "a", "max_count_limit": 2}, MaxCount("a", 2), 'add `"type": "max_count_per_step"`'),
        ({"type": "exit_lop", "tool_name": "a"}, None, "did you mean `exit_loop`?"),
    ],
)  # fmt: skip
def test_what_the_server_refuses_is_told_with_the_nearest_form(written: object, read: Rule | None, hint: str) -> None:
    project = of_rules(written)
    assert project.rules.rules == (() if read is None else (read,))
    assert [(f.severity, f.hint) for f in project.findings] == [(Severity.ERROR, hint)]


def test_the_sketched_condition_is_read_as_a_guard_and_a_rewrite_is_offered() -> None:
    project = of_rules({"type": "conditional", "tool_name": "escalate", "condition": "confidence < 0.5"})
    assert project.rules.rules == (Guard("escalate", "confidence < 0.5"),)
    [found] = project.findings
    assert found.code == "letta.rule.guard-refused"
    assert '"child_output_mapping": {"low": "escalate"}' in (found.hint or "")


# -- programs ----------------------------------------------------------------------------------------------------------


def test_python_is_read_by_its_syntax_through_names_that_are_given_once() -> None:
    project = of_text("make.py", '''
import os
os.abort()
search = client.tools.upsert_from_function(func=search_docs)
LAST = "answer"
rules = [
    InitToolRule(tool_name="search_docs", args={"limit": -3}),
    ConditionalToolRule(tool_name="search_docs", child_output_mapping={True: LAST, 1: "note"}),
    {"type": "exit_loop", "tool_name": LAST},
    make_rule(),
]
client.agents.create(name="desk", tool_ids=[search.id, "tool-7"], tool_rules=rules)
''')  # fmt: skip
    assert project.agent.name == "desk"
    assert project.rules.rules == (
        RunFirst("search_docs", {"limit": -3}),
        Conditional("search_docs", ((True, "answer"), (1, "note"))),
        ExitLoop("answer"),
    )
    assert project.available == ("search_docs",)
    assert refused(project) == ["letta.rule.type-missing"]


def test_typescript_is_read_by_its_literals_whatever_stands_around_them() -> None:
    project = of_text("make.ts", """
interface Options { tool_rules: ToolRule[]; name?: string }
const LAST = `answer` as const;
export const create = async <T>(o: T) => client.agents.create({
  ...defaults, // "tool_rules": [not this]
  name: "desk\\u0021", tools: ['search', LAST],
  /* tool_rules: [nor this] */
  toolRules: [
    { type: "constrain_child_tools", toolName: "search", children: ["answer"],
      childArgNodes: [{ name: "answer", args: { tone: 'kind', n: -1_0, deep: [true, null] } }] },
    { type: 'exit_loop', tool_name: LAST } satisfies TerminalToolRule,
    ...(debug ? extra : []),
    makeRule({ type: "exit_loop" }),
  ],
} as any);
""")  # fmt: skip
    assert project.agent.name == "desk!"
    assert project.rules.rules == (
        Children("search", ("answer",), (Node("answer", {"tone": "kind", "n": -10, "deep": [True, None]}),)),
        ExitLoop("answer"),
    )
    assert project.available == ("search", "answer")
    assert refused(project) == ["letta.rule.unreadable"] * 2


def test_nothing_in_a_program_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    of_text("make.py", f"open({str(mark)!r}, 'w')\ntool_rules = [__import__('os').abort()]\n")
    assert not mark.exists()


def test_yaml_has_no_tags_that_do_anything_and_no_bombs() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{f'*{chr(97 + i)}, ' * 9}]\n" for i in range(9))
    assert codes(of_text("rules.yml", f"{bomb}tool_rules: *j\n")) == ["letta.file.unreadable"]
    tagged = of_text("rules.yml", "tool_rules: [!!python/object/apply:os.abort [], {type: exit_loop, tool_name: a}]\n")
    assert tagged.rules.rules == (ExitLoop("a"),)
