"""Conditions that the engine accepts unread, and those that mean something else than they seem to (§2.2, §4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from inspector_core.analysis.opens import never_opens
from inspector_core.analysis.trap import Trap
from inspector_core.analysis.traps import traps
from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Known, Scene, trouble
from inspector_core.mantle.checks.places import part, word
from inspector_core.mantle.checks.preconditions import satisfied_span
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.checks.sites import Site, sites, spoken
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.condition.pattern import numbered
from inspector_core.mantle.condition.tree import Illegal, Partial, walk
from inspector_core.mantle.project import Field, Scope, Skill
from inspector_core.source import Span

if TYPE_CHECKING:
    from inspector_core.mantle.condition.problem import Problem

__all__ = ["findings", "of_project"]

_NOWHERE = Span("", 1, 1, 1, 1)
_NEVER = {
    "gate": "`{}` can never be offered",
    "branch": "this way out of `{}` is never taken",
    "step": "`{}` is never done",
    "paragraph": "this paragraph never shows",
    "variant": "this variant of `{}` is never spoken",
    "trigger": "`{}` is never spoken",
    "completion": "`{}` can never be completed",
    "precondition": "`{}` is never satisfied",
}


def findings(scene: Scene) -> Iterator[Finding]:
    """What the conditions of one skill have in them that nobody tells their author."""
    for site in sites(scene):
        yield from _site(scene.known, site, scene.skill)


def of_project(known: Known) -> Iterator[Finding]:
    """The same for the preconditions of agent.yml and the responses of the root file."""
    for bound in known.project.agent.preconditions:
        condition = bound.satisfied_when
        if condition is not None:
            site = Site("precondition", condition, satisfied_span(known, bound, condition), bound.name)
            yield from _site(known, site, None)
    for response in known.project.responses:
        for site in spoken(response):
            yield from _site(known, site, None)


def _site(known: Known, site: Site, skill: Skill | None) -> Iterator[Finding]:
    """One mistake, one finding: what can't be parsed has no keys, and a key that is nothing explains the rest."""
    problem = site.condition.problem
    if problem is not None:
        if not site.parsed_at_train:
            yield _invalid(known, site, problem, skill)
        return
    wrong = [key for key in site.condition.keys if trouble(known, key, skill)]
    if wrong:
        if not site.keys_read_at_train:
            yield from (_key(known, site, key, skill) for key in wrong)
        return
    yield from _meaning(known, site, skill)


def _invalid(known: Known, site: Site, problem: Problem, skill: Skill | None) -> Finding:
    """What can't be parsed, and what comes of it; an incomplete path alone is an answer, though no useful one."""
    condition = site.condition
    place = part(known.project.sources, site.span, condition.text, problem.start, problem.end)
    nodes = tuple(walk(condition.tree))
    partial = next((n for n in nodes if isinstance(n, Partial)), None)
    if partial is not None and not any(isinstance(n, Illegal) for n in nodes):
        outcome = "true" if partial.value else "false"
        message = f"`{partial.value}` names no entry of memory, and counts as {outcome}"
        return say("inspector.gate.incomplete-path", message, place, skill, problem.hint)
    message = f"{_outcome(site, isinstance(condition.tree, Illegal))}: {problem.message}"
    return say("inspector.gate.invalid", message, place, skill, problem.hint)


def _outcome(site: Site, wholly: bool) -> str:
    """What an evaluation error comes to, which is certain only where the whole condition can't be parsed."""
    if site.breaks_the_turn:
        return f"the turn fails at `{site.subject}`" if wholly else f"the turn can fail at `{site.subject}`"
    return f"`{site.subject}` can never be offered" if wholly else f"`{site.subject}` is hidden by an error"


def _key(known: Known, site: Site, key: str, skill: Skill | None) -> Finding:
    message, hint = trouble(known, key, skill) or ("", None)
    unknown = known.reading(key, skill) in ("undeclared", "no such skill")
    code = "inspector.gate.unknown-key" if unknown else "inspector.gate.unreadable-key"
    place = word(known.project.sources, site.span, f"session.{key}")
    return say(code, f"{message}, so it always counts as unset", place, skill, hint)


def _meaning(known: Known, site: Site, skill: Skill | None) -> Iterator[Finding]:
    """Traps of the language; and a condition that nothing can make true, unless a trap says so already."""
    condition = site.condition
    known_as = known.project.field_by_key.get
    declared = tuple([_declared(known_as(key)) for key in condition.keys])
    if condition.pattern is not None and _is_sound(condition.pattern, declared):
        return
    found, why = _judged(condition, _fields(condition.keys, declared))
    for trap in found:
        place = part(known.project.sources, site.span, condition.text, trap.start, trap.end)
        yield say(trap.code, trap.message, place, skill, trap.hint)
    if why:
        message = f"{_NEVER[site.kind].format(site.subject)}: {why}"
        yield say("inspector.gate.never-opens", message, site.span, skill)


def _judged(condition: Condition, fields: Mapping[str, Field]) -> tuple[tuple[Trap, ...], str | None]:
    found = traps(condition, fields.get)
    return found, None if found else never_opens(condition, fields.get)


@lru_cache(maxsize=65_536)
def _is_sound(pattern: str, declared: tuple[_Declared, ...]) -> bool:
    """Whether there is nothing to tell of a condition: worked out once for all that differ in the names of keys."""
    keys = [numbered(at) for at in range(len(declared))]
    return _judged(parse(pattern), _fields(keys, declared)) == ((), None)


def _fields(keys: Sequence[str], declared: Sequence[_Declared]) -> Mapping[str, Field]:
    return {
        key: Field(key, as_.scope, as_.type, _NOWHERE, enum_values=as_.values)
        for key, as_ in zip(keys, declared, strict=True)
        if as_ is not None
    }


class _Shape(NamedTuple):
    """What a condition has an eye for in a field."""

    scope: Scope
    type: str
    values: tuple[object, ...] = ()
    kinds: tuple[str, ...] = ()
    """Of the values: `1` and `true` are equal, and not the same."""


_Declared = _Shape | None


def _declared(field: Field | None) -> _Declared:
    if field is None:
        return None
    values = tuple([v for v in field.enum_values if v is None or isinstance(v, str | int | float)])
    return _Shape(field.scope, field.type, values, tuple([type(v).__name__ for v in values]))
