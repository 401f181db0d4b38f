"""How every gate's condition came out over a recording: each is judged again only where a key that it reads changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate, candidates
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.many import Asked, Many
from inspector_core.mantle.project import Block, Project, Skill
from inspector_core.mantle.targets import binding

__all__ = ["Truths"]

Place = tuple[str, str | None]
"""A skill's prose, or one of its blocks."""
Outcomes = tuple[list[int], bytearray]
"""At which events a condition came out otherwise than before, and how: indices of `OUTCOMES`."""
_NEVER: Outcomes = ([0], bytearray(1))


class Truths:
    """The conditions of all gates in all targets, and of what has to hold before a skill can start.

    It is filled while a recording is folded, and only read afterwards.
    """

    def __init__(self, project: Project, memory: Mapping[str, object]) -> None:
        self._asked: list[Asked] = []
        self._known: dict[tuple[int, frozenset[str]], int] = {}
        self._numbers: dict[tuple[str, str | None, str], int] = {}
        self._needed: dict[str, int] = {}
        for skill in project.skills:
            self._number(project, skill)
        self._table = bytearray(Many(self._asked).outcomes(memory))
        self._changes: list[Outcomes | None] = [None] * len(self._asked)
        self._first = bytes(self._table)
        self._by_key = _by_key(self._asked)
        self._readings: dict[str, tuple[tuple[int, ...], Many] | None] = {}

    def judge(self, number: int, key: str, memory: Mapping[str, object]) -> None:
        """A key was written by the event of this number: see what comes out otherwise now."""
        reading = self._readings[key] if key in self._readings else self._read(key)
        if reading is None:
            return
        table = self._table
        for asked, outcome in zip(reading[0], reading[1].outcomes(memory), strict=True):
            if table[asked] != outcome:
                table[asked] = outcome
                at, outcomes = self._changes[asked] or self._begun(asked)
                at.append(number)
                outcomes.append(outcome)

    def of(self, place: Place, tool: str) -> Outcomes:
        """How a tool's gate came out in a target; it always holds where it has no condition."""
        return self._outcomes(self._numbers.get((*place, tool)))

    def needed(self, skill: str) -> Outcomes:
        """How that came out which has to hold before a skill can start."""
        return self._outcomes(self._needed.get(skill))

    def _outcomes(self, asked: int | None) -> Outcomes:
        if asked is None:
            return _NEVER
        return self._changes[asked] or ([0], bytearray(self._first[asked : asked + 1]))

    def _begun(self, asked: int) -> Outcomes:
        begun = self._changes[asked] = ([0], bytearray(self._first[asked : asked + 1]))
        return begun

    def _read(self, key: str) -> tuple[tuple[int, ...], Many] | None:
        numbers = tuple(self._by_key.get(key, ()))
        found = self._readings[key] = (numbers, Many([self._asked[n] for n in numbers])) if numbers else None
        return found

    def _number(self, project: Project, skill: Skill) -> None:
        bound = binding(project, skill)
        if bound is not None and bound.satisfied_when is not None:
            condition = bound.satisfied_when
            self._needed[skill.id] = self._ask(condition, scope.unreadable(project, None, condition.keys))
        for block, tool in _gated(project, skill):
            if tool.gate is not None and tool.gate.requires is not None:
                asked = self._ask(tool.gate.requires, tool.masked)
                self._numbers[skill.id, block.id if block else None, tool.name] = asked

    def _ask(self, condition: Condition, masked: frozenset[str]) -> int:
        known = id(condition), masked
        if known not in self._known:
            self._known[known] = len(self._asked)
            self._asked.append((condition, masked))
        return self._known[known]


def _gated(project: Project, skill: Skill) -> Iterator[tuple[Block | None, Candidate]]:
    places: Iterable[Block | None] = (None, *skill.blocks)
    return ((block, tool) for block in places for tool in candidates(project, skill, block))


def _by_key(every: list[Asked]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, (condition, masked) in enumerate(every):
        for key in condition.keys:
            if key not in masked:
                found.setdefault(key, []).append(number)
    return found
