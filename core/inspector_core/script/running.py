"""Playing a script step by step; pure, so that a shell, a test and the app can all do it in their own time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar, assert_never

from inspector_core.dialect import Dialect
from inspector_core.events import CustomerSaid, Event, Record
from inspector_core.finding import did_you_mean
from inspector_core.script.judging import Failure, Here, Situation, answers, judge, refusal
from inspector_core.script.matching import refusals
from inspector_core.script.values import Check, Expectation, Move, Script, Step, Tap
from inspector_core.session import Session, begin

__all__ = ["Outcome", "Run", "advance", "ready", "run"]

P = TypeVar("P")
S = TypeVar("S", bound=Situation)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one step."""

    step: Step
    failures: tuple[Failure, ...]
    moments: tuple[int, int]
    """Indices into the session's moments: the first one that the step made, and the one behind its last."""

    @property
    def passed(self) -> bool:
        return not self.failures


@dataclass(frozen=True, eq=False)
class Run(Generic[P, S]):
    """A script as far as it was played."""

    script: Script
    session: Session[P, S]
    outcomes: tuple[Outcome, ...] = ()
    heard: int = 0
    """Up to which moment the last expectation looked."""

    @property
    def at(self) -> int:
        """The index of the next step."""
        return len(self.outcomes)

    @property
    def over(self) -> bool:
        return self.at >= len(self.script.steps)

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(failure for outcome in self.outcomes for failure in outcome.failures)

    @property
    def passed(self) -> bool:
        """Every step was played and is as expected."""
        return self.over and not self.failures


def run(dialect: Dialect[P, S], project: P, script: Script, *, go_on: bool = False) -> Run[P, S]:
    """Play a script to its end, or to its first failure unless it shall go on."""
    played = ready(dialect, project, script)
    while not played.over and (go_on or not played.failures):
        played = advance(played)
    return played


def ready(dialect: Dialect[P, S], project: P, script: Script) -> Run[P, S]:
    """A script of which nothing has been played yet."""
    return Run(script, begin(dialect, project, script.memory))


def advance(played: Run[P, S]) -> Run[P, S]:
    """Play the next step; a run that is over stays as it is."""
    if played.over:
        return played
    step = played.script.steps[played.at]
    match step:
        case Move(events=events):
            return _moved(played, step, events)
        case Tap(title=title):
            return _tapped(played, step, title)
        case Expectation(checks=checks):
            return _judged(played, step, checks)
        case _:
            assert_never(step)


def _moved(played: Run[P, S], step: Step, events: Sequence[Event]) -> Run[P, S]:
    session = played.session
    for event in events:
        session = session.apply(event)
    made = len(played.session.moments), len(session.moments)
    records = [r for moment in session.moments[made[0] :] for r in moment.records]
    failures = tuple(_unexpected(played, step, records, session.now.report.by_skill))
    return replace(played, session=session, outcomes=(*played.outcomes, Outcome(step, failures, made)))


def _unexpected(
    played: Run[P, S], step: Step, records: Sequence[Record], skills: Mapping[str | None, object]
) -> Iterator[Failure]:
    """What was refused, unless the next expectation says that it is."""
    expected = _next_checks(played)
    for record in refusals(records):
        if not any(answers(check, record) for check in expected):
            what, why = refusal(record)
            known = _meant(record, played, [s for s in skills if s])
            hint = known or f"if that is meant, expect it: `refused: {what}`"
            yield Failure(step.span, f"`{step.label}` to be carried out", f"refused ({what}): {why}", hint)


def _meant(record: Record, played: Run[P, S], skills: list[str]) -> str | None:
    """The skill or tool that was probably meant, where there is none of that name."""
    given = record.fields.get("arguments")
    name = record.fields.get("tool_name")
    if name == "activate" and isinstance(given, Mapping):
        target = str(given.get("target_id"))
        return None if target in skills else did_you_mean(target, skills)
    tools = {v.tool for v in played.session.now.report.verdicts}
    return None if not isinstance(name, str) or name in tools else did_you_mean(name, sorted(tools))


def _next_checks(played: Run[P, S]) -> tuple[Check, ...]:
    rest = played.script.steps[played.at :]
    return next((step.checks for step in rest if isinstance(step, Expectation)), ())


def _tapped(played: Run[P, S], step: Step, title: str) -> Run[P, S]:
    """The customer sends what the button of the agent's latest message sends."""
    records = [r for moment in played.session.moments for r in moment.records]
    latest = next((r for r in reversed(records) if r.event == "bot"), None)
    buttons = _buttons(latest)
    if title in buttons:
        return _moved(played, step, (CustomerSaid(buttons[title], title),))
    was = f"it has {', '.join(f'`{t}`' for t in buttons)}" if buttons else "it has none"
    hint = did_you_mean(title, list(buttons))
    failure = Failure(step.span, f"a button `{title}` on the agent's latest message", was, hint)
    at = len(played.session.moments)
    return replace(played, outcomes=(*played.outcomes, Outcome(step, (failure,), (at, at))))


def _buttons(record: Record | None) -> dict[str, str]:
    """Title to payload; where two buttons have one title, the first."""
    data = record.fields.get("data") if record is not None else None
    found = data.get("buttons") if isinstance(data, Mapping) else None
    listed = found if isinstance(found, (list, tuple)) else ()
    pairs = [(str(b.get("title")), str(b.get("payload"))) for b in listed if isinstance(b, Mapping)]
    return dict(reversed(pairs))


def _judged(played: Run[P, S], step: Step, checks: Sequence[Check]) -> Run[P, S]:
    now, at = played.session.now, len(played.session.moments)
    records = [r for moment in played.session.moments[played.heard + 1 :] for r in moment.records]
    here = Here(now.state, now.report, records)
    failures = tuple(failure for check in checks if (failure := judge(check, here)) is not None)
    return replace(played, outcomes=(*played.outcomes, Outcome(step, failures, (at, at))), heard=at - 1)
