"""Buttons: those that write memory, and those that a tool makes (§1.3, §3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.engine.coerce import SETS, Unfit, from_button, setting
from inspector_core.mantle.gatelist import every_gate
from inspector_core.mantle.project import Button, Named, Response, Skill, Variant

__all__ = ["buttons"]


def buttons(known: Known, response: Response, variant: Variant, skill: Skill | None) -> Iterator[Finding]:
    """What is wrong with the buttons of one variant."""
    for button in variant.buttons:
        if button.payload.startswith(SETS):
            yield from _setting(known, button, skill)
    if variant.button_source is not None:
        yield from _source(known, response, variant.button_source, skill)


def _setting(known: Known, button: Button, skill: Skill | None) -> Iterator[Finding]:
    asked = setting(button.payload)
    if asked is None:
        message = f"`{button.payload}` can't be parsed"
        yield say("mantle.validation.response.invalid_button_payload", message, button.span, skill)
        return
    key, text = asked
    field = known.project.field_by_key.get(key)
    if field is None or (skill is not None and field.owner not in (skill.id, "project")):
        yield from _foreign(known, button, key, skill)
        return
    value = from_button(field, text)
    if isinstance(value, Unfit):
        message = f"`{text}` is no value of `{field.entry}`, which is {value.wanted}"
        yield say("mantle.validation.response.invalid_set_memory_value", message, button.span, skill)


def _foreign(known: Known, button: Button, key: str, skill: Skill | None) -> Iterator[Finding]:
    match known.reading(key, None):
        case "unsure":
            return
        case "readable":
            message, hint = f"a button can't write `{key}`: it is another skill's memory", None
        case _:
            message, hint = f"a button writes `{key}`, which is not declared", known.close_key(key, skill)
    yield say("mantle.validation.response.not_writable_memory_key", message, button.span, skill, hint)


def _source(known: Known, response: Response, source: Named, skill: Skill | None) -> Iterator[Finding]:
    if skill is None:
        if not _bound(known, response.name, source.name):
            message = f"no skill says whose `{source.name}` makes these buttons"
            yield say("mantle.validation.response.unbound_button_source", message, source.span)
        return
    scene = Scene(skill, known)
    if source.name in scene.local:
        if any(g.tool == source.name and g.confirmation and g.confirmation.enabled for g in every_gate(skill)):
            message = f"`{source.name}` asks for a confirmation, so it can't make buttons"
            yield say("mantle.validation.response.confirming_button_source_tool", message, source.span, skill)
    elif any(i.name == source.name and i.server for i in skill.imports):
        message = f"`{source.name}` is a tool of a server, and only the skill's own can make buttons"
        yield say("mantle.validation.response.mcp_button_source_tool", message, source.span, skill)
    elif not scene.tools_unsure:
        message = f"`{source.name}` is no tool of `{skill.id}`"
        yield say("mantle.validation.response.unknown_button_source_tool", message, source.span, skill)


def _bound(known: Known, response: str, tool: str) -> bool:
    """Whether a skill that speaks a response of the root file has the tool that makes its buttons."""
    return any(_speaks(s, response) and any(t.name == tool for t in s.tools) for s in known.project.own_skills)


def _speaks(skill: Skill, response: str) -> bool:
    named = [n for b in skill.blocks for s in b.steps for n in (s.target, s.utterance)]
    named += [t.response for t in skill.triggers]
    named += [n for g in every_gate(skill) for n in (g.on_success, g.on_failure)]
    asked = [g.confirmation for g in every_gate(skill) if g.confirmation]
    named += [n for rule in asked for n in (rule.ask, rule.denial)]
    return any(n is not None and n.name == response for n in named)
