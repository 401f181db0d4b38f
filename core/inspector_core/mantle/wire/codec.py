"""Our own values as JSON, by their fields' own types: a field that is added to an event is written at once."""

from __future__ import annotations

import types
from collections.abc import Hashable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

from inspector_core.mantle.wire.exact import packed, unpacked

__all__ = ["Unreadable", "from_form", "to_form"]

T = TypeVar("T")


class Unreadable(Exception):
    """What is wrong with a form, in words."""


def to_form(value: object) -> dict[str, object]:
    """A dataclass' fields, without those at their defaults."""
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError("only a dataclass has fields to write")
    hints = _hints(type(value))
    form: dict[str, object] = {}
    for field in fields(value):
        held = getattr(value, field.name)
        if not _same(held, _default(field)):
            form[field.name] = _written(held, hints[field.name])
    return form


def from_form(cls: type[T], form: object) -> T:
    """The value whose fields these are. Raises `Unreadable`, or `Inexact` for what `exact` can't read."""
    if not isinstance(form, Mapping):
        raise Unreadable("it is no mapping")
    if not is_dataclass(cls):
        raise TypeError("only a dataclass has fields to read")
    hints = _hints(cls)
    given: dict[str, object] = {}
    for field in fields(cls):
        if field.name in form:
            given[field.name] = _read(form[field.name], hints[field.name], field.name)
        elif _default(field) is MISSING:
            raise Unreadable(f"it has no `{field.name}`")
    return cls(**given)


@cache
def _hints(cls: Hashable) -> dict[str, object]:
    return get_type_hints(cls)


def _default(field: Field[object]) -> object:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _same(held: object, default: object) -> bool:
    """Equal and of one type: `0` is not `False` here."""
    try:
        return type(held) is type(default) and held == default
    except RecursionError:
        return False


def _written(value: object, hint: object) -> object:
    if is_dataclass(value):
        return to_form(value)
    inner = _items(hint)
    if inner is None or not isinstance(value, tuple):
        return packed(value)
    kinds = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
    return [_written(item, kind) for item, kind in zip(value, kinds, strict=True)]


def _items(hint: object) -> tuple[object, ...] | None:
    """What the items of a tuple are; `None` for anything else."""
    return get_args(hint) if get_origin(hint) is tuple else None


def _read(form: object, hint: object, name: str) -> object:
    if get_origin(hint) in (Union, types.UnionType):
        return _either(form, get_args(hint), name)
    inner = _items(hint)
    if inner is not None:
        return _tuple(form, inner, name)
    if is_dataclass(hint) and isinstance(hint, type):
        return from_form(hint, form)
    value = unpacked(form)
    kind = get_origin(hint) or hint
    if not isinstance(kind, type) or not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Unreadable(f"`{name}` is not what it should be")
    return value


def _either(form: object, kinds: tuple[object, ...], name: str) -> object:
    if form is None and types.NoneType in kinds:
        return None
    return _read(form, next(kind for kind in kinds if kind is not types.NoneType), name)


def _tuple(form: object, inner: tuple[object, ...], name: str) -> tuple[object, ...]:
    if not isinstance(form, list):
        raise Unreadable(f"`{name}` is no list")
    kinds = inner[:1] * len(form) if inner[-1] is Ellipsis else inner
    if len(kinds) != len(form):
        raise Unreadable(f"`{name}` has an item too many or too few")
    return tuple(_read(item, kind, name) for item, kind in zip(form, kinds, strict=True))
