"""`python -m bench [part …]`: one table of ratios, each measured in this run; ends with 1 where a bar is missed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bench import conditions, loading, playing, recording, replay, rules, saving, starting
from bench.measure import Row

PARTS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    "gate": lambda _: conditions.one_gate(),
    "flip": lambda _: conditions.flips(),
    "load": loading.loads,
    "tools": lambda _: loading.tools(),
    "save": saving.saves,
    "play": playing.plays,
    "replay": lambda _: replay.replays(),
    "journal": recording.records,
    "rules": lambda _: rules.rules(),
    "paint": starting.paints,
    "import": lambda _: starting.imports(),
}


def main(wanted: list[str]) -> int:
    """Measure the parts asked for, or all, and print each row as it is known."""
    unknown = [name for name in wanted if name not in PARTS]
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    over = 0
    print(_line("#", "what", "value", "goal", "bar", "", ""))
    with tempfile.TemporaryDirectory(prefix="inspector-bench-") as room:
        for name in wanted or PARTS:
            for row in PARTS[name](Path(room)):
                print(_shown(row), flush=True)
                over += row.verdict == "over"
    return 1 if over else 0


def _shown(row: Row) -> str:
    sign = "≤" if row.lower_is_better else "≥"
    goal, bar = (f"{sign} {limit:g}" if limit else "" for limit in (row.goal, row.bar))
    return _line(row.number, row.what, f"{row.value:.3g}{row.unit}", goal, bar, row.verdict, row.note)


def _line(number: str, what: str, value: str, goal: str, bar: str, verdict: str, note: str) -> str:
    return f"{number:>3}  {what:72} {value:>9} {goal:>8} {bar:>8} {verdict:>5}  {note}".rstrip()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
