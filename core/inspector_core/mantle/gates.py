"""The report of a whole state: every tool's verdict, for every skill (§5.6, §5.7).

A skill's verdicts are worked out when they are first asked for. A report made from an earlier one takes over all that
cannot have changed: what a step costs depends on what it touched, not on how large the agent is.
"""

from __future__ import annotations

from inspector_core.mantle.builtins import built_ins
from inspector_core.mantle.candidates import candidates
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.judge import custom, scene
from inspector_core.mantle.judged import Judged
from inspector_core.mantle.project import Project
from inspector_core.report import Report, Verdict

__all__ = ["judge", "report"]


def report(project: Project, state: State, previous: Report | None = None) -> Report:
    """All verdicts in a state; `previous`, of the same project, spares what the two states have in common."""
    earlier = previous.by_skill if previous is not None else None
    if previous is None or not isinstance(earlier, Judged) or not _comparable(project, state, earlier):
        return Report(Judged(project, state), state.target)
    judged = Judged(project, state, earlier)
    return Report(judged, state.target, origin=previous.key, moved=judged.moved)


def _comparable(project: Project, state: State, earlier: Judged) -> bool:
    """Whether both are of one project, and neither runs a skill that it doesn't have."""
    if earlier.project is not project:
        return False
    return all(skill is None or skill in project.skill_by_id for skill in (state.skill, earlier.state.skill))


def judge(project: Project, state: State, skill_id: str, block_id: str | None, active: bool) -> tuple[Verdict, ...]:
    """The verdicts for one skill, in its prose or in one of its blocks; `active`: as though it were live there."""
    skill = project.skill_by_id.get(skill_id)
    block = skill.block(block_id) if skill is not None and block_id is not None else None
    if skill is None or (block is None and block_id is not None):
        return ()
    here = scene(project, state, skill, block, active)
    return (*(custom(here, c) for c in candidates(project, skill, block)), *built_ins(here))
