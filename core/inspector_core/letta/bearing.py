"""For one tool: every rule that bears on it now, what it does to it, and the proof made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.letta.rules import (
    ContinueLoop,
    ExitLoop,
    MaxCount,
    RequiredBeforeExit,
    RequiresApproval,
    Rule,
    Rules,
    RunFirst,
    Verb,
    words,
)
from inspector_core.letta.solver import Answer, Situation
from inspector_core.proof import Proof, Truth

__all__ = ["BLOCKS", "Bearing", "bearings", "blocking", "proof"]

Does = Literal[Verb, "counts", "ends the turn", "goes on", "is required", "asks", "can't be answered"]

BLOCKS: dict[Verb, str] = {
    "begins": "not-first",
    "narrows": "not-a-child",
    "demands": "not-the-parents-child",
    "hides": "parent-not-last",
    "routes": "routed-elsewhere",
    "ends its count": "count-reached",
    "guards": "guard-not-met",
}
"""The reason code of a tool that a rule takes out, by what the rule does."""


class Bearing(NamedTuple):
    """One rule on one tool."""

    rule: Rule
    does: Does
    lets: bool
    """As far as this rule goes, the tool may be called."""
    why: str


def bearings(rules: Rules, now: Situation, answer: Answer, tool: str) -> tuple[Bearing, ...]:
    """The rules on a tool: those that decide whether it may be called first, then what its call would come to."""
    deciding = (
        Bearing(e.rule, e.verb, e.lets(tool), e.why)
        for e in answer.effects
        if e.only is not None or tool in e.hidden
    )  # fmt: skip
    broken = () if answer.broken is None else (Bearing(answer.broken, "can't be answered", False, answer.why),)
    return (*deciding, *broken, *_counting(rules, now, answer, tool), *_coming(rules, now, tool))


def _counting(rules: Rules, now: Situation, answer: Answer, tool: str) -> Iterator[Bearing]:
    for rule in rules.own.get(tool, ()):
        if isinstance(rule, MaxCount):
            times = now.history.count(tool)
            if times < rule.limit or answer.beginning:
                yield Bearing(rule, "counts", True, f"called {times} of {rule.limit} times")


def _coming(rules: Rules, now: Situation, tool: str) -> Iterator[Bearing]:
    """What a call would come to."""
    for rule in rules.own.get(tool, ()):
        match rule:
            case ExitLoop():
                yield Bearing(rule, "ends the turn", True, "its call ends the turn, whatever it returns")
            case ContinueLoop():
                yield Bearing(rule, "goes on", True, "after its call the model goes on")
            case RequiredBeforeExit():
                told = "it was called" if tool in now.history else "the turn can't end before it is called"
                yield Bearing(rule, "is required", True, told)
            case RequiresApproval():
                yield Bearing(rule, "asks", True, "a person is asked before it runs")
            case _:
                pass


def blocking(found: Sequence[Bearing]) -> tuple[Bearing, ...]:
    """The rules that each alone keep the tool from being called. Of several to run first, any one would do."""
    first = any(b.lets for b in found if isinstance(b.rule, RunFirst))
    return tuple(b for b in found if not b.lets and not (first and isinstance(b.rule, RunFirst)))


def proof(found: Sequence[Bearing]) -> Proof:
    """The rules as the parts of a proof; it holds where every one lets the tool through."""
    stopping = blocking(found)
    parts = tuple(_part(one, one not in stopping) for one in found)
    error = next((p.error for p in parts if p.truth is Truth.ERRORS), None)
    truth = Truth.ERRORS if error else Truth.FAILS if stopping else Truth.HOLDS
    text = "every rule lets it through" if parts else "no rule is about it"
    return Proof("and", text, 0, len(text), truth, not stopping if not error else None, error, parts)


def _part(one: Bearing, lets: bool) -> Proof:
    text = words(one.rule)
    if one.does == "can't be answered":
        return Proof("rule", text, 0, len(text), Truth.ERRORS, None, one.why, cause=True)
    return Proof("rule", text, 0, len(text), Truth.HOLDS if lets else Truth.FAILS, f"{one.does}: {one.why}")
