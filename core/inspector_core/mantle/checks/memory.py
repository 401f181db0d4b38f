"""Declared memory, and the steps that fill it (§3, §9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.checks.places import ahead, key
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.gatelist import VALIDATES
from inspector_core.mantle.project import Field, Named, Skill, Step
from inspector_core.mantle.reading.bundled import BUNDLED
from inspector_core.source import Span

__all__ = ["findings", "of_project"]

_TYPES = ("text", "int", "float", "bool", "list", "json", "categorical", "any")
_TEXT = frozenset({"str", "string"})
"""Other words for `text`, which behave like it."""
_MEANT = {"boolean": "bool", "integer": "int", "number": "float", "array": "list", "object": "json", "dict": "json",
          "enum": "categorical", "double": "float"}  # fmt: skip


def findings(scene: Scene) -> Iterator[Finding]:
    """What is wrong with one skill's memory, and with the steps that write it."""
    for field in scene.skill.fields:
        yield from _field(scene, field)
        yield from _common(scene.known, field, scene.skill)
    for step in scene.steps:
        if step.kind == "collect" and step.target:
            yield from _collect(scene, step, step.target)
        for name in step.writes:
            yield from _write(scene, step, name)


def of_project(known: Known) -> Iterator[Finding]:
    """What is wrong with project memory."""
    for field in known.project.fields:
        if field.llm_settable:
            message = f"`{field.entry}` is project memory, which the model can't set"
            yield say("mantle.validation.memory.project_llm_settable", message, _key(known, field, "llm_settable"))
        if field.initial_value is not None:
            message = f"`{field.entry}` never gets its initial value: project memory starts empty"
            yield say("inspector.memory.initial-value-ignored", message, _key(known, field, "initial_value"))
        yield from _common(known, field, None)


def _field(scene: Scene, field: Field) -> Iterator[Finding]:
    if field.seed:
        message = f"`{field.entry}` belongs to a skill, and only project memory can be seeded"
        place = _key(scene.known, field, "seed")
        yield say("mantle.validation.memory.skill_seed", message, place, scene.skill)
    if scene.whole:
        yield from _description(scene, field)
        yield from _settable(scene, field)


def _description(scene: Scene, field: Field) -> Iterator[Finding]:
    """The model reads descriptions of what it can set, so those need one and no others have one."""
    skill, described = scene.skill, bool((field.description or "").strip())
    step = scene.collected.get(field.entry)
    asked = step is not None and bool((step.description or "").strip())
    if not scene.settable(field):
        if described:
            message = f"`{field.entry}` has a description, and the model can't set it"
            place = _key(scene.known, field, "description")
            yield say("mantle.validation.memory.description_not_exposed", message, place, skill)
    elif not (described or asked):
        message = f"`{field.entry}` needs a description: the model can set it"
        yield say("mantle.validation.memory.description_required", message, field.span, skill)
    elif described and asked and step is not None:
        message = f"the description of `{field.entry}` at this step wins over the one in memory.yml"
        place = key(scene.known.project.sources, step.span, "description") or step.span
        yield say("mantle.validation.memory.collect_description_overrides", message, place, skill)


def _settable(scene: Scene, field: Field) -> Iterator[Finding]:
    skill = scene.skill
    if field.initial_value is not None and field.entry in scene.collected and skill.id in BUNDLED:
        message = f"`{field.entry}` is collected and starts with a value, so it is never asked for"
        place = _key(scene.known, field, "initial_value")
        yield say("mantle.validation.memory.default_skill_collect_initial_value", message, place, skill)
    described = (field.description or "").strip() or field.entry in scene.collected
    unchecked = f"{VALIDATES}{field.entry}" not in scene.local and not scene.tools_unsure
    if field.llm_settable and described and unchecked:
        message = f"no tool checks what the model sets as `{field.entry}`"
        hint = f"add a tool `{VALIDATES}{field.entry}` if it can be wrong"
        code = "mantle.validation.settable_field.no_memory_validation_tool"
        yield say(code, message, field.span, skill, hint)


def _common(known: Known, field: Field, skill: Skill | None) -> Iterator[Finding]:
    """What can be wrong with an entry of either kind."""
    if field.type not in _TYPES and field.type not in _TEXT:
        message = f"`{field.type}` is no type of memory, so `{field.entry}` is taken for text"
        hint = _meant(field.type)
        yield say("inspector.memory.unknown-type", message, _value(known, field), skill, hint)
    if field.enum_values and field.type != "categorical":
        message = f"the values listed for `{field.entry}` have no effect: its type is `{field.type}`"
        place = _key(known, field, "enum_values")
        yield say("inspector.memory.enum-ignored", message, place, skill)
    if not field.entry.isidentifier():
        message = f"`{field.entry}` can't be written in a condition, so no gate can read it"
        yield say("inspector.memory.unnameable", message, field.span, skill)


def _collect(scene: Scene, step: Step, target: Named) -> Iterator[Finding]:
    field = scene.own_field(target.name)
    if field is None or field.owner not in (scene.skill.id, "project"):
        yield from _undeclared(scene, target.name, target.span, f"`{step.id}` collects")
    elif field.scope == "project":
        message = f"`{step.id}` collects `{field.entry}`, which is project memory"
        yield say("mantle.validation.memory.collect_on_project", message, target.span, scene.skill)


def _write(scene: Scene, step: Step, name: str) -> Iterator[Finding]:
    if scene.own_field(name) is None:
        place = key(scene.known.project.sources, step.span, name) or step.span
        yield from _undeclared(scene, name, place, f"`{step.id}` sets")


def _undeclared(scene: Scene, name: str, span: Span, role: str) -> Iterator[Finding]:
    if scene.memory_unsure or scene.known.reading(_full(scene, name), scene.skill) == "unsure":
        return
    hint = did_you_mean(name.rpartition(".")[2], tuple(scene.near_entries()))
    message = f"{role} `{name}`, which is not declared"
    yield say("mantle.validation.memory.undeclared_entry", message, span, scene.skill, hint)


def _full(scene: Scene, name: str) -> str:
    name = name.removeprefix("session.")
    return name if "." in name else f"{scene.skill.id}.{name}"


def _key(known: Known, field: Field, attribute: str) -> Span:
    """The attribute of an entry, to point at."""
    return key(known.project.sources, field.span, attribute) or field.span


def _value(known: Known, field: Field) -> Span:
    return ahead(known.project.sources, field.span, field.type) or field.span


def _meant(word: str) -> str:
    meant = _MEANT.get(word.lower())
    return f"write `{meant}`" if meant else did_you_mean(word, _TYPES) or f"use one of {', '.join(_TYPES)}"
