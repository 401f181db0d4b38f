"""One gate, and one value that flips under many: against compiled Python that evaluates the same conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from types import CodeType, SimpleNamespace

from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gates import report
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.source import FolderText

from bench.measure import Row, at_least, at_most, growth, ratio, times
from tests.generate import HUBS, TYPES, agent_files, skill_name

__all__ = ["flips", "one_gate"]

SIZES = [10, 100, 1_000]
"""Skills, of ten gates each."""

VALUES: Mapping[str, object] = {
    "bool": True,
    "text": "known",
    "categorical": "red",
    "int": 3,
    "float": 4.5,
    "json": {"a": 1},
}


def one_gate() -> Iterator[Row]:
    """A gate of one, three and ten terms that all hold, so that nothing is cut short."""
    for terms, bar, goal in ((1, None, None), (3, None, None), (10, 1.0, 0.7)):
        text = " and ".join(_term(n) for n in range(terms))
        memory = {f"pay.key_{n}": _value(n) for n in range(terms)}
        row, compiled, session = parse(text).row, compile(text, "gate", "eval"), _session(memory)
        found = times({"report": partial(row, memory), "eval": partial(eval, compiled, session)})
        value = ratio(found, "report", "eval")
        yield at_most("1", f"{terms}-term gate: every atom reported / compiled Python", value, bar, goal)


def flips() -> Iterator[Row]:
    """One value changes under 100, 1,000 and 10,000 gates; then all of them are reported anew."""
    local: list[float] = []
    for skills in SIZES:
        found, gates = _flip(skills), skills * 10
        local.append(median(found["local"]))
        last = skills == SIZES[-1]
        yield at_least("4" if last else "", f"{gates:,} gates: eval of all / report, a key of one skill flips",
                       ratio(found, "eval", "local"), 300 if last else 0)  # fmt: skip
        yield at_least("5" if last else "", f"{gates:,} gates: eval of all / report, a key of the project flips",
                       ratio(found, "eval", "hub"), 4 if last else 0)  # fmt: skip
        yield at_most("6" if last else "", f"{gates:,} gates: every atom of all reported / eval of all",
                      ratio(found, "rows", "eval"), 1.0 if last else None)  # fmt: skip
        yield at_most("", f"{gates:,} gates: report of a whole state from nothing / eval of all",
                      ratio(found, "whole", "eval"), None)  # fmt: skip
    yield at_most("7", "growth exponent of that local flip, 100 to 10,000 gates",
                  growth([s * 10 for s in SIZES], local), 0.6, unit="")  # fmt: skip


def _flip(skills: int) -> dict[str, list[float]]:
    files = agent_files(skills)
    project = read(FolderText("generated", files, frozenset(_directories(files))))
    memory = _memory(skills)
    states = {
        key: [State(memory=memory), State(memory={**memory, key: value})]
        for key, value in ((f"{skill_name(skills // 2)}.key_0", False), (f"project.{HUBS[0]}", False))
    }
    (local, hub), conditions = states, _conditions(project)
    rows, compiled, session = [c.row for c in conditions], _compiled(conditions), _session(memory)
    return times(
        {
            "eval": lambda: [eval(code, session) for code in compiled],
            "rows": lambda: [row(memory) for row in rows],
            "local": _flipping(project, states[local]),
            "hub": _flipping(project, states[hub]),
            "whole": lambda: report(project, states[local][0], None),
        }
    )


def _flipping(project: Project, states: list[State]) -> Callable[[], object]:
    """Reports the one state after the other, each from the report before."""
    before = [report(project, states[0], None)]

    def flip() -> None:
        states.reverse()
        before[0] = report(project, states[0], before[0])

    return flip


def _conditions(project: Project) -> list[Condition]:
    return [g.requires for s in project.own_skills for g in s.gates if g.requires is not None]


def _compiled(conditions: list[Condition]) -> list[CodeType]:
    return [compile(c.text.strip(), "gate", "eval") for c in conditions]


def _directories(files: Mapping[str, str]) -> set[str]:
    return {str(p) for path in files for p in Path(path).parents if str(p) != "."}


def _memory(skills: int) -> dict[str, object]:
    """Every key holds something, so that no comparison raises."""
    own = {f"{skill_name(s)}.key_{n}": VALUES[t] for s in range(skills) for n, t in enumerate(TYPES)}
    return own | {f"project.{hub}": True for hub in HUBS}


def _session(memory: Mapping[str, object]) -> dict[str, object]:
    """The same memory as compiled Python reads it: attributes of attributes."""
    owners: dict[str, dict[str, object]] = {}
    for key, value in memory.items():
        owner, _, entry = key.partition(".")
        owners.setdefault(owner, {})[entry] = value
    spaces = {owner: SimpleNamespace(**entries) for owner, entries in owners.items()}
    return {"session": SimpleNamespace(**spaces), "__builtins__": {}}


def _term(number: int) -> str:
    key = f"session.pay.key_{number}"
    return (key, f"{key} >= 3", f"{key} == 'red'", f"not {key}")[number % 4]


def _value(number: int) -> object:
    return (True, 4, "red", False)[number % 4]
