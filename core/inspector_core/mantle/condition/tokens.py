"""The small parts of a condition's text, for texts that can't be parsed: only enough to say what is wrong where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from inspector_core.classes import NamedTuple

__all__ = ["Kind", "Token", "tokens"]

Kind = Literal["text", "open", "note", "name", "number", "line", "space", "sign"]
"""`open`: text whose quote is never closed. `note`: a comment. `line`: a line break outside parentheses."""

_TOKEN: Final = re.compile(
    r"""(?P<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")
    |(?P<open>['"][^\n]*)
    |(?P<note>\#[^\n]*)
    |(?P<name>[^\W\d]\w*)
    |(?P<number>\d[\w.]*)
    |(?P<space>\\\r?\n|[^\S\n]+)
    |(?P<line>\n)
    |(?P<sign>===|!==|\{\{|\}\}|&&|\|\||\*\*|//|<<|>>|->|:=|==|!=|<=|>=|=<|=>|<>|\.\.+|.)""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """One small part, with its place."""

    kind: Kind
    text: str
    start: int
    depth: int
    """How many parentheses are open here."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(text: str) -> Iterator[Token]:
    """All of the text, in order; line breaks inside parentheses are mere space."""
    depth = 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        depth += word in ("(", "[", "{")
        depth += 2 * (word == "{{")
        yield Token(_kind(match.lastgroup, depth), word, match.start(), depth)
        depth -= word in (")", "]", "}")
        depth -= 2 * (word == "}}")


def _kind(group: str | None, depth: int) -> Kind:
    match group:
        case "text" | "open" | "note" | "name" | "number" | "space":
            return group
        case "line":
            return "line" if depth <= 0 else "space"
        case _:
            return "sign"
