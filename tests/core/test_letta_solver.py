"""Which tools rules allow, the proof beside each, and the group behind an empty set."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given

from inspector_core.letta.bearing import bearings, blocking, proof
from inspector_core.letta.conflict import conflict
from inspector_core.letta.guards import judge, problem, values
from inspector_core.letta.loops import Defect, Loop, after_call, offer
from inspector_core.letta.outputs import packaged
from inspector_core.letta.rules import Children, Conditional, ExitLoop, Guard, MaxCount, Parent, Rule, Rules, RunFirst
from inspector_core.letta.solver import Situation, solve
from inspector_core.proof import Truth
from tests.core.ruled import TOOLS, rule_sets, situations


def at(*history: str, output: object = "") -> Situation:
    return Situation(history, TOOLS, packaged(output))


@given(rule_sets, situations)
def test_a_tool_is_allowed_exactly_where_its_proof_holds(drawn: list[Rule], now: Situation) -> None:
    rules = Rules(drawn)
    answer = solve(rules, now)
    for tool in TOOLS:
        found = proof(bearings(rules, now, answer, tool))
        assert (found.truth is Truth.HOLDS) == (tool in answer.allowed)


@given(rule_sets, situations)
def test_the_group_behind_an_empty_set_is_the_smallest(drawn: list[Rule], now: Situation) -> None:
    rules = Rules(drawn)
    answer = solve(rules, now)
    found = conflict(answer, now.available)
    if answer.error != "empty":
        assert found is None
        return
    assert found is not None
    sizes = (
        size
        for size in range(1, len(answer.effects) + 1)
        for group in combinations(answer.effects, size)
        if not any(all(e.lets(tool) for e in group) for tool in TOOLS)
    )
    assert found.smallest
    assert len(found.effects) == next(sizes)
    assert not any(all(e.lets(tool) for e in found.effects) for tool in TOOLS)


def test_what_a_rule_does_is_told_with_its_reason() -> None:
    rules = Rules([Children("a", ("b",)), MaxCount("b", 1), Parent("c", ("b",))])
    now = at("b", "a")
    found = blocking(bearings(rules, now, solve(rules, now), "b"))
    assert [(b.does, b.why) for b in found] == [
        ("ends its count", "called once, and 1 is the most"),
        ("hides", "`c` was not called last"),
    ]


def test_of_several_tools_to_run_first_any_will_do() -> None:
    rules = Rules([RunFirst("b"), RunFirst("a")])
    answer = solve(rules, at())
    assert answer.allowed == ("b", "a")
    assert blocking(bearings(rules, at(), answer, "a")) == ()
    assert len(blocking(bearings(rules, at(), answer, "c"))) == 2


def test_a_guard_hides_its_tool_until_its_expression_holds() -> None:
    rules = Rules([Guard("b", "confidence < 0.5")])
    assert "b" in solve(rules, at("a", output={"confidence": 0.2})).allowed
    assert "b" not in solve(rules, at("a", output='{"confidence": 0.9}')).allowed
    [why] = [e.why for e in solve(rules, at("a", output="none")).effects]
    assert why == "the last output has no `confidence`, so `confidence < 0.5` is not met"


def test_a_guard_can_call_nothing_and_reach_nothing() -> None:
    for text in ("f()", "a.b", "a[0]", "[x for x in a]", "lambda: 1", "a := 1", "2 ** 9", "'a' * 9", "f'{a}'", "x y"):
        assert problem(text) is not None, text
        assert not judge(text, {"a": 1, "x": 2}).holds
    known = values(packaged({"kind": "refund", "sum": 3}), "a")
    assert judge("kind in ['refund', 'swap'] and not sum > 5 and last_tool == 'a' and status == 'OK'", known).holds


# -- the loops ---------------------------------------------------------------------------------------------------------


def test_each_defect_is_named_where_it_changes_the_answer() -> None:
    empty = Rules([Children("a", ())])
    assert offer(Loop.V3, empty, at("a")) == (TOOLS, None, (Defect.EMPTY_OPENS_ALL,))
    assert offer(Loop.V1, empty, at("a")).error == "empty"
    counted = Rules([MaxCount("a", 2)])
    assert offer(Loop.V3, counted, at("a")) == (("b", "c"), None, (Defect.COUNTS_DOUBLED,))
    assert offer(Loop.V2, counted, at("a")) == (TOOLS, None, ())
    routed = Rules([Conditional("a", (("yes", "b"),))])
    assert offer(Loop.V2, routed, at("a", output="yes")) == (TOOLS, None, (Defect.OUTPUT_UNPACKED,))
    missing = Rules([RunFirst("z")])
    assert offer(Loop.V2, missing, at()) == ((), None, (Defect.FIRST_NOT_ATTACHED,))


def test_a_loop_that_answers_as_the_rules_do_has_no_defect_to_name() -> None:
    rules = Rules([Children("a", ("b",)), ExitLoop("b")])
    assert offer(Loop.V3, rules, at("a")) == (("b",), None, ())


def test_a_heartbeat_counts_in_the_older_loop_alone() -> None:
    rules = Rules([ExitLoop("b")])
    assert not after_call(Loop.V2, rules, at("a")).goes_on
    assert after_call(Loop.V2, rules, at("a"), heartbeat=True).goes_on
    assert after_call(Loop.V3, rules, at("a")).goes_on
    assert after_call(Loop.V3, rules, at("b")).stop == "tool_rule"
