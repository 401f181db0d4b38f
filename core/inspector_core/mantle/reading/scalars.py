"""YAML 1.1 scalars: what a plain word is read as, exactly as the engine's safe loading reads it."""

from __future__ import annotations

import re
from base64 import decodebytes
from binascii import Error as Base64Error
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TypeVar

from inspector_core.mantle.reading.words import clip

__all__ = ["CALM", "NUMERIC", "ODD", "SPECIAL", "TELLING", "Unreadable", "by_tag", "plain", "surprise"]

SPECIAL = frozenset(("<<", "="))
"""Plain words that are legal as keys only."""

NUMERIC = frozenset("-+.0123456789")
"""What a plain number or date starts with."""

Number = TypeVar("Number", int, float)

_TRUE_FALSE: dict[str, object] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_YES_NO: dict[str, object] = {
    form: meaning
    for words, meaning in ((("yes", "on"), True), (("no", "off"), False))
    for word in words
    for form in (word, word.capitalize(), word.upper())
}
CALM: dict[str, object] = {**_TRUE_FALSE, "": None, "~": None, "null": None, "Null": None, "NULL": None}
"""Plain words that are no text, and surprise nobody."""

ODD = frozenset((*_YES_NO, *SPECIAL))
"""Plain words that are no text, or not everywhere, and need a closer look."""

TELLING = NUMERIC | {word[0] for word in (*CALM, *ODD) if word}
"""A plain word that starts with none of these is a text."""

_FLOAT = re.compile(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_INT = re.compile(
    r"[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?"
    r"(?:[ \t]*(?:(Z)|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?)?"
)
_OCTAL = re.compile(r"[-+]?0[0-7_]+")
_LOST_ZERO = re.compile(r"[-+]?[0-9]+\.[0-9]+0")
_LONGEST_INTEGER, _WIDEST_INTEGER = 4000, 13_000
"""Characters and bits. Python refuses to print integers not much longer than this."""


class Unreadable(Exception):
    """A scalar the engine's loader refuses, or one past our bounds; never leaves the reader."""


def plain(text: str) -> object:
    """What an unquoted scalar reads as; raises `Unreadable` where the engine's loader would fail."""
    if text in CALM:
        return CALM[text]
    if text in _YES_NO:
        return _YES_NO[text]
    if text[0] not in NUMERIC:
        return text
    if _FLOAT.fullmatch(text):
        return _float(text)
    if _INT.fullmatch(text):
        return _int(text)
    if _DATE.fullmatch(text) or ((match := _TIMESTAMP.fullmatch(text)) and match[4]):
        return _timestamp(text)
    return text


def by_tag(tag: str, text: str) -> object:
    """What a scalar with one of YAML's own tags (`int`, `str`, …) reads as."""
    try:
        return _BY_TAG[tag](text)
    except KeyError:
        raise Unreadable(f"the tag `!!{tag}` does not fit `{text}`") from None


def surprise(text: str, value: object) -> bool:
    """Whether an author may have meant the words themselves, not what YAML 1.1 makes of them."""
    match value:
        case bool():
            return text in _YES_NO
        case int():
            return ":" in text or bool(_OCTAL.fullmatch(text))
        case float():
            return ":" in text or bool(_LOST_ZERO.fullmatch(text))
        case date():
            return True
        case _:
            return False


def _refuse(text: str, kind: str) -> Unreadable:
    return Unreadable(f"`{clip(text)}` looks like a {kind} and is none")


def _sign(text: str) -> tuple[int, str]:
    text = text.replace("_", "")
    return (-1 if text.startswith("-") else 1), text[1:] if text[:1] in ("-", "+") else text


def _int(text: str) -> int:
    sign, digits = _sign(text)
    try:
        value = _magnitude(digits) if len(digits) <= _LONGEST_INTEGER else None
    except ValueError:
        raise _refuse(text, "number") from None
    if value is None or value.bit_length() > _WIDEST_INTEGER:
        raise Unreadable("a number of this length is not read")
    return sign * value


def _magnitude(digits: str) -> int:
    if digits.startswith(("0b", "0x")):
        return int(digits[2:], 2 if digits[1] == "b" else 16)
    if digits.startswith("0"):
        return int(digits, 8)
    return _base_sixty([int(part) for part in digits.split(":")])


def _float(text: str) -> float:
    sign, digits = _sign(text.lower())
    try:
        if digits in (".inf", ".nan"):
            return sign * float(digits[1:])
        return sign * _base_sixty([float(part) for part in digits.split(":")])
    except ValueError:
        raise _refuse(text, "number") from None


def _base_sixty(parts: list[Number]) -> Number:
    """Summed from the last part on, as the engine does, so that fractions round alike."""
    total, base = parts[-1], 60
    for part in parts[-2::-1]:
        total, base = total + part * base, base * 60
    return total


def _timestamp(text: str) -> date | datetime:
    match = _TIMESTAMP.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        return _moment(match) if match[4] else date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        raise _refuse(text, "date") from None


def _moment(match: re.Match[str]) -> datetime:
    year, month, day, hour, minute, second = (int(match[n]) for n in range(1, 7))
    fraction = int((match[7] or "0")[:6].ljust(6, "0"))
    zone = UTC if match[8] else None
    if match[9]:
        offset = timedelta(hours=int(match[10]), minutes=int(match[11] or 0))
        zone = timezone(-offset if match[9] == "-" else offset)
    return datetime(year, month, day, hour, minute, second, fraction, tzinfo=zone)


def _binary(text: str) -> bytes:
    try:
        return decodebytes(text.encode("ascii"))
    except (UnicodeEncodeError, Base64Error):
        raise Unreadable("this is no base64 text") from None


_BY_TAG: dict[str, Callable[[str], object]] = {
    "null": lambda text: None,
    "bool": lambda text: {**_TRUE_FALSE, **_YES_NO}[text.lower()],
    "int": _int,
    "float": _float,
    "binary": _binary,
    "timestamp": _timestamp,
    "str": str,
}
