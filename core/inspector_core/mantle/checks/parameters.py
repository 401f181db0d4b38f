"""Arguments of `execute_tool` steps: what is filled from memory, and what only looks so (§2.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.checks.places import word
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Step

__all__ = ["findings"]

_PATH = re.compile(r"session(?:\.[^\s.()]*)*")
_WHOLE = re.compile(r"session\.([^\s.()]+\.[^\s.()]+)")
_DEEPEST = 20


def findings(scene: Scene) -> Iterator[Finding]:
    """What is wrong with the arguments that one skill's steps pass."""
    for step in scene.steps:
        if step.kind != "execute_tool":
            continue
        for value in step.parameters.values():
            if isinstance(value, str):
                yield from _text(scene, step, value)
            else:
                yield from _nested(scene, step, value, _DEEPEST)


def _text(scene: Scene, step: Step, value: str) -> Iterator[Finding]:
    """A text that is exactly one path is filled from memory; spaces and parentheses around it do not matter."""
    inner = value.strip(" \t\n()")
    place = word(scene.known.project.sources, step.span, inner)
    whole = _WHOLE.fullmatch(inner)
    if whole is not None:
        if wrong := scene.trouble(whole[1]):
            yield say("mantle.validation.execute_step.unknown_memory_key", wrong[0], place, scene.skill, wrong[1])
    elif inner.startswith("session.") and _PATH.fullmatch(inner):
        message = f"`{inner}` looks like memory, and does not name a skill and one entry of it"
        yield say("mantle.validation.execute_step.invalid_session_parameter", message, place, scene.skill)
    elif "session." in inner and _evaluates(inner):
        message = f"`{inner}` is passed to the tool as this text: only a whole path is filled in"
        yield say("inspector.execute-step.literal", message, place, scene.skill)


def _nested(scene: Scene, step: Step, value: object, depth: int) -> Iterator[Finding]:
    """Texts inside lists and mappings are never filled in."""
    if isinstance(value, str):
        if _WHOLE.fullmatch(value.strip()):
            place = word(scene.known.project.sources, step.span, value)
            message = (
                f"`{value.strip()}` is passed to the tool as this text: inside a list or mapping nothing is filled in"
            )
            yield say("inspector.execute-step.literal", message, place, scene.skill)
    elif depth > 0 and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _nested(scene, step, item, depth - 1)


def _evaluates(text: str) -> bool:
    condition = parse(text)
    return condition.problem is None and bool(condition.keys)
