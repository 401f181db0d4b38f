"""Verdicts worked out on demand, skill by skill, and taken over from an earlier state where nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from inspector_core.mantle.builtins import built_ins, routing
from inspector_core.mantle.candidates import Candidate, candidates, confirming, readers
from inspector_core.mantle.engine.lineage import differing
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import BUILT_IN
from inspector_core.mantle.judge import Scene, custom, next_turn, scene, standing
from inspector_core.mantle.project import Block, Project, Skill
from inspector_core.mantle.targets import binding, start_of
from inspector_core.mantle.unattached import unattached
from inspector_core.report import OnDemand, Standing, Verdict

__all__ = ["Judged"]

Verdicts = tuple[Verdict, ...]

_INACTIVE: Final[Mapping[str, Standing]] = dict.fromkeys(BUILT_IN, "inactive")
"""What the engine's own tools are to a skill that isn't active."""
_MOST: Final = 48
"""So many cells may differ from the shared ones before they are laid together anew."""


class Judged(OnDemand):
    """The verdicts of one state. What it has in common with an earlier one it shares with that."""

    __slots__ = ("_all", "_own", "project", "state", "touched")

    def __init__(self, project: Project, state: State, earlier: Judged | None = None) -> None:
        self.project, self.state = project, state
        self.touched: frozenset[str | None] = frozenset()
        """The skills that were looked at anew against the earlier state."""
        self._all: Mapping[str | None, _Cell]
        self._own: dict[str | None, _Cell] = {}
        if earlier is None:
            self._all = {skill: _Cell(project, state, skill) for skill in _listed(project, state)}
        else:
            self._take_over(earlier)

    def _take_over(self, earlier: Judged) -> None:
        change = _Change(self.project, earlier.state, self.state)
        self.touched = change.touched
        self._all, self._own = earlier._all, earlier._own.copy()
        if len(self._own) + len(change.touched) > _MOST:
            self._all, self._own = {**self._all, **self._own}, {}
        for skill in change.touched:
            self._own[skill] = _Cell(self.project, self.state, skill, earlier.cell(skill), change)

    def cell(self, skill: str | None) -> _Cell | None:
        return self._own.get(skill) or self._all.get(skill)

    def __getitem__(self, skill: str | None) -> Verdicts:
        found = self.cell(skill)
        if found is None:
            raise KeyError(skill)
        return found.verdicts()

    def __iter__(self) -> Iterator[str | None]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def standings(self, skill: str | None) -> Mapping[str, Standing]:
        found = self.cell(skill)
        return found.standings() if found is not None else {}


def _listed(project: Project, state: State) -> Iterator[str | None]:
    """The skills that a report lists; the engine's bundled ones have no tools, and only show while they run."""
    yield from (s.id for s in project.skills if not s.bundled or s.tools or s.id == state.skill)
    yield None


class _Change:
    """What differs between two states, as far as verdicts can tell."""

    __slots__ = ("keys", "moment", "target", "touched")

    def __init__(self, project: Project, before: State, after: State) -> None:
        self.keys = differing(before.memory, after.memory)
        stack = before.stack != after.stack
        self.target = stack and before.target != after.target
        self.moment = (stack or before.turn is not after.turn or before.pending is not after.pending) and (
            _moment(before) != _moment(after)
        )
        self.touched: frozenset[str | None] = frozenset(self._reached(project, before, after, stack))

    def _reached(self, project: Project, before: State, after: State, stack: bool) -> Iterator[str | None]:
        index = readers(project)
        for key in self.keys:
            yield from index.get(key, ())
        if self.moment:
            yield from confirming(project)
        if self.moment or stack:
            yield from (before.skill, after.skill, None)
        elif self.keys and after.skill is not None:
            yield after.skill

    def all_of(self, here: Scene) -> bool:
        """Whether a skill as a whole may stand otherwise than before."""
        bound = binding(here.project, here.skill) if here.skill is not None else None
        condition = bound.satisfied_when if bound is not None else None
        if self.target or (here.active and self.moment):
            return True
        return condition is not None and not self.keys.isdisjoint(condition.keys)

    def reached(self, tools: tuple[Candidate, ...]) -> list[Candidate]:
        """The tools whose verdicts may be others than before."""
        keys, moment = self.keys, self.moment
        return [tool for tool in tools if not keys.isdisjoint(tool.reads) or (moment and tool.confirms)]


