"""The one sanitiser: no byte of anybody's files reaches a terminal, a log or a page unless it can be seen."""

from __future__ import annotations

import re

__all__ = ["HIDDEN", "harmless", "visible"]

HIDDEN = (
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"  # soft hyphen, joiners, Arabic marks
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # fillers: letters that show nothing
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ufffe\uffff"  # zero width, line ends, bidi
    "\ufe00-\ufe0d"  # variation selectors, but for the two that emoji need
    "\ud800-\udfff"  # lone surrogates
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"  # tags and further selectors: whole texts can hide in them
)
"""The inside of a character class: everything that acts, or that nobody can see."""

_EVERY = re.compile(f"[{HIDDEN}]")
_IN_LINES = re.compile(f"(?![\\n\\t])[{HIDDEN}]")

_ORDER = re.compile(r"^(?=\s*::)|##(?=\[|vso\[)")
"""How a line begins, or what it holds, when a build server that logs it takes it for a command."""


def visible(text: str, lines: bool = False) -> str:
    """The text with each such character replaced by a sign for it (`␛`, `⟨U+202E⟩`).

    With `lines`, line feeds and tabs stay what they are: for text that is shown over several lines.
    """
    if text.isascii() and text.isprintable():
        return text
    return (_IN_LINES if lines else _EVERY).sub(_sign, text)


def harmless(text: str) -> str:
    """One line for a terminal or a log: visible, and no order to a build server."""
    return _ORDER.sub(lambda m: "#⟨U+0023⟩" if m.group() else "⟨U+003A⟩", visible(text))


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
