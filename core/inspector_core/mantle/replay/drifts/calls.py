"""The calls of custom tools, judged by today's gates, confirmations and schemas."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate, candidates, registered
from inspector_core.mantle.engine.arguments import misfit
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.engine.steps.entry import entry
from inspector_core.mantle.gatelist import RESERVED
from inspector_core.mantle.judge import custom, scene
from inspector_core.mantle.project import Block, Gate, Project, Skill
from inspector_core.mantle.replay.drifts.recorded import Recorded
from inspector_core.mantle.replay.drifts.values import Drift, Kind
from inspector_core.mantle.replay.replay import Replay
from inspector_core.proof import Truth
from inspector_core.report import Verdict

__all__ = ["call_drift", "found_by", "gate_of"]

_OF_THE_MOMENT = frozenset({"after-knowledge-search", "pending-confirmation", "resolved-this-turn"})
"""Why a call may not be admissible that has nothing to do with the files."""
_WAS = {"ran": "it ran", "failed": "it ran, and failed", "asked": "it asked the customer", "declined": "declined"}


def call_drift(replay: Replay, call: Recorded) -> Iterator[Drift]:
    """What would be otherwise with one call of a custom tool; an error that left no trace may have been a refusal."""
    if call.tool in RESERVED or call.who == "check" or call.outcome == "declined":
        return
    if call.outcome == "failed" and not call.surely_ran:
        return
    state = replay.rebuilt(call.start).state
    if state.skill not in replay.project.skill_by_id:
        return  # the skill itself is gone, and that is told where it begins
    match call.who:
        case "model":
            yield from _by_model(replay, call, state)
        case "step":
            yield from _by_step(replay.project, call, state)
        case _:
            yield from _by_answer(replay.project, call, state)


def found_by(project: Project, call: Recorded, state: State) -> Candidate | None:
    """What the call would reach today."""
    skill = project.skill_by_id.get(state.skill or "")
    if skill is None:
        return None
    by_step = call.who == "step" or (state.pending is not None and state.pending.step_id is not None)
    return (
        entry(Play(project, state), call.tool)
        if by_step
        else registered(project, skill, _block(skill, state), call.tool)
    )


def gate_of(project: Project, call: Recorded, state: State) -> Gate | None:
    """The entry that says what is asked before the call, and said after it."""
    found = found_by(project, call, state)
    return found.gate if found is not None else None


def _block(skill: Skill, state: State) -> Block | None:
    top = state.top
    return skill.block(top.block_id) if top is not None and top.block_id is not None else None


# -- the model's own calls ---------------------------------------------------------------------------------------------


def _by_model(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    project = replay.project
    found = found_by(project, call, state)
    if found is None or found.tool is None:
        yield _drift(call, state, "refused", "there is no such tool here", "not-found", found)
        return
    verdict = _verdict(project, state, call.tool)
    if verdict is None:
        return
    listed = verdict if call.listed == call.start else _verdict(project, replay.rebuilt(call.listed).state, call.tool)
    offered = _within_reach(verdict) or (listed is not None and _within_reach(listed))
    if not offered or not (verdict.admissible or verdict.reason in _OF_THE_MOMENT):
        yield _closed(call, state, verdict, offered)
        return
    problem = misfit(found.tool.schema, call.arguments)
    if problem is not None:
        yield _unfit(call, state, found, problem)
        return
    yield from _asking(call, state, found, verdict)


def _within_reach(verdict: Verdict) -> bool:
    """Whether the files let the model see it; that a search hid it for a while, no edit of them changes."""
    return verdict.offered or verdict.reason == "after-knowledge-search"


def _verdict(project: Project, state: State, tool: str) -> Verdict | None:
    skill = project.skill_by_id.get(state.skill or "")
    if skill is None:
        return None
    block = _block(skill, state)
    found = next((c for c in candidates(project, skill, block) if c.name == tool), None)
    return custom(scene(project, state, skill, block, True), found) if found is not None else None


def _closed(call: Recorded, state: State, verdict: Verdict, offered: bool) -> Drift:
    now = verdict.why or verdict.reason
    return Drift(
        call.number, "refused" if offered else "hidden", call.tool, state.skill, _WAS[call.outcome], now,
        verdict.reason, verdict.proof, verdict.gate_span or verdict.span,
    )  # fmt: skip


def _unfit(call: Recorded, state: State, found: Candidate, problem: str) -> Drift:
    return _drift(call, state, "refused", f"the arguments don't fit: {problem}", "invalid-arguments", found)


def _asking(call: Recorded, state: State, found: Candidate, verdict: Verdict) -> Iterator[Drift]:
    rule = found.gate.confirmation if found.gate is not None else None
    place = (rule.span if rule else None) or (found.gate.span if found.gate else found.span)
    if call.outcome == "asked":
        if verdict.confirmation is None:
            yield Drift(
                call.number, "unasked", call.tool, state.skill, "the customer was asked first",
                "it runs without a question", "no-confirmation", None, place,
            )  # fmt: skip
    elif verdict.confirmation is not None:
        yield Drift(
            call.number, "asks", call.tool, state.skill, "it ran without a question",
            "the customer is asked first", "asks", None, place,
        )  # fmt: skip


# -- the engine's calls ------------------------------------------------------------------------------------------------


def _by_step(project: Project, call: Recorded, state: State) -> Iterator[Drift]:
    """A step looks at the gate by itself, and what it can't run it leaves to the model without a word (§6.4)."""
    found = found_by(project, call, state)
    if found is None or found.tool is None:
        yield _drift(call, state, "refused", "there is no such tool here", "not-found", found)
        return
    requires = found.gate.requires if found.gate is not None else None
    if found.gate is not None and requires is not None:
        proof = requires.prove(scope.visible(state.memory, requires, found.masked))
        if proof.truth is not Truth.HOLDS:
            code = "gate-error" if proof.truth is Truth.ERRORS else "gate-false"
            drift = _drift(call, state, "refused", "its gate is closed: the step waits", code, found)
            yield drift._replace(proof=proof, span=found.gate.requires_span)
            return
    problem = misfit(found.tool.schema, call.arguments)
    if problem is not None:
        yield _unfit(call, state, found, problem)
    elif call.outcome != "asked" and found.confirms:
        yield _drift(call, state, "asks", "the customer is asked first", "asks", found)
    elif call.outcome == "asked" and not found.confirms:
        yield _drift(call, state, "unasked", "it runs without a question", "no-confirmation", found)


def _by_answer(project: Project, call: Recorded, state: State) -> Iterator[Drift]:
    """A confirmed call runs whatever its gate says by then, unless it is gone or its arguments don't fit (§6.3)."""
    found = found_by(project, call, state)
    if found is None or found.tool is None:
        yield _drift(call, state, "pending", "the tool is not there any more", "not-found", found)
        return
    problem = misfit(found.tool.schema, call.arguments)
    if problem is not None:
        now = f"its arguments don't fit any more, and it goes on waiting: {problem}"
        yield _drift(call, state, "pending", now, "invalid-arguments", found)


def _drift(call: Recorded, state: State, kind: Kind, now: str, code: str, found: Candidate | None) -> Drift:
    span = found.span if found is not None else None
    return Drift(call.number, kind, call.tool, state.skill, _WAS[call.outcome], now, code, None, span)