def _moment(state: State) -> tuple[object, ...]:
    """The parts of a state besides memory and stack on which a verdict may depend."""
    turn, pending = next_turn(state), state.pending
    waiting = (pending.tool, pending.skill_id, pending.frame_id) if pending is not None else None
    own = state.active_pending is not None
    return waiting, own, turn.ask_queued, turn.denial_queued, turn.paused, turn.searched, turn.trimmed, turn.resolved


class _Cell:
    """One skill's verdicts in one state, or what it takes to work them out."""

    __slots__ = ("_change", "_old", "_project", "_skill", "_standings", "_state", "_value", "_was")

    def __init__(
        self, project: Project, state: State, skill: str | None, old: _Cell | None = None,
        change: _Change | None = None,
    ) -> None:  # fmt: skip
        self._project, self._state, self._skill, self._change = project, state, skill, change
        self._old = old._value if old is not None else None
        self._was = old._standings if old is not None else None
        self._value: Verdicts | None = None
        self._standings: Mapping[str, Standing] | None = None

    def verdicts(self) -> Verdicts:
        if self._value is None:
            self._value = self._work_out()
            self._old = None
        return self._value

    def standings(self) -> Mapping[str, Standing]:
        if self._standings is None:
            self._standings = self._quickly()
            self._was = None
        return self._standings

    def _work_out(self) -> Verdicts:
        here = self._scene()
        if here is None or here.skill is None:
            own = routing(self._project, self._state) if self._state.skill is None else ()
            return (*own, *unattached(self._project))
        every = candidates(self._project, here.skill, here.block)
        if self._old is None or self._change is None or self._change.all_of(here):
            return (*(custom(here, c) for c in every), *built_ins(here))
        return _renewed(here, every, self._old, self._change)

    def _quickly(self) -> Mapping[str, Standing]:
        """Tool to standing: from the verdicts where there are any, else without making them."""
        here = self._scene() if self._value is None else None
        if here is None or here.skill is None or here.active:
            return {v.tool: v.standing for v in self.verdicts()}
        every, change = candidates(self._project, here.skill, here.block), self._change
        was = self._was if self._was is not None else {v.tool: v.standing for v in self._old or ()}
        if not was or change is None or change.all_of(here):
            return {**{c.name: standing(here, c) for c in every}, **_INACTIVE}
        moved = {c.name: standing(here, c) for c in change.reached(every)}
        return {**was, **moved} if any([was[name] != word for name, word in moved.items()]) else was

    def _scene(self) -> Scene | None:
        skill = self._project.skill_by_id.get(self._skill) if self._skill is not None else None
        if skill is None:
            return None
        active = self._state.skill == skill.id
        return scene(
            self._project, self._state, skill, _block(self._state, skill) if active else start_of(skill), active
        )


def _block(state: State, skill: Skill) -> Block | None:
    top = state.top
    return skill.block(top.block_id) if top is not None and top.block_id is not None else None


def _renewed(here: Scene, every: tuple[Candidate, ...], old: Verdicts, change: _Change) -> Verdicts:
    """Earlier verdicts, those judged anew that read a changed key; the very tuple where there are none."""
    reached = {tool.name for tool in change.reached(every)}
    fresh = tuple(
        custom(here, tool) if tool.name in reached else verdict for tool, verdict in zip(every, old, strict=False)
    )
    rest = built_ins(here) if here.active else old[len(every) :]
    new = (*fresh, *rest)
    return old if all(a is b for a, b in zip(new, old, strict=True)) else new
