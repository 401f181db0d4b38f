"""Tool rules: what a report costs beside the bare set of tools that may be called, and how both grow with the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import median

from bench.measure import Row, at_most, growth, ratio, times
from inspector_core.letta.project import Agent, Attached, LettaProject
from inspector_core.letta.rules import Children, ExitLoop, MaxCount, Parent, RequiresApproval, Rule, Rules
from inspector_core.letta.state import State
from inspector_core.letta.verdicts import report

__all__ = ["rules"]

SIZES = (10, 100, 1000)


def rules() -> Iterator[Row]:
    """10, 100 and 1,000 rules of every kind that narrows, over as many tools as there are rules."""
    spent: list[float] = []
    for size in SIZES:
        project, state = _agent(size)
        assert _bare(project, state) == {v.tool for v in report(project, state).verdicts if v.offered}
        found = times({"report": partial(report, project, state), "bare": partial(_bare, project, state)})
        spent.append(median(found["report"]))
        what = f"a report on tool rules / the bare set by Python sets, {size:,} rules"
        yield at_most("", what, ratio(found, "report", "bare"), None, note=f"{spent[-1] * 1e6:,.0f} µs a report")
    yield at_most(
        "", "growth exponent of a report on tool rules, 10 to 1,000", growth(list(SIZES), spent), None, unit=""
    )


def _agent(size: int) -> tuple[LettaProject, State]:
    """An agent some calls into a request, its last one narrowed by nothing."""
    chance = Random(size)
    tools = [f"tool_{number}" for number in range(size)]

    def rule(number: int) -> Rule:
        tool, others = tools[number], tuple(chance.sample(tools, min(3, size)))
        kinds = (
            Children(tool, others),
            Parent(tool, others[:1]),
            MaxCount(tool, 1),
            ExitLoop(tool),
            RequiresApproval(tool),
        )
        return kinds[number % len(kinds)]

    made = tuple(rule(number) for number in range(size))
    agent = Agent("bench", made, tuple(Attached(tool) for tool in tools))
    return LettaProject("bench", agent, Rules(made), {}), State(history=tuple(tools[2::5][:50]))


def _bare(project: LettaProject, state: State) -> set[str]:
    """What may be called, and nothing of why."""
    left, last, counts = set(project.available), state.history[-1], Counter(state.history)
    for rule in project.rules.rules:
        match rule:
            case Children(tool=tool, children=children) if tool == last:
                left &= set(children)
            case Parent(tool=tool, children=children):
                left = left & set(children) if tool == last else left - set(children)
            case MaxCount(tool=tool, limit=limit) if counts[tool] >= limit:
                left.discard(tool)
            case _:
                pass
    return left
