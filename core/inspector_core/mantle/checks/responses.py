"""Responses: variants, buttons and placeholders, and steps that speak one that is missing (§1.3, §9.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.checks.buttons import buttons
from inspector_core.mantle.checks.known import Known, Scene, trouble
from inspector_core.mantle.checks.places import part, word
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.project import Named, Response, Skill, Variant

__all__ = ["findings", "of_project"]

_PLACEHOLDER = re.compile(r"\{(session\.[\w-]+\.[\w-]+|[^\W\d]\w*)\}")


def findings(scene: Scene) -> Iterator[Finding]:
    """What is wrong with one skill's responses, and with those that its steps speak."""
    for step in scene.steps:
        spoken = step.target if step.kind == "action" and step.target else None
        if spoken is not None and spoken.name.startswith("utter_"):
            yield from _missing(scene, spoken)
        if step.utterance is not None:
            yield from _missing(scene, step.utterance)
    for response in scene.skill.responses:
        yield from _response(scene.known, response, scene.skill)
        yield from _shadowed(scene, response)


def of_project(known: Known) -> Iterator[Finding]:
    """What is wrong with the responses of the root file."""
    for response in known.project.responses:
        yield from _response(known, response, None)


def _missing(scene: Scene, named: Named) -> Iterator[Finding]:
    known = scene.known
    if named.name in known.responses or known.responses_unsure:
        return
    message, hint = f"there is no response `{named.name}`", known.close_response(named.name)
    yield say("mantle.validation.response.missing", message, named.span, scene.skill, hint)


def _shadowed(scene: Scene, response: Response) -> Iterator[Finding]:
    """All names share one space: of two skills that define one, the later wins for both."""
    winner = scene.known.project.response_by_name.get(response.name, response)
    if winner is not response and winner.owner not in (None, scene.skill.id):
        message = f"this `{response.name}` is never spoken: `{winner.owner}` has one of the same name, and it wins"
        yield say("inspector.response.shadowed", message, response.span, scene.skill, "give one of them another name")


def _response(known: Known, response: Response, skill: Skill | None) -> Iterator[Finding]:
    yield from _defaults(response, skill)
    for variant in response.variants:
        yield from _variant(known, response, variant, skill)


def _defaults(response: Response, skill: Skill | None) -> Iterator[Finding]:
    """Conditioned variants need exactly one without a condition beside them; the first of several plain ones is all."""
    plain = [v for v in response.variants if v.condition is None]
    conditioned = len(plain) < len(response.variants)
    if conditioned and not plain:
        message = f"`{response.name}` may have nothing to say: every variant has a condition"
        yield say("mantle.validation.response.default_required", message, response.span, skill)
    elif conditioned and len(plain) > 1:
        message = f"`{response.name}` has {len(plain)} variants without a condition beside those with one"
        yield say("mantle.validation.response.multiple_defaults", message, plain[1].span, skill)
    elif len(plain) > 1:
        message = f"only the first variant of `{response.name}` is ever spoken: none has a condition"
        yield say("inspector.response.never-spoken", message, plain[1].span, skill)


def _variant(known: Known, response: Response, variant: Variant, skill: Skill | None) -> Iterator[Finding]:
    if not (variant.text or "").strip() and not variant.buttons and variant.button_source is None:
        message = f"`{response.name}` has a variant with nothing to say"
        place = variant.text_span or variant.span
        yield say("mantle.validation.response.empty_body", message, place, skill)
    yield from _condition(known, variant, skill)
    yield from buttons(known, response, variant, skill)
    yield from _placeholders(known, variant, skill)


def _condition(known: Known, variant: Variant, skill: Skill | None) -> Iterator[Finding]:
    condition, span = variant.condition, variant.condition_span or variant.span
    if condition is None:
        return
    if problem := condition.problem:
        place = part(known.project.sources, span, condition.text, problem.start, problem.end)
        message = f"this condition can't be parsed: {problem.message}"
        yield say("mantle.validation.response.invalid_condition", message, place, skill, problem.hint)
        return
    for key in condition.keys:
        if wrong := trouble(known, key, skill):
            place = word(known.project.sources, span, f"session.{key}")
            yield say("mantle.validation.response.unknown_memory_key", wrong[0], place, skill, wrong[1])


def _placeholders(known: Known, variant: Variant, skill: Skill | None) -> Iterator[Finding]:
    """What the engine never looks at: a name that stays in the text, in its braces."""
    for match in _PLACEHOLDER.finditer(variant.text or ""):
        wrong = _unfilled(known, match[1], skill)
        if wrong is not None:
            place = word(known.project.sources, variant.text_span or variant.span, match[0])
            message = f"`{match[0]}` is spoken as it is written: {wrong[0]}"
            yield say("inspector.response.unknown-placeholder", message, place, skill, wrong[1])


def _unfilled(known: Known, name: str, skill: Skill | None) -> tuple[str, str | None] | None:
    if "." in name:
        return trouble(known, name.removeprefix("session."), skill)
    if skill is None:
        near = tuple(known.by_entry)
        unsure = any(p.endswith("memory.yml") for p in known.unread)
    else:
        scene = Scene(skill, known)
        near, unsure = tuple(scene.near_entries()), scene.memory_unsure or "memory.yml" in known.unread
    if name in near or unsure:
        return None
    return f"`{name}` is not declared", did_you_mean(name, near)
