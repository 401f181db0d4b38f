"""What the retired server's loops made of the rules' answer (§1.5): what they offered, and whether they went on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum

from inspector_core.classes import NamedTuple
from inspector_core.letta.rules import Rules
from inspector_core.letta.solver import Error, Situation, solve

__all__ = [
    "DEFECTS", "Decision", "Defect", "Loop", "Offer", "after_call", "after_text", "doubled", "offer",
    "offer_given", "registered", "seen", "uncalled",
]  # fmt: skip


class Loop(Enum):
    """Whose behaviour is shown: the bare rules, or one of the loops of the retired server 0.16.8."""

    SOLVER = "solver"
    V1 = "v1"
    """`LettaAgent`, in the tree but no longer made."""
    V2 = "v2"
    """`LettaAgentV2`: every kind of agent but the two below."""
    V3 = "v3"
    """`LettaAgentV3`: `letta_v1_agent` and `sleeptime_agent`."""


class Defect(Enum):
    """What makes a loop's answer another one than the rules'."""

    EMPTY_OPENS_ALL = "empty-opens-all"
    COUNTS_DOUBLED = "counts-doubled"
    OUTPUT_UNPACKED = "output-unpacked"
    FIRST_NOT_ATTACHED = "first-not-attached"
    APPROVAL_HIDES_VIOLATION = "approval-hides-violation"


DEFECTS: Mapping[Defect, str] = {
    Defect.EMPTY_OPENS_ALL: "no tool is left by the rules, and so the loop offers every one",
    Defect.COUNTS_DOUBLED: "every successful call is counted twice, so half as many are let through",
    Defect.OUTPUT_UNPACKED: "conditional rules are given the bare message instead of the packaged output",
    Defect.FIRST_NOT_ATTACHED: "the tools to run first are not attached, so nothing is offered and every call refused",
    Defect.APPROVAL_HIDES_VIOLATION: "approval is asked before the rules are, and once it is given the call runs",
}


class Offer(NamedTuple):
    """The tools that a loop sends to the model."""

    tools: tuple[str, ...]
    error: Error | None = None
    """The run ends with it."""
    defects: tuple[Defect, ...] = ()
    """Those that make this another answer than the rules' own."""


class Decision(NamedTuple):
    """Whether the model is asked again."""

    goes_on: bool
    stop: str | None = None
    """The `stop_reason`; `None` also where the loop leaves it open."""
    why: str = ""


def registered(loop: Loop, history: tuple[str, ...]) -> tuple[str, ...]:
    """The history as a loop has it: the newest one notes each call twice (since 0.13.0)."""
    return tuple(tool for tool in history for _ in range(2)) if loop is Loop.V3 else history


def seen(output: object) -> object:
    """The output as every loop hands it to the rules since 0.8.4: what was inside of the package.

    Raises ValueError for a text that is no package, as no tool's is that the server itself ran.
    """
    if not isinstance(output, str):
        return output
    found: object = json.loads(output)
    if not isinstance(found, dict):
        raise ValueError(output)
    return found.get("message")


def offer(loop: Loop, rules: Rules, now: Situation) -> Offer:
    """What is offered in a situation that is told as it happened: each call once, the output packaged."""
    if loop is Loop.SOLVER:
        answer = solve(rules, now)
        return Offer(answer.allowed, answer.error)
    try:
        unpacked = now._replace(output=seen(now.output))
    except (ValueError, RecursionError):
        return Offer((), "bad_output", (Defect.OUTPUT_UNPACKED,))
    offers = [_bare(offer_given(loop, rules, s)) for s in (now, unpacked, doubled(loop, unpacked))]
    defects = [d for d in _CAUSES if offers[_CAUSES[d]] != offers[_CAUSES[d] - 1]]
    told = offer_given(loop, rules, doubled(loop, unpacked))
    return told._replace(defects=(*defects, *told.defects))


def _bare(of: Offer) -> Offer:
    """Without the reasons, to compare by."""
    return of._replace(tools=tuple(sorted(of.tools)), defects=())


_CAUSES = {Defect.OUTPUT_UNPACKED: 1, Defect.COUNTS_DOUBLED: 2}


def doubled(loop: Loop, now: Situation) -> Situation:
    """The situation with the history as the loop has it."""
    return now._replace(history=registered(loop, now.history))


def offer_given(loop: Loop, rules: Rules, now: Situation) -> Offer:
    """What is offered where history and output are what the rules are given: the fallback and the filter alone."""
    answer = solve(rules, now)
    if answer.error == "empty":
        if loop is Loop.V1:
            return Offer((), "empty")
        defects = (Defect.EMPTY_OPENS_ALL,) if now.available else ()
        return Offer(tuple(dict.fromkeys(now.available)), None, defects)
    if answer.error is not None:
        return Offer((), answer.error)
    tools = tuple(tool for tool in dict.fromkeys(answer.allowed) if tool in now.available)
    return Offer(tools, None, () if tools else (Defect.FIRST_NOT_ATTACHED,))


def after_call(
    loop: Loop,
    rules: Rules,
    now: Situation,
    *,
    heartbeat: bool = False,
    violated: bool = False,
    final: bool = False,
) -> Decision:
    """Whether the loop goes on after the last call of the history; the bare rules decide as the newest loop does."""
    tool = now.last or ""
    newest = loop in (Loop.V3, Loop.SOLVER)
    decision = _by_rules(rules, tool, newest, heartbeat, violated)
    if newest and violated:
        return decision
    if final:
        return Decision(False, "max_steps", "no more steps are allowed")
    missing = uncalled(rules, now)
    if missing and (newest or not decision.goes_on):
        return Decision(True, None, f"{_listed(missing)} must be called before the turn ends")
    return decision


def _by_rules(rules: Rules, tool: str, newest: bool, heartbeat: bool, violated: bool) -> Decision:
    """What terminal, child and continue rules say, in that order."""
    if violated:
        return Decision(True, None, f"`{tool}` was refused")
    if tool in rules.terminal:
        return Decision(False, "tool_rule" if newest or heartbeat else None, f"exit_loop {tool} ends the turn")
    if rules.has_children(tool):
        return Decision(True, None, f"`{tool}` has rules on what follows it")
    if tool in rules.continuing:
        return Decision(True, None, f"continue_loop {tool} goes on")
    if newest:
        return Decision(True, None, "nothing ends the turn")
    return Decision(heartbeat, None, "a heartbeat was asked for" if heartbeat else "no heartbeat was asked for")


def after_text(rules: Rules, now: Situation) -> Decision:
    """Whether the newest loop goes on after an answer without a call."""
    missing = uncalled(rules, now)
    if missing:
        return Decision(True, None, f"{_listed(missing)} must be called before the turn ends")
    return Decision(False, "end_turn", "the model answered without a call")


def uncalled(rules: Rules, now: Situation) -> tuple[str, ...]:
    """The attached tools that must be called before the turn ends and were not yet, in the rules' order."""
    attached, called = frozenset(now.available), frozenset(now.history)
    return tuple(tool for tool in dict.fromkeys(rules.required) if tool in attached and tool not in called)


def _listed(tools: tuple[str, ...]) -> str:
    return ", ".join(f"`{tool}`" for tool in tools)
