"""Where the author looks: at first, and after the conversation has gone on."""

from __future__ import annotations

from inspector.view import Look
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project

__all__ = ["first_look", "followed", "live"]


def first_look(project: Project) -> Look:
    """The first skill whose tools are gated, since that is what one opens an inspector for; else the first."""
    own = project.own_skills
    gated = next((s for s in own if any(g.requires or g.confirmation for g in s.gates)), None)
    first = gated or next(iter(own), None)
    return Look(first.id if first else None)


def followed(project: Project, look: Look, before: State, now: State) -> Look:
    """Where to look after a step: at a skill that was started, and at the live part of one that was looked at.

    The engine's own skills have nothing to look at, so that what was looked at before them stays.
    """
    was, to = live(before), live(now)
    skill = project.skill_by_id.get(to.skill or "")
    if skill is None or skill.bundled or to == was:
        return look
    return to if to.skill != was.skill or look == was else look


def live(state: State) -> Look:
    """The skill, or block, that is live; neither while routing picks one."""
    top = state.top
    return Look(top.skill_id, top.block_id) if top is not None else Look()
