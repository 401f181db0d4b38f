"""The commands as every kind of agent has them that brings none of its own: all they know is the dialect."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspector.cli.lines import answer_lines
from inspector.cli.loading import seen_from_here
from inspector.cli.memory import flat, given
from inspector.cli.output import is_terminal, show, warn, write
from inspector.dialects import Kind, Read
from inspector.errors import Exit, UsageError
from inspector.reports import alike as report
from inspector.reports.findings import Findings, finding_lines
from inspector.reports.json import dumps, finding, verdict
from inspector_core.finding import Finding, Severity, did_you_mean, in_order
from inspector_core.report import Verdict
from inspector_core.session import Session, begin

__all__ = ["COMMANDS"]

Agent = Kind[Any, Any]


def _session(kind: Agent, arguments: Namespace) -> Session[Any, Any]:
    """A session that begins with the memory that was given, as far as this kind of agent has any."""
    _none(arguments, "skill", "block")
    memory = given(arguments.memory, arguments.set, str)
    session = begin(kind.dialect, kind.read(arguments.path), memory)
    held: Mapping[str, object] = getattr(session.now.state, "memory", {})
    for key in memory:
        if key not in held:
            warn(f"nothing reads `{key}`", "this kind of agent has no such memory")
    return session


def _none(arguments: Namespace, *names: str) -> None:
    """Refuse what only skill folders have."""
    for name in names:
        if getattr(arguments, name, None):
            raise UsageError(f"`--{name.replace('_', '-')}` is for skill folders", code="usage")


# -- the commands ------------------------------------------------------------------------------------------------------


def _open(kind: Agent, arguments: Namespace) -> Exit:
    _none(arguments, "record", "resume", "recording", "compare", "session")
    session = _session(kind, arguments)
    found = _found(kind, arguments.path, session.project)
    if arguments.format == "json":
        told = {"agent": kind.title(session.project), "about": kind.about, "tools": _rows(session)}
        write(dumps({**told, "findings": [finding(f) for f in found.findings]}) + "\n")
        return Exit.CLEAN
    show((*report.tool_lines(kind, session), *report.spaced(finding_lines(found))), arguments.color)
    if arguments.format is None and is_terminal():
        warn("this kind of agent is shown as a report")
    return Exit.CLEAN


def _gates(kind: Agent, arguments: Namespace) -> Exit:
    session = _session(kind, arguments)
    if arguments.jsonl:
        return answer_lines(lambda question: _answer(kind, session.project, question))
    if arguments.format == "json":
        write(dumps({"engine": session.project.version, "about": kind.about, "tools": _rows(session)}) + "\n")
    else:
        show(report.tool_lines(kind, session), arguments.color)
    return Exit.CLEAN


def _answer(kind: Agent, project: object, question: Mapping[str, object]) -> Mapping[str, object]:
    verdicts = list(begin(kind.dialect, project, flat(question.get("memory", {}))).now.report.verdicts)
    return {
        "offered": sorted(v.tool for v in verdicts if v.offered),
        "withheld": {v.tool: v.reason for v in sorted(verdicts, key=lambda v: v.tool) if not v.offered},
    }


def _rows(session: Session[Any, Any]) -> list[dict[str, object]]:
    return [verdict(v) for v in session.now.report.verdicts]


def _why(kind: Agent, arguments: Namespace) -> Exit:
    session = _session(kind, arguments)
    found = _of(arguments.tool, list(session.now.report.verdicts))
    if arguments.format == "json":
        write(dumps({"engine": session.project.version, "tools": [verdict(v) for v in found]}) + "\n")
    else:
        show((line for v in found for line in report.why_lines(v)), arguments.color)
    return Exit.CLEAN


def _of(tool: str, verdicts: list[Verdict]) -> list[Verdict]:
    found = [v for v in verdicts if v.tool == tool]
    if not found:
        hint = did_you_mean(tool, [v.tool for v in verdicts])
        raise UsageError(f"there is no tool `{tool}`", code="unknown-tool", hint=hint)
    return found


def _check(kind: Agent, arguments: Namespace) -> Exit:
    _none(arguments, "recordings")
    if arguments.explain is not None:
        return _explain(kind, arguments)
    project = kind.read(arguments.path)
    found = _found(kind, arguments.path, project)
    if arguments.before is not None:
        gone = kind.since(project, kind.read(arguments.before))
        found = Findings(in_order([*found.findings, *gone]), found.root, project.sources)
    match arguments.format:
        case "text":
            show(finding_lines(found), arguments.color)
        case "json":
            rows = [finding(f) for f in found.findings]
            write(dumps({"engine": project.version, "about": kind.about, "findings": rows}) + "\n")
        case form:
            write(_printed(kind, found, form))
    counted = (Severity.ERROR, Severity.WARNING) if arguments.strict else (Severity.ERROR,)
    return Exit.FINDINGS if any(f.severity in counted for f in found.findings) else Exit.CLEAN


def _printed(kind: Agent, found: Findings, form: str) -> str:
    match form:
        case "github":
            from inspector.reports.github import github

            return github(found)
        case "sarif":
            from inspector.cli.parser import version
            from inspector.reports.sarif import sarif

            return sarif(found, version(), kind.explains)
        case _:
            from inspector.reports.junit import junit

            return junit(found, [])


def _explain(kind: Agent, arguments: Namespace) -> Exit:
    told = kind.explains(arguments.explain)
    if told is None:
        raise UsageError(f"there is no code `{arguments.explain}`", code="unknown-code")
    write(f"{arguments.explain}\n  {told}\n")
    return Exit.CLEAN


def _found(kind: Agent, path: Path, project: Read) -> Findings:
    findings: tuple[Finding, ...] = in_order(kind.check(project))
    root = path if path.is_dir() else path.parent
    return Findings(findings, seen_from_here(root), project.sources)


def _play(kind: Agent, arguments: Namespace) -> Exit:
    from inspector.reports.played import Played, junit, played_json, played_lines
    from inspector.scripts import find, find_own
    from inspector_core.script.running import run

    _none(arguments, "invariants", "record", "trace")
    project = kind.read(arguments.path)
    own = arguments.path if arguments.path.is_dir() else arguments.path.parent
    scripts = find(arguments.scripts) if arguments.scripts else find_own(own)
    if not scripts:
        raise UsageError("there are no scripts", code="no-scripts", hint="a script is a file `NAME.yml`")
    played = []
    for found in scripts:
        text = found.text
        if text is None:
            played.append(Played(found.path, why=found.why))
        elif text.broken:
            played.append(Played(found.path, text.script.name, text.findings))
        else:
            done = run(kind.dialect, project, text.script, go_on=arguments.go_on)
            played.append(Played(found.path, text.script.name, text.findings, run=done))
    match arguments.format:
        case "json":
            write(played_json(played, project.version))
        case "junit":
            write(junit(played))
        case _:
            show(played_lines(played), arguments.color)
    return Exit.CLEAN if all(one.passed for one in played) else Exit.FINDINGS


def _replay(kind: Agent, arguments: Namespace) -> Exit:
    from inspector.recordings import open_file

    _none(arguments, "mapping", "conversation")
    project = kind.read(arguments.path)
    opened = open_file(Path(arguments.recording))
    if opened.recording is None:
        raise UsageError(f"`{opened.path}` can't be read: {opened.why}", code="unreadable")
    for problem in opened.recording.findings:
        warn(f"{problem.span.path}:{problem.span.line}: {problem.message}", problem.hint)
    named = {s.name: s for s in opened.recording.sessions}
    numbered = {str(i): s for i, s in enumerate(opened.recording.sessions, 1)}
    found = (named | numbered).get(arguments.session or "1")
    if found is None:
        hint = did_you_mean(arguments.session or "", list(named)) or f"there are {len(opened.recording.sessions)}"
        raise UsageError(f"there is no session `{arguments.session or 1}` in it", code="no-session", hint=hint)
    session, told = begin(kind.dialect, project, {}), []
    for number, event in kind.events(project, found):
        session = session.apply(event)
        told.append(report.Replayed(number, found.events[number].line, session.now))
    if arguments.at is not None:
        told = [one for one in told if one.number <= arguments.at][-1:]
    if arguments.format == "json":
        write(dumps({"engine": project.version, "about": kind.about, "session": found.name,
                     "events": report.replayed_json(told)}) + "\n")  # fmt: skip
    else:
        show(report.replayed_lines(kind, session, found.name, told), arguments.color)
    return Exit.CLEAN


COMMANDS: Mapping[str, Callable[[Agent, Namespace], Exit]] = {
    "open": _open, "gates": _gates, "why": _why, "check": _check, "play": _play, "replay": _replay,
}  # fmt: skip
