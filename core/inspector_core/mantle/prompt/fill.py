"""`@memory` tokens in a text for the model, and values as the model sees them (§2.4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.engine.payload import as_json, in_words
from inspector_core.mantle.project import Field, Project
from inspector_core.mantle.prompt.parts import Filled
from inspector_core.mantle.reading.tokens import matches

__all__ = ["MOST", "TRUNCATED", "fill", "value_text"]

MOST: Final = 100
"""So many characters of a value are shown."""
TRUNCATED: Final = "... [truncated]"
"""What the engine puts after them."""
_SPACE: Final = re.compile(r"\s+")


def value_text(value: object, pii: bool = False) -> str:
    """A value that is set, as it stands in a prompt: text as it is, numbers as Python writes them, the rest as JSON."""
    if pii:
        return "[set]"
    match value:
        case str():
            text = value
        case bool() | int() | float():
            text = in_words(value)
        case _:
            text = as_json(value)
    text = _SPACE.sub(" ", text)
    return text if len(text) <= MOST else text[:MOST] + TRUNCATED


def fill(
    project: Project, skill_id: str | None, text: str, memory: Mapping[str, object]
) -> tuple[str, tuple[Filled, ...]]:
    """A text with its tokens replaced by what memory holds now; what is unset or can't be read stays as written."""
    if "@memory" not in text:
        return text, ()
    parts: list[str] = []
    filled: list[Filled] = []
    at = length = 0
    for match in matches(text):
        if match.kind != "memory" or not match.complete:
            continue
        value, why = _value(project, skill_id, match.name, memory)
        shown = text[match.start : match.end] if value is None else value
        parts += [text[at : match.start], shown]
        start = length + match.start - at
        length, at = start + len(shown), match.end
        filled.append(Filled(match.name, value, why, start, length))
    return "".join([*parts, text[at:]]), tuple(filled)


def _value(
    project: Project, skill_id: str | None, key: str, memory: Mapping[str, object]
) -> tuple[str | None, str]:  # fmt: skip
    field = project.field_by_key.get(key)
    if field is None:
        return None, f"no file declares `{key}`"
    if not scope.readable(project, skill_id, key):
        return None, f"`{key}` is private to `{field.owner}`"
    value = memory.get(key)
    return (None, f"`{key}` is unset") if value is None else (value_text(value, field.pii), "")


def line_text(field: Field, memory: Mapping[str, object]) -> str | None:
    """An entry's value as the model sees it; `None` where it is unset."""
    value = memory.get(field.key)
    return None if value is None else value_text(value, field.pii)
