"""How the tools of skills that aren't active stand: their conditions, numbered, and who is reached by which key.

The outcomes of one state are a table: a byte for each number. A skill is given its numbers when it is first looked at,
so a table may be shorter than the board, and is then filled up from the memory that it is of.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from inspector_core.classes import NamedTuple
from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate, candidates
from inspector_core.mantle.condition import parse
from inspector_core.mantle.condition.compile import OUTCOMES
from inspector_core.mantle.condition.many import Asked, Many, outcome
from inspector_core.mantle.gatelist import every_gate
from inspector_core.mantle.judge import Scene, standing, waiting
from inspector_core.mantle.project import Project, Skill
from inspector_core.mantle.targets import binding, start_of
from inspector_core.report import Change, Standing

__all__ = ["Board", "Reading", "Told", "Tool", "board"]


class Tool(NamedTuple):
    """One tool, and what its standing follows from. Tools of one agent sort by skill and then in its order."""

    skill: str
    place: int
    name: str
    number: int
    """Its condition's; 0, which always holds, where it has none."""
    needed: int
    """That of what has to hold before its skill can start; 0 where nothing has to, or where it makes no difference."""
    words: tuple[Standing, ...]
    """By outcome."""

    def standing(self, table: bytes | bytearray) -> Standing:
        found = table[self.number]
        return "inactive" if table[self.needed] and not found else self.words[found]


class Told(dict[tuple[int, int], Change | None]):
    """What is told of a tool that depends on one condition, by the outcomes before and after; `None` where it stands as
    before. Made once for each pair: a key of the project may move a thousand tools to and fro.
    """

    __slots__ = ("_tool",)

    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    def __missing__(self, outcomes: tuple[int, int]) -> Change | None:
        tool = self._tool
        before, after = tool.words[outcomes[0]], tool.words[outcomes[1]]
        self[outcomes] = change = Change(tool.skill, tool.name, before, after) if before != after else None
        return change


class Reading(NamedTuple):
    """The conditions that read a key."""

    numbers: tuple[int, ...]
    many: Many
    tools: tuple[tuple[Tool, ...], ...]
    """For each, the tools that may stand otherwise when its outcome is another."""
    told: tuple[Told, ...] | None
    """For each, what is told of its one tool; `None` where a condition reaches several, or one that depends on another
    condition too."""


class Board:
    """The conditions of one project. Holds nothing of the project itself, so that it goes when that goes."""

    __slots__ = ("_asked", "_every", "_index", "_reached", "_readings", "_tools")

    def __init__(self) -> None:
        self._asked: list[Asked] = [(parse("True"), frozenset())]
        self._reached: list[tuple[Tool, ...]] = [()]
        self._tools: dict[str, tuple[Tool, ...]] = {}
        self._readings: dict[str, Reading] = {}
        self._index: Mapping[str, list[str]] | None = None
        self._every: tuple[int, Many] | None = None

    def __len__(self) -> int:
        return len(self._asked)

    def tools(self, project: Project, skill: Skill) -> tuple[Tool, ...]:
        """The skill's own, shared and imported tools, as in its beginning."""
        found = self._tools.get(skill.id)
        if found is None:
            found = self._tools[skill.id] = self._number(project, skill)
        return found

    def reading(self, project: Project, key: str) -> Reading:
        """Who is reached by a key, in the order of skills and tools."""
        found = self._readings.get(key)
        if found is None:
            found = self._readings[key] = self._read(project, key)
        return found

    def fill(self, table: bytearray, project: Project, memory: Mapping[str, object]) -> None:
        """Add to a memory's table the outcomes that it lacks."""
        if table or not all(skill.id in self._tools for skill in project.own_skills):
            table.extend([outcome(asked, memory) for asked in self._asked[len(table) :]])
            return
        if self._every is None or self._every[0] < len(self):
            self._every = len(self), Many(self._asked)
        table.extend(self._every[1].outcomes(memory))

    def _number(self, project: Project, skill: Skill) -> tuple[Tool, ...]:
        free, kept = waiting(project, skill)
        bound = binding(project, skill)
        needed = 0
        if bound is not None and bound.satisfied_when is not None:
            condition = bound.satisfied_when
            needed = self._ask((condition, scope.unreadable(project, None, condition.keys)))
        every = candidates(project, skill, start_of(skill))
        tools = tuple(self._tool(free, kept, needed, place, tool) for place, tool in enumerate(every))
        for tool in tools:
            if tool.number:
                self._reached[tool.number] = (tool,)
        if needed:
            self._reached[needed] = tuple(tool for tool in tools if tool.needed)
        return tools

    def _tool(self, free: Scene, kept: Scene, needed: int, place: int, tool: Candidate) -> Tool:
        words = tuple([standing(free, tool, truth) for truth in OUTCOMES])
        requires = tool.gate.requires if tool.gate is not None else None
        number = self._ask((requires, tool.masked)) if requires is not None and len(set(words)) > 1 else 0
        differs = standing(kept, tool, OUTCOMES[0]) != words[0]
        skill = free.skill.id if free.skill is not None else ""
        return Tool(skill, place, tool.name, number, needed if differs else 0, words)

    def _ask(self, asked: Asked) -> int:
        self._asked.append(asked)
        self._reached.append(())
        return len(self._asked) - 1

    def _read(self, project: Project, key: str) -> Reading:
        if self._index is None:
            self._index = _index(project)
        skills = [project.skill_by_id[skill] for skill in self._index.get(key, ())]
        for skill in skills:
            self.tools(project, skill)
        numbers = {n for skill in skills for tool in self._tools[skill.id] for n in (tool.number, tool.needed)}
        ordered = sorted([n for n in numbers if self._reads(n, key)], key=lambda number: self._reached[number][0])
        tools = tuple([self._reached[number] for number in ordered])
        plain = all(len(reached) == 1 and not reached[0].needed for reached in tools)
        told = tuple([Told(reached[0]) for reached in tools]) if plain else None
        return Reading(tuple(ordered), Many([self._asked[number] for number in ordered]), tools, told)

    def _reads(self, number: int, key: str) -> bool:
        condition, hidden = self._asked[number]
        return key in condition.keys and key not in hidden


def _index(project: Project) -> Mapping[str, list[str]]:
    """For each key, the skills with a condition that may read it."""
    index: dict[str, list[str]] = {}
    for skill in project.skills:
        bound = binding(project, skill)
        asked = [*(gate.requires for gate in every_gate(skill)), bound.satisfied_when if bound is not None else None]
        for key in {key for condition in asked if condition is not None for key in condition.keys}:
            index.setdefault(key, []).append(skill.id)
    return index


_BOARDS: WeakKeyDictionary[Project, Board] = WeakKeyDictionary()


def board(project: Project) -> Board:
    found = _BOARDS.get(project)
    if found is None:
        found = _BOARDS[project] = Board()
    return found
