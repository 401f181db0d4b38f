"""What rules do together that their author may not have meant, found by trying out every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given

from inspector_core.letta.checks import check
from inspector_core.letta.codes import CODES
from inspector_core.letta.explore import explore
from inspector_core.letta.loops import Loop, after_call
from inspector_core.letta.reading.folder import read
from inspector_core.letta.returns import returns
from inspector_core.letta.rules import Children, Conditional, MaxCount, Rule, Rules
from inspector_core.letta.solver import Answer, Situation, solve
from inspector_core.source import FolderText
from tests.core.ruled import FIXTURES, OUTPUTS, TOOLS, of_file, of_text, rule_sets

KINDS = sorted(p.name for p in (FIXTURES / "findings").iterdir())
LONGEST = 4


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_of_finding_is_found_and_its_clean_twin_has_none(name: str) -> None:
    folder = FIXTURES / "findings" / name
    [*shown] = (f for f in check(of_file(folder / "shows.yml")) if f.code == f"letta.{name}")
    assert shown
    assert all(f.span.line > 1 for f in shown if f.code != "letta.one-way")
    assert f"letta.{name}" not in {f.code for f in check(of_file(folder / "clean.yml"))}


def test_every_code_is_explained_and_every_rule_together_has_a_fixture() -> None:
    found = {f.code for name in KINDS for f in check(of_file(FIXTURES / "findings" / name / "shows.yml"))}
    assert found <= CODES.keys()
    assert {f"letta.{name}" for name in KINDS} <= CODES.keys()


# -- explored, and tried out by force ----------------------------------------------------------------------------------


def returned(rules: Rules, tool: str) -> tuple[str, ...]:
    """Everything that a tool of these may return, as far as a rule looks at it."""
    looked_at = any(isinstance(r, Conditional) and r.tool == tool for r in rules.rules)
    return OUTPUTS if looked_at else OUTPUTS[:1]


def walked(rules: Rules, longest: int) -> Iterator[tuple[Situation, Answer, bool]]:
    """Every history that the rules allow up to a length, each way that an output may go, with nothing left out."""
    level = [Situation((), TOOLS, None)]
    for _ in range(longest + 1):
        deeper = []
        for now in level:
            answer = solve(rules, now)
            over = bool(now.history) and not after_call(Loop.SOLVER, rules, now).goes_on
            yield now, answer, over
            tools = [] if over else [t for t in dict.fromkeys(answer.allowed) if t in TOOLS]
            deeper += [Situation((*now.history, tool), TOOLS, out) for tool in tools for out in returned(rules, tool)]
        level = deeper


@given(rule_sets)
def test_dead_ends_and_reachable_tools_are_those_that_trying_everything_finds(drawn: list[Rule]) -> None:
    rules = Rules(drawn)
    found = explore(rules, TOOLS)
    assert found.exact
    every = list(walked(rules, LONGEST))
    dead = [len(now.history) for now, answer, over in every if answer.error == "empty" and not over]
    explored = [len(s.now.history) for s in found.dead_ends() if len(s.now.history) <= LONGEST]
    assert min(dead, default=None) == min(explored, default=None)
    near = {t for s in found.states if not s.over and len(s.now.history) <= LONGEST for t in s.answer.allowed}
    assert near == {tool for _, answer, over in every if not over for tool in answer.allowed}


@given(rule_sets)
def test_from_an_endless_situation_no_way_leads_to_an_end(drawn: list[Rule]) -> None:
    rules = Rules(drawn)
    found = explore(rules, TOOLS)
    endless = {id(state) for state in found.endless()}
    for state in found.states:
        if id(state) in endless:
            assert not state.over
            assert not state.may_end
            assert all(id(found.states[n]) in endless for n in state.next)


def test_two_histories_with_the_same_key_are_allowed_the_same_for_ever() -> None:
    rules = Rules([MaxCount("a", 1), Children("b", ("a", "c"))])
    found = explore(rules, TOOLS)
    for first, second in product(found.states, repeat=2):
        if first.next == second.next and first.now.last == second.now.last:
            assert set(first.answer.allowed) == set(second.answer.allowed)


def test_what_is_beyond_the_bound_is_not_said_to_be_impossible() -> None:
    text = "tools: [a, b]\ntool_rules:\n" + "".join(
        f"- {{type: max_count_per_step, tool_name: {t}, max_count_limit: 50}}\n" for t in "ab"
    )
    codes = [f.code for f in check(of_text("rules.yml", text), most=20)]
    assert codes == ["letta.not-all-explored"]


def test_a_dead_end_is_told_by_its_way_and_its_rules() -> None:
    [found] = [
        f for f in check(of_file(FIXTURES / "findings" / "dead-end" / "shows.yml")) if f.code == "letta.dead-end"
    ]
    assert found.message == (
        "after answer → search nothing may be called: constrain_child_tools search → answer and "
        "max_count_per_step answer ≤ 1"
    )


def test_the_patterns_have_nothing_to_mend() -> None:
    for name in ("pipeline", "approval", "branching"):
        path: Path = FIXTURES / name / f"{name}.af"
        assert all(f.severity.value == "info" for f in check(of_file(path)))


# -- what a tool returns -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def f():\n  return True", {"True"}),
        ("def f(x):\n  if x: return 'a'\n  return None", {"a", "None"}),
        ("def f(x):\n  return x > 1", {"True", "False"}),
        ("def f(x):\n  return 'a' if x else 'b'", {"a", "b"}),
        ("def f(x) -> bool:\n  return g(x)", {"True", "False"}),
        ("def f(x):\n  def g(): return x\n  return 1", {"1"}),
        ("def f(x):\n  return g(x)", None),
        ("def g():\n  return 1", None),
        ("def f(:", None),
    ],
)
def test_what_code_can_be_read_to_return(code: str, found: set[str] | None) -> None:
    assert returns(code, "f") == found


def test_a_folder_is_read_again_only_where_its_text_has_changed() -> None:
    text = (FIXTURES / "pipeline" / "pipeline.yml").read_text("utf-8")
    before = read(FolderText("x", {"a.yml": text}, frozenset()))
    assert read(FolderText("x", {"a.yml": text}, frozenset()), before) is before
    assert read(FolderText("x", {"a.yml": text + "\n"}, frozenset()), before) is not before
