"""Prose and step instructions: conditions of paragraphs, and the names written in them (§2.3, §2.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.checks.places import part, word
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.reading.places import Cursor
from inspector_core.mantle.reading.tokens import TokenKind, matches
from inspector_core.source import Span

__all__ = ["findings", "texts"]

_SESSION = re.compile(r"(?<![\w@.-])session\.[\w-]+\.[\w-]+")
_WORDS = re.compile(r"[\w-]+")
_WORD = re.compile(r"(?<![\w@./-])[\w-]+(?![\w-]|\.\w)")


def findings(scene: Scene) -> Iterator[Finding]:
    """Everything about the words that one skill's model is given."""
    yield from _conditions(scene)
    yield from _skills(scene)
    yield from _memory(scene)
    for text, span, prose in texts(scene):
        yield from _tokens(scene, text, span, prose)
        yield from _session(scene, text, span)
    yield from _bare(scene)


def texts(scene: Scene) -> Iterator[tuple[str, Span, bool]]:
    """Every text with its place, and whether it is prose: what a step instructs knows fewer tokens (§2.4)."""
    for paragraph in scene.skill.paragraphs:
        if not scene.known.refused(paragraph.span):
            yield paragraph.text, paragraph.span, True
    for step in scene.steps:
        if step.instructions:
            yield step.instructions, step.instructions_span or step.span, False


def _conditions(scene: Scene) -> Iterator[Finding]:
    for paragraph in scene.skill.paragraphs:
        if paragraph.condition is not None:
            span = paragraph.condition_span or paragraph.span
            yield from _condition(scene, paragraph.condition, span)


def _condition(scene: Scene, condition: Condition, span: Span) -> Iterator[Finding]:
    sources, problem = scene.known.project.sources, condition.problem
    if problem is not None:
        span = part(sources, span, condition.text, problem.start, problem.end)
        code = "mantle.validation.prose.invalid_if_expression"
        yield say(code, f"this `if:` can't be parsed: {problem.message}", span, scene.skill, problem.hint)
        return
    for key in condition.keys:
        if trouble := scene.trouble(key):
            place = word(sources, span, f"session.{key}")
            message, hint = trouble
            yield say("mantle.validation.prose.unknown_memory_key", message, place, scene.skill, hint)


def _skills(scene: Scene) -> Iterator[Finding]:
    for named in scene.skill.referenced_skills:
        target = scene.known.project.skill_by_id.get(named.name)
        if target is not None and target.hidden:
            message = f"`{named.name}` is hidden, so the model can't start it"
            yield say("skill.prose.hidden_skill_reference", message, named.span, scene.skill)
        elif not scene.known.skill(named.name):
            message, hint = f"there is no skill `{named.name}`", scene.known.close_skill(named.name)
            yield say("skill.referenced.invalid_target", message, named.span, scene.skill, hint)


def _memory(scene: Scene) -> Iterator[Finding]:
    for named in scene.skill.referenced_memory:
        if trouble := scene.trouble(named.name, "@memory."):
            message, hint = trouble
            yield say("mantle.validation.prose.unknown_memory_reference", message, named.span, scene.skill, hint)


def _tokens(scene: Scene, text: str, span: Span, prose: bool) -> Iterator[Finding]:
    """References that name nothing, or one name too many; and in a step, those that only prose knows."""
    place_of = _placer(scene, text, span)
    for match in matches(text):
        written = text[match.start : match.end]
        if prose or match.kind in ("tool", "memory"):
            if not match.complete:
                yield _incomplete(scene, match.kind, written, place_of(match.start, match.end))
        elif match.complete:
            place = place_of(match.start, match.end)
            message = f"`{written}` is only text here: it counts in prose, not in what a step instructs"
            yield say("inspector.prose.token-in-step", message, place, scene.skill)


def _placer(scene: Scene, text: str, span: Span) -> Callable[[int, int], Span]:
    """Finds the places of parts that come in order, each from where the one before was, not from the start."""
    cursors: list[Cursor] = []

    def place(start: int, end: int) -> Span:
        source = scene.known.project.sources.get(span.path)
        if source is None:
            return span
        if not cursors:
            cursors.append(Cursor(source, span, text))
        return cursors[0].part(start, end)

    return place


def _incomplete(scene: Scene, kind: TokenKind, written: str, place: Span) -> Finding:
    if kind == "memory":
        message = f"`{written}` does not name a skill and one entry of it"
        return say("mantle.validation.prose.incomplete_memory_reference", message, place, scene.skill)
    message = f"`{written}` does not name one {kind}"
    hint = f"write `@{kind}.<{'name' if kind == 'tool' else 'id'}>`"
    return say("mantle.validation.prose.incomplete_at_reference", message, place, scene.skill, hint)


def _session(scene: Scene, text: str, span: Span) -> Iterator[Finding]:
    place_of = _placer(scene, text, span)
    for match in _SESSION.finditer(text) if "session." in text else ():
        written = match[0]
        place = place_of(match.start(), match.end())
        message = f"`{written}` stays as it is written: instructions read memory by `@memory`"
        hint = f"write `@memory.{written.removeprefix('session.')}`"
        yield say("mantle.validation.prose.session_reference_in_instructions", message, place, scene.skill, hint)


def _bare(scene: Scene) -> Iterator[Finding]:
    """Other skills' ids as plain words, each at its first place; prose alone is looked at."""
    told = {scene.skill.id}
    for paragraph in scene.skill.paragraphs:
        if scene.known.project.skill_by_id.keys().isdisjoint(_WORDS.findall(paragraph.text)):
            continue
        for match in _WORD.finditer(paragraph.text):
            name = match[0]
            if name in told or name not in scene.known.project.skill_by_id:
                continue
            told.add(name)
            place = part(scene.known.project.sources, paragraph.span, paragraph.text, match.start(), match.end())
            message = f"`{name}` is a skill, and without `@skill.` only a word here"
            hint = f"write `@skill.{name}` if the model should hand over to it"
            yield say("skill.prose.bare_skill_mention", message, place, scene.skill, hint)
