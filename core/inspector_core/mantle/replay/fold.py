"""A recording folded once from end to end: what was written when, and what else is known after each event.

Memory is changed in place and logged, with a copy kept every hundred events, so that any moment is a copy and at most
a hundred writes away. All else changes seldom, and is kept whole where it does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from sys import intern
from typing import NamedTuple

from inspector_core.mantle.engine.lineage import Memory
from inspector_core.mantle.engine.state import State, Write
from inspector_core.mantle.replay.truths import Truths
from inspector_core.mantle.wire.rebuild import BEGINNING, Rebuilt, advance, is_engines, position_of, write_of
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["EVERY", "Folded", "fold"]

EVERY = 100
"""Events between two copies of memory."""

_WRITES = frozenset({"memory_set", "memory_cleared", "inspector_set", "inspector_cleared"})
_BY_HAND = frozenset({"inspector_set", "inspector_cleared"})


class _Copy(NamedTuple):
    """Memory as it was, and how much had been written by then."""

    memory: Memory
    writes: Mapping[str, Write]
    logged: int


class Folded:
    """Everything that is known after each event; events count from 1, and 0 is the time before the first."""

    def __init__(self, start: State) -> None:
        self.at: list[int] = []
        """For each write of memory, the number of its event."""
        self.keys: list[str] = []
        self.values: list[object] = []
        self.writes: list[Write | None] = []
        self.positions: list[int] = []
        self.by_key: dict[str, list[int]] = {}
        """For each key, its writes as places in these lists."""
        self.rests_at: list[int] = [0]
        self.rests: list[Rebuilt] = [BEGINNING._replace(state=start)]
        """All but memory, after each event that changed it."""
        self.problems: dict[int, str] = {}
        """Events that could not be followed, with what is wrong with them."""
        self.copies: list[_Copy] = []
        self.start = start

    def rebuilt(self, number: int) -> Rebuilt:
        """What is known after so many events."""
        copy, memory, end = self._near(number)
        writes = dict(copy.writes)
        for place in range(copy.logged, end):
            _put(memory, writes, self.keys[place], self.values[place], self.writes[place])
        return self._whole(number, memory, writes, end)

    def following(self, before: Rebuilt, number: int) -> Rebuilt:
        """What is known after this event, where `before` is known before it: the two share what they can."""
        first, end = bisect_right(self.at, number - 1), bisect_right(self.at, number)
        memory, writes = before.state.memory, before.state.writes
        if end > first:
            changed = Memory(memory, memory)
            writes = dict(writes)
            for place in range(first, end):
                _put(changed, writes, self.keys[place], self.values[place], self.writes[place])
            changed.settle(frozenset(self.keys[first:end]))
            memory = changed
        return self._whole(number, memory, writes, end)

    def value(self, key: str, number: int) -> object:
        """What a key held after so many events."""
        place = self.write_before(key, number)
        return self.start.memory.get(key) if place is None else self.values[place]

    def write_before(self, key: str, number: int) -> int | None:
        """The place of the latest write of a key up to this event."""
        places = self.by_key.get(key, ())
        found = bisect_right(places, number, key=self.at.__getitem__)
        return places[found - 1] if found else None

    def rest(self, number: int) -> Rebuilt:
        """All but memory, after so many events."""
        return self.rests[bisect_right(self.rests_at, number) - 1]

    def _near(self, number: int) -> tuple[_Copy, Memory, int]:
        copy = self.copies[min(number // EVERY, len(self.copies) - 1)]
        return copy, Memory(copy.memory), bisect_right(self.at, number, copy.logged)

    def _whole(self, number: int, memory: Mapping[str, object], writes: Mapping[str, Write], end: int) -> Rebuilt:
        rest = self.rest(number)
        position = self.positions[end - 1] if end else self.start.position
        state = with_memory(rest.state, memory, writes, max(position, rest.state.position))
        return rest._replace(state=state, problem=self.problems.get(number))


def _put(memory: dict[str, object], writes: dict[str, Write], key: str, value: object, write: Write | None) -> None:
    if write is None:
        memory.pop(key, None)
        writes.pop(key, None)
    else:
        memory[key], writes[key] = value, write


def with_memory(state: State, memory: Mapping[str, object], writes: Mapping[str, Write], position: int) -> State:
    """A state with other memory; a third of what `replace` takes."""
    return State(
        memory, writes, state.stack, state.pending, state.turn, state.triggers, state.frames, state.calls, position,
        state.stubs, state.asked, state.over, state.buttons, state.fired,
    )  # fmt: skip


def fold(events: Iterable[TrackerEvent], start: State, truths: Truths) -> Folded:
    """Fold a whole recording; nothing of what it holds makes this raise."""
    folding = _Folding(start, truths)
    for event in events:
        folding.step(event)
    return folding.done


class _Folding:
    """The fold while it is under way."""

    def __init__(self, start: State, truths: Truths) -> None:
        self.done = Folded(start)
        self.memory, self.writes = Memory(start.memory), dict(start.writes)
        self.rest = self.done.rests[0]
        self.position = start.position
        self.truths = truths
        self.number = 0
        self._copy()

    def step(self, event: TrackerEvent) -> None:
        """One more event."""
        self.number += 1
        key = event.fields.get("key")
        if event.name in _WRITES and isinstance(key, str) and (event.name in _BY_HAND or not is_engines(key)):
            self._written(event, intern(key) if type(key) is str else key)
        else:
            self._else(event)
        if self.number % EVERY == 0:
            self._copy()

    def _written(self, event: TrackerEvent, key: str) -> None:
        value, turn = event.fields.get("value"), self.rest.state.turn
        self.position = position_of(event, self.position)
        write = None if value is None else write_of(event, key, turn)
        _put(self.memory, self.writes, key, value, write)
        self._log(key, value, write)
        self.truths.judge(self.number, key, self.memory)

    def _log(self, key: str, value: object, write: Write | None) -> None:
        done = self.done
        done.by_key.setdefault(key, []).append(len(done.at))
        done.at.append(self.number)
        done.keys.append(key)
        done.values.append(value)
        done.writes.append(write)
        done.positions.append(self.position)

    def _else(self, event: TrackerEvent) -> None:
        before = self.rest
        if event.name == "session_started" or event.name in _WRITES:
            before = before._replace(state=self._state())
        after = advance(before, event)
        if after is before:
            return
        if after.problem is not None:
            self.done.problems[self.number] = after.problem
            after = after._replace(problem=None)
        self.position = max(self.position, after.state.position)
        if after.state.memory is not before.state.memory:
            self._forget(after.state)
        self.rest = after
        self.done.rests_at.append(self.number)
        self.done.rests.append(after)

    def _state(self) -> State:
        return with_memory(self.rest.state, Memory(self.memory), dict(self.writes), self.position)

    def _forget(self, state: State) -> None:
        """A new session: what is gone is logged as if it had been cleared, key by key."""
        gone = [key for key in self.memory if key not in state.memory]
        for key in gone:
            _put(self.memory, self.writes, key, None, None)
            self._log(key, None, None)
        for key in gone:
            self.truths.judge(self.number, key, self.memory)

    def _copy(self) -> None:
        self.done.copies.append(_Copy(Memory(self.memory), dict(self.writes), len(self.done.at)))
