"""Comparisons that the declared types of memory make pointless (§3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.analysis.candidates import FieldOf, Pair, kind_of_field, pairs
from inspector_core.analysis.rewrite import proposal, replaced
from inspector_core.analysis.trap import Trap
from inspector_core.finding import did_you_mean
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.tree import EQUALITIES, Constant, Memory
from inspector_core.mantle.condition.values import kind_of, literal, names_for
from inspector_core.mantle.project import Field

__all__ = ["mismatches"]

_CODE = "inspector.condition.type-mismatch"
_NUMBERS = frozenset({"whole", "number", "bool"})
"""Kinds that compare as numbers: `True` is 1."""


def mismatches(condition: Condition, field_of: FieldOf) -> Iterator[Trap]:
    """Each comparison of a declared entry with what its type is not."""
    for pair in pairs(condition.tree):
        field = field_of(pair.key)
        if field is None or kind_of_field(field) == "any":
            continue
        match pair.other:
            case Constant(value=None):
                continue
            case Constant(value=value) as constant:
                yield from _with_constant(condition, pair, field, constant, value)
            case Memory(key=other) if pair.key < other:
                yield from _with_entry(condition, pair, field, field_of(other))


def _with_constant(condition: Condition, pair: Pair, field: Field, constant: Constant, value: object) -> Iterator[Trap]:
    name, kind = names_for(condition.keys)[pair.key], kind_of_field(field)
    if not _comparable(kind, _kind(value)):
        message = (
            f"`{name}` is declared `{field.type}`, and `{literal(value)}` is {kind_of(value)}: {_outcome(pair.sign)}"
        )
        hint = _retyped(condition, field, constant, value)
        yield Trap(_CODE, message, hint, pair.within.start, pair.within.end)
    elif pair.sign not in EQUALITIES:
        return
    elif kind in ("whole", "number") and isinstance(value, bool):
        message = f"`{name}` is declared `{field.type}`: `{value}` equals {int(value)} and no other number"
        yield Trap(_CODE, message, f"write `{int(value)}`, or name the entry alone", constant.start, constant.end)
    elif _never_equals(kind, value):
        message = f"`{name}` is declared `{field.type}`, which is never `{literal(value)}`: {_outcome(pair.sign)}"
        yield Trap(_CODE, message, None, constant.start, constant.end)
    elif field.enum_values and value not in field.enum_values:
        message = f"`{literal(value)}` is none of the values of `{name}`"
        yield Trap(_CODE, message, _nearest(value, field), constant.start, constant.end)


def _never_equals(kind: str, value: object) -> bool:
    match kind, value:
        case "whole", float():
            return not value.is_integer()
        case "bool", int() | float():
            return value not in (0, 1)
        case _:
            return False


def _with_entry(condition: Condition, pair: Pair, field: Field, other: Field | None) -> Iterator[Trap]:
    if other is None or kind_of_field(other) == "any" or _comparable(kind_of_field(field), kind_of_field(other)):
        return
    names = names_for(condition.keys)
    declared = f"`{names[field.key]}` is declared `{field.type}`, and `{names[other.key]}` `{other.type}`"
    yield Trap(_CODE, f"{declared}: {_outcome(pair.sign)}", None, pair.within.start, pair.within.end)


def _comparable(kind: str, other: str) -> bool:
    return kind == other or (kind in _NUMBERS and other in _NUMBERS)


def _kind(value: object) -> str:
    match value:
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "text"
        case _:
            return "other"


def _outcome(sign: str) -> str:
    match sign:
        case "==":
            return "they are never equal"
        case "!=":
            return "they always differ"
        case _:
            return f"`{sign}` always errors"


def _retyped(condition: Condition, field: Field, constant: Constant, value: object) -> str:
    """The constant as the declared type has it, or the declaration that the constant wants."""
    written = _written(kind_of_field(field), value)
    text = replaced(condition, constant, written, "atom") if written else None
    match value:
        case bool():
            kind = "bool"
        case int():
            kind = "int"
        case float():
            kind = "float"
        case _:
            kind = "text"
    return proposal(text, f"declare `{field.entry}` as `{kind}`, or compare it with another value")


def _written(kind: str, value: object) -> str | None:
    match kind, value:
        case "text", bool():
            return repr(str(value).lower())
        case "text", int() | float():
            return repr(literal(value))
        case "whole" | "number", str() if value.isascii() and value.replace(".", "", 1).isdigit():
            return value.lstrip("0") or "0"
        case "bool", str() if value.lower() in ("true", "false", "yes", "no"):
            return str(value.lower() in ("true", "yes"))
        case _:
            return None


def _nearest(value: object, field: Field) -> str:
    values = [str(each) for each in field.enum_values]
    listed = ", ".join([f"`{each}`" for each in values[:6]]) + (", …" if len(values) > 6 else "")
    return did_you_mean(str(value), values) or f"its values are {listed}"
