"""Values and names in the author's words, and how two values compare."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from inspector_core.mantle.condition.tree import Path

__all__ = ["RAISED", "clash", "kind_of", "literal", "names_for", "ordered", "spoken"]

RAISED: Final = (TypeError, ValueError, ArithmeticError, RecursionError)
"""What a comparison of two values can raise; each is an evaluation error to the engine."""

_WIDTH: Final = 40
_OPERATIONS: Final[Mapping[str, Callable[[Any, Any], object]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def ordered(sign: str, left: object, right: object) -> bool:
    """One comparison as Python makes it; raises one of `RAISED`."""
    return bool(_OPERATIONS[sign](left, right))


def literal(value: object) -> str:
    """A value as the author would write it in a condition: `None`, `True`, `'lost'`."""
    if isinstance(value, Path):
        return str(value)
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or a list nested as deep
        text = f"<{kind_of(value)}>"
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def spoken(value: object) -> str:
    """A value as it is said of a memory entry: `unset`, `true`, `'lost'`, `empty`."""
    match value:
        case None:
            return "unset"
        case bool():
            return "true" if value else "false"
        case "" | [] | {}:
            return "empty"
        case _:
            return literal(value)


def kind_of(value: object) -> str:
    """The kind of a value, with its article."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "a boolean"
        case str():
            return "text"
        case int() | float():
            return "a number"
        case complex():
            return "an imaginary number"
        case bytes():
            return "bytes"
        case list() | tuple():
            return "a list"
        case Mapping():
            return "a mapping"
        case Path():
            return "an incomplete reference"
        case _:
            return "something else"


def names_for(keys: Iterable[str]) -> dict[str, str]:
    """The shortest name of each key that says which one is meant: the entry alone, unless two owners have it."""
    names = {key: key.partition(".")[2] for key in keys}
    seen: dict[str, int] = {}
    for entry in names.values():
        seen[entry] = seen.get(entry, 0) + 1
    return {key: entry if seen[entry] == 1 else key for key, entry in names.items()}


def clash(operator: str, left: tuple[object, str | None], right: tuple[object, str | None]) -> str:
    """Why two values can't be put in order; each comes with the name of the entry it was read from, if any."""
    pair = f"{literal(left[0])} {operator} {literal(right[0])}"
    unset = list(dict.fromkeys(name for value, name in (left, right) if value is None and name))
    if unset:
        return f"{' and '.join(unset)} {'is' if len(unset) == 1 else 'are'} unset: {pair}"
    return f"{pair} compares {kind_of(left[0])} with {kind_of(right[0])}"
