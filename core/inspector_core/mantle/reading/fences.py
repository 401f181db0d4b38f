"""Fences that are none: they, and the YAML below them, reach the model as text (§2.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inspector_core.classes import NamedTuple
from inspector_core.finding import did_you_mean
from inspector_core.mantle.reading.body import Prose
from inspector_core.mantle.reading.lines import lines_with
from inspector_core.source import Source, Span

__all__ = ["Stray", "strays"]

_NAME = re.compile(r"[\w-]*")
_ID = re.compile(r"id\s*[=:]\s*[\"']?([\w-]+)")


class Stray(NamedTuple):
    """A line that looks like a fence and isn't taken for one."""

    id: str | None
    """The id it seems to give to a block."""
    message: str
    hint: str
    span: Span


def strays(source: Source, prose: Prose) -> Iterator[Stray]:
    """The lines of a stretch of prose that look like fences; a closing one only where nothing above seems to open."""
    opened = False
    for begin, end in lines_with(source.text, ":::", prose.start, prose.end):
        line = source.text[begin:end].strip()
        if not line.startswith(":::"):
            continue
        rest = line[3:].strip()
        if rest or not opened:
            start = source.text.index(":::", begin)
            message, hint = _why(rest)
            name = _ID.search(rest)
            yield Stray(name[1] if name else None, message, hint, source.span(start, start + len(line)))
        opened = bool(rest)


def _why(rest: str) -> tuple[str, str]:
    if not rest:
        return "this `:::` closes nothing, and reaches the model as text", "remove it, or open a block above it"
    word = _NAME.match(rest)
    name = word[0] if word else ""
    if name != "ordered_block":
        message = f"`:::{name}` opens nothing; it reaches the model as text, with what is below it"
        return message, did_you_mean(name, ("ordered_block",)) or "a block opens with `:::ordered_block id=main`"
    rest = rest.removeprefix(name).strip()
    if re.fullmatch(r"(?:id=[\w-]+)?", rest):
        message = "this block is never closed, so it reaches the model as text"
        return message, "close it with a line of `:::` alone, without any space before it"
    if re.match(r"id=[\"']", rest):
        return "a quoted id makes this no fence, so the block reaches the model as text", "write the id without quotes"
    message = f"`{rest}` is no id, or more than one, so this is no fence and the block reaches the model as text"
    return message, "write `:::ordered_block id=main`, and nothing after it"
