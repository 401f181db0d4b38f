"""What a named response says: which variant, with which values in it (§1.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle import scope
from inspector_core.mantle.engine.payload import in_words
from inspector_core.mantle.project import Button, Project, Response, Variant
from inspector_core.mantle.reading.bundled import PACKAGED_RESPONSES
from inspector_core.proof import Truth

__all__ = ["Spoken", "choose", "fill", "keys_of", "render"]

_PLACE: Final = re.compile(r"\{(?:session\.([^\W\d]\w*)\.([^\W\d]\w*)|([^\W\d]\w*))\}")


class Spoken(NamedTuple):
    """A response as it would be spoken now."""

    name: str
    text: str
    buttons: tuple[Button, ...] = ()
    rephrase: bool = False
    """The engine has a model put the text into other words; ours is the text as written."""

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def render(project: Project, skill_id: str | None, name: str, memory: Mapping[str, object]) -> Spoken:
    """A response by its name; where there is no such response, or no variant fits, the name itself is spoken.

    Of those that the engine brings along, only the names are known, so that a mark stands for their text.
    """
    response = project.response_by_name.get(name)
    if response is None and name in PACKAGED_RESPONSES:
        return Spoken(name, f"[the engine's own text of {name}]")
    variant = choose(project, skill_id, response, memory) if response is not None else None
    if variant is None:
        return Spoken(name, name)
    text = fill(project, skill_id, variant.text or "", memory)
    return Spoken(name, text, variant.buttons, variant.rephrase)


def choose(project: Project, skill_id: str | None, response: Response, memory: Mapping[str, object]) -> Variant | None:
    """The first variant whose condition holds, else the first that has none; one that errors is passed over."""
    for variant in response.variants:
        condition = variant.condition
        if condition is None:
            continue
        if condition.truth(scope.view(project, skill_id, memory, condition)) is Truth.HOLDS:
            return variant
    return next((v for v in response.variants if v.condition is None), None)


def fill(project: Project, skill_id: str | None, text: str, memory: Mapping[str, object]) -> str:
    """A text with its placeholders replaced, once over; what is unset or can't be read stays as written."""

    def value(match: re.Match[str]) -> str:
        key = _key(project, skill_id, match)
        found = memory.get(key) if key is not None and scope.readable(project, skill_id, key) else None
        return match[0] if found is None else in_words(found)

    return _PLACE.sub(value, text)


def keys_of(project: Project, skill_id: str | None, name: str) -> Iterator[str]:
    """The keys on which it depends what a response says."""
    response = project.response_by_name.get(name)
    for variant in response.variants if response is not None else ():
        if variant.condition is not None:
            yield from variant.condition.keys
        for match in _PLACE.finditer(variant.text or ""):
            key = _key(project, skill_id, match)
            if key is not None:
                yield key


def _key(project: Project, skill_id: str | None, match: re.Match[str]) -> str | None:
    """`{session.a.b}` is `a.b`; a bare `{b}` is the skill's own entry, else the project's."""
    if match[3] is None:
        return f"{match[1]}.{match[2]}"
    field = scope.writable(project, skill_id, match[3])
    return field.key if field is not None else None
