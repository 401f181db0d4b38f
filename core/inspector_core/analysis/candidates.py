"""The few values of each key that stand for all others: what it is compared with, and what lies beside."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.tree import ORDERINGS, Compare, Constant, Memory, Node, walk
from inspector_core.mantle.project import Field

__all__ = ["FLIPPED", "FieldOf", "Pair", "candidates", "everything", "kind_of_field", "pairs"]

FieldOf = Callable[[str], Field | None]

FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""Each comparison with its sides exchanged."""
_SAMPLE: Final = "text"
_LARGEST: Final = 1e308
"""Beyond this, whole numbers no longer fit into a fraction."""


class Pair(NamedTuple):
    """An entry compared with one other thing, the entry on the left."""

    key: str
    sign: str
    other: Node
    within: Compare


def pairs(tree: Node) -> Iterator[Pair]:
    """Every entry's comparisons, in source order; two entries compared with each other come twice."""
    for node in walk(tree):
        if isinstance(node, Compare):
            for sign, (left, right) in zip(node.operators, pairwise(node.operands), strict=True):
                if isinstance(left, Memory):
                    yield Pair(left.key, sign, right, node)
                if isinstance(right, Memory):
                    yield Pair(right.key, FLIPPED.get(sign, sign), left, node)


def kind_of_field(field: Field | None) -> str:
    """What a field holds by its declaration: `text`, `whole`, `number`, `bool`, `list`, or `any` (§3.2)."""
    match field.type if field else "any":
        case "any" | "json":
            return "any"
        case "int":
            return "whole"
        case "float":
            return "number"
        case "bool" | "list" as kind:
            return kind
        case _:
            return "text"


def candidates(condition: Condition, memory: Mapping[str, object], field_of: FieldOf) -> dict[str, list[object]]:
    """JSON values worth trying for each key, the likeliest first; an undeclared kind is guessed from what it meets."""
    met = _constants(condition, memory)
    return {key: _likely(met[key], memory.get(key), field_of(key)) for key in condition.keys}


def everything(condition: Condition, field_of: FieldOf) -> dict[str, list[object]]:
    """Values of every kind that a key may hold, one for each way in which they can compare."""
    met = _constants(condition, {})
    return {key: _every(met[key], field_of(key)) for key in condition.keys}


@dataclass(slots=True)
class _Met:
    """What a key is compared with: constants, and the present values of other keys."""

    values: list[object]
    ordered: bool = False
    """By `<` and the like too."""


def _constants(condition: Condition, memory: Mapping[str, object]) -> dict[str, _Met]:
    met = {key: _Met([]) for key in condition.keys}
    for pair in pairs(condition.tree):
        here = met[pair.key]
        here.ordered = here.ordered or pair.sign in ORDERINGS
        match pair.other:
            case Constant(value=value):
                here.values.append(value)
            case Memory(key=other):
                here.values.append(memory.get(other))
            case _:
                here.values.extend((True, False))
    return met


def _likely(met: _Met, now: object, field: Field | None) -> list[object]:
    if field is not None and field.enum_values:
        return _distinct([*_first(met.values, field.enum_values), None])
    kind = kind_of_field(field)
    if kind == "any":
        kind = _guessed([now]) or _guessed(met.values) or "bool"
    values = [value for value in _of_kind(kind, met) if not isinstance(value, int | float) or abs(value) <= _LARGEST]
    empty = [value for value in values if value in ("", []) and value not in met.values]
    return _distinct([*[value for value in values if value not in empty], None, *empty])


def _first(met: list[object], allowed: Iterable[object]) -> list[object]:
    """The allowed values, those that the condition names before the others."""
    every = list(allowed)
    return [value for value in met if value in every] + every


def _guessed(values: list[object]) -> str | None:
    for value in values:
        match value:
            case bool():
                return "bool"
            case int() | float():
                return "number"
            case str():
                return "text"
            case list():
                return "list"
    return None


def _every(met: _Met, field: Field | None) -> list[object]:
    kind = kind_of_field(field)
    if field is not None and field.enum_values and kind == "text":
        return _distinct([*field.enum_values, None])
    kinds = ("bool", "number", "text", "list") if kind == "any" else (kind,)
    values = [value for each in kinds for value in _of_kind(each, met)]
    if kind in ("any", "number"):
        values.append(math.nan)
    if kind == "any":
        values.extend(({}, {"x": 1}))
    return _distinct([*values, None])


def _of_kind(kind: str, met: _Met) -> list[object]:
    match kind:
        case "bool":
            return [True, False]
        case "list":
            return [["x"], []]
        case "text":
            return list(_texts([value for value in met.values if isinstance(value, str)], ordered=met.ordered))
        case _:
            numbers = [value for value in met.values if isinstance(value, int | float) and not _is_nan(value)]
            return list(_numbers(numbers, whole=kind == "whole"))


def _is_nan(value: float) -> bool:
    return value != value


def _numbers(met: list[int | float], *, whole: bool) -> Iterator[int | float]:
    """Each number met, one just above and one just below; 0 and not 0 are told apart too."""
    points = [-math.inf, *sorted({*met, 0}), math.inf]
    for point in [*met, 0]:
        yield from _at(point, whole)
    for point in [*met, 0]:
        at = points.index(point, 1 if _is_finite(point) else 0)
        if at + 1 < len(points):
            yield from _near(point, 1, points[at + 1], whole)
        if at > 0:
            yield from _near(point, -1, points[at - 1], whole)


def _at(point: int | float, whole: bool) -> Iterator[int | float]:
    if not whole:
        yield int(point) if isinstance(point, bool) else point
    elif _is_finite(point) and point == int(point):
        yield int(point)


def _near(point: int | float, step: int, end: int | float, whole: bool) -> Iterator[int | float]:
    """A number between a point and the next one on that side, a whole one if there is one."""
    if _is_finite(point):
        near = math.floor(point) + 1 if step > 0 else math.ceil(point) - 1
        if min(point, end) < near < max(point, end):
            yield near
            return
    if not whole and abs(point) <= _LARGEST:
        middle = (point + end) / 2 if abs(end) <= _LARGEST else math.nextafter(point, end)
        if min(point, end) < middle < max(point, end):
            yield middle


def _is_finite(number: int | float) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def _texts(met: list[str], *, ordered: bool) -> Iterator[str]:
    """Each text met, another one, and the empty one; where the alphabet matters, one from each gap in it."""
    yield from met
    if ordered:
        for low, high in pairwise(["", *sorted(set(met))]):
            yield from [text for text in (f"{low}0", f"{low} ", f"{low}\0") if low < text < high][:1]
        yield from [f"{max(met)}0"] if met else []
    other = _SAMPLE
    while other in met:
        other += "x"
    yield other
    yield ""


def _distinct(values: Iterable[object]) -> list[object]:
    """Each value once; `1`, `1.0` and `True` are three."""
    kept: list[object] = []
    seen: set[tuple[type, object]] = set()
    for value in values:
        mark = (type(value), value if isinstance(value, Hashable) else str(value))
        if mark not in seen:
            seen.add(mark)
            kept.append(value)
    return kept
