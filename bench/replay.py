"""A long recording: opened, folded, travelled through and judged, against what reading the same JSON alone takes."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial, reduce
from random import Random
from statistics import median

from bench.measure import Row, at_least, at_most, growth, ratio, times
from inspector_core.events import Record
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.replay import Replay, drift
from inspector_core.mantle.wire.envelope import to_envelope
from inspector_core.mantle.wire.quick import quick_events
from inspector_core.mantle.wire.rebuild import BEGINNING, advance
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.mantle import read as read_recording
from inspector_core.source import FolderText
from tests.generate import TYPES, agent_files, skill_name

__all__ = ["replays"]

SIZES = [1_000, 10_000, 100_000]
"""Events."""
SKILLS = 100
"""Of ten gates each."""
SEEKS = 50


def replays() -> Iterator[Row]:
    """Recordings of 1,000, 10,000 and 100,000 events over an agent with 1,000 gates."""
    files = agent_files(SKILLS)
    project = read(FolderText("generated", files, frozenset(f"skills/{skill_name(n)}" for n in range(SKILLS))))
    seeks: list[float] = []
    for size in SIZES:
        lines = [json.dumps(to_envelope(event)) for event in recording(size)]
        found = _timed(project, lines)
        seeks.append(median(found["seek"]))
        if size == SIZES[-1]:
            yield from _rows(found, size)
            yield _memory(project, lines)
    what = "growth exponent of a seek, 1,000 to 100,000 events"
    yield at_most("", what, growth(SIZES, seeks), None, unit="")


def _rows(found: dict[str, list[float]], size: int) -> Iterator[Row]:
    events = f"{size:,} events: "
    note = f"{median(found['whole']):.2f} s"
    yield at_most("16", f"{events}whole replay / decoding alone", ratio(found, "whole", "decode"), 2.5, note=note)
    yield at_least("17", f"{events}json.loads of the lines / whole replay", ratio(found, "json", "whole"), 2.0)
    note = f"{1e6 * median(found['seek']) / SEEKS:.0f} µs"
    yield at_most("18", f"{events}any moment / one copy of its memory", ratio(found, "seek", "copy"), 40.0, note=note)
    applied = median(found["apply"]) / (median(found["seek"]) / SEEKS)
    yield at_least("19", f"{events}folding from the start, event by event / any moment", applied, 100.0)
    for name, what in (("open", "the file opened, its sessions told apart"), ("point", "a moment with its report"),
                       ("changes", "all that moved a gate"), ("drift", "all drift")):  # fmt: skip
        yield at_most("", f"{events}{what} / json.loads", ratio(found, name, "json"), None,
                      note=f"{1000 * median(found[name]):,.3g} ms")  # fmt: skip


def _timed(project: Project, lines: list[str]) -> dict[str, list[float]]:
    data = "\n".join(lines).encode()
    events = quick_events(data) or []
    replay = Replay(project, events)
    chance = Random(0)
    numbers = [chance.randrange(len(events)) for _ in range(SEEKS)]
    memory = dict(replay.rebuilt(len(events)).state.memory)
    candidates: dict[str, Callable[[], object]] = {
        "json": lambda: [json.loads(line) for line in lines],
        "decode": partial(quick_events, data),
        "whole": lambda: Replay(project, quick_events(data) or []),
        "seek": lambda: [replay.rebuilt(number) for number in numbers],
        "copy": lambda: [dict(memory) for _ in numbers],
    }
    if len(lines) == SIZES[-1]:
        candidates |= {
            "apply": lambda: reduce(advance, events, BEGINNING),
            "open": lambda: read_recording(data, "bench.jsonl"),
            "point": lambda: replay.at(numbers[0]).report.standings(None),
            "changes": lambda: Replay(project, events).gate_changes,
            "drift": lambda: drift(replay),
        }
    return times(candidates, 3)


def _memory(project: Project, lines: list[str]) -> Row:
    """What the replay holds besides its events."""
    events = quick_events("\n".join(lines).encode()) or []
    tracemalloc.start()
    replay = Replay(project, events)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    what = f"{len(replay):,} events: held by the replay for each, besides the events"
    return at_most("", what, held / len(replay) / 1000, None, unit="kB", note=f"{held / 1e6:.0f} MB")


def recording(size: int) -> list[TrackerEvent]:
    """A made-up conversation of this length: in each turn some writes, a call and an answer; at times another skill."""
    chance, stamps = Random(0), Stamps("c", "s", 1_790_000_000.0)
    events: list[TrackerEvent] = []
    turn = 0
    while len(events) < size:
        made, stamps = stamped(_turn(turn, chance), stamps)
        events += made
        turn += 1
    return events[:size]


def _turn(turn: int, chance: Random) -> Iterator[Record]:
    skill, frame = skill_name(turn // 5 * 7 % SKILLS), f"f{turn // 5 + 1}"
    if turn == 0:
        yield Record("session_started")
    yield Record("user", {"text": f"and what about number {turn}?"})
    if turn % 5 == 0:
        value = {"frame_id": frame, "skill_id": skill, "frame_type": "regular", "type": "skill"}
        yield Record("skill_activated", {"skill_id": skill})
        update = [{"op": "replace" if turn else "add", "path": "/0", "value": value}]
        yield Record("stack", {"update": json.dumps(update)})
    for _ in range(chance.randrange(2, 7)):
        owner = skill if chance.random() < 0.8 else skill_name(chance.randrange(SKILLS))
        key = f"{owner}.key_{chance.randrange(len(TYPES))}"
        origin = {
            "tool": "tool_0", "skill_id": skill, "step": "autonomous", "frame_id": frame, "arguments": {"n": turn},
            "position": turn, "tool_call_id": f"call_{turn}",
        }  # fmt: skip
        value = chance.choice([True, False, 1, 5, "red", None])
        yield Record("memory_set", {"key": key, "value": value}, {"mantle_write_provenance": origin})
    call = {"tool_name": "tool_0", "arguments": {"n": turn}, "source": "local", "result": '{"ok": true}'}
    told = {"tool_call_id": f"call_{turn}", "tool_batch_id": f"0-call_{turn}", "skill_id": skill}
    yield Record("tool_executed", call, told)
    yield Record("bot", {"text": "That is done."}, {"mantle_response_source": "llm"})
    yield Record("bot_turn_ended")
