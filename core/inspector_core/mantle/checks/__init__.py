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
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.checks.surroundings import recall, remember, surroundings
from inspector_core.mantle.project import Project, Skill

__all__ = ["check", "check_project", "check_skill"]

_OF_SKILL = (
    skills, flow, parameters, prose, memory, tools, imports, constraints, preconditions, responses, conditions, leaks,
)  # fmt: skip
_OF_PROJECT = (memory, tools, hooks, constraints, preconditions, responses, conditions)


def check(project: Project) -> tuple[Finding, ...]:
    """All findings: from reading, and from what was read; in order, each once. Never raises.

    A skill that a new reading took over, in surroundings that are as before, keeps its findings.
    """
    known = Known(project)
    found = [*project.findings, *_of_project(known)]
    around = surroundings(known)
    for skill in project.own_skills:
        kept = recall(skill, around)
        if kept is None:
            kept = _of_skill(Scene(skill, known))
            remember(skill, around, kept)
        found.extend(kept)
    return in_order(found)


def check_skill(project: Project, skill: Skill) -> tuple[Finding, ...]:
    """What one skill got wrong in what was read of it; the mistakes of reading it are its own findings."""
    return () if skill.bundled else _of_skill(Scene(skill, Known(project)))


def check_project(project: Project) -> tuple[Finding, ...]:
    """What is wrong outside the skills: in agent.yml, project memory, shared tools, and the root's responses."""
    return _of_project(Known(project))


def _of_skill(scene: Scene) -> tuple[Finding, ...]:
    return _fresh(scene.known, (f for subject in _OF_SKILL for f in subject.findings(scene)))


def _of_project(known: Known) -> tuple[Finding, ...]:
    return _fresh(known, (f for subject in _OF_PROJECT for f in subject.of_project(known)))


def _fresh(known: Known, found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Without those at a place where reading already found a mistake: one mistake, one finding."""
    return tuple(f for f in found if not known.refused(f.span))
