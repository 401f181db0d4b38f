"""Whether what is expected is so; and where it isn't, what is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from inspector_core.events import Record
from inspector_core.finding import did_you_mean
from inspector_core.mantle.values import as_text
from inspector_core.report import Report, Verdict
from inspector_core.script.matching import (
    OURS,
    brief,
    in_order,
    matches,
    mentions,
    ran,
    refusals,
    same,
    spoken,
    status,
)
from inspector_core.script.values import Check, CheckKind, Pattern
from inspector_core.source import Span

__all__ = ["Asked", "Failure", "Here", "Situation", "answers", "judge", "refusal"]


class Asked(Protocol):
    """A confirmation that waits."""

    @property
    def tool(self) -> str: ...


class Situation(Protocol):
    """What a state of any dialect has to tell for expectations to be judged."""

    @property
    def memory(self) -> Mapping[str, object]: ...

    @property
    def skill(self) -> str | None: ...

    @property
    def target(self) -> str | None: ...

    @property
    def active_pending(self) -> Asked | None: ...


@dataclass(frozen=True, slots=True)
class Failure:
    """Something is not as expected."""

    span: Span
    expected: str
    was: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Here:
    """What can be looked at: how things stand, and what has happened since the last expectation."""

    state: Situation
    report: Report
    records: Sequence[Record]


def judge(check: Check, here: Here) -> Failure | None:
    """Nothing where it is as expected."""
    return _JUDGES[check.kind](check, here)


def answers(check: Check, record: Record) -> bool:
    """Whether a refusal is the one that a `refused` expects."""
    name, wanted = check.name or "", check.wanted
    about = mentions(record, name) or name in str(record.fields.get("message", ""))
    return check.kind == "refused" and about and (not wanted or str(wanted) in _words(record))


def refusal(record: Record) -> tuple[str, str]:
    """What was refused, or the reason's code; and why, in words."""
    return str(record.fields.get("reason") or record.fields.get("tool_name")), _words(record)


def _words(record: Record) -> str:
    return str(record.fields.get("message") or record.fields.get("error_message") or "")


# -- how things stand --------------------------------------------------------------------------------------------------


def _active(check: Check, here: Here) -> Failure | None:
    skill, target = here.state.skill, here.state.target
    if check.name in (skill, target):
        return None
    skills = [s for s in here.report.by_skill if s]
    hint = None if check.name is None or check.name in skills else did_you_mean(check.name, skills)
    was = f"`{target}` is" if target else "no skill is"
    return Failure(check.span, f"`{check.name}` to be active" if check.name else "no skill to be active", was, hint)


def _asks(check: Check, here: Here) -> Failure | None:
    pending = here.state.active_pending
    asked = pending.tool if pending is not None else None
    if asked == check.name:
        return None
    was = f"`{asked}` asks the customer" if asked else "nothing does"
    expected = f"`{check.name}` to ask the customer" if check.name else "nothing to ask the customer"
    return Failure(check.span, expected, was, None if asked or not check.name else _why_not(check.name, here))


def _offered(check: Check, here: Here) -> Failure | None:
    verdict = _verdict(check.name or "", here)
    if verdict is not None and verdict.offered and verdict.active:
        return None
    was, hint = _standing(check.name or "", verdict, here)
    return Failure(check.span, f"`{check.name}` to be offered", was, hint)


def _hidden(check: Check, here: Here) -> Failure | None:
    verdict = _verdict(check.name or "", here)
    if verdict is None or verdict.offered:
        was, hint = _standing(check.name or "", verdict, here)
        return Failure(check.span, f"`{check.name}` to be hidden", was, hint)
    if not check.wanted or verdict.reason == check.wanted:
        return None
    was, hint = _standing(check.name or "", verdict, here)
    return Failure(check.span, f"`{check.name}` to be hidden for `{check.wanted}`", was, hint)


def _verdict(tool: str, here: Here) -> Verdict | None:
    """The verdict on a tool among those of the active skill; the engine's own are there for no skill too."""
    return here.report.find(tool, here.state.skill) if here.state.skill else _of_none(tool, here.report)


def _of_none(tool: str, report: Report) -> Verdict | None:
    return next((v for v in report.of(None) if v.tool == tool), None)


def _standing(tool: str, verdict: Verdict | None, here: Here) -> tuple[str, str | None]:
    """How a tool stands, in words, and what to do about it."""
    if verdict is not None:
        return f"it is {verdict.standing} ({verdict.reason})", verdict.why or None
    known = list(dict.fromkeys(v.tool for v in here.report.verdicts))
    if tool not in known:
        return "there is no such tool", did_you_mean(tool, known)
    owner = here.report.find(tool)
    return f"it is a tool of `{owner.skill if owner else ''}`, which is not active", None


def _why_not(tool: str, here: Here) -> str | None:
    verdict = _verdict(tool, here)
    was, hint = _standing(tool, verdict, here)
    return hint or f"`{tool}`: {was}"


def _memory(check: Check, here: Here) -> Failure | None:
    key = check.name or ""
    value = here.state.memory.get(key)
    if same(value, check.wanted):
        return None
    hint = did_you_mean(key, list(here.state.memory)) if value is None else None
    return Failure(check.span, f"`{key}` to be {as_text(check.wanted)}", f"it is {as_text(value)}", hint)


# -- what has happened -------------------------------------------------------------------------------------------------


def _ran(check: Check, here: Here) -> Failure | None:
    tool = check.name or ""
    count, wanted = ran(here.records, tool), check.wanted
    if count == wanted:
        return None
    called = [r for r in here.records if r.fields.get("tool_name") == tool]
    was = f"it ran {_times(count)}" if count else "it didn't run"
    return Failure(check.span, f"`{tool}` to run {_times(wanted)}", was, _instead(tool, called) if not count else None)


