"""The report of a whole state: every tool's verdict, for every skill (§5.6, §5.7).

A skill's verdicts are worked out when they are first asked for. A report made from an earlier one takes over all that
cannot have changed: what a step costs depends on what it touched, not on how large the agent is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inspector_core.mantle.builtins import built_ins, routing
from inspector_core.mantle.candidates import Candidate, candidates, confirming, readers
from inspector_core.mantle.engine.lineage import differing
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import BUILT_IN, RESERVED, named_by, shared_tools
from inspector_core.mantle.judge import Scene, custom, next_turn, scene, standing
from inspector_core.mantle.project import Block, Project, Skill
from inspector_core.mantle.targets import binding, start_of
from inspector_core.report import OnDemand, Report, Standing, Verdict
from inspector_core.tool import Tool, ToolKind

__all__ = ["judge", "report"]

Verdicts = tuple[Verdict, ...]

_INACTIVE: Mapping[str, Standing] = dict.fromkeys(BUILT_IN, "inactive")
"""What the engine's own tools are to a skill that isn't active."""


def report(project: Project, state: State, previous: Report | None = None) -> Report:
    """All verdicts in a state; `previous`, of the same project, spares what the two states have in common."""
    earlier = previous.by_skill if previous is not None else None
    if previous is None or not isinstance(earlier, _Judged) or earlier.project is not project:
        cells = {skill: _Cell(project, state, skill) for skill in _listed(project, state)}
        return Report(_Judged(project, state, cells), state.target)
    change = _Change(project, earlier.state, state)
    cells = earlier.cells.copy()
    for skill in change.touched:
        cells[skill] = _Cell(project, state, skill, cells.get(skill), change)
    for skill in change.gone:
        cells.pop(skill, None)
    return Report(
        _Judged(project, state, cells), state.target, origin=previous.key, touched=change.touched | change.gone
    )


def judge(project: Project, state: State, skill_id: str, block_id: str | None, active: bool) -> Verdicts:
    """The verdicts for one skill, in its prose or in one of its blocks; `active`: as though it were live there."""
    skill = project.skill_by_id.get(skill_id)
    block = skill.block(block_id) if skill is not None and block_id is not None else None
    if skill is None or (block is None and block_id is not None):
        return ()
    here = scene(project, state, skill, block, active)
    return (*(custom(here, c) for c in candidates(project, skill, block)), *built_ins(here))


def _listed(project: Project, state: State) -> Iterator[str | None]:
    """The skills that a report lists; the engine's bundled ones have no tools, and only show while they run."""
    yield from (s.id for s in project.skills if not s.bundled or s.tools or s.id == state.skill)
    yield None


class _Judged(OnDemand):
    """Verdicts by skill, each worked out on first use."""

    __slots__ = ("cells", "project", "state")

    def __init__(self, project: Project, state: State, cells: dict[str | None, _Cell]) -> None:
        self.project, self.state, self.cells = project, state, cells

    def __getitem__(self, skill: str | None) -> Verdicts:
        return self.cells[skill].verdicts()

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    def standings(self, skill: str | None) -> Mapping[str, Standing]:
        cell = self.cells.get(skill)
        return cell.standings() if cell is not None else {}


class _Change:
    """What differs between two states, as far as verdicts can tell."""

    __slots__ = ("gone", "keys", "moment", "target", "touched")

    def __init__(self, project: Project, before: State, after: State) -> None:
        self.keys = differing(before.memory, after.memory)
        self.target = before.target != after.target
        self.moment = _moment(before) != _moment(after)
        touched = {skill for key in self.keys for skill in readers(project).get(key, ())}
        if self.moment:
            touched |= confirming(project)
        everyone: set[str | None] = {s for s in touched if _shows(project, after, s)}
        if self.moment or before.stack != after.stack:
            everyone |= {before.skill, after.skill, None}
        elif self.keys and after.skill is not None:
            everyone.add(after.skill)
        self.gone: frozenset[str | None] = frozenset(s for s in everyone if s and not _shows(project, after, s))
        self.touched: frozenset[str | None] = frozenset(everyone - self.gone)

    def all_of(self, here: Scene) -> bool:
        """Whether a skill as a whole may stand otherwise than before."""
        bound = binding(here.project, here.skill) if here.skill is not None else None
        condition = bound.satisfied_when if bound is not None else None
        if self.target or (here.active and self.moment):
            return True
        return condition is not None and not self.keys.isdisjoint(condition.keys)

    def reaches(self, tool: Candidate) -> bool:
        """Whether one tool's verdict may be another than before."""
        return (self.moment and tool.confirms) or not tool.reads.isdisjoint(self.keys)


def _shows(project: Project, state: State, skill_id: str) -> bool:
    skill = project.skill_by_id.get(skill_id)
    return skill is not None and (not skill.bundled or bool(skill.tools) or skill_id == state.skill)


def _moment(state: State) -> tuple[object, ...]:
    """The parts of a state besides memory and stack on which a verdict may depend."""
    turn, pending = next_turn(state), state.pending
    waiting = (pending.tool, pending.skill_id, pending.frame_id) if pending is not None else None
    own = state.active_pending is not None
    return waiting, own, turn.ask_queued, turn.denial_queued, turn.paused, turn.searched, turn.resolved


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
            return _without_skill(self._project, self._state)
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
        moved = {c.name: standing(here, c) for c in every if change.reaches(c)}
        return {**was, **moved} if any(was[name] != word for name, word in moved.items()) else was

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
    fresh = tuple(
        custom(here, tool) if change.reaches(tool) else verdict for tool, verdict in zip(every, old, strict=False)
    )
    rest = built_ins(here) if here.active else old[len(every) :]
    new = (*fresh, *rest)
    return old if all(a is b for a, b in zip(new, old, strict=True)) else new


# -- tools of no skill ---------------------------------------------------------------------------------------------


def _without_skill(project: Project, state: State) -> Verdicts:
    """The engine's own tools while none is active, and the shared tools that reach no skill."""
    own = routing(project, state) if state.skill is None else ()
    return (*own, *_unattached(project))


def _unattached(project: Project) -> Iterator[Verdict]:
    registered = shared_tools(project)
    for tool in project.shared_tools:
        naming = [s for s in project.skills if tool.name in named_by(s)]
        if registered.get(tool.name) is not tool:
            yield _idle(tool, *_passed_over(tool))
        elif not naming:
            yield _idle(tool, "not-imported", "no skill names it")
        elif all(any(t.name == tool.name for t in s.tools) for s in naming):
            yield _idle(tool, "shadowed-by-local", f"`{naming[0].id}` has its own `{tool.name}`", "shared", "hidden")


def _passed_over(tool: Tool) -> tuple[str, str]:
    if tool.name in RESERVED:
        return "name-collision", f"`{tool.name}` is one of the engine's own names"
    if tool.name.startswith("set_"):
        return "not-imported", "the engine passes over shared tools whose names start with `set_`"
    return "name-collision", f"another shared tool is called `{tool.name}`"


def _idle(
    tool: Tool, reason: str, why: str, kind: ToolKind = "unattached", standing: Standing = "not imported"
) -> Verdict:
    return Verdict(None, tool.name, kind, False, False, standing, reason, why, tool.span)
