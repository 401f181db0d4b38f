"""After a save that broke a file: the new reading, with the last good values in the place of what broke."""

from __future__ import annotations

from dataclasses import replace

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.project import Project, Skill

__all__ = ["keep_last_good"]


def keep_last_good(good: Project, new: Project) -> tuple[Project, tuple[Finding, ...]]:
    """The project to play on, and the findings that made a part of it older than its files; none: all is as saved.

    A skill counts as broken by a save when reading it gives an error it didn't give before. So a folder that was broken
    from the start is shown as it is, and a skill that comes back whole replaces the one that was kept.
    """
    skills, blamed = [], []
    for skill in new.skills:
        errors = _new_errors(good, skill)
        blamed += errors
        skills.append(good.skill_by_id[skill.id] if errors else skill)
    shared = _project_errors(good, new)
    if good.own_skills and not new.own_skills and shared:
        return good, tuple(shared)
    if not blamed and not shared:
        return new, ()
    kept = replace(new, skills=tuple(skills))
    if shared:
        kept = replace(
            kept, agent=good.agent, fields=good.fields, responses=good.responses, shared_tools=good.shared_tools,
            servers=good.servers,
        )  # fmt: skip
    return kept, tuple(blamed + shared)


def _new_errors(good: Project, skill: Skill) -> list[Finding]:
    before = good.skill_by_id.get(skill.id)
    if before is None or before is skill or before.bundled:
        return []
    return _added(before.findings, skill.findings)


def _project_errors(good: Project, new: Project) -> list[Finding]:
    def own(project: Project) -> tuple[Finding, ...]:
        return tuple(f for f in project.findings if f.skill is None and not f.span.path.startswith("skills/"))

    return _added(own(good), own(new))


def _added(before: tuple[Finding, ...], after: tuple[Finding, ...]) -> list[Finding]:
    known = {(f.code, f.message) for f in before}
    return [f for f in after if f.severity is Severity.ERROR and (f.code, f.message) not in known]