def _times(count: object) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(count if isinstance(count, int) else -1, f"{count} times")


def _instead(tool: str, called: Sequence[Record]) -> str:
    """What became of calls that didn't run."""
    for record in reversed(called):
        came = status(record)
        if came or refusals([record]):
            return f"its call was {str(came).replace('_', ' ')}" if came else f"its call was refused: {_words(record)}"
    return f"nothing called `{tool}`"


def _not_ran(check: Check, here: Here) -> Failure | None:
    count = ran(here.records, check.name or "")
    return Failure(check.span, f"`{check.name}` not to run", f"it ran {_times(count)}") if count else None


def _declined(check: Check, here: Here) -> Failure | None:
    called = [r for r in here.records if r.fields.get("tool_name") == check.name]
    if any(status(r) in ("declined", "cancelled") for r in called):
        return None
    was = "it ran" if any(r.ran for r in called) else "it was not answered"
    return Failure(check.span, f"`{check.name}` to be declined", was)


def _failed(check: Check, here: Here) -> Failure | None:
    runs = [r for r in here.records if r.ran and r.fields.get("tool_name") == check.name]
    wrong = [r for r in runs if r.fields.get("is_error") is True]
    if any(str(check.wanted or "") in _words(r) for r in wrong):
        return None
    was = f"it failed: {_words(wrong[-1])}" if wrong else "it succeeded" if runs else "it didn't run"
    with_words = f" with `{check.wanted}`" if check.wanted else ""
    return Failure(check.span, f"`{check.name}` to fail{with_words}", was)


def _refused(check: Check, here: Here) -> Failure | None:
    refused = refusals(here.records)
    if any(answers(check, r) for r in refused):
        return None
    was = "; ".join(f"`{what}` was: {why}" for what, why in map(refusal, refused)) or "nothing was refused"
    return Failure(check.span, f"`{check.name}` to be refused", was)


def _said(check: Check, here: Here) -> Failure | None:
    said = spoken(here.records)
    if any(mentions(r, check.name or "") for r in said):
        return None
    named = [str(r.metadata["utter_action"]) for r in said if r.metadata.get("utter_action")]
    was = "; ".join(_quoted(r) for r in said) or "nothing was said"
    return Failure(check.span, f"`{check.name}` to be said", was, did_you_mean(check.name or "", named))


def _not_said(check: Check, here: Here) -> Failure | None:
    found = next((r for r in spoken(here.records) if mentions(r, check.name or "")), None)
    return None if found is None else Failure(check.span, f"`{check.name}` not to be said", f"it was: {_quoted(found)}")


def _quoted(record: Record) -> str:
    named = record.metadata.get("utter_action")
    return f'"{record.fields.get("text")}"' + (f" ({named})" if named else "")


def _happened(check: Check, here: Here) -> Failure | None:
    [pattern] = check.patterns
    if any(matches(pattern, r) for r in here.records):
        return None
    was = ", ".join(brief(r) for r in here.records if r.event == pattern.event) or f"there was no `{pattern.event}`"
    return Failure(check.span, f"`{pattern}`", was)


def _order(check: Check, here: Here) -> Failure | None:
    missing = in_order(check.patterns, here.records)
    if missing is None:
        return None
    early = any(matches(missing, r) for r in here.records)
    was = f"it came earlier: {_listed(here.records)}" if early else f"it is not among {_listed(here.records)}"
    return Failure(check.span, f"`{missing}` at its place in the order", was)


def _records(check: Check, here: Here) -> Failure | None:
    """All records of the engine's own events, one for one."""
    real = [r for r in here.records if not r.event.startswith(OURS)]
    pairs = list(zip(check.patterns, real, strict=False))
    for number, (pattern, record) in enumerate(pairs, 1):
        if not matches(pattern, record):
            return Failure(check.span, f"record {number} to be `{pattern}`", *_differs(pattern, record, real))
    if len(check.patterns) == len(real):
        return None
    rest: Sequence[Pattern | Record] = check.patterns[len(pairs) :] or real[len(pairs) :]
    first = f"`{rest[0]}`" if isinstance(rest[0], Pattern) else f"`{brief(rest[0])}`"
    was = f"there is no {first}" if len(check.patterns) > len(real) else f"there is {first} besides"
    return Failure(check.span, f"{len(check.patterns)} records", f"{was}: {_listed(real)}")


def _differs(pattern: Pattern, record: Record, real: Sequence[Record]) -> tuple[str, str | None]:
    """What stands in the place of a record; where it is the right one, which of its fields is another."""
    if pattern.event != record.event or (pattern.about and not mentions(record, pattern.about)):
        return f"it is `{brief(record)}`: {_listed(real)}", None
    return ", ".join(_unlike(pattern, record)), None


def _unlike(pattern: Pattern, record: Record) -> Iterator[str]:
    for wanted, found in ((pattern.fields, record.fields), (pattern.metadata, record.metadata)):
        for name, value in wanted.items():
            if not matches(Pattern(pattern.event, fields={name: value}), Record(record.event, found)):
                yield f"its `{name}` is {as_text(found.get(name))}, not {as_text(value)}"


def _listed(records: Sequence[Record]) -> str:
    return ", ".join(brief(r) for r in records) or "no records"


_JUDGES: Mapping[CheckKind, Callable[[Check, Here], Failure | None]] = {
    "active": _active, "asks": _asks, "offered": _offered, "hidden": _hidden, "memory": _memory, "ran": _ran,
    "not_ran": _not_ran, "declined": _declined, "failed": _failed, "refused": _refused, "said": _said,
    "not_said": _not_said, "happened": _happened, "order": _order, "records": _records,
}  # fmt: skip
