"""`name=value` as it is typed: JSON where it is JSON, else text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from json import JSONDecoder
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.project import Field
from inspector_core.tool import Tool

__all__ = ["Wrong", "as_declared", "assignments", "fitted", "read_value"]

_NAME: Final = re.compile(r"([^\s=]+)=")
_DECODER: Final = JSONDecoder()


class Wrong(NamedTuple):
    """A line, or a part of one, that can't be understood."""

    message: str


def assignments(text: str) -> dict[str, object] | Wrong:
    """`a=1 b="two words" c=[1,2] d={"k": 1}` as values; one JSON object is taken whole."""
    if text.lstrip().startswith("{"):
        value = read_value(text.strip())
        return value if isinstance(value, dict) else Wrong(f"`{text}` is no JSON object")
    found: dict[str, object] = {}
    for part in _parts(text):
        if isinstance(part, Wrong):
            return part
        found[part[0]] = part[1]
    return found


def _parts(text: str) -> Iterator[tuple[str, object] | Wrong]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        name = _NAME.match(text, at)
        if name is None:
            yield Wrong(f"`{text[at:].split()[0]}` is no name=value")
            return
        value, at = _value(text, name.end())
        if isinstance(value, Wrong):
            yield value
            return
        yield name[1], value


def _value(text: str, at: int) -> tuple[object | Wrong, int]:
    """The value that begins at an offset, and where it ends: a quoted text, JSON in brackets, or all up to a space."""
    opening = text[at : at + 1]
    if opening and opening in "[{":
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as problem:
            return Wrong(f"`{text[at:]}` is no JSON: {problem}"), len(text)
        return value, end
    if opening and opening in "\"'":
        end = _closing(text, at)
        if end < 0:
            return Wrong(f"`{text[at:]}`: no closing quotation"), len(text)
        return text[at + 1 : end].replace(f"\\{opening}", opening), end + 1
    word = text[at:].split(maxsplit=1)[0] if text[at:].strip() and not text[at].isspace() else ""
    return read_value(word), at + len(word)


def _closing(text: str, at: int) -> int:
    """Where the quotation that begins here ends; -1 where it doesn't."""
    end = text.find(text[at], at + 1)
    while end > 0 and text[end - 1] == "\\":
        end = text.find(text[at], end + 1)
    return end


def read_value(text: str) -> object:
    """A word as the JSON value that it is, else as the text itself."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def fitted(tool: Tool, arguments: Mapping[str, object]) -> dict[str, object]:
    """Typed arguments as the tool's schema has them: where it says string, `4821` is a text."""
    properties = tool.schema.get("properties")
    if not isinstance(properties, Mapping):
        return dict(arguments)
    texts = {n for n, s in properties.items() if isinstance(s, Mapping) and s.get("type") == "string"}
    return _texts(arguments, texts)


def as_declared(fields: Iterable[Field], values: Mapping[str, object]) -> dict[str, object]:
    """Typed values as a model would send them, which goes by the entries' types: `4821` for a text entry is a text."""
    return _texts(values, {field.entry for field in fields if field.type in ("text", "str", "categorical")})


def _texts(values: Mapping[str, object], names: set[str]) -> dict[str, object]:
    return {n: json.dumps(v) if n in names and isinstance(v, (bool, int, float)) else v for n, v in values.items()}
