"""What looks like something that nobody outside should read: addresses, numbers of cards and accounts, keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from inspector_core.classes import NamedTuple

__all__ = ["Found", "iban", "is_secret_name", "luhn", "secrets"]


class Found(NamedTuple):
    """Where in a text something stands that is not to be shown."""

    start: int
    end: int
    kind: str
    """What it is, as its placeholder says: `email`, `card`, …"""
    value: str
    """The same for all ways of writing it."""


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of those before it, as on every payment card."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return bool(digits) and total % 10 == 0


def iban(text: str) -> bool:
    """Whether the check digits of an account's number fit it."""
    turned = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _card(text: str) -> str | None:
    digits = _digits(text)
    return digits if 13 <= len(digits) <= 19 and luhn(digits) and len(set(digits)) > 1 else None


def _account(text: str) -> str | None:
    plain = re.sub(r"\s", "", text)
    return plain if 15 <= len(plain) <= 34 and iban(plain) else None


def _phone(text: str) -> str | None:
    digits = _digits(text)
    return digits if 8 <= len(digits) <= 15 else None


def _mixed(text: str) -> str | None:
    """A long word without any sense: no path, no name and no id that is made of words."""
    kinds = (any(c.isupper() for c in text), any(c.islower() for c in text), sum(c.isdigit() for c in text) > 2)
    return text if all(kinds) else None


def _same(text: str) -> str:
    return text


def _folded(text: str) -> str:
    return text.casefold()


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


_EMAIL = r"[\w.!#$%&'*+/=?^`{|}~-]"
_LABEL = r"[^\W_](?:[\w-]*[^\W_])?"
_ISSUED = r"gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|ASIA|AIza|ya29\.|npm_|hf_|dop_v1_"
_SAID = "api[_-]?key|password|passwd|secret|token"
_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], str | None]], ...] = (
    ("key", _re(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,30}-----)?"), _same),
    ("token", _re(r"(?<![\w-])eyJ[\w-]{5,}\.[\w-]{3,}(?:\.[\w-]*)?"), _same),
    ("token", _re(r"(?i:\bbearer\s+)(?=[\w.~+/-]{8})([\w.~+/-]+=*)"), _same),
    ("key", _re(r"(?<![\w-])(?:sk|pk|rk)[-_](?:[a-z]{2,8}[-_]){0,3}[A-Za-z0-9]{12,}"), _same),
    ("key", _re(rf"(?<![\w-])(?:{_ISSUED})[\w-]{{10,}}"), _same),
    ("key", re.compile(rf"(?i:\b(?:{_SAID})\s*[=:]\s*[\"']?)([^\s\"',;&}}\]<>]{{4,}})"), _same),
    ("email", re.compile(rf"(?<!{_EMAIL}){_EMAIL}+@{_LABEL}(?:\.{_LABEL})+"), _folded),
    ("iban", _re(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), _account),
    ("card", _re(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)"), _card),
    ("phone", _re(r"(?<![\w+])(?:\+|00)\d(?:[ ./-]?\(?\d\)?){7,14}(?!\w)"), _phone),
    ("phone", _re(r"(?<![\w.])(?:\(\d{2,5}\) ?|0\d{2,4}[ /-]|\d{3}[ .-])\d{3,4}[ .-]?\d{3,5}(?!\w)"), _phone),
    ("token", _re(r"(?<![\w+/=.-])[\w+/=-]{24,}(?![\w/])"), _mixed),
    ("token", _re(r"\b[0-9a-fA-F]{32,}\b"), _same),
)
"""Each kind with how it is written, and what makes it one; no pattern takes more than one look at any stretch."""
_NAMES = re.compile(
    r"(?:^|[_.-])(?:password|passwd|passphrase|passcode|secret|token|api_?key|private_?key|access_?key|authorization"
    r"|cookie|pin|otp|cvv|cvc|ssn|iban)$",
    re.IGNORECASE,
)
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def is_secret_name(name: str) -> bool:
    """Whether what stands under this name is a secret whatever it looks like."""
    return _NAMES.search(_SNAKE.sub("_", name)) is not None


def secrets(text: str) -> Iterator[Found]:
    """Everything in a text that looks like a secret; places may overlap."""
    for kind, pattern, value in _KINDS:
        for match in pattern.finditer(text):
            group = 1 if match.lastindex else 0
            found = value(match.group(group))
            if found is not None:
                yield Found(match.start(group), match.end(group), kind, found)
