"""How each tool stood all through a recording, without a report for every event.

A tool's standing follows from where the conversation was and how its condition came out, and both change seldom: the
history is put together from the two, for the tool that is asked about.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from inspector_core.mantle.candidates import Candidate, candidates
from inspector_core.mantle.condition.compile import OUTCOMES
from inspector_core.mantle.engine.state import EMPTY, Turn
from inspector_core.mantle.judge import Scene, standing, waiting
from inspector_core.mantle.project import Project, Skill
from inspector_core.mantle.replay.fold import Folded, Rest
from inspector_core.mantle.replay.truths import Outcomes, Truths
from inspector_core.mantle.targets import start_of
from inspector_core.report import Standing

__all__ = ["AWAY", "GateHistory", "Stretch", "histories", "stretches", "ways"]

_OPEN = frozenset({"offered", "asks"})


class GateHistory(NamedTuple):
    """How one tool stood: at which events that changed, and to what. The first entry is the beginning, event 0."""

    skill: str
    tool: str
    at: tuple[int, ...]
    standings: tuple[Standing, ...]

    def standing(self, number: int) -> Standing:
        """How it stood after so many events."""
        return self.standings[max(bisect_right(self.at, number) - 1, 0)]

    def opened(self, number: int) -> int | None:
        """The latest event up to this one that opened it: it wasn't to be had before, and was after."""
        return self._turned(number, to_open=True)

    def closed(self, number: int) -> int | None:
        """The latest event up to this one that closed it."""
        return self._turned(number, to_open=False)

    def _turned(self, number: int, *, to_open: bool) -> int | None:
        for place in range(bisect_right(self.at, number) - 1, 0, -1):
            was, now = (self.standings[p] in _OPEN for p in (place - 1, place))
            if was is not now and now is to_open:
                return self.at[place]
        return None

    @property
    def changes(self) -> tuple[int, ...]:
        """The events that changed how it stood."""
        return self.at[1:]

    @property
    def ever_open(self) -> bool:
        return any(s in _OPEN for s in self.standings)

    @property
    def ever_closed(self) -> bool:
        return any(s not in _OPEN for s in self.standings)


class Stretch(NamedTuple):
    """Where the conversation was from an event on, as far as the standing of custom tools follows from it."""

    number: int
    skill: str | None
    block: str | None
    trimmed: bool
    """A search has cut the list of tools short."""


AWAY = Stretch(0, None, None, False)
"""All the time, no skill."""


def stretches(project: Project, folded: Folded) -> tuple[Stretch, ...]:
    """The conversation's way through skills and blocks."""
    found: list[Stretch] = []
    for number, rest in zip(folded.rests_at, folded.rests, strict=True):
        here = _stretch(project, number, rest)
        if not found or here[1:] != found[-1][1:]:
            found.append(here)
    return tuple(found)


def _stretch(project: Project, number: int, rest: Rest) -> Stretch:
    top = rest.core.state.top
    skill = project.skill_by_id.get(top.skill_id) if top is not None else None
    block = skill.block(top.block_id) if skill is not None and top is not None and top.block_id is not None else None
    trimmed = rest.turn.open and rest.turn.trimmed  # a closed turn's flags are gone when the model moves next
    return Stretch(number, top.skill_id if top is not None else None, block.id if block else None, trimmed)


def ways(way: Sequence[Stretch]) -> Mapping[str, Sequence[Stretch]]:
    """The way as each skill that was ever active sees it: any other skill is as good as none."""
    found: dict[str, list[Stretch]] = {}
    before = None
    for stretch in way:
        if before is not None and before != stretch.skill:
            found[before].append(Stretch(stretch.number, None, None, False))
        if stretch.skill is not None:
            own = found.setdefault(stretch.skill, [] if stretch.number == 0 else [AWAY])
            own.append(stretch)
        before = stretch.skill
    return found


def histories(project: Project, skill: Skill, own: Sequence[Stretch], truths: Truths) -> Iterator[GateHistory]:
    """The history of each of a skill's own, shared and imported tools."""
    teller = _Teller(project, skill)
    for tool in candidates(project, skill, start_of(skill)):
        at: list[int] = []
        stood: list[Standing] = []
        for number, word in _told(teller, own, tool.name, truths):
            if at and at[-1] == number:
                at.pop()
                stood.pop()
            if not stood or stood[-1] != word:
                at.append(number)
                stood.append(word)
        yield GateHistory(skill.id, tool.name, tuple(at), tuple(stood))


def _told(teller: _Teller, own: Sequence[Stretch], tool: str, truths: Truths) -> Iterator[tuple[int, Standing]]:
    """What the tool's standing is from which event on, some of them told twice."""
    ends = [*(s.number for s in own[1:]), None]
    for stretch, end in zip(own, ends, strict=True):
        place, truth = teller.place(stretch), truths.of(teller.place(stretch), tool)
        needed = truths.needed(place[0]) if stretch.skill is None else None
        numbers = {stretch.number, *_within(truth, stretch.number, end)}
        if needed is not None:
            numbers.update(_within(needed, stretch.number, end))
        for number in sorted(numbers):
            unmet = needed is not None and _at(needed, number) != 0
            yield number, teller.standing(stretch, tool, _at(truth, number), unmet)


def _within(outcomes: Outcomes, start: int, end: int | None) -> list[int]:
    at = outcomes[0]
    return at[bisect_right(at, start) : None if end is None else bisect_right(at, end - 1)]


def _at(outcomes: Outcomes, number: int) -> int:
    return outcomes[1][bisect_right(outcomes[0], number) - 1]


class _Teller:
    """Says how one skill's tools stand, each case worked out once."""

    def __init__(self, project: Project, skill: Skill) -> None:
        self.project, self.skill = project, skill
        self.free, self.kept = waiting(project, skill)
        self.known: dict[tuple[object, ...], Standing] = {}
        self.tools: dict[str | None, Mapping[str, Candidate]] = {}

    def place(self, stretch: Stretch) -> tuple[str, str | None]:
        """The target whose gate list counts."""
        start = start_of(self.skill)
        return self.skill.id, stretch.block if stretch.skill is not None else start.id if start else None

    def standing(self, stretch: Stretch, tool: str, outcome: int, unmet: bool) -> Standing:
        case = (*stretch[1:], tool, outcome, unmet)
        found = self.known.get(case)
        if found is None:
            _, block = self.place(stretch)
            scene = self.scene(stretch, block, unmet)
            found = self.known[case] = standing(scene, self.candidates(block)[tool], OUTCOMES[outcome])
        return found

    def scene(self, stretch: Stretch, block_id: str | None, unmet: bool) -> Scene:
        if stretch.skill is None:
            return self.kept if unmet else self.free
        block = self.skill.block(block_id) if block_id is not None else None
        return Scene(self.project, EMPTY, self.skill, block, True, Turn(trimmed=stretch.trimmed), None)

    def candidates(self, block_id: str | None) -> Mapping[str, Candidate]:
        if block_id not in self.tools:
            block = self.skill.block(block_id) if block_id is not None else None
            self.tools[block_id] = {c.name: c for c in candidates(self.project, self.skill, block)}
        return self.tools[block_id]
