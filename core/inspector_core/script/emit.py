"""Values as YAML on one line, so that reading gives the same values back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from inspector_core.mantle.reading.scalars import CALM, ODD

__all__ = ["inline", "key", "words"]

_PLAIN = re.compile(r"[^\W\d_](?:[\w ,.'’!?/()+;€£$%&…–-]*[\w.!?)'…])?")
"""Texts that can stand in a line of their own without quotes."""
_SIMPLE = re.compile(r"[^\W\d](?:[\w ./-]*[\w/])?")
"""Texts that can stand anywhere without quotes, between brackets and as keys too."""
_UNSEEN = "\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\U000e0000-\U000e0fff"
"""What turns a line around or hides in it: it is written so that whoever reads the file sees it."""
_ESCAPED = re.compile(f'[\x00-\x1f"\\\\\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff{_UNSEEN}]')
_SHORT = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def words(text: str) -> str:
    """A text behind a key."""
    return text if _PLAIN.fullmatch(text) and not _taken(text) else _quoted(text)


def key(text: str) -> str:
    """A text as a key, or between brackets."""
    return text if _SIMPLE.fullmatch(text) and not _taken(text) else _quoted(text)


def inline(value: object, depth: int = 0) -> str:
    """Any value; what JSON has no form for becomes text, and what is nested deeper than a reader goes is left out."""
    if depth > _DEEPEST:
        return "null"
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return key(value)
        case int():
            return str(value) if value.bit_length() < _WIDEST else _quoted("a number too long to be written")
        case float():
            return _float(value)
        case Mapping():
            return "{" + ", ".join(f"{key(str(k))}: {inline(v, depth + 1)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(inline(v, depth + 1) for v in value) + "]"
        case _:
            return _quoted(str(value))


_WIDEST = 13_000
"""Bits of a whole number."""
_DEEPEST = 80


def _taken(text: str) -> bool:
    """Whether YAML has another meaning for the bare word."""
    return text in CALM or text in ODD


def _float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


def _quoted(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    """An escape that YAML reads back; a lone surrogate, which no file can hold, becomes the sign for what is lost."""
    char = match.group()
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    return _SHORT.get(char) or (f"\\u{ord(char):04X}" if char <= "\uffff" else f"\\U{ord(char):08X}")
