"""Why nothing is left: the smallest group of rules that together allow no tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from inspector_core.classes import NamedTuple
from inspector_core.letta.rules import Effect
from inspector_core.letta.solver import Answer

__all__ = ["Conflict", "conflict"]

_MOST_TRIES = 20_000
"""So many groups are tried before a small one is settled for."""


class Conflict(NamedTuple):
    """Rules of which none can be left out without some tool being allowed."""

    effects: tuple[Effect, ...]
    """In the order in which the rules are asked; empty where no tool is attached at all."""
    smallest: bool = True
    """No smaller group would do; else only that no rule of this one can be left out."""


def conflict(answer: Answer, available: Sequence[str]) -> Conflict | None:
    """The group behind an empty set; `None` where the set is not empty."""
    if answer.error != "empty":
        return None
    against: dict[str, tuple[int, ...]] = {
        tool: tuple(i for i, effect in enumerate(answer.effects) if not effect.lets(tool)) for tool in available
    }
    chosen = _greedy(against)
    tries = iter(range(_MOST_TRIES))
    for size in range(1, len(chosen)):
        found = next(_groups(against, frozenset(), size, tries), None)
        if found is not None:
            return Conflict(_ordered(answer, found))
    return Conflict(_ordered(answer, chosen), next(tries, None) is not None)


def _ordered(answer: Answer, chosen: frozenset[int]) -> tuple[Effect, ...]:
    return tuple(answer.effects[i] for i in sorted(chosen))


def _groups(
    against: Mapping[str, tuple[int, ...]], chosen: frozenset[int], size: int, tries: Iterator[int]
) -> Iterator[frozenset[int]]:
    """Groups of at most this size that exclude every tool, found by the tool that fewest rules exclude."""
    if next(tries, None) is None:
        return
    open_tools = [t for t, by in against.items() if chosen.isdisjoint(by)]
    if not open_tools:
        yield chosen
    elif size:
        tightest = min(open_tools, key=lambda t: len(against[t]))
        for one in against[tightest]:
            yield from _groups(against, chosen | {one}, size - 1, tries)


def _greedy(against: Mapping[str, tuple[int, ...]]) -> frozenset[int]:
    """A group of which no rule can be left out."""
    chosen: set[int] = set()
    counts: dict[int, int] = {}
    for by in against.values():
        for one in by:
            counts[one] = counts.get(one, 0) + 1
    for by in against.values():
        if chosen.isdisjoint(by):
            chosen.add(max(by, key=lambda i: counts[i]))
    for one in sorted(chosen, key=lambda i: counts[i]):
        if all(not chosen.isdisjoint(set(by) - {one}) for by in against.values()):
            chosen.discard(one)
    return frozenset(chosen)
