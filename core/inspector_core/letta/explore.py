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
        """From where calls can go on, but never to an end."""
        before: dict[int, list[int]] = {}
        for number, state in enumerate(self.states):
            for after in state.next:
                before.setdefault(after, []).append(number)
        left = [n for n, s in enumerate(self.states) if s.over or s.may_end or s.answer.error is not None]
        ending = set(left)
        while left:
            for number in before.get(left.pop(), ()):
                if number not in ending:
                    ending.add(number)
                    left.append(number)
        return (s for n, s in enumerate(self.states) if n not in ending and (s.next or self.exact))


def explore(rules: Rules, available: tuple[str, ...], most: int = MOST_STATES) -> Explored:
    """All situations up to a bound, the nearest first."""
    most = max(min(most, _MOST_WORK // (len(rules.rules) + 1)), 1)
    start = Situation((), available, None)
    numbers: dict[Hashable, int] = {_key(rules, start): 0}
    waiting = deque([start])
    states: list[Reached] = []
    exact = True
    while waiting:
        now = waiting.popleft()
        answer = solve(rules, now)
        over = bool(now.history) and not after_call(Loop.SOLVER, rules, now).goes_on
        after: list[int] = []
        for follower in () if over else _followers(rules, now, answer):
            key = _key(rules, follower)
            if key not in numbers:
                if len(numbers) >= most:
                    exact = False
                    continue
                numbers[key] = len(numbers)
                waiting.append(follower)
            after.append(numbers[key])
        may_end = not over and not answer.force and not uncalled(rules, now)
        states.append(Reached(now, answer, over, may_end, tuple(dict.fromkeys(after))))
    return Explored(tuple(states), exact)


def _followers(rules: Rules, now: Situation, answer: Answer) -> Iterator[Situation]:
    attached = frozenset(now.available)
    for tool in dict.fromkeys(answer.allowed):
        if tool in attached:
            for output in outputs(rules, tool):
                yield Situation((*now.history, tool), now.available, output)


def outputs(rules: Rules, tool: str) -> tuple[str, ...]:
    """Outputs that lead every way that rules on a tool tell apart: one for each key, and one that is no key."""
    keys = [k for r in rules.after.get(tool, ()) if isinstance(r, Conditional) for k, _ in r.mapping]
    return tuple(dict.fromkeys(packaged(str(key)) for key in (*keys, _OTHER)))


def _key(rules: Rules, now: Situation) -> Hashable:
    """What matters of a situation; a guard may look at anything in the last output, so there all of it does."""
    last = now.last
    counts = tuple(min(now.history.count(limit.tool), max(limit.limit, 0)) for limit in rules.limits)
    called = frozenset(now.history).intersection(rules.required)
    ways = tuple(route(r, now.output) for r in rules.after.get(last or "", ()) if isinstance(r, Conditional))
    return (
        last,
        counts,
        called,
        tuple((w.child, w.nothing, w.fault) for w in ways),
        now.output if rules.guards else None,
    )
