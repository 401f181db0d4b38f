"""The rules' answers and the loops' decisions, held to recorded ones of the retired server 0.16.8."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inspector_core.letta.asked import answer, loop_answer
from inspector_core.letta.solver import Situation

CASES = Path(__file__).parent / "cases"


def lines(name: str) -> Mapping[str, Any]:
    read = [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]
    return {case["name"]: case for case in read}


SOLVER, LOOP = lines("letta.jsonl"), lines("letta-loop.jsonl")


def situation(case: Mapping[str, Any]) -> Situation:
    return Situation(tuple(case["history"]), tuple(case["available"]), case["last_output"])


@pytest.mark.parametrize("case", SOLVER.values(), ids=lambda c: c["name"])
def test_the_rules_answer_as_the_server_did(case: Mapping[str, Any]) -> None:
    found = dict(answer(case["rules"], situation(case)))
    expected = dict(case["expect"])
    ordered = expected.pop("allowed_ordered")
    assert {name: found[name] for name in expected} == expected
    if ordered is not None:
        assert sorted(ordered) == found["allowed"]


@pytest.mark.parametrize("case", LOOP.values(), ids=lambda c: c["name"])
def test_the_loops_decide_as_they_did(case: Mapping[str, Any]) -> None:
    asked = SOLVER[case["name"]]
    assert {"name": case["name"], **(loop_answer(asked["rules"], situation(asked)) or {})} == case
