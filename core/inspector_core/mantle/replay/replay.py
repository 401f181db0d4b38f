"""A recording held against a project: what was known at each event, how every tool stood, and what changed that."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from inspector_core.mantle.engine.state import EMPTY, Frame, Pending, State
from inspector_core.mantle.gates import report
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay.confirmed import Confirmation, confirmations
from inspector_core.mantle.replay.folding import fold
from inspector_core.mantle.replay.history import AWAY, GateHistory, Stretch, histories, stretches, ways
from inspector_core.mantle.replay.truths import Truths
from inspector_core.mantle.wire.rebuild import Rebuilt
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.report import Change, Report, changes

__all__ = ["Point", "Replay"]


class Point:
    """One moment of a recording: what was known after so many events. Its report is worked out when it is asked for."""

    def __init__(self, project: Project, number: int, event: TrackerEvent | None, known: Known) -> None:
        self.project = project
        self.number = number
        """How many events had happened; 0 is before the first."""
        self.event = event
        """The latest of them."""
        self._known = known

    @cached_property
    def rebuilt(self) -> Rebuilt:
        """All that the recording tells of this moment."""
        return self._known()[1]

    @property
    def state(self) -> State:
        return self.rebuilt.state

    @property
    def pending(self) -> Pending | None:
        """The confirmation that waits."""
        return self.state.pending

    @property
    def stack(self) -> tuple[Frame, ...]:
        return self.state.stack

    @property
    def block(self) -> tuple[str, str, str] | None:
        """Skill, block and step that the conversation is at, while it is in an ordered block."""
        top = self.state.top
        if top is None or top.block_id is None:
            return None
        return top.skill_id, top.block_id, top.step_id or "START"

    @property
    def problem(self) -> str | None:
        """What of the event could not be followed."""
        return self.rebuilt.problem

    @cached_property
    def report(self) -> Report:
        """Every tool's verdict at this moment, by the project's files."""
        return self._reports[1]

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The tools that this event made stand otherwise than before, the engine's own among them."""
        before, now = self._reports
        return () if before is now else changes(before, now)

    @cached_property
    def _reports(self) -> tuple[Report, Report]:
        before, now = self._known()
        first = report(self.project, before.state)
        return (first, first) if now is before else (first, report(self.project, now.state, first))


Known = Callable[[], tuple[Rebuilt, Rebuilt]]
"""What is known before a moment's event, and after it."""


class Replay:
    """A recording folded over a project. Its events count from 1; any moment of it can be had at once."""

    def __init__(self, project: Project, events: Sequence[TrackerEvent], start: State = EMPTY) -> None:
        self.project, self.events, self.start = project, events, start
        self._truths = Truths(project, start.memory)
        self._folded = fold(events, start, self._truths)
        self._histories: dict[str, Mapping[str, GateHistory]] = {}

    def __len__(self) -> int:
        """How many events there are."""
        return len(self.events)

    def over(self, project: Project) -> Replay:
        """The same recording held against another reading of the files."""
        return Replay(project, self.events, self.start)

    # -- moments -------------------------------------------------------------------------------------------------

    def at(self, number: int) -> Point:
        """The moment after so many events; a number outside is clamped."""
        number = min(max(number, 0), len(self))
        event = self.events[number - 1] if number else None
        return Point(self.project, number, event, lambda: self._known(number))

    def _known(self, number: int) -> tuple[Rebuilt, Rebuilt]:
        before = self._folded.rebuilt(max(number - 1, 0))
        return before, before if number == 0 else self._folded.following(before, number)

    def rebuilt(self, number: int) -> Rebuilt:
        """All that is known after so many events."""
        return self._folded.rebuilt(min(max(number, 0), len(self)))

    def rest(self, number: int) -> Rebuilt:
        """All that is known after so many events but for memory, which holds whatever it held some time before."""
        return self._folded.rest(min(max(number, 0), len(self))).rebuilt

    def pending(self, number: int) -> Pending | None:
        """The confirmation that waits after so many events."""
        return self._folded.rest(number).core.state.pending

    def value(self, key: str, number: int) -> object:
        """What a key of memory held after so many events; `None` for nothing."""
        return self._folded.value(key, number)

    def written(self, key: str, number: int) -> int | None:
        """The latest event up to this one that wrote or cleared a key."""
        place = self._folded.write_before(key, number)
        return None if place is None else self._folded.at[place]

    @property
    def problems(self) -> Mapping[int, str]:
        """The events that could not be followed, with what is wrong with them."""
        return self._folded.problems

    # -- gates -----------------------------------------------------------------------------------------------------

    def history(self, skill: str, tool: str) -> GateHistory | None:
        """How one of a skill's own, shared or imported tools stood all through."""
        return self.histories(skill).get(tool)

    def histories(self, skill: str) -> Mapping[str, GateHistory]:
        """The histories of all of a skill's tools."""
        if skill not in self._histories:
            known = self.project.skill_by_id.get(skill)
            own = self._ways.get(skill, (AWAY,))
            found = histories(self.project, known, own, self._truths) if known is not None else ()
            self._histories[skill] = {history.tool: history for history in found}
        return self._histories[skill]

    @cached_property
    def way(self) -> tuple[Stretch, ...]:
        """The skills and blocks that the conversation went through."""
        return stretches(self.project, self._folded)

    @cached_property
    def _ways(self) -> Mapping[str, Sequence[Stretch]]:
        return ways(self.way)

    @cached_property
    def moved(self) -> Mapping[int, tuple[Change, ...]]:
        """For each event that made custom tools stand otherwise than before, those tools."""
        found: dict[int, list[Change]] = {}
        for skill in self.project.skills:
            for history in self.histories(skill.id).values():
                for place, number in enumerate(history.changes, 1):
                    was, now = history.standings[place - 1], history.standings[place]
                    found.setdefault(number, []).append(Change(history.skill, history.tool, was, now))
        return {number: tuple(found[number]) for number in sorted(found)}

    @cached_property
    def gate_changes(self) -> tuple[int, ...]:
        """The events that made some custom tool stand otherwise than before."""
        return tuple(self.moved)

    def next_change(self, number: int) -> int | None:
        """The first gate change after this event."""
        return _after(self.gate_changes, number)

    def previous_change(self, number: int) -> int | None:
        """The last gate change before this event."""
        return _before(self.gate_changes, number)

    # -- the conversation ------------------------------------------------------------------------------------------

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The events with which turns begin: the customer's messages."""
        return tuple(number for number, event in enumerate(self.events, 1) if event.name == "user")

    def next_turn(self, number: int) -> int | None:
        """The first turn that begins after this event."""
        return _after(self.turns, number)

    def previous_turn(self, number: int) -> int | None:
        """The last turn that begins before this event."""
        return _before(self.turns, number)

    @cached_property
    def confirmations(self) -> tuple[Confirmation, ...]:
        """Every question put to the customer with what became of it: pause, answer and run in one."""
        return confirmations(self.events, self.pending)

    @cached_property
    def confirmation_of(self) -> Mapping[int, Confirmation]:
        """For each event that is a record of a question, that question."""
        return {number: one for one in self.confirmations for number in one.events}


def _after(numbers: Sequence[int], number: int) -> int | None:
    place = bisect_right(numbers, number)
    return numbers[place] if place < len(numbers) else None


def _before(numbers: Sequence[int], number: int) -> int | None:
    place = bisect_left(numbers, number)
    return numbers[place - 1] if place else None
