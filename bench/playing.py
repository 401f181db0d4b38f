"""Playing: what it costs to have every report beside the state, event by event, and how it grows with the agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from bench.measure import Row, at_most, growth, ratio, times
from inspector.folder import read_folder
from inspector_core.events import Event
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import EMPTY, State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.invariants.talk import Talk
from inspector_core.mantle.project import Project
from inspector_core.report import changes
from tests.generate import agent_folder

__all__ = ["plays"]

SIZES, EVENTS = (10, 100, 1000), 600


def plays(room: Path) -> Iterator[Row]:
    """The same kind of made-up conversation over agents of 10, 100 and 1,000 skills."""
    spent: list[float] = []
    for size in SIZES:
        root = room / f"plays-{size}"
        agent_folder(root, size)
        project = MANTLE.read(read_folder(root))
        events = tuple(islice(_events(project), EVENTS))
        fold(project, events)
        reported(project, events)
        found = times({"step": partial(fold, project, events), "reports": partial(reported, project, events)})
        spent.append(median(found["reports"]))
        note = f"{EVENTS / spent[-1]:,.0f} events a second; bare folding {EVENTS / median(found['step']):,.0f}"
        what = f"an event with its report and what it moved / bare folding, {size:,} skills"
        yield at_most("", what, ratio(found, "reports", "step"), None, note=note)
    yield at_most(
        "", "growth exponent of an event with its report, 10 to 1,000 skills", growth(list(SIZES), spent), None, unit=""
    )


def _events(project: Project) -> Iterator[Event]:
    """What a made-up conversation holds, over and over again with another seed."""
    for seed in range(10_000):
        talk, state = Talk(project, Random(seed)), EMPTY
        for _ in range(8):
            for event in talk.next(state):
                yield event
                state, _ = step(project, state, event)


def fold(project: Project, events: Sequence[Event]) -> State:
    state = EMPTY
    for event in events:
        state, _ = step(project, state, event)
    return state


def reported(project: Project, events: Sequence[Event]) -> int:
    """Every event with the whole report after it, and the tools whose standing it moved."""
    state, report, moved = EMPTY, MANTLE.report(project, EMPTY), 0
    for event in events:
        state, _ = step(project, state, event)
        before, report = report, MANTLE.report(project, state, report)
        moved += len(changes(before, report))
    return moved
