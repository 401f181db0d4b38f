"""The engine's own answers, line by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inspector_core.mantle.condition import parse
from inspector_core.proof import Truth

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "cases/conditions.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["condition"]))
def test_we_answer_as_the_engine_does(case: dict[str, Any]) -> None:
    condition, memory = parse(case["condition"]), case["memory"]
    truth = Truth.ERRORS if case["error"] else Truth.HOLDS if case["value"] else Truth.FAILS

    assert condition.truth(memory) is truth
    assert condition.row(memory)[0] is truth
    assert condition.prove(memory).truth is truth
    assert condition.accepted == case["accepted_at_train"]
    assert (condition.problem is None) == case["accepted_at_train"]


def test_there_are_cases() -> None:
    assert len(CASES) == 182
