"""Verdicts worked out on demand, skill by skill, and taken over from an earlier state where nothing has changed.

How the tools stand is known apart from the verdicts: the outcome of every condition fits into a table of bytes, which a
later state copies and sets right where a key that changed is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.board import Board, Reading, Told, Tool, board
from inspector_core.mantle.builtins import built_ins, routing
from inspector_core.mantle.candidates import Candidate, candidates
from inspector_core.mantle.engine.lineage import differing
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import BUILT_IN
from inspector_core.mantle.judge import custom, next_turn, scene
from inspector_core.mantle.project import Block, Project, Skill
from inspector_core.mantle.targets import binding, start_of
from inspector_core.mantle.unattached import unattached
from inspector_core.report import Change, OnDemand, Standing, Verdict, compared

__all__ = ["Judged"]

Verdicts = tuple[Verdict, ...]

_INACTIVE: Final[Mapping[str, Standing]] = dict.fromkeys(BUILT_IN, "inactive")
"""What the engine's own tools are to a skill that isn't active."""


class Judged(OnDemand):
    """The verdicts of one state. What it has in common with an earlier one it shares with that."""

    __slots__ = ("_board", "_kept", "_moment", "_own", "_skills", "_table", "moved", "project", "state")

    def __init__(self, project: Project, state: State, earlier: Judged | None = None) -> None:
        self.project, self.state = project, state
        self.moved: tuple[Change, ...] = ()
        """What stands otherwise than in the earlier state."""
        self._board: Board
        self._table: bytearray
        self._skills: Mapping[str | None, None]
        self._kept: dict[str | None, _Kept]
        """For each skill the verdicts that were worked out last, shared by all that follow from one another."""
        self._own: dict[str | None, Verdicts] = {}
        self._moment: _Moment | None = None
        if earlier is None:
            self._board, self._table, self._kept = board(project), bytearray(), {}
            self._skills = dict.fromkeys(_listed(project, state))
        else:
            self._board, self._kept, self._skills = earlier._board, earlier._kept, earlier._skills
            if earlier.state.skill != state.skill and _seldom(project, earlier.state.skill, state.skill):
                self._skills = dict.fromkeys(_listed(project, state))
            self._follow(earlier)

    def __getitem__(self, skill: str | None) -> Verdicts:
        found = self._own.get(skill)
        if found is None:
            if skill not in self._skills:
                raise KeyError(skill)
            kept = self._kept[skill] = self._judge(skill, self._kept.get(skill))
            found = self._own[skill] = kept.verdicts
        return found

    def __iter__(self) -> Iterator[str | None]:
        return iter(self._skills)

    def __len__(self) -> int:
        return len(self._skills)

    def standings(self, skill: str | None) -> Mapping[str, Standing]:
        if skill not in self._skills:
            return {}
        if skill is None or skill == self.state.skill:
            return {v.tool: v.standing for v in self[skill]}
        tools = self._board.tools(self.project, self.project.skill_by_id[skill])
        table = self.table()
        return {**{tool.name: tool.standing(table) for tool in tools}, **_INACTIVE}

    def table(self) -> bytearray:
        """The outcome of every condition that has a number by now."""
        if len(self._table) < len(self._board):
            self._board.fill(self._table, self.project, self.state.memory)
        return self._table

    # -- what follows from an earlier state ------------------------------------------------------------------------

    def _follow(self, earlier: Judged) -> None:
        before, after = earlier.state, self.state
        keys = differing(before.memory, after.memory)
        readings = [self._board.reading(self.project, key) for key in keys]
        was = earlier.table()
        self._table = now = was.copy()
        whole = self._whole(earlier, bool(keys))
        if len(readings) == 1 and readings[0].told is not None:
            moved = _told(readings[0], readings[0].told, after.memory, now)
            if whole:
                moved = [change for change in moved if change.skill not in whole]
        else:
            reached = {tool for reading in readings for tool in _reached(reading, after.memory, now)}
            moved = _moved(sorted([tool for tool in reached if tool.skill not in whole]), was, now)
        for skill in whole:
            moved += compared(skill, earlier.standings(skill), self.standings(skill))
        if whole:
            moved.sort(key=lambda change: (change.skill is None, change.skill or ""))
        self.moved = tuple(moved)

    def _whole(self, earlier: Judged, changed: bool) -> Iterable[str | None]:
        """The skills whose tools depend on more than their conditions, where that more may be other than before."""
        before, after = earlier.state, self.state
        stack = before.stack != after.stack
        flags = before.turn is not after.turn or before.pending is not after.pending
        if stack or (flags and earlier.moment() != self.moment()):
            return {before.skill, after.skill, None}
        return {after.skill} if changed and after.skill is not None else ()

    def moment(self) -> _Moment:
        if self._moment is None:
            self._moment = _moment_of(self.state)
        return self._moment

    # -- verdicts ----------------------------------------------------------------------------------------------------

    def _judge(self, skill_id: str | None, kept: _Kept | None) -> _Kept:
        skill = self.project.skill_by_id.get(skill_id) if skill_id is not None else None
        if skill is None:
            return self._apart(kept)
        project, state = self.project, self.state
        active = state.skill == skill.id
        block = _block(state, skill) if active else start_of(skill)
        here, every = scene(project, state, skill, block, active), candidates(project, skill, block)
        first = _first(project, skill)
        read = {key: state.memory.get(key) for key in {*first, *(key for tool in every for key in tool.reads)}}
        fresh = _Kept(state.target if active else None, self.moment(), read, ())
        if kept is None or fresh.afresh(kept, first):
            return fresh._replace(verdicts=(*(custom(here, tool) for tool in every), *built_ins(here)))
        again = fresh.reached(kept, every)
        custom_ones = [
            custom(here, tool) if tool.name in again else verdict
            for tool, verdict in zip(every, kept.verdicts, strict=False)
        ]
        rest = built_ins(here) if active else kept.verdicts[len(every) :]
        return fresh._replace(verdicts=(*custom_ones, *rest) if again or active else kept.verdicts)

    def _apart(self, kept: _Kept | None) -> _Kept:
        """What belongs to no skill."""
        fresh = _Kept(self.state.target, self.moment(), {}, ())
        if kept is not None and fresh == kept._replace(verdicts=()):
            return kept
        own = routing(self.project, self.state) if self.state.skill is None else ()
        return fresh._replace(verdicts=(*own, *unattached(self.project)))


_Moment = tuple[object, ...]


class _Kept(NamedTuple):
    """A skill's verdicts, and all that they depend on besides the files."""

    target: str | None
    """The active target, where the skill is the active one."""
    moment: _Moment
    read: Mapping[str, object]
    """What its tools read; not the whole memory, which would be kept alive by it."""
    verdicts: Verdicts

    def changed(self, kept: _Kept) -> set[str]:
        return {key for key, value in self.read.items() if kept.read.get(key) is not value}

    def afresh(self, kept: _Kept, first: Iterable[str]) -> bool:
        """Whether the skill as a whole may stand otherwise than before."""
        if self.target != kept.target or (self.target is not None and self.moment != kept.moment):
            return True
        return not self.changed(kept).isdisjoint(first)

    def reached(self, kept: _Kept, tools: Iterable[Candidate]) -> set[str]:
        """The tools whose verdicts may be others than before."""
        keys, moment = self.changed(kept), self.moment != kept.moment
        return {tool.name for tool in tools if not keys.isdisjoint(tool.reads) or (moment and tool.confirms)}


