"""What one skill's findings depend on besides its own files: the names and declarations of everything around it."""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Known
from inspector_core.mantle.project import Skill

__all__ = ["Surroundings", "recall", "remember", "surroundings"]


class Surroundings(NamedTuple):
    """Equal for two projects in which an unchanged skill has the same findings."""

    skills: tuple[tuple[str, bool, bool], ...]
    fields: tuple[tuple[str, str, str, str], ...]
    responses: tuple[tuple[str, str | None], ...]
    button_sources: tuple[str, ...]
    shared: tuple[str, ...]
    servers: tuple[str, ...]
    preconditions: tuple[str, ...]
    unread: frozenset[str]
    unsure: tuple[bool, bool]


def surroundings(known: Known) -> Surroundings:
    """Those of a project; equal ones are the same object, so that comparing them costs nothing."""
    project = known.project
    variants = (v for r in project.responses for v in r.variants)
    return _first_of_its_kind(
        Surroundings(
            tuple((s.id, s.hidden, s.bundled) for s in project.skills),
            tuple((f.key, f.scope, f.type, repr(f.enum_values)) for f in project.field_by_key.values()),
            tuple((r.name, r.owner) for r in project.response_by_name.values()),
            tuple(v.button_source.name for v in variants if v.button_source),
            tuple(known.shared),
            tuple(s.name for s in project.servers),
            tuple(p.name for p in project.agent.preconditions),
            known.unread,
            (known.agent_unsure, known.servers_unsure),
        )
    )


@lru_cache(maxsize=4)
def _first_of_its_kind(found: Surroundings) -> Surroundings:
    return found


_DONE: WeakKeyDictionary[Skill, tuple[Surroundings, tuple[Finding, ...]]] = WeakKeyDictionary()
"""Findings of skills that some project still holds; reading anew keeps a skill whose files did not change."""


def recall(skill: Skill, around: Surroundings) -> tuple[Finding, ...] | None:
    """What was found of this very skill in such surroundings."""
    done = _DONE.get(skill)
    return done[1] if done is not None and done[0] is around else None


def remember(skill: Skill, around: Surroundings, found: tuple[Finding, ...]) -> None:
    """Keep what was found, for as long as the skill lives."""
    _DONE[skill] = (around, found)
