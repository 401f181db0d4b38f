"""What is wrong with an agent's folder before anyone talks to it: what the engine refuses, and what it misses."""

from __future__ import annotations

from collections.abc import Iterable

from inspector_core.finding import Finding, in_order
from inspector_core.mantle.checks import (
    conditions,
    constraints,
    flow,
    hooks,
    imports,
    leaks,
    memory,
    parameters,
    preconditions,
    prose,
    responses,
    skills,
    tools,
)
from inspector_core.mantle.checks.catalogue import CATALOGUE, Entry
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.project import Project, Skill

__all__ = ["CATALOGUE", "Entry", "check", "check_project", "check_skill"]

_OF_SKILL = (
    skills, flow, parameters, prose, memory, tools, imports, constraints, preconditions, responses, conditions, leaks,
)  # fmt: skip
_OF_PROJECT = (memory, tools, hooks, constraints, preconditions, responses, conditions)


def check(project: Project) -> tuple[Finding, ...]:
    """All findings: from reading, and from what was read; in order, each once. Never raises."""
    known = Known(project)
    found = [*project.findings, *check_project(project, known)]
    for skill in project.own_skills:
        found.extend(check_skill(project, skill, known))
    return in_order(found)


def check_skill(project: Project, skill: Skill, known: Known | None = None) -> tuple[Finding, ...]:
    """What one skill got wrong in what was read of it; the mistakes of reading it are its own findings."""
    if skill.bundled:
        return ()
    known = known or Known(project)
    scene = Scene(skill, known)
    return _fresh(known, (finding for subject in _OF_SKILL for finding in subject.findings(scene)))


def check_project(project: Project, known: Known | None = None) -> tuple[Finding, ...]:
    """What is wrong outside the skills: in agent.yml, project memory, shared tools, and the root's responses."""
    known = known or Known(project)
    return _fresh(known, (finding for subject in _OF_PROJECT for finding in subject.of_project(known)))


def _fresh(known: Known, found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Without those at a place where reading already found a mistake: one mistake, one finding."""
    return tuple(f for f in found if not known.refused(f.span))
