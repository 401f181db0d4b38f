"""Every tool's verdict under tool rules, with the rules that bear on it as its proof."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.classes import NamedTuple
from inspector_core.letta.bearing import BLOCKS, Bearing, bearings, blocking, proof
from inspector_core.letta.loops import DEFECTS, Loop, Offer, offer
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import Verb, words
from inspector_core.letta.solver import Answer, Situation, solve
from inspector_core.letta.state import State, situation
from inspector_core.proof import Proof
from inspector_core.report import Plan, Report, Standing, Verdict

__all__ = ["report", "verdict"]

_PLAN = Plan(None, None, None, None)


class _Now(NamedTuple):
    """All that one report is made of."""

    project: LettaProject
    loop: Loop
    at: Situation
    answer: Answer
    offer: Offer
    attached: frozenset[str]
    offered: frozenset[str]
    allowed: frozenset[str]
    blocked: Mapping[str, Verb]
    """Tool to what the first rule does that takes it out."""


def report(project: LettaProject, state: State, loop: Loop = Loop.SOLVER) -> Report:
    """Attached tools first, then those that only rules name."""
    at = situation(state, project.available)
    answer = solve(project.rules, at)
    found = offer(loop, project.rules, at)
    attached = frozenset(project.available)
    offered = frozenset(found.tools) & attached if found.error is None else frozenset[str]()
    blocked = _blocked(project, answer)
    now = _Now(project, loop, at, answer, found, attached, offered, frozenset(answer.allowed), blocked)
    return Report({None: tuple(verdict(now, name) for name in project.names)}, None)


def verdict(now: _Now, tool: str) -> Verdict:
    """One tool's; its proof is made when it is asked for."""
    attached, offered = tool in now.attached, tool in now.offered
    asks = tool in now.project.rules.asking
    standing, reason = _standing(now, tool, attached, offered, asks)
    held = now.project.tool(tool)
    about = now.project.rules.own.get(tool, ())
    plain = offered and not now.offer.defects and tool not in now.answer.prefilled
    return Verdict(
        skill=None,
        tool=tool,
        kind="local" if attached else "unattached",
        offered=offered,
        admissible=offered,
        standing=standing,
        reason=reason,
        why=_explained(now, tool, reason)[1] if offered and not plain else "",
        span=held.span if held is not None else None,
        requires="; ".join(words(r) for r in about) or None,
        gate_span=about[0].span if about else None,
        confirmation=_PLAN if asks and attached else None,
        explain=lambda: _explained(now, tool, reason),
    )


def _standing(now: _Now, tool: str, attached: bool, offered: bool, asks: bool) -> tuple[Standing, str]:
    if not attached:
        return "not imported", "not-attached"
    if offered:
        by_rules = now.answer.error is None and tool in now.allowed
        reason = "asks" if asks else "offered"
        if not by_rules:
            reason = "empty-opens-all" if now.answer.error == "empty" else "loop-offers"
        return ("asks" if asks else "offered"), reason
    if now.answer.error in ("needs_output", "bad_output"):
        return "error", now.answer.error.replace("_", "-")
    if now.offer.error in ("needs_output", "bad_output"):
        return "error", now.offer.error.replace("_", "-")
    if now.answer.error is None and tool in now.allowed:
        return "hidden", "loop-hides"
    verb = now.blocked.get(tool, "begins")
    return "hidden", BLOCKS[verb]


def _blocked(project: LettaProject, answer: Answer) -> Mapping[str, Verb]:
    found: dict[str, Verb] = {}
    for effect in () if answer.beginning else answer.effects:
        for tool in effect.hidden if effect.only is None else project.names:
            if tool not in found and not effect.lets(tool):
                found[tool] = effect.verb
    return found


def _explained(now: _Now, tool: str, reason: str) -> tuple[Proof, str]:
    found = bearings(now.project.rules, now.at, now.answer, tool)
    return proof(found), _why(now, tool, reason, blocking(found))


def _why(now: _Now, tool: str, reason: str, stopping: tuple[Bearing, ...]) -> str:
    if reason == "not-attached":
        return "the agent has no such tool"
    if now.answer.error in ("needs_output", "bad_output"):
        return now.answer.why
    rules = "; ".join(dict.fromkeys(f"{words(b.rule)} ({b.why})" for b in stopping))
    if (tool not in now.offered and not stopping) or (tool in now.offered and now.offer.defects):
        return "; ".join([*(DEFECTS[d] for d in now.offer.defects), *([rules] if rules else [])])
    if tool not in now.offered:
        return rules
    given = now.answer.prefilled.get(tool)
    return f"called with {', '.join(f'{k}={v!r}' for k, v in given.items())}" if given else ""
