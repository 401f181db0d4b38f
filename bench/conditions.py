"""One gate, and one value that flips under many: against compiled Python that evaluates the same conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from types import CodeType, SimpleNamespace

from bench.measure import Row, at_least, at_most, growth, ratio, times
from inspector_core.events import AuthorSet
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gates import report
from inspector_core.mantle.judged import Judged
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.report import Change, changes
from inspector_core.source import FolderText
from tests.generate import HOLDING, HUBS, NEGATED, TYPES, agent_files, skill_name

__all__ = ["flips", "one_gate"]

SIZES = [10, 100, 1_000]
"""Skills, of ten gates each."""


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
    """One value changes under 100, 1,000 and 10,000 gates: the new report, and what it says has changed."""
    local: list[float] = []
    for skills in SIZES:
        found, gates = _flip(skills), f"{skills * 10:,} gates: "
        local.append(median(found["local"]))
        yield from _rows(found, gates, skills == SIZES[-1])
    sizes = [skills * 10 for skills in SIZES]
    yield at_most("7", "growth exponent of that local flip, 100 to 10,000 gates", growth(sizes, local), 0.6, unit="")


def _rows(found: dict[str, list[float]], gates: str, judged: bool) -> Iterator[Row]:
    """The ratios for one size; only the largest has bars."""

    def number(text: str) -> str:
        return text if judged else ""

    for name, of, bar in (("local", "one skill", 300.0), ("hub", "the project", 4.0)):
        what = f"{gates}eval of all / report, a key of {of} flips"
        row = number("4" if name == "local" else "5")
        yield at_least(row, what, ratio(found, "eval", name), bar if judged else None, note=_micro(found[name]))
    what = f"{gates}outcome of all in a whole state, from nothing / eval of all"
    yield at_most(
        number("6"), what, ratio(found, "table", "eval"), 1.0 if judged else None, note=_micro(found["table"])
    )
    what = f"{gates}every atom of all reported, one by one / eval of all"
    yield at_most("", what, ratio(found, "rows", "eval"), None, note=_micro(found["rows"]))
    what = f"{gates}eval of all / that local flip with the step that writes it"
    yield at_least("", what, ratio(found, "eval", "played"), None, note=_micro(found["played"]))
    for name, what in (("standings", "what stands how"), ("whole", "verdicts")):
        what = f"{gates}{what} in a whole state, from nothing / eval of all"
        yield at_most("", what, ratio(found, name, "eval"), None, note=_micro(found[name]))


def _micro(seconds: list[float]) -> str:
    return f"{1e6 * median(seconds):,.0f} µs"


def _flip(skills: int) -> dict[str, list[float]]:
    files = agent_files(skills)
    project = read(FolderText("generated", files, frozenset(_directories(files))))
    state = MANTLE.start(project, _memory(skills))
    local, hub = f"{skill_name(skills // 2)}.key_0", f"project.{HUBS[0]}"
    conditions, memory = _conditions(project), state.memory
    rows, compiled, session = [c.row for c in conditions], _compiled(conditions), _session(memory)
    return times(
        {
            "eval": partial(_evaluated, compiled, session),
            "table": partial(_judged, project, state, len(conditions)),
            "rows": partial(_reported, rows, memory),
            "local": _flipping(project, state, local),
            "hub": _flipping(project, state, hub),
            "played": _playing(project, state, local),
            "standings": partial(_standings, project, state),
            "whole": lambda: tuple(report(project, state, None).verdicts),
        }
    )


def _evaluated(compiled: list[CodeType], session: dict[str, object]) -> None:
    for code in compiled:
        eval(code, session)


def _judged(project: Project, state: State, conditions: int) -> None:
    """Each condition's outcome; its proof is made of the state's memory when it is looked at."""
    if len(Judged(project, state).table()) <= conditions:
        _standings(project, state)  # numbers those that nobody has looked at yet


def _reported(rows: Sequence[Callable[[Mapping[str, object]], object]], memory: Mapping[str, object]) -> None:
    for row in rows:
        row(memory)


def _standings(project: Project, state: State) -> None:
    whole = report(project, state, None)
    for skill in whole.by_skill:
        whole.standings(skill)


def _flipping(project: Project, state: State, key: str) -> Callable[[], object]:
    """Reports two states in turn, each from the report before, and says what moved."""
    states = [MANTLE.step(project, state, AuthorSet(key, False))[0], state]
    before = [report(project, state, None)]
    tuple(before[0].verdicts)

    def flip() -> tuple[Change, ...]:
        after = report(project, states[0], before[0])
        moved = changes(before[0], after)
        states.reverse()
        before[0] = after
        return moved

    return flip


def _playing(project: Project, state: State, key: str) -> Callable[[], object]:
    """The same with the step that writes the value, as one flip in the app is."""
    now, value = [(state, report(project, state, None))], [True]
    tuple(now[0][1].verdicts)

    def play() -> tuple[Change, ...]:
        value[0] = not value[0]
        after, _ = MANTLE.step(project, now[0][0], AuthorSet(key, value[0]))
        later = report(project, after, now[0][1])
        moved = changes(now[0][1], later)
        now[0] = (after, later)
        return moved

    return play


def _conditions(project: Project) -> list[Condition]:
    return [g.requires for s in project.own_skills for g in s.gates if g.requires is not None]


def _compiled(conditions: list[Condition]) -> list[CodeType]:
    return [compile(c.text.strip(), "gate", "eval") for c in conditions]


def _directories(files: Mapping[str, str]) -> set[str]:
    return {str(p) for path in files for p in Path(path).parents if str(p) != "."}


def _memory(skills: int) -> dict[str, object]:
    """All gates hold, so that nothing is cut short."""
    kinds = [(n, False if n in NEGATED else HOLDING[kind]) for n, kind in enumerate(TYPES)]
    own = {f"{skill_name(s)}.key_{n}": value for s in range(skills) for n, value in kinds}
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
