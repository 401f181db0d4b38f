"""References in prose and instructions: `@skill.x`, `@block.x`, `@tool.x`, `@memory.x.y` (§2.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, get_args

from inspector_core.classes import NamedTuple
from inspector_core.source import Source, Span

__all__ = ["Match", "Token", "TokenKind", "matches", "scan"]

TokenKind = Literal["skill", "block", "tool", "memory"]

_KINDS: dict[str, TokenKind] = {kind: kind for kind in get_args(TokenKind)}
_TOKEN = re.compile(r"@(?<!\w@)(skill|block|tool|memory)(?![\w-])((?:\.[\w-]++)*)")
"""Begins with the `@` itself, so that the search skips to one. No group is repeated possessively: up to Python 3.11.4
such a one takes in the beginning of a repetition that then fails."""


class Match(NamedTuple):
    """A reference in a text, with its offsets there."""

    kind: TokenKind
    name: str
    """What follows the kind and its dot; `<namespace>.<entry>` for memory; whatever is there where incomplete."""
    start: int
    end: int
    complete: bool
    """It names as many parts as its kind takes; one that does not is left in the prompt as it is."""


class Token(NamedTuple):
    """A reference where it stands in a file."""

    kind: TokenKind
    name: str
    span: Span
    complete: bool


def matches(text: str) -> Iterator[Match]:
    """All references, lookalikes included. A dot, bracket or star after one ends it."""
    for match in _TOKEN.finditer(text):
        kind, name = _KINDS[match[1]], match[2][1:]
        parts = match[2].count(".")
        yield Match(kind, name, match.start(), match.end(), parts == (2 if kind == "memory" else 1))


def scan(text: str, source: Source, offset: int) -> tuple[Token, ...]:
    """The references of a text that stands, character for character, at an offset of a source."""
    return tuple(
        Token(m.kind, m.name, source.span(offset + m.start, offset + m.end), m.complete) for m in matches(text)
    )
