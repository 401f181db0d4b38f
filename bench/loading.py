"""Cold loads against the bytes and the usual pipeline; one file's reload; the reading of tools."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from bench.measure import Row, Spent, at_least, at_most, growth, ratio, spent_in_a_child, times
from bench.usual import usual
from inspector.folder import read_folder
from inspector_core.mantle.checks import check
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.reading.tools import read_tools
from inspector_core.source import Source
from tests.generate import agent_files, agent_folder, skill_name

__all__ = ["loads", "tools"]

SIZES = [10, 100, 1_000]
BAR, GOAL = 40, 35


def loads(room: Path) -> Iterator[Row]:
    """Folders of 10, 100 and 1,000 skills, in processes that have read nothing before.

    The ratios are of processor time, since what others do at the same time slows a long load down more often than the
    short reading of bytes; what it takes by the clock stands beside.
    """
    cold: list[float] = []
    work: list[float] = []
    for skills in SIZES:
        root = room / f"skills-{skills}"
        agent_folder(root, skills)
        rounds = _rounds(root, 9 if skills < SIZES[-1] else 5)
        found = {name: [spent.processor for spent in each] for name, each in rounds.items()}
        clock = {name: median(spent.wall for spent in each) for name, each in rounds.items()}
        cold.append(clock["cold"])
        work.append(median(found["cold"]))
        barred = skills == SIZES[-1]
        yield at_most(
            "9" if barred else "", f"{skills:,} skills: cold load / reading the bytes", ratio(found, "cold", "bytes"),
            BAR if barred else None, GOAL if barred else None, note=f"{1000 * clock['cold']:.0f} ms",
        )  # fmt: skip
        yield at_least(
            "10" if barred else "", f"{skills:,} skills: usual pipeline, C loader, no places / cold load",
            ratio(found, "usual", "cold"), 1.2 if barred else None, f"{1000 * clock['usual']:.0f} ms",
        )  # fmt: skip
        yield at_most(
            "", f"{skills:,} skills: cold load and all checks / cold load", ratio(found, "checked", "cold"), None,
            note=f"{1000 * clock['checked']:.0f} ms",
        )  # fmt: skip
        if skills == 100:
            yield _reload(root, cold[-1])
    yield at_most("", "growth exponent of a cold load, 10 to 1,000 skills", growth(SIZES, work), None, unit="")


def _rounds(root: Path, rounds: int) -> dict[str, list[Spent]]:
    calls = {
        "checked": lambda: check(read(read_folder(root))),
        "bytes": lambda: _every_byte(root),
        "cold": lambda: read(read_folder(root)),
        "usual": lambda: usual(root),
    }
    _every_byte(root)
    found: dict[str, list[Spent]] = {name: [] for name in calls}
    order, chance = list(calls), Random(0)
    for _ in range(rounds):
        chance.shuffle(order)
        for name in order:
            found[name].append(spent_in_a_child(calls[name]))
    return found


def _reload(root: Path, cold: float) -> Row:
    """One `skill.md` changes in a folder of 100: read again, and linked again with the rest."""
    path = f"skills/{skill_name(50)}/skill.md"
    file, text = root / path, (root / path).read_text()
    now = [read_folder(root)]
    project, turn = [read(now[0])], [0]

    def again() -> None:
        now[0] = read_folder(root, now[0], [path])
        project[0] = read(now[0], project[0])

    seconds = []
    for _ in range(25):
        turn[0] += 1
        file.write_text(f"{text}\nTurn {turn[0]}.\n")
        seconds += times({"again": again}, 1)["again"]
    file.write_text(text)
    return at_least("13", "cold load of 100 skills / reload of one skill.md", cold / median(seconds), 100,
                    f"{1e6 * median(seconds):.0f} µs")  # fmt: skip


def _every_byte(root: Path) -> int:
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            with open(f"{folder}/{name}", "rb", buffering=0) as file:
                total += len(file.read())
    return total


def tools() -> Iterator[Row]:
    """A `tools.py` of 3 kB and three tools: what reading it costs over parsing it."""
    text = agent_files(1)[f"skills/{skill_name(0)}/tools.py"]
    source = Source("skills/pay/tools.py", text)
    found = times({"read": lambda: read_tools(source, "local"), "parse": lambda: ast.parse(text)}, 25, process_time)
    yield at_most("21", "tools read from their code / ast.parse alone", ratio(found, "read", "parse"), 1.5)
