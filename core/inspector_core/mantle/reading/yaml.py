"""YAML with positions: every value knows where it was written, and nothing in a file can run or explode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml
from yaml.reader import Reader

from inspector_core.mantle.reading.builder import Builder
from inspector_core.mantle.reading.nodes import Document, Node
from inspector_core.mantle.reading.report import Report
from inspector_core.source import Source

__all__ = ["Document", "Node", "load"]

_LOADER: Callable[[str], Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""libyaml where PyYAML was built with it, or else PyYAML's own parser, 20 times slower."""

_HINTS = (
    ("mapping values are not allowed", "put a text that contains `: ` in quotes"),
    ("cannot start any token", "put a text that starts with such a character in quotes; indent with spaces, not tabs"),
    ("could not find expected ':'", "a key needs a `:` and a space after it; a longer text needs more indentation"),
    ("quoted scalar", "a quote is opened and never closed, or one inside the text needs doubling"),
    ("did not find expected key", "check the indentation, and the quotes of the lines above"),
    ("did not find expected '-' indicator", "start each item of the list with `- `, all equally indented"),
)


def load(source: Source, start: int = 0, end: int | None = None) -> Document:
    """Read the YAML between two offsets of a source; never raises."""
    if source.text.startswith("\ufeff", start):
        start += 1
    text = source.text[start:end]
    report = Report(source)
    builder = Builder(report, start)
    try:
        builder.run(_LOADER(text).get_event)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        at, message = _stumble(error, source, start, text)
        hint = next((hint for part, hint in _HINTS if part in message), None)
        last = start + len(text.rstrip())  # what is missed at the end is missed behind the last character
        report.add("syntax", message, min(at, last), min(at + 1, last), hint)
        return Document(None, tuple(report.findings), builder.unfinished())
    return Document(builder.root, tuple(report.findings))


def _stumble(error: Exception, source: Source, start: int, text: str) -> tuple[int, str]:
    """Where the parser stumbled, and over what."""
    if not isinstance(error, yaml.MarkedYAMLError):
        match = Reader.NON_PRINTABLE.search(text)
        if match is None:
            return start, "this can't be read as YAML"
        return start + match.start(), f"the character U+{ord(match[0]):04X} may not stand in YAML"
    mark, context = error.problem_mark or error.context_mark, error.context or ""
    if error.context_mark is not None:
        context += f" that begins in line {source.position(start + error.context_mark.index)[0]}"
    return start + (mark.index if mark else 0), f"{error.problem or 'unreadable text'} {context}".strip()
