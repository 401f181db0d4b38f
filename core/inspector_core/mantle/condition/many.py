"""Many conditions judged at once: those of one shape in one loop, which spares a call for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Final

from inspector_core.mantle.condition.compile import OUTCOMES, Loop, constants, loop
from inspector_core.mantle.condition.syntax import Condition

__all__ = ["Asked", "Many", "outcome"]

Asked = tuple[Condition, frozenset[str]]
"""A condition, and which of its keys read as null."""

_NULL: Final = -1
"""The place of a key that reads as null: the values end with one."""


def outcome(asked: Asked, memory: Mapping[str, object]) -> int:
    """The outcome of one condition, as an index of `OUTCOMES`."""
    condition, hidden = asked
    if hidden:
        memory = {key: memory[key] for key in condition.keys if key in memory and key not in hidden}
    return OUTCOMES.index(condition.truth(memory))


class Many:
    """A list of conditions, kept by shape. Each key is looked up once, and its value then found by its place."""

    __slots__ = ("_keys", "_loops", "_others", "_put_back")

    def __init__(self, every: Sequence[Asked]) -> None:
        shapes: dict[Loop, list[int]] = {}
        others: list[int] = []
        for number, (condition, _) in enumerate(every):
            judge = loop(condition.pattern) if condition.pattern is not None else None
            (others if judge is None else shapes.setdefault(judge, [])).append(number)
        places: dict[str, int] = {}
        self._loops = [(judge, [_parts(every[n], places) for n in numbers]) for judge, numbers in shapes.items()]
        self._others = [every[n] for n in others]
        self._keys = tuple(places)
        self._put_back = _undo([n for numbers in (*shapes.values(), others) for n in numbers])

    def outcomes(self, memory: Mapping[str, object]) -> bytes:
        """The outcome of each, in the order of the list, as an index of `OUTCOMES`."""
        values, found = [*map(memory.get, self._keys), None], bytearray()
        for judge, conditions in self._loops:
            judge(values, conditions, found.append)
        found.extend([outcome(asked, memory) for asked in self._others])
        return bytes(self._put_back(found))


def _parts(asked: Asked, places: dict[str, int]) -> tuple[object, ...]:
    condition, hidden = asked
    keys = [_NULL if key in hidden else places.setdefault(key, len(places)) for key in condition.keys]
    return (*keys, *constants(condition.tree))


def _undo(order: list[int]) -> Callable[[bytearray], Iterable[int]]:
    """What brings values that come in an order of numbers back into that of the numbers."""
    if order == sorted(order):
        return iter
    places = {number: place for place, number in enumerate(order)}
    return itemgetter(*[places[number] for number in range(len(order))])
