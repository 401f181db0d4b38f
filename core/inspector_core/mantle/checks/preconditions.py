"""Preconditions: a skill's, bound in `agent.yml` and resolved by another skill (§7.1)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.checks.places import ahead, part
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.project import Named, Precondition
from inspector_core.mantle.targets import binding
from inspector_core.source import Span

__all__ = ["findings", "of_project", "satisfied_span"]


def findings(scene: Scene) -> Iterator[Finding]:
    """A skill's precondition that agent.yml does not bind."""
    skill, known = scene.skill, scene.known
    wanted = skill.precondition
    if wanted is None or binding(known.project, skill) or known.agent_unsure:
        return
    names = tuple(p.name for p in known.project.agent.preconditions)
    message = f"`{wanted.name}` is no precondition of agent.yml"
    hint = did_you_mean(wanted.name, names)
    yield say("mantle.validation.precondition.missing_binding", message, wanted.span, skill, hint)


def of_project(known: Known) -> Iterator[Finding]:
    """What is wrong in the bindings, and in what resolves them."""
    used = {s.precondition.name for s in known.project.skills if s.precondition}
    for bound in known.project.agent.preconditions:
        if bound.satisfied_when is not None:
            yield from _syntax(known, bound, bound.satisfied_when)
        if bound.resolve_with is not None:
            yield from _resolver(known, bound, bound.resolve_with, bound.name in used)


def satisfied_span(known: Known, bound: Precondition, condition: Condition) -> Span:
    """Where `satisfied_when` is written."""
    return ahead(known.project.sources, bound.span, condition.text) or bound.span


def _syntax(known: Known, bound: Precondition, condition: Condition) -> Iterator[Finding]:
    problem = condition.problem
    if problem is None:
        return
    span = satisfied_span(known, bound, condition)
    span = part(known.project.sources, span, condition.text, problem.start, problem.end)
    message = f"`satisfied_when` of `{bound.name}` can't be parsed: {problem.message}"
    yield say("mantle.validation.precondition.invalid_satisfied_when", message, span, None, problem.hint)


def _resolver(known: Known, bound: Precondition, resolver: Named, used: bool) -> Iterator[Finding]:
    name = resolver.name
    skill = known.project.skill_by_id.get(name)
    if skill is None:
        if not known.skill(name):
            message, hint = f"`{name}`, which should resolve `{bound.name}`, is no skill", known.close_skill(name)
            yield say("mantle.validation.precondition.unknown_resolver", message, resolver.span, None, hint)
    elif used and skill.precondition is not None:
        code, message = _circle(known, bound, name, skill.precondition.name)
        yield say(code, message, resolver.span)


def _circle(known: Known, bound: Precondition, resolver: str, wanted: str) -> tuple[str, str]:
    """How the precondition of a resolver is wrong: it waits for itself, in a circle, or at all."""
    if wanted == bound.name:
        message = f"`{resolver}` would have to resolve its own precondition `{wanted}`"
        return "mantle.validation.precondition.self_resolve", message
    if bound.name in _chain(known, wanted):
        message = (
            f"`{bound.name}` waits for `{resolver}`, which waits for `{wanted}`, which comes back to `{bound.name}`"
        )
        return "mantle.validation.precondition.cycle", message
    message = f"`{resolver}`, which should resolve `{bound.name}`, waits for the precondition `{wanted}` itself"
    return "mantle.validation.precondition.nested_resolver", message


def _chain(known: Known, name: str) -> list[str]:
    """A precondition, and those that resolving it would need one after the other."""
    bindings = {p.name: p for p in known.project.agent.preconditions}
    chain: list[str] = []
    while name in bindings and name not in chain:
        chain.append(name)
        resolver = bindings[name].resolve_with
        skill = known.project.skill_by_id.get(resolver.name) if resolver else None
        if skill is None or skill.precondition is None:
            break
        name = skill.precondition.name
    else:
        chain.append(name)
    return chain
