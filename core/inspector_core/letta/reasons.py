"""The codes that say why a tool stands as it stands under tool rules, each with its sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["REASONS"]

REASONS: Final[Mapping[str, str]] = {
    "offered": "every rule lets the tool through",
    "asks": "every rule lets the tool through, and a person is asked before it runs",
    "not-first": "nothing was called yet, and `run_first` rules name other tools",
    "not-a-child": "the last call has a `constrain_child_tools` rule, and the tool is not among its children",
    "not-the-parents-child": "the last call has a `parent_last_tool` rule, after which only its children may follow",
    "parent-not-last": "the tool is a child of a `parent_last_tool` rule, whose own tool was not called last",
    "routed-elsewhere": "the last call has a `conditional` rule, and its output leads to another tool",
    "count-reached": "the tool was called as often as its `max_count_per_step` rule lets it be",
    "guard-not-met": "the expression of the tool's guard does not hold, or can't be evaluated",
    "needs-output": "the last call has a `conditional` rule, and there is no output to choose by: the run would fail",
    "bad-output": "the last call has a `conditional` rule that can't take its output: the run would fail",
    "not-attached": "rules name the tool, and the agent does not have it",
    "empty-opens-all": "the rules leave no tool, and so the loop offers every one",
    "loop-hides": "the rules let the tool through, and the loop, by a defect of its own, does not offer it",
    "loop-offers": "the rules keep the tool back, and the loop, by a defect of its own, offers it",
}