def _listed(project: Project, state: State) -> Iterator[str | None]:
    """The skills that a report lists; the engine's bundled ones have no tools, and only show while they run."""
    yield from (s.id for s in project.skills if not s.bundled or s.tools or s.id == state.skill)
    yield None


def _seldom(project: Project, *skills: str | None) -> bool:
    """Whether one of some skills is only listed while it runs."""
    found = (project.skill_by_id.get(skill) for skill in skills if skill is not None)
    return any(skill is not None and skill.bundled and not skill.tools for skill in found)


def _told(reading: Reading, every: Iterable[Told], memory: Mapping[str, object], table: bytearray) -> list[Change]:
    """Set a table right where a key is read, and say what that moves."""
    moved: list[Change] = []
    for number, outcome, told in zip(reading.numbers, reading.many.outcomes(memory), every, strict=True):
        before = table[number]
        if before != outcome:
            table[number] = outcome
            change = told[before, outcome]
            if change is not None:
                moved.append(change)
    return moved


def _reached(reading: Reading, memory: Mapping[str, object], table: bytearray) -> Iterator[Tool]:
    """Set a table right where a key is read; the tools that may then stand otherwise."""
    for number, outcome, tools in zip(reading.numbers, reading.many.outcomes(memory), reading.tools, strict=True):
        if table[number] != outcome:
            table[number] = outcome
            yield from tools


def _moved(tools: Iterable[Tool], was: bytearray, now: bytearray) -> list[Change]:
    """What differs between two tables."""
    every = ((tool, tool.standing(was), tool.standing(now)) for tool in tools)
    return [Change(tool.skill, tool.name, before, after) for tool, before, after in every if before != after]


def _moment_of(state: State) -> _Moment:
    """The parts of a state besides memory and stack on which a verdict may depend."""
    turn, pending = next_turn(state), state.pending
    waiting = (pending.tool, pending.skill_id, pending.frame_id) if pending is not None else None
    own = state.active_pending is not None
    return waiting, own, turn.ask_queued, turn.denial_queued, turn.paused, turn.searched, turn.trimmed, turn.resolved


def _first(project: Project, skill: Skill) -> tuple[str, ...]:
    """The keys of what has to hold before the skill can start."""
    bound = binding(project, skill)
    return bound.satisfied_when.keys if bound is not None and bound.satisfied_when is not None else ()


def _block(state: State, skill: Skill) -> Block | None:
    top = state.top
    return skill.block(top.block_id) if top is not None and top.block_id is not None else None
