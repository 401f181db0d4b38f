"""What tool rules come to after some calls: every tool with the rules on it, and what a loop would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inspector.pieces import Line, Tone
from inspector.reports.json import dumps
from inspector.reports.text import blank, say
from inspector_core.letta.asked import told
from inspector_core.letta.bearing import Bearing, bearings, blocking
from inspector_core.letta.conflict import conflict
from inspector_core.letta.loops import DEFECTS, Decision, Loop, Offer, after_call, offer, uncalled
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import words
from inspector_core.letta.solver import Answer, Situation, solve

__all__ = ["asked_json", "asked_lines"]

_LOOPS = {
    Loop.SOLVER: "the rules alone",
    Loop.V1: "as its loop LettaAgent",
    Loop.V2: "as its loop LettaAgentV2",
    Loop.V3: "as its loop LettaAgentV3",
}


def asked_lines(project: LettaProject, now: Situation, loop: Loop) -> Iterator[Line]:
    """Whose answer it is, the answer, and each tool's rules."""
    answer, offered = solve(project.rules, now), offer(loop, project.rules, now)
    about = f" · Letta {project.version} (retired server), {_LOOPS[loop]} · {len(project.rules.rules)} rules"
    yield say((project.agent.name, "head"), (about, "dim"))
    yield say(("after: ", "dim"), " → ".join(now.history) or "nothing")
    yield from _error_lines(answer, now)
    for defect in offered.defects:
        yield say((f"defect of the loop: {DEFECTS[defect]}", "ask"))
    yield blank()
    for tool in _all(project, now):
        yield from _tool_lines(project, now, answer, offered, tool)
    yield blank()
    yield from _ending_lines(project, now, loop)


def _all(project: LettaProject, now: Situation) -> tuple[str, ...]:
    """The tools that are taken to be attached, then all others that are known."""
    return tuple(dict.fromkeys((*now.available, *project.names)))


def _error_lines(answer: Answer, now: Situation) -> Iterator[Line]:
    if answer.error is not None:
        yield say((f"{answer.error}: {answer.why}", "error"))
    group = conflict(answer, now.available)
    if group is not None and group.effects:
        least = "the smallest group of rules" if group.smallest else "a group of rules"
        yield say((f"{least} that leaves nothing:", "error"))
        for effect in group.effects:
            yield say((f"  {words(effect.rule)}", "bad"), (f"  {effect.why}", "dim"))


def _tool_lines(project: LettaProject, now: Situation, answer: Answer, offered: Offer, tool: str) -> Iterator[Line]:
    found = bearings(project.rules, now, answer, tool)
    may = tool in offered.tools
    glyph, word, tone = _sign(now, tool, may)
    given = answer.prefilled.get(tool)
    note = f"  with {', '.join(f'{k}={v!r}' for k, v in given.items())}" if given and may else ""
    yield say((f"  {glyph} {word:<12} ", tone), (tool, "plain"), (note, "value"))
    stopping = blocking(found)
    for one in found:
        yield _rule_line(one, one in stopping)


def _sign(now: Situation, tool: str, may: bool) -> tuple[str, str, Tone]:
    if tool not in now.available:
        return "○", "not attached", "dim"
    return ("✓", "allowed", "good") if may else ("✗", "not allowed", "bad")


def _rule_line(one: Bearing, stops: bool) -> Line:
    tone: Tone = "bad" if stops else "dim"
    return say((f"      {words(one.rule)}", tone), (f"  {one.does}: {one.why}", "dim"))


def _ending_lines(project: LettaProject, now: Situation, loop: Loop) -> Iterator[Line]:
    """What comes after the last call, and what the turn still needs."""
    if now.history:
        yield say(("after the last call: ", "dim"), _decided(after_call(loop, project.rules, now)))
    missing = uncalled(project.rules, now)
    if missing:
        yield say(("before the turn ends: ", "dim"), (f"{', '.join(missing)} must be called", "ask"))


def _decided(decision: Decision) -> str:
    stop = f" ({decision.stop})" if decision.stop else ""
    return f"{'the model goes on' if decision.goes_on else f'the turn ends{stop}'}: {decision.why}"


def asked_json(project: LettaProject, now: Situation, loop: Loop) -> str:
    """The same for programs; the answer is in the form in which `--jsonl` gives it."""
    answer, offered = solve(project.rules, now), offer(loop, project.rules, now)
    decision = after_call(loop, project.rules, now) if now.history else None
    return dumps({
        "agent": project.agent.name,
        "version": project.version,
        "loop": loop.value,
        "history": now.history,
        "available": now.available,
        "last_output": now.output,
        **told(project.rules, now, answer),
        "offered": offered.tools,
        "offered_error": offered.error,
        "defects": [d.value for d in offered.defects],
        "after_last_call": None if decision is None else {
            "goes_on": decision.goes_on, "stop": decision.stop, "why": decision.why,
        },
        "tools": {tool: _rows(bearings(project.rules, now, answer, tool)) for tool in _all(project, now)},
    }) + "\n"  # fmt: skip


def _rows(found: Sequence[Bearing]) -> list[dict[str, object]]:
    stopping = blocking(found)
    return [
        {
            "rule": words(one.rule),
            "does": one.does,
            "lets": one not in stopping,
            "why": one.why,
            "place": str(one.rule.span) if one.rule.span else None,
        }
        for one in found
    ]
