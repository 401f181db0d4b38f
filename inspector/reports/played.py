"""Played scripts, printed: as lines for people, as JSON, and as a JUnit file with a case for each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from inspector.pieces import Line, Piece, Tone
from inspector.reports.json import dumps, finding
from inspector.reports.text import say
from inspector.visible import harmless
from inspector_core.finding import Finding, Severity
from inspector_core.script.judging import Failure
from inspector_core.script.running import Outcome, Run
from inspector_core.script.values import Step

if TYPE_CHECKING:
    from inspector_core.mantle.engine.state import State
    from inspector_core.mantle.project import Project

__all__ = ["Played", "junit", "played_json", "played_lines"]


@dataclass(frozen=True, slots=True)
class Played:
    """One script file and what came of it."""

    path: str
    name: str = ""
    findings: tuple[Finding, ...] = ()
    """What is wrong in the script itself."""
    why: str = ""
    """Why it could not be read."""
    run: Run[Project, State] | None = None
    """`None` where it could not be played."""
    trace: tuple[object, ...] = ()
    """Its records in the form that was asked for."""

    @property
    def passed(self) -> bool:
        return self.run is not None and self.run.passed

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What is wrong in it, or always holds."""
        return tuple(f for f in self.findings if f.severity is not Severity.INFO)


# -- for people --------------------------------------------------------------------------------------------------------


def played_lines(played: Sequence[Played]) -> Iterator[Line]:
    """Each script with what failed in it, then how many passed."""
    for one in played:
        yield from _script(one)
    yield _summary(played)


def _script(one: Played) -> Iterator[Line]:
    count = f"{len(one.run.script.steps)} steps" if one.run is not None else one.why or "not played"
    sign: Piece = ("✓", "good") if one.passed else ("✗", "bad")
    name = f"  {one.name}" if one.name else ""
    yield Line((sign, (f" {one.path}", "head"), (name, "plain")), (count, "dim"))
    for record in one.trace:
        yield say(dumps(record, indent=None))
    for problem in one.problems:
        tone: Tone = "error" if problem.severity is Severity.ERROR else "ask"
        yield say(f"  {problem.span}: ", (problem.severity.value, tone), f" {problem.message}")
        yield from _hint(problem.hint)
    for failure in one.run.failures if one.run is not None else ():
        yield from _failure(failure)


def _failure(failure: Failure) -> Iterator[Line]:
    yield say(f"  {failure.span}: ", ("expected ", "bad"), failure.expected)
    yield say("    ", ("but ", "dim"), failure.was)
    yield from _hint(failure.hint)


def _hint(hint: str | None) -> Iterator[Line]:
    if hint:
        yield say("    ", (f"hint: {hint}", "dim"))


def _summary(played: Sequence[Played]) -> Line:
    failed = sum(not one.passed for one in played)
    many = f"{len(played)} script{'' if len(played) == 1 else 's'}"
    return say((f"{many} passed", "good")) if not failed else say((f"{failed} of {many} failed", "error"))


# -- for programs ------------------------------------------------------------------------------------------------------


def played_json(played: Sequence[Played], engine: str) -> str:
    return dumps({"engine": engine, "scripts": [_as_json(one) for one in played]}) + "\n"


def _as_json(one: Played) -> dict[str, object]:
    steps = [_step_json(outcome) for outcome in one.run.outcomes] if one.run is not None else []
    told: dict[str, object] = {
        "path": one.path, "script": one.name, "passed": one.passed, "unreadable": one.why or None,
        "findings": [finding(f) for f in one.findings], "steps": steps,
        "not_played": len(one.run.script.steps) - one.run.at if one.run is not None else None,
    }  # fmt: skip
    return {**told, "trace": list(one.trace)} if one.trace else told


def _step_json(outcome: Outcome) -> dict[str, object]:
    return {
        "line": outcome.step.span.line, "step": outcome.step.label, "passed": outcome.passed,
        "failures": [
            {"line": f.span.line, "column": f.span.column, "expected": f.expected, "was": f.was, "hint": f.hint}
            for f in outcome.failures
        ],
    }  # fmt: skip


def junit(played: Sequence[Played]) -> str:
    """A suite for each script, a case for each step; steps behind a failure are skipped."""
    suites = "".join(_suite(one) for one in played)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="inspector play">\n{suites}</testsuites>\n'


def _suite(one: Played) -> str:
    cases = list(_cases(one))
    failed, skipped = (sum(f"<{word}" in case for case in cases) for word in ("failure", "skipped"))
    counts = f'tests="{len(cases)}" failures="{failed}" skipped="{skipped}"'
    return f"  <testsuite name={_quoted(one.path)} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _cases(one: Played) -> Iterator[str]:
    if one.run is None:
        told = [f"{f.span}: {f.message}{f' ({f.hint})' if f.hint else ''}" for f in one.problems] or [one.why]
        yield _case(one.name or one.path, told)
        return
    for outcome in one.run.outcomes:
        yield _case(_name(outcome.step), [_words(f) for f in outcome.failures])
    for step in one.run.script.steps[one.run.at :]:
        yield f'    <testcase name={_quoted(_name(step))} classname="inspector"><skipped/></testcase>\n'


def _name(step: Step) -> str:
    return f"line {step.span.line}: {step.label}"


def _words(failure: Failure) -> str:
    hint = f" ({failure.hint})" if failure.hint else ""
    return f"{failure.span}: expected {failure.expected}, but {failure.was}{hint}"


def _case(name: str, wrong: Sequence[str]) -> str:
    head = f'    <testcase name={_quoted(name)} classname="inspector"'
    if not wrong:
        return f"{head}/>\n"
    told = escape("\n".join(harmless(line) for line in wrong))
    return f"{head}><failure message={_quoted(wrong[0])}>{told}</failure></testcase>\n"


def _quoted(text: str) -> str:
    return quoteattr(harmless(text))
