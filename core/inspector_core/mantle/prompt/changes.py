"""What is another in one prompt than in the other: what the model would see if a key held another value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.events import AuthorCleared, AuthorSet
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.project import Project
from inspector_core.mantle.prompt.build import as_if, prompt
from inspector_core.mantle.prompt.parts import Offer, Passage, Prompt
from inspector_core.mantle.stubs import sample
from inspector_core.mantle.values import choices
from inspector_core.source import Span

__all__ = ["Difference", "Flip", "differences", "flips"]

Part = Literal["target", "text", "skill", "memory", "pending", "tool"]


class Difference(NamedTuple):
    """One thing that is in one prompt only, or is another there."""

    part: Part
    change: Literal["appears", "goes", "changes"]
    name: str
    """The paragraph's beginning, the entry, the tool, the skill."""
    before: str = ""
    after: str = ""
    """For a change: the two texts, or what is added to a tool's arguments and what is taken away."""
    span: Span | None = None


class Flip(NamedTuple):
    """A value that a key could hold instead, and what would be another then."""

    value: object
    """`None`: unset."""
    differences: tuple[Difference, ...]


def differences(before: Prompt, after: Prompt) -> tuple[Difference, ...]:
    """Everything that differs, in the order of the prompt's parts."""
    return tuple(_differences(before, after))


Place = tuple[str | None, str | None]
"""A skill and one of its blocks; without a skill, routing."""


def flips(project: Project, state: State, key: str, at: Place | None = None) -> tuple[Flip, ...]:
    """For each other value of a key, what the prompt would be; `at`: as though that skill or block were active.

    Where the values can't be listed, unset stands against a sample.
    """
    present = state.memory.get(key)
    base = prompt(project, _placed(project, state, at))
    found: list[Flip] = []
    for value in _others(project, key, present):
        event = AuthorCleared(key) if value is None else AuthorSet(key, value)
        flipped, _ = step(project, state, event)
        found.append(Flip(value, differences(base, prompt(project, _placed(project, flipped, at)))))
    return tuple(found)


def _placed(project: Project, state: State, at: Place | None) -> State:
    return state if at is None else as_if(project, state, *at)


def _others(project: Project, key: str, present: object) -> list[object]:
    field = project.field_by_key.get(key)
    options = choices(field) if field is not None else (None, True, False)
    if options is None:
        options = (None, sample(field)) if present is None else (None,)
    return [o for o in options if type(o) is not type(present) or o != present]


# -- parts ---------------------------------------------------------------------------------------------------------


def _differences(before: Prompt, after: Prompt) -> Iterator[Difference]:
    if before.target != after.target:
        yield Difference("target", "changes", "what is active", before.target or "routing", after.target or "routing")
    yield from _texts(_shown(before), _shown(after))
    yield from _listed(_catalogue(before), _catalogue(after), "skill")
    yield from _memory(before, after)
    yield from _pending(before, after)
    yield from _tools(before, after)


Texts = Mapping[object, Passage]


def _shown(made: Prompt) -> Texts:
    return {(p.kind, p.step, p.span): p for p in made.passages if p.shown}


def _texts(before: Texts, after: Texts) -> Iterator[Difference]:
    for place, passage in after.items():
        was = before.get(place)
        if was is None:
            yield Difference("text", "appears", passage.text, span=passage.span)
        elif was.text != passage.text:
            yield Difference("text", "changes", passage.written, was.text, passage.text, passage.span)
    for place, passage in before.items():
        if place not in after:
            yield Difference("text", "goes", passage.text, span=passage.span)


def _catalogue(made: Prompt) -> Mapping[str, Span]:
    return {c.skill: c.span for c in made.catalogue if c.listed}


def _listed(before: Mapping[str, Span], after: Mapping[str, Span], part: Part) -> Iterator[Difference]:
    yield from (Difference(part, "appears", name, span=span) for name, span in after.items() if name not in before)
    yield from (Difference(part, "goes", name, span=span) for name, span in before.items() if name not in after)


def _memory(before: Prompt, after: Prompt) -> Iterator[Difference]:
    was = {line.field.key: line for line in before.memory}
    now = {line.field.key: line for line in after.memory}
    for key, line in now.items():
        old = was.get(key)
        if old is None and line.text is not None:
            yield Difference("memory", "appears", key, after=line.text, span=line.field.span)
        elif old is not None and old.text != line.text:
            texts = ("unset" if old.text is None else old.text, "unset" if line.text is None else line.text)
            yield Difference("memory", "changes", key, *texts, line.field.span)
    for key, line in was.items():
        if key not in now and line.text is not None:
            yield Difference("memory", "goes", key, line.text, span=line.field.span)


def _pending(before: Prompt, after: Prompt) -> Iterator[Difference]:
    was, now = before.pending, after.pending
    if now is not None and was is None:
        yield Difference("pending", "appears", now.tool)
    elif was is not None and now is None:
        yield Difference("pending", "goes", was.tool)
    elif was is not None and now is not None and was.tool != now.tool:
        yield Difference("pending", "changes", "the confirmation that waits", was.tool, now.tool)


def _tools(before: Prompt, after: Prompt) -> Iterator[Difference]:
    was, now = ({o.tool: o for o in made.tools} for made in (before, after))
    for name, offer in now.items():
        if name not in was:
            yield Difference("tool", "appears", name, span=offer.verdict.gate_span or offer.verdict.span)
        elif was[name].schema != offer.schema:
            old, new = _properties(was[name]), _properties(offer)
            gone, added = ", ".join(_more(old, new)), ", ".join(_more(new, old))
            yield Difference("tool", "changes", name, gone, added, offer.verdict.span)
    for name, offer in was.items():
        if name not in now:
            yield Difference("tool", "goes", name, span=offer.verdict.gate_span or offer.verdict.span)


def _properties(offer: Offer) -> Mapping[str, object]:
    found = (offer.schema or {}).get("properties")
    return found if isinstance(found, Mapping) else {}


def _more(here: Mapping[str, object], there: Mapping[str, object]) -> Iterator[str]:
    """The arguments that only one schema has, and the values that an argument of both may be chosen from only here."""
    for name, schema in here.items():
        if name not in there:
            yield name
        else:
            yield from (value for value in _enum(schema) if value not in _enum(there[name]))


def _enum(schema: object) -> list[str]:
    values = schema.get("enum") if isinstance(schema, Mapping) else None
    return [str(v) for v in values] if isinstance(values, (list, tuple)) else []
