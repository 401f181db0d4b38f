"""Every situation that rules can lead to, found once: what matters of a history is finite.

That is the last call and which way its output goes, how often each counted tool was called up to its limit, and which
required tools were called. Two histories alike in these are allowed the same for ever after.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.letta.loops import Loop, after_call, uncalled
from inspector_core.letta.outputs import packaged, route
from inspector_core.letta.rules import Conditional, Rules
from inspector_core.letta.solver import Answer, Situation, solve

__all__ = ["MOST_STATES", "Explored", "Reached", "explore", "outputs"]

MOST_STATES = 4_000
"""So many situations are looked at; where there are more, what was not met is not said to be impossible."""
_MOST_WORK = 4_000_000
"""Situations times rules."""
_OTHER = "another output than any that is mapped"


class Reached(NamedTuple):
    """One situation, with the shortest history that leads there."""

    now: Situation
    answer: Answer
    over: bool
    """The turn has ended with the last call."""
    may_end: bool
    """The model may end it with words."""
    next: tuple[int, ...]
    """The situations that a call leads to, by their number."""
    cut: bool = False
    """It leads to others that were not looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Explored:
    """All situations, the empty history first."""

    states: tuple[Reached, ...]
    exact: bool
    """There are no others."""

    @property
    def allowed(self) -> frozenset[str]:
        """The tools that may be called at some time."""
        return frozenset(tool for state in self.states if not state.over for tool in state.answer.allowed)

    def dead_ends(self) -> Iterator[Reached]:
        """Where the turn goes on and nothing may be called."""
        return (s for s in self.states if not s.over and s.answer.error == "empty")

    def endless(self) -> Iterator[Reached]:
        """From where calls can go on for ever, but never to an end, not even to a dead one."""
        before: dict[int, list[int]] = {}
        for number, state in enumerate(self.states):
            for after in state.next:
                before.setdefault(after, []).append(number)
        left = [n for n, s in enumerate(self.states) if s.over or s.may_end or s.cut or not s.next]
        ending = set(left)
        while left:
            for number in before.get(left.pop(), ()):
                if number not in ending:
                    ending.add(number)
                    left.append(number)
        return (s for n, s in enumerate(self.states) if n not in ending)


def explore(rules: Rules, available: tuple[str, ...], most: int = MOST_STATES) -> Explored:
    """All situations up to a bound, the nearest first."""
    work = len(rules.rules) + len(available) * (1 + len(rules.limits) // 50)
    return _Search(rules, available, max(min(most, _MOST_WORK // (work + 1)), 1)).run()


class _Met(NamedTuple):
    """A situation with what is counted of its history."""

    now: Situation
    counts: tuple[int, ...]
    called: frozenset[str]


class _Search:
    def __init__(self, rules: Rules, available: tuple[str, ...], most: int) -> None:
        self.rules, self.most = rules, most
        self.attached = frozenset(available)
        self.required = frozenset(rules.required)
        self.counted: dict[str, list[int]] = {}
        for number, limit in enumerate(rules.limits):
            self.counted.setdefault(limit.tool, []).append(number)
        self.ways: dict[str, tuple[tuple[str, Hashable], ...]] = {}
        """Tool to its outputs, each with what it comes to."""
        start = _Met(Situation((), available, None), (0,) * len(rules.limits), frozenset())
        self.numbers: dict[Hashable, int] = {(None, start.counts, start.called, None): 0}
        self.waiting = deque([start])

    def run(self) -> Explored:
        states: list[Reached] = []
        while self.waiting:
            met = self.waiting.popleft()
            answer = solve(self.rules, met.now)
            over = bool(met.now.history) and not after_call(Loop.SOLVER, self.rules, met.now).goes_on
            after = () if over else tuple(dict.fromkeys(self.followers(met, answer)))
            known = tuple(number for number in after if number is not None)
            may_end = not over and not answer.force and not uncalled(self.rules, met.now)
            states.append(Reached(met.now, answer, over, may_end, known, len(known) < len(after)))
        return Explored(tuple(states), not any(state.cut for state in states))

    def followers(self, met: _Met, answer: Answer) -> Iterator[int | None]:
        """The situations that a call leads to; new ones wait to be looked at, and `None` stands for one too many."""
        for tool in dict.fromkeys(answer.allowed):
            if tool in self.attached:
                counts, called = self.counts(met, tool), met.called | (self.required & {tool})
                for output, way in self.outputs(tool):
                    key = (tool, counts, called, way)
                    number = self.numbers.get(key)
                    if number is None and len(self.numbers) < self.most:
                        number = self.numbers[key] = len(self.numbers)
                        now = Situation((*met.now.history, tool), met.now.available, output)
                        self.waiting.append(_Met(now, counts, called))
                    yield number

    def counts(self, met: _Met, tool: str) -> tuple[int, ...]:
        """How often each counted tool was called, which beyond its limit makes no difference."""
        own = self.counted.get(tool)
        if own is None:
            return met.counts
        counts = list(met.counts)
        for number in own:
            counts[number] = min(counts[number] + 1, max(self.rules.limits[number].limit, 0))
        return tuple(counts)

    def outputs(self, tool: str) -> tuple[tuple[str, Hashable], ...]:
        if tool not in self.ways:
            self.ways[tool] = tuple((output, self.way(tool, output)) for output in outputs(self.rules, tool))
        return self.ways[tool]

    def way(self, tool: str, output: str) -> Hashable:
        """What an output comes to; a guard may look at anything in it, so there all of it counts."""
        routes = (route(r, output) for r in self.rules.after.get(tool, ()) if isinstance(r, Conditional))
        return tuple((r.child, r.nothing, r.fault) for r in routes), output if self.rules.guards else None


def outputs(rules: Rules, tool: str) -> tuple[str, ...]:
    """Outputs that lead every way that rules on a tool tell apart: one for each key, and one that is no key."""
    keys = [k for r in rules.after.get(tool, ()) if isinstance(r, Conditional) for k, _ in r.mapping]
    return tuple(dict.fromkeys(packaged(str(key)) for key in (*keys, _OTHER)))
