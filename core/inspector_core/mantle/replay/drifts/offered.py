"""What the model could have called and could not then, by the files as they were and as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gates import judge
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay.drifts.recorded import Recorded
from inspector_core.mantle.replay.drifts.values import Drift
from inspector_core.mantle.replay.replay import Replay
from inspector_core.mantle.targets import startable
from inspector_core.report import Verdict

__all__ = ["offered_drift"]

_SPOKE = frozenset({"llm", "filler"})


def offered_drift(replay: Replay, calls: Sequence[Recorded], before: Project) -> Iterator[Drift]:
    """Each tool that is newly offered, and skill that can newly be started, at the first of the replies in a row."""
    known: set[str] = set()
    for number in _replies(replay, calls):
        state = replay.rebuilt(number - 1).state
        new = {drift.subject: drift for drift in (*_tools(replay, number, state, before),
                                                  *_skills(replay, number, state, before))}  # fmt: skip
        yield from (drift for subject, drift in new.items() if subject not in known)
        known = set(new)


def _replies(replay: Replay, calls: Sequence[Recorded]) -> list[int]:
    """The events with which the model's replies begin."""
    called = {call.listed + 1 for call in calls if call.who == "model"}
    events = enumerate(replay.events, 1)
    return sorted(called | {n for n, e in events if e.metadata.get("mantle_response_source") in _SPOKE})


def _tools(replay: Replay, number: int, state: State, before: Project) -> Iterator[Drift]:
    was = {verdict.tool: verdict for verdict in _verdicts(before, state)}
    for verdict in _verdicts(replay.project, state):
        then = was.get(verdict.tool)
        if not verdict.offered or (then is not None and then.offered):
            continue
        told = f"{then.standing} ({then.reason})" if then is not None else "there was no such tool"
        now = "it is offered, and asks first" if verdict.standing == "asks" else "it is offered"
        yield Drift(number, "offered", verdict.tool, state.skill, told, now, "offered", verdict.proof,
                    verdict.gate_span or verdict.span)  # fmt: skip


def _verdicts(project: Project, state: State) -> tuple[Verdict, ...]:
    top = state.top
    if top is None or top.skill_id not in project.skill_by_id:
        return ()
    skill = project.skill_by_id[top.skill_id]
    return judge(project, state, skill.id, top.block_id, True)


def _skills(replay: Replay, number: int, state: State, before: Project) -> Iterator[Drift]:
    was = set(startable(before, state))
    for target in startable(replay.project, state):
        if target not in was:
            skill = replay.project.skill_by_id.get(target)
            yield Drift(number, "offered", target, state.skill, "it could not be started", "it can be started",
                        "startable", None, skill.span if skill is not None else None)  # fmt: skip
