"""Dataclasses and named tuples as the standard library makes them, in less of its time: a start makes 150 of them.

The standard library compiles every method of every class by itself. Here only `__init__` is; the others are the same
for all classes and look the fields up. Fields, `replace` and `match` work as ever; only what we use can be asked for.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, cast

if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import NamedTuple

__all__ = ["NamedTuple", "dataclass"]


def _dataclass(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> type | Callable[[type], type]:
    def make(cls: type) -> type:
        return _made(cls, frozen, slots, eq)

    return make if cls is None else make(cls)


_namedtuple: Callable[..., type] = namedtuple


class _Named(type):
    """Makes a named tuple of a class's annotations, which the standard library would compile one by one."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
        types = cast(dict[str, object], namespace.pop("__annotations__", {}))
        defaults = [namespace.pop(field) for field in types if field in namespace]
        made = _namedtuple(name, types, defaults=defaults, module=cast(str, namespace.pop("__module__")))
        made.__annotations__ = types
        for key, value in namespace.items():
            setattr(made, key, value)
        return made


if not TYPE_CHECKING:
    dataclass = _dataclass
    NamedTuple = type.__new__(_Named, "NamedTuple", (), {})


class _Made(Protocol):
    """What any dataclass has."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]


def _made(cls: type, frozen: bool, slots: bool, eq: bool) -> type:
    made = cast(type[_Made], dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls))
    fields = dataclasses.fields(made)
    methods: dict[str, object] = {"__init__": _init(made, fields, frozen), "__repr__": _repr}
    if eq:
        methods["__eq__"], methods["__hash__"] = _compared([f.name for f in fields if f.compare], frozen)
    if frozen:
        methods |= _FROZEN
    for name, method in methods.items():
        setattr(made, name, method)
    return made


def _init(cls: type, fields: Iterable[Field[object]], frozen: bool) -> FunctionType:
    """The one method that is compiled, since it runs most: as the standard library's own."""
    known: dict[str, object] = {"_set": object.__setattr__, "_missing": MISSING}
    given, lines = ["self"], []
    for field in fields:
        name = value = field.name
        default = ""
        if field.default_factory is not MISSING:
            known[f"_make_{name}"] = field.default_factory
            default, value = " = _missing", f"_make_{name}() if {name} is _missing else {name}"
        elif field.default is not MISSING:
            known[f"_default_{name}"] = field.default
            default = f" = _default_{name}"
        if field.init:
            given.append(name + default)
            lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(given)}):\n " + ("\n ".join(lines) or "pass"), known)
    init = cast(FunctionType, known["__init__"])
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init


def _compared(names: list[str], frozen: bool) -> tuple[object, object]:
    key = _nothing if not names else attrgetter(*names)

    def __eq__(self: object, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(key(self))

    return __eq__, __hash__ if frozen else None


def _nothing(_: object) -> None:
    """What a class without fields is compared by."""


def _repr(self: _Made) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: _Made) -> list[object]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _restore(self: _Made, state: list[object]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)


_FROZEN: Final = {
    "__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete, "__getstate__": _state, "__setstate__": _restore,
}  # fmt: skip
