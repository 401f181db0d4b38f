"""Judged recordings, printed: each session with its drift, which gates were seen open and closed, what drifts most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from inspector.pieces import Line, Piece, Tone
from inspector.reports.json import dumps, finding, proof
from inspector.reports.text import blank, say
from inspector.visible import harmless
from inspector_core.finding import Finding
from inspector_core.mantle.replay import KINDS, Drift, Kind
from inspector_core.mantle.replay.batch import GateSeen, Judged

__all__ = ["JudgedFile", "drift_json", "drift_junit", "drift_lines"]

_TONES: Mapping[Kind, Tone] = {"offered": "good", "ask-words": "ask", "words": "ask", "asks": "ask", "unasked": "ask"}
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """One recording's file, and what today's files make of it."""

    path: str
    format: str = ""
    sessions: tuple[Judged, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What is wrong in the recording itself."""
    why: str = ""
    """Why it could not be judged."""

    @property
    def passed(self) -> bool:
        return not self.why and not any(one.drift for one in self.sessions)


# -- for people --------------------------------------------------------------------------------------------------------


def drift_lines(judged: Sequence[JudgedFile], gates: Sequence[GateSeen]) -> Iterator[Line]:
    """Each file with its drift, the gates that were seen one way only, and how much there is of what."""
    for one in judged:
        yield from _file(one)
    yield from _seen(gates)
    yield from _by_tool(judged)
    yield blank()
    yield _summary(judged)


def _file(one: JudgedFile) -> Iterator[Line]:
    sign: Piece = ("✓", "good") if one.passed else ("✗", "bad")
    events = sum(session.events for session in one.sessions)
    told = one.why or f"{_many(len(one.sessions), 'session')}, {_many(events, 'event')}"
    yield Line((sign, (f" {one.path}", "head")), (told, "dim"))
    for problem in one.findings:
        yield say(f"  {problem.span.line}: ", ("warning", "ask"), f" {problem.message}")
    for session in one.sessions:
        if session.drift and len(one.sessions) > 1:
            yield say((f"  {session.name}", "head"))
        for drift in session.drift:
            yield from _drift(drift)


def _drift(drift: Drift) -> Iterator[Line]:
    tone = _TONES.get(drift.kind, "error")
    place = f"  {drift.span}" if drift.span is not None else ""
    yield say(
        (f"  {drift.number}  ", "dim"), (drift.kind, tone), f" {drift.subject}  ", (f"[{drift.code}]{place}", "dim")
    )
    yield say(("     was: ", "dim"), _clipped(drift.was))
    yield say(("     now: ", "dim"), _clipped(drift.now))


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _seen(gates: Sequence[GateSeen]) -> Iterator[Line]:
    kinds: Sequence[tuple[str, Sequence[GateSeen]]] = (
        ("never seen open", [g for g in gates if g.seen is not None and True not in g.seen]),
        ("never seen closed", [g for g in gates if g.seen is not None and False not in g.seen]),
        ("never seen at all, since their skill was not active", [g for g in gates if g.seen is None]),
    )
    if any(found for _, found in kinds):
        yield blank()
    for title, found in kinds:
        if found:
            yield say((f"gates {title}", "head"))
        for gate in found:
            yield Line((("  ", "plain"), (gate.tool, "plain"), (f"  {gate.skill}", "dim")), (gate.requires, "dim"))


def _by_tool(judged: Sequence[JudgedFile]) -> Iterator[Line]:
    every = [drift for one in judged for session in one.sessions for drift in session.drift]
    subjects = Counter(drift.subject for drift in every)
    if subjects:
        yield blank()
        yield say(("drift by tool", "head"))
    for subject, count in sorted(subjects.items(), key=lambda pair: (-pair[1], pair[0])):
        kinds = Counter(drift.kind for drift in every if drift.subject == subject)
        told = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS if kinds[kind])
        yield Line((("  ", "plain"), (subject, "plain"), (f"  {count}", "dim")), (told, "dim"))


def _summary(judged: Sequence[JudgedFile]) -> Line:
    sessions = [session for one in judged for session in one.sessions]
    drifting = sum(bool(session.drift) for session in sessions)
    unjudged = sum(bool(one.why) for one in judged)
    told = f"{_many(len(judged), 'recording')}, {_many(len(sessions), 'session')}: "
    parts = [f"{drifting} {'drifts' if drifting == 1 else 'drift'}"] if drifting else []
    parts += [f"{_many(unjudged, 'file')} not judged"] if unjudged else []
    return say((told + (", ".join(parts) or "no drift"), "error" if parts else "good"))


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# -- for programs ------------------------------------------------------------------------------------------------------


def drift_json(judged: Sequence[JudgedFile], gates: Sequence[GateSeen], engine: str) -> str:
    told = {
        "engine": engine,
        "recordings": [_file_json(one) for one in judged],
        "gates": [_gate_json(gate) for gate in gates],
    }
    return dumps(told) + "\n"


def _gate_json(gate: GateSeen) -> dict[str, object]:
    seen = gate.seen or frozenset()
    return {
        "skill": gate.skill, "tool": gate.tool, "requires": gate.requires, "active": gate.seen is not None,
        "seen_open": True in seen, "seen_closed": False in seen,
    }  # fmt: skip


def _file_json(one: JudgedFile) -> dict[str, object]:
    return {
        "path": one.path, "format": one.format or None, "passed": one.passed, "not_judged": one.why or None,
        "findings": [finding(f) for f in one.findings],
        "sessions": [
            {
                "session": s.name, "conversation": s.conversation, "events": s.events,
                "drift": [_drift_json(d) for d in s.drift], "problems": {str(n): p for n, p in s.problems.items()},
            }
            for s in one.sessions
        ],
    }  # fmt: skip


def _drift_json(drift: Drift) -> dict[str, object]:
    return {
        "event": drift.number, "kind": drift.kind, "subject": drift.subject, "skill": drift.skill, "was": drift.was,
        "now": drift.now, "code": drift.code, "proof": proof(drift.proof) if drift.proof is not None else None,
        "place": str(drift.span) if drift.span is not None else None,
    }  # fmt: skip


def drift_junit(judged: Sequence[JudgedFile]) -> str:
    """A suite for each file, a case for each session, a failure where it drifts."""
    suites = "".join(_suite(one) for one in judged)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="inspector check">\n{suites}</testsuites>\n'


def _suite(one: JudgedFile) -> str:
    cases = [_case(session.name, [_words(drift) for drift in session.drift]) for session in one.sessions]
    cases += [_case("the file itself", [one.why])] if one.why else []
    failures = sum("<failure" in case for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}"'
    return f"  <testsuite name={_quoted(one.path)} {counts}>\n{''.join(cases)}  </testsuite>\n"


def _case(name: str, wrong: Sequence[str]) -> str:
    head = f'    <testcase name={_quoted(name)} classname="inspector"'
    if not wrong:
        return f"{head}/>\n"
    told = escape("\n".join(harmless(line) for line in wrong))
    return f"{head}><failure message={_quoted(wrong[0])}>{told}</failure></testcase>\n"


def _words(drift: Drift) -> str:
    place = f" ({drift.span})" if drift.span is not None else ""
    return (
        f"event {drift.number}: {drift.kind} `{drift.subject}`: was {drift.was}; now {drift.now} [{drift.code}]{place}"
    )


def _quoted(text: str) -> str:
    return quoteattr(harmless(text))
