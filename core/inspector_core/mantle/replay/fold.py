"""A recording folded once from end to end: what was written when, and what else is known after each event.

Memory is changed in place and logged, with a copy kept every hundred events, so that any moment is a copy and at most
a hundred writes away. All else changes seldom, and is kept where it does.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from inspector_core.mantle.engine.lineage import Memory
from inspector_core.mantle.engine.state import State, Turn, Write
from inspector_core.mantle.wire.rebuild import BEGINNING, Rebuilt

__all__ = ["EVERY", "Copy", "Folded", "Rest", "Writes", "with_memory"]

EVERY = 100
"""Events between two copies of memory."""


class Copy(NamedTuple):
    """Memory as it was, and how much had been written by then."""

    memory: dict[str, object]
    logged: int


class Rest(NamedTuple):
    """All but memory. What nearly every event changes stands beside the rest, which few do."""

    core: Rebuilt
    turn: Turn
    buttons: tuple[tuple[str, str], ...]
    calls: int

    @property
    def rebuilt(self) -> Rebuilt:
        """All that is known, with memory as it was some time before."""
        state = self.core.state
        return self.core._replace(state=State(
            state.memory, state.writes, state.stack, state.pending, self.turn, state.triggers, state.frames, self.calls,
            state.position, state.stubs, state.asked, state.over, self.buttons, state.fired,
        ))  # fmt: skip


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
        self.rests: list[Rest] = [Rest(BEGINNING._replace(state=start), start.turn, start.buttons, start.calls)]
        """All but memory, after each event that changed it."""
        self.problems: dict[int, str] = {}
        """Events that could not be followed, with what is wrong with them."""
        self.copies: list[Copy] = []
        self.start = start

    def rebuilt(self, number: int) -> Rebuilt:
        """What is known after so many events."""
        copy = self.copies[min(number // EVERY, len(self.copies) - 1)]
        memory, end = copy.memory.copy(), bisect_right(self.at, number, copy.logged)
        self._write(memory, copy.logged, end)
        return self._whole(number, memory, end)

    def following(self, before: Rebuilt, number: int) -> Rebuilt:
        """What is known after this event, where `before` is known before it: the two share what they can."""
        first, end = bisect_right(self.at, number - 1), bisect_right(self.at, number)
        memory = before.state.memory
        if end > first:
            changed = Memory(memory, memory)
            self._write(changed, first, end)
            changed.settle(frozenset(self.keys[first:end]))
            memory = changed
        return self._whole(number, memory, end)

    def _write(self, memory: dict[str, object], first: int, end: int) -> None:
        for key, value in zip(self.keys[first:end], self.values[first:end], strict=True):
            if value is None:
                memory.pop(key, None)
            else:
                memory[key] = value

    def value(self, key: str, number: int) -> object:
        """What a key held after so many events."""
        place = self.write_before(key, number)
        return self.start.memory.get(key) if place is None else self.values[place]

    def write_before(self, key: str, number: int) -> int | None:
        """The place of the latest write of a key up to this event."""
        places = self.by_key.get(key, ())
        found = bisect_right(places, number, key=self.at.__getitem__)
        return places[found - 1] if found else None

    def rest(self, number: int) -> Rest:
        """All but memory, after so many events."""
        return self.rests[bisect_right(self.rests_at, number) - 1]

    def _whole(self, number: int, memory: Mapping[str, object], end: int) -> Rebuilt:
        rest = self.rest(number).rebuilt
        position = self.positions[end - 1] if end else self.start.position
        state = with_memory(rest.state, memory, Writes(self, number, memory), max(position, rest.state.position))
        return rest._replace(state=state, problem=self.problems.get(number))


class Writes(Mapping[str, Write]):
    """Who wrote each key that memory held after so many events; looked up when it is asked for."""

    __slots__ = ("_folded", "_memory", "_number")

    def __init__(self, folded: Folded, number: int, memory: Mapping[str, object]) -> None:
        self._folded, self._number, self._memory = folded, number, memory

    def __getitem__(self, key: str) -> Write:
        place = self._folded.write_before(key, self._number)
        write = self._folded.start.writes.get(key) if place is None else self._folded.writes[place]
        if write is None:
            raise KeyError(key)
        return write

    def __iter__(self) -> Iterator[str]:
        return iter(self._memory)

    def __len__(self) -> int:
        return len(self._memory)


def with_memory(state: State, memory: Mapping[str, object], writes: Mapping[str, Write], position: int) -> State:
    """A state with other memory; a third of what `replace` takes."""
    return State(
        memory, writes, state.stack, state.pending, state.turn, state.triggers, state.frames, state.calls, position,
        state.stubs, state.asked, state.over, state.buttons, state.fired,
    )  # fmt: skip
