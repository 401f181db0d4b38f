"""`inspector check PATH`: everything that is wrong in the files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from inspector.cli.loading import load, seen_from_here
from inspector.cli.output import show, write
from inspector.cli.parser import add_path, version
from inspector.errors import Exit, UsageError
from inspector.reports.findings import Findings, finding_lines
from inspector_core.finding import Finding, Severity, did_you_mean, in_order
from inspector_core.mantle.checks import check
from inspector_core.mantle.project import Project

__all__ = ["arguments", "run"]

FORMATS = ("text", "json", "github", "sarif", "junit")


def arguments(parser: ArgumentParser) -> None:
    add_path(parser, optional=True)
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to print (%(default)s)")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings too, not for errors alone")
    parser.add_argument("--explain", metavar="CODE", help="say what a finding's code means, and read no folder")
    parser.add_argument(
        "--recordings",
        metavar="DIR",
        nargs="+",
        type=Path,
        help="instead of the files, check recorded conversations against them: where would they go otherwise today?",
    )
    parser.add_argument(
        "--before", metavar="PATH", type=Path, help="the agent's folder as it was, to tell what is newly offered"
    )


def run(arguments: Namespace) -> Exit:
    if arguments.explain is not None:
        return _explain(arguments.explain, arguments.color)
    if arguments.recordings is not None:
        from inspector.cli.recorded import check_recordings

        return check_recordings(arguments)
    if arguments.before is not None:
        raise UsageError("`--before` is for recordings", code="usage", hint="name some with `--recordings`")
    project = load(arguments.path, arguments.engine)
    found = Findings(in_order(check(project)), seen_from_here(arguments.path), project.sources)
    if arguments.format == "text":
        show(finding_lines(found), arguments.color)
    else:
        write(_printed(found, project, arguments.format))
    return _exit(found.findings, arguments.strict)


def _exit(findings: Iterable[Finding], strict: bool) -> Exit:
    counted = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
    return Exit.FINDINGS if any(f.severity in counted for f in findings) else Exit.CLEAN


def _printed(found: Findings, project: Project, form: str) -> str:
    match form:
        case "json":
            from inspector.reports.json import dumps, finding

            return dumps({"engine": project.version, "findings": [finding(f) for f in found.findings]}) + "\n"
        case "github":
            from inspector.reports.github import github

            return github(found)
        case "sarif":
            from inspector.reports.sarif import sarif

            return sarif(found, version(), _sentence)
        case _:
            from inspector.reports.junit import junit

            return junit(found, [s.id for s in project.own_skills])


def _sentence(code: str) -> str | None:
    from inspector_core.mantle.checks.catalogue import CATALOGUE

    entry = CATALOGUE.get(code)
    return entry.explanation if entry else None


def _explain(code: str, color: str) -> Exit:
    from inspector.reports.findings import code_lines
    from inspector_core.mantle.checks.catalogue import CATALOGUE

    entry = CATALOGUE.get(code)
    if entry is None:
        raise UsageError(f"there is no code `{code}`", code="unknown-code", hint=did_you_mean(code, list(CATALOGUE)))
    show(code_lines(code, entry.severity, entry.explanation, entry.hint), color)
    return Exit.CLEAN
