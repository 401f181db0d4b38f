"""Which changes of memory make a condition hold: a search that only ever changes what stands in the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from itertools import islice
from typing import Final

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.tree import And, Memory, Node, Not, Or, atoms, inner, walk
from inspector_core.proof import Truth

__all__ = ["Judged", "Search", "is_searchable", "judge"]

_MOST_PARTS: Final = 400
_DEEPEST: Final = 60

Changes = tuple[tuple[str, object], ...]


@lru_cache(maxsize=4096)
def is_searchable(condition: Condition) -> bool:
    """Whether the condition is of a size that people write."""
    few = sum(1 for _ in islice(walk(condition.tree), _MOST_PARTS + 1)) <= _MOST_PARTS
    return few and not _deeper(condition.tree, _DEEPEST)


def _deeper(node: Node, left: int) -> bool:
    return left == 0 or any(_deeper(part, left - 1) for part in inner(node))


class Judged(NamedTuple):
    """A part with its truth (`None`: it errors), whether the engine reaches it or not."""

    node: Node
    truth: bool | None
    parts: tuple[Judged, ...]


@dataclass(slots=True)
class Search:
    """Searches from one memory over given values for each key. It has a budget, and says when it ran out."""

    condition: Condition
    values: Mapping[str, list[object]]
    evaluations: int
    """How many times the condition may be evaluated."""
    expansions: int
    """How many memories may be looked into for what stands in the way."""
    exhausted: bool = False
    _keys: dict[int, tuple[str, ...]] = field(init=False)
    _linked: set[str] = field(init=False)
    """Keys that share an atom with another key: many of their values do the same, and one of them is enough."""

    def __post_init__(self) -> None:
        self._keys = {id(atom): tuple(_keys(atom)) for atom in atoms(self.condition.tree)}
        self._linked = {key for keys in self._keys.values() if len(set(keys)) > 1 for key in keys}
        self.values = {key: self._distinct(key, values) for key, values in self.values.items()}

    def smallest(self, memory: Mapping[str, object], most: int) -> Iterator[Changes]:
        """Sets of at most so many changes that make the condition hold, smallest first, none holding another."""
        found: list[frozenset[tuple[str, int]]] = []
        frontier: list[tuple[Changes, frozenset[tuple[str, int]]]] = [((), frozenset())]
        for _ in range(most):
            grown: dict[frozenset[tuple[str, int]], Changes] = {}
            for changes, marks in frontier:
                for step, mark in self._steps(memory, dict(changes)):
                    larger = marks | {mark}
                    if larger in grown or self._is_told(larger, found):
                        continue
                    grown[larger] = (*changes, step)
                    if self._holds({**memory, **dict(grown[larger])}):
                        found.append(larger)
                        yield grown[larger]
            frontier = [(changes, marks) for marks, changes in grown.items() if marks not in found]

    def _is_told(self, marks: frozenset[tuple[str, int]], found: list[frozenset[tuple[str, int]]]) -> bool:
        keys = {key for key, _ in marks}
        linked = not keys.isdisjoint(self._linked)
        return any(told <= marks or (linked and {key for key, _ in told} <= keys) for told in found)

    def any(self, memory: Mapping[str, object]) -> Changes | None:
        """Some set of changes that makes the condition hold, however many they are."""
        waiting: list[Changes] = [()]
        while waiting and not self.exhausted:
            changes = waiting.pop()
            deeper: list[Changes] = []
            for step, _ in self._steps(memory, dict(changes)):
                if self._holds({**memory, **dict(changes), step[0]: step[1]}):
                    return (*changes, step)
                deeper.append((*changes, step))
            waiting.extend(reversed(deeper))
        return None

    def _holds(self, memory: Mapping[str, object]) -> bool:
        self.evaluations -= 1
        self.exhausted = self.exhausted or self.evaluations <= 0
        return self.condition.truth(memory) is Truth.HOLDS

    def _steps(
        self, memory: Mapping[str, object], changed: Mapping[str, object]
    ) -> Iterator[tuple[tuple[str, object], tuple[str, int]]]:
        """The single changes that can matter here: at least one of them is in every set that opens from here."""
        self.exhausted = self.exhausted or self.expansions <= 0
        if self.exhausted:
            return
        self.expansions -= 1
        now = {**memory, **changed}
        keys = self._in_the_way(now) - changed.keys()
        for key in self.condition.keys:
            if key in keys:
                for number, value in enumerate(self.values[key]):
                    if self.exhausted:
                        return
                    if not _is_same(value, memory.get(key)):
                        yield (key, value), (key, number)

    def _in_the_way(self, memory: Mapping[str, object]) -> set[str]:
        """Keys of which at least one must change before the condition can hold."""
        truths = iter(self.condition.row(memory)[1])
        judged = judge(self.condition.tree, truths)
        return set(self._blame(judged, wanted=True))

    def _blame(self, judged: Judged, *, wanted: bool) -> Iterator[str]:
        if judged.truth is wanted:
            return
        match judged.node:
            case Not():
                yield from self._blame(judged.parts[0], wanted=not wanted)
            case And() | Or() as node if isinstance(node, And) is wanted:
                yield from self._blame(next(p for p in judged.parts if p.truth is not wanted), wanted=wanted)
            case And() | Or():
                for part in judged.parts:
                    yield from self._blame(part, wanted=wanted)
                    if part.truth is None:
                        yield from self._blame(part, wanted=not wanted)
                        return
            case atom:
                yield from self._keys[id(atom)]

    def _distinct(self, key: str, values: list[object]) -> list[object]:
        """One value of each lot that the key's own atoms can't tell apart."""
        own = [number for number, atom in enumerate(self._keys.values()) if key in atom]
        if key in self._linked:
            return values
        kept: dict[tuple[bool | None, ...], object] = {}
        for value in values:
            truths = self.condition.row({key: value})[1]
            kept.setdefault(tuple([truths[number] for number in own]), value)
        return list(kept.values())


def judge(node: Node, truths: Iterator[bool | None]) -> Judged:
    match node:
        case And(parts=parts):
            judged = tuple([judge(part, truths) for part in parts])
            return Judged(node, next((p.truth for p in judged if p.truth is not True), True), judged)
        case Or(parts=parts):
            judged = tuple([judge(part, truths) for part in parts])
            return Judged(node, next((p.truth for p in judged if p.truth is not False), False), judged)
        case Not(part=part):
            inside = judge(part, truths)
            return Judged(node, None if inside.truth is None else not inside.truth, (inside,))
        case _:
            return Judged(node, next(truths), ())


def _keys(node: Node) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, Memory):
            yield part.key


def _is_same(value: object, other: object) -> bool:
    return type(value) is type(other) and value == other
