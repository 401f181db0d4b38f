"""How things are timed: every candidate in every round, in shuffled order, the collector off; medians of what came out.

Absolute times differ from run to run on a shared machine; the ratio of two candidates timed in the same round carries.
Of what is long, the processor's time is compared: by the clock, a long call meets more of what others do meanwhile.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

__all__ = ["Row", "Spent", "at_least", "at_most", "growth", "percentile", "ratio", "spent_in_a_child", "times"]

SHORTEST = 0.004
"""Seconds that a timing should last at least, so that the clock's own steps don't show."""

Times = Mapping[str, list[float]]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    number: str
    """As in the table of targets; empty for a figure that is only shown."""
    what: str
    value: float
    unit: str = "x"
    goal: float | None = None
    bar: float | None = None
    lower_is_better: bool = True
    note: str = ""

    @property
    def verdict(self) -> str:
        """`ok` within the bar, `over` outside; `goal` where the goal is met too."""
        if self.bar is None:
            return ""
        if not self._within(self.bar):
            return "over"
        return "goal" if self.goal is not None and self._within(self.goal) else "ok"

    def _within(self, limit: float) -> bool:
        return self.value <= limit if self.lower_is_better else self.value >= limit


def at_most(
    number: str, what: str, value: float, bar: float | None, goal: float | None = None, unit: str = "x", note: str = ""
) -> Row:
    return Row(number, what, value, unit, goal, bar, True, note)


def at_least(number: str, what: str, value: float, bar: float | None, note: str = "") -> Row:
    return Row(number, what, value, "x", None, bar, False, note)


def times(
    candidates: Mapping[str, Callable[[], object]], rounds: int = 9, clock: Callable[[], float] = perf_counter
) -> dict[str, list[float]]:
    """Seconds per call of each candidate, one figure a round."""
    often = {name: _often(call) for name, call in candidates.items()}
    found: dict[str, list[float]] = {name: [] for name in candidates}
    order, chance = list(candidates), random.Random(0)
    for _ in range(rounds):
        chance.shuffle(order)
        for name in order:
            found[name].append(_timed(candidates[name], often[name], clock) / often[name])
    return found


def ratio(found: Times, above: str, below: str) -> float:
    """The median of the ratios of each round."""
    return median(a / b for a, b in zip(found[above], found[below], strict=True))


def growth(sizes: list[int], seconds: list[float]) -> float:
    """The exponent with which the time grows between the smallest and the largest size."""
    return log(seconds[-1] / seconds[0]) / log(sizes[-1] / sizes[0])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


class Spent(NamedTuple):
    """Seconds that a call took."""

    wall: float
    processor: float
    """Its own work and the system's for it, whoever else was at work."""


def spent_in_a_child(call: Callable[[], object]) -> Spent:
    """What a call takes in a process that has imported everything and done nothing yet: no cache is warm."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, pickle.dumps(_spent(call)))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        spent: Spent = pickle.load(pipe)
    os.waitpid(child, 0)
    return spent


def _spent(call: Callable[[], object]) -> Spent:
    """For a process that ends after it: the collector stays off."""
    gc.collect()
    gc.disable()
    wall, processor = perf_counter(), process_time()
    call()
    return Spent(perf_counter() - wall, process_time() - processor)


def _often(call: Callable[[], object]) -> int:
    """How often to call for one timing; what is made on first use is made here, and counts nowhere."""
    call()
    count, seconds = 1, _timed(call, 1)
    while seconds < SHORTEST and count < 1 << 20:
        count *= 2
        seconds = _timed(call, count)
    return count


def _timed(call: Callable[[], object], count: int, clock: Callable[[], float] = perf_counter) -> float:
    gc.collect()
    gc.disable()
    try:
        start = clock()
        for _ in range(count):
            call()
        return clock() - start
    finally:
        gc.enable()
