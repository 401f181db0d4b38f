"""The invariants tried out on a project: many conversations, every failure cut down to the shortest that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from inspector_core.classes import dataclass
from inspector_core.events import Event
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.invariants.passage import Account, Passage, passages
from inspector_core.mantle.invariants.rules import Broken, broken
from inspector_core.mantle.invariants.shrink import shrink
from inspector_core.mantle.invariants.surprises import Surprise, surprises
from inspector_core.mantle.invariants.talk import Chance, Talk
from inspector_core.mantle.project import Project

__all__ = ["Failure", "Seen", "Tried", "sound", "try_out"]

_MOST_FAILURES = 10
"""So many are cut down and told; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An invariant that does not hold, with the shortest conversation found that shows it."""

    broken: Broken
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A surprise, with the shortest conversation found that shows it."""

    surprise: Surprise
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of it all."""

    conversations: int
    events: int
    asks: int
    runs: int
    """How often a yes ran a tool."""
    declines: int
    failures: tuple[Failure, ...]
    surprises: tuple[Seen, ...]

    @property
    def vacuous(self) -> bool:
        """Nothing ever asked, so that nothing was tried out."""
        return self.asks == 0


def try_out(
    project: Project, conversations: int, chance: Callable[[int], Chance], *, seed: int = 0, length: int = 24
) -> Tried:
    """Make up conversations of about so many events, each by the chance of its own seed, and hold every passage
    against every rule."""
    tally = _Tally(project)
    for number in range(conversations):
        tally.converse(chance(seed + number), length)
    return tally.tried(conversations)


def sound(project: Project, events: Sequence[Event], state: State | None = None) -> tuple[Broken, ...]:
    """Every invariant that one conversation breaks."""
    begun = state if state is not None else start({})
    return tuple(b for passage in passages(project, begun, events) for b in broken(passage))


class _Tally:
    """Counts, and keeps of each kind of failure and surprise the first that was met."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._events = self._asks = self._runs = self._declines = 0
        self._failures: dict[str, tuple[Event, ...]] = {}
        self._surprises: dict[tuple[str, str, str], tuple[Event, ...]] = {}

    def converse(self, chance: Chance, length: int) -> None:
        talk, account = Talk(self._project, chance), Account(self._project, start({}))
        played: list[Event] = []
        while len(played) < length:
            for event in talk.next(account.state):
                played.append(event)
                self._look(account.play(event), played)

    def _look(self, passage: Passage, played: list[Event]) -> None:
        self._events += 1
        self._asks += len(passage.opened)
        for record in passage.records:
            if record.metadata.get("source") == "tool_confirmation":
                self._runs += record.ran
                self._declines += not record.ran
        for found in broken(passage):
            self._failures.setdefault(found.invariant, tuple(played))
        for surprise in surprises(passage):
            self._surprises.setdefault(surprise[:3], tuple(played))

    def tried(self, conversations: int) -> Tried:
        failures = tuple(self._shortest(*item) for item in list(self._failures.items())[:_MOST_FAILURES])
        return Tried(
            conversations, self._events, self._asks, self._runs, self._declines, failures,
            tuple(self._clearest(*item) for item in sorted(self._surprises.items())),
        )  # fmt: skip

    def _shortest(self, invariant: str, events: tuple[Event, ...]) -> Failure:
        def breaks(tried: Sequence[Event]) -> Broken | None:
            return next((b for b in sound(self._project, tried) if b.invariant == invariant), None)

        short = shrink(events, lambda tried: breaks(tried) is not None)
        return Failure(breaks(short) or Broken(invariant, ""), short)

    def _clearest(self, what: tuple[str, str, str], events: tuple[Event, ...]) -> Seen:
        def found(tried: Sequence[Event]) -> Surprise | None:
            return next((s for s in self._surprises_in(tried) if s[:3] == what), None)

        short = shrink(events, lambda tried: found(tried) is not None)
        return Seen(found(short) or Surprise(*what, ""), short)

    def _surprises_in(self, events: Sequence[Event]) -> Iterator[Surprise]:
        for passage in passages(self._project, start({}), events):
            yield from surprises(passage)
