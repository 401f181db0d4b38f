"""A recording that is looked at: what it holds, what today's files make of it, and the moment that is shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field

from inspector.reports.replay import question
from inspector_core.classes import NamedTuple, dataclass
from inspector_core.finding import Finding
from inspector_core.mantle.gatelist import BUILT_IN
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay import Drift, Point, Replay, drift
from inspector_core.mantle.replay.batch import replay_of
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.beside import Beside, side_by_side
from inspector_core.recording.opening import ENGINES
from inspector_core.recording.recording import Recording
from inspector_core.recording.sessions import Session

__all__ = ["SPEEDS", "Compared", "Judged", "Viewed", "compared", "judged", "scrubbed", "viewed"]

SPEEDS = (1, 2, 4, 8, 16, 32)
"""Events a second."""

NO_FILES = "no agent's files are at hand"
NO_MEMORY = "no memory was recorded"


class Judged(NamedTuple):
    """A session held against one reading of the files. Made away from the screen's own thread."""

    replay: Replay
    drifts: Mapping[int, tuple[Drift, ...]]
    """By event, where today's files would have had it go otherwise."""
    calls: Mapping[tuple[str | None, str], tuple[int, ...]]
    """By active skill and tool, the events that record a call; without the engine's own tools."""
    unknown: str = ""
    """Why nothing can be said of gates; empty where it can."""

    @property
    def drifted(self) -> tuple[int, ...]:
        return tuple(self.drifts)

    @property
    def drift_count(self) -> int:
        """How many drifts there are."""
        return sum(map(len, self.drifts.values()))


def judged(
    project: Project, recording: Recording, session: Session, before: Project | None, alone: bool = False
) -> Judged:
    """What the files make of a session; with the files as they were, also what is newly offered."""
    replay = replay_of(project, recording, session)
    unknown = NO_FILES if alone else NO_MEMORY if recording.format not in ENGINES else ""
    calls = _calls(replay)
    if unknown:
        return Judged(replay, {}, calls, unknown)
    found: dict[int, list[Drift]] = {}
    for one in drift(replay, None if before is project else before):
        found.setdefault(one.number, []).append(one)
    _ = replay.moved  # worked out here, where nobody waits for it
    return Judged(replay, {number: tuple(found[number]) for number in sorted(found)}, calls)


def _calls(replay: Replay) -> Mapping[tuple[str | None, str], tuple[int, ...]]:
    found: dict[tuple[str | None, str], list[int]] = {}
    for number, event in enumerate(replay.events, 1):
        tool = event.fields.get("tool_name")
        if event.name == "tool_executed" and isinstance(tool, str) and tool not in BUILT_IN:
            found.setdefault((replay.rest(number).state.skill, tool), []).append(number)
    return {at: tuple(numbers) for at, numbers in found.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The recording beside the one that is looked at."""

    name: str
    recording: Recording
    session: Session
    beside: Beside

    @property
    def events(self) -> Sequence[TrackerEvent]:
        return [one.event for one in self.session.events]


@dataclass(frozen=True, slots=True, eq=False)
class Viewed:
    """One session of a recording at one of its events; replaced, never changed, and so the file is never touched."""

    name: str
    """The file's."""
    recording: Recording
    session: Session
    judged: Judged
    point: Point
    """The moment that is looked at."""
    first: Project
    """The files as they were when it was opened."""
    speed: int = 4
    playing: bool = False
    compared: Compared | None = None
    findings: tuple[Finding, ...] = field(default=())
    """What of the file could not be read."""

    @property
    def project(self) -> Project:
        """The files that it is held against."""
        return self.judged.replay.project

    @property
    def number(self) -> int:
        """So many events had happened."""
        return self.point.number

    @property
    def events(self) -> Sequence[TrackerEvent]:
        return self.judged.replay.events

    @property
    def unknown(self) -> str:
        """Why nothing can be said of gates; empty where it can."""
        return self.judged.unknown

    @property
    def turn(self) -> int:
        return self.turn_of(self.number)

    def turn_of(self, number: int) -> int:
        """The turn of an event; 0 before the customer has said anything."""
        return bisect_right(self.judged.replay.turns, number)

    @property
    def strange(self) -> Mapping[tuple[str | None, str], tuple[int, ...]]:
        """The calls up to this moment of tools whose gates are unknown, since no file at hand has them."""
        known = self.project.tool if not self.unknown else lambda skill, tool: None
        found = {at: numbers for at, numbers in self.judged.calls.items() if known(*at) is None}
        before = {at: numbers[: bisect_right(numbers, self.number)] for at, numbers in found.items()}
        return {at: numbers for at, numbers in before.items() if numbers}

    @property
    def became(self) -> str:
        """What became of the question that waits at this moment."""
        asked = [one for one in self.judged.replay.confirmations if one.pause <= self.number]
        return question(asked[-1]) if asked and self.point.pending is not None else ""

    def drift_after(self, by: int) -> int | None:
        """The next event, in a direction, at which today's files would do otherwise."""
        numbers = self.judged.drifted
        place = bisect_right(numbers, self.number) if by > 0 else bisect_left(numbers, self.number) - 1
        return numbers[place] if 0 <= place < len(numbers) else None

    def turn_after(self, by: int) -> int | None:
        """The last event of the turn before, or of the next."""
        turns = self.judged.replay.turns
        wanted = self.turn + by
        if not 0 <= wanted <= len(turns):
            return None
        return turns[wanted] - 1 if wanted < len(turns) else len(self.events)

    def moment_of(self, skill: str, tool: str) -> int | None:
        """The latest event before this one, or this one at first, at which the tool could be had, or no longer."""
        history = self.judged.replay.history(skill, tool)
        if history is None:
            return None
        before = (
            self.number - 1
            if self.number in (history.opened(self.number), history.closed(self.number))
            else (self.number)
        )
        found = [n for n in (history.opened(before), history.closed(before)) if n is not None]
        return max(found) if found else None


def viewed(name: str, recording: Recording, session: Session, made: Judged, number: int = 0) -> Viewed:
    """A session from its beginning, or at one of its events."""
    project = made.replay.project
    return Viewed(name, recording, session, made, made.replay.at(number), project, findings=recording.findings)


def compared(name: str, recording: Recording, session: Session, events: Sequence[TrackerEvent]) -> Compared:
    """A session put beside these events."""
    return Compared(name, recording, session, side_by_side(events, [one.event for one in session.events]))


def scrubbed(text: str, view: Viewed) -> int | str:
    """The event that `120`, `50%` or `t3` means; else why it means none."""
    words, last = text.strip().lower(), len(view.events)
    turns = view.judged.replay.turns
    if words.endswith("%") and (share := _number(words[:-1])) is not None:
        return round(last * share / 100) if share <= 100 else "there are no more than 100%"
    if words.startswith("t") and (turn := _number(words[1:])) is not None:
        return turns[turn - 1] if 0 < turn <= len(turns) else f"there are {len(turns)} turns"
    number = _number(words)
    if number is None:
        return "an event's number, a share such as 50%, or a turn such as t3"
    return number if number <= last else f"there are {last} events"


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
