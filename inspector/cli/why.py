"""`inspector why PATH TOOL`: the explanation of one tool, wherever a skill has it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from inspector.cli.loading import load
from inspector.cli.memory import add_memory, given, in_project
from inspector.cli.output import show, write
from inspector.cli.parser import add_path
from inspector.cli.target import add_target, judged, target
from inspector.errors import Exit, UsageError
from inspector.pieces import Line
from inspector_core.finding import did_you_mean
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.report import Verdict

__all__ = ["arguments", "run"]


def arguments(parser: ArgumentParser) -> None:
    add_path(parser)
    parser.add_argument("tool", metavar="TOOL", help="the tool's name")
    add_target(parser)
    add_memory(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (%(default)s)")


def run(arguments: Namespace) -> Exit:
    project = load(arguments.path, arguments.engine)
    where = target(project, arguments.skill, arguments.block)
    memory = given(arguments.memory, arguments.set, in_project(project, where.skill))
    verdicts = _of(arguments.tool, judged(project, memory, where))
    state = MANTLE.start(project, memory)
    if arguments.format == "json":
        from inspector.reports.json import dumps

        told = {"engine": project.version, "tools": [_row(project, state, v) for v in verdicts]}
        write(dumps(told) + "\n")
    else:
        show(_lines(project, state, verdicts), arguments.color)
    return Exit.CLEAN


def _of(tool: str, verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """The verdicts on a tool; those that only say that its skill is not active, only where there are no others."""
    found = [v for v in verdicts if v.tool == tool]
    if not found:
        names = list(dict.fromkeys(v.tool for v in verdicts))
        raise UsageError(f"there is no tool `{tool}`", code="unknown-tool", hint=did_you_mean(tool, names))
    return [v for v in found if (v.kind, v.standing) != ("built-in", "inactive")] or found


def _lines(project: Project, state: State, verdicts: Sequence[Verdict]) -> Iterator[Line]:
    from inspector.reports.explain import explain
    from inspector.reports.text import blank, say

    for verdict in verdicts:
        if verdict is not verdicts[0]:
            yield blank()
        yield say(
            (verdict.tool, "head"),
            (f" · {verdict.skill}" if verdict.skill else "", "dim"),
            (f" · {verdict.kind}", "dim"),
        )
        yield from explain(project, state, verdict)


def _row(project: Project, state: State, verdict: Verdict) -> dict[str, object]:
    from inspector.reports.explain import keys_of, ways
    from inspector.reports.json import verdict as row

    opens = [
        [{"key": c.key, "value": c.value, "words": c.words} for c in way.changes]
        for way in ways(project, state, verdict)
    ]
    keys = [
        {
            "key": k.key,
            "value": k.value,
            "declared": k.declared,
            "readable": k.readable,
            "writers": [
                {"kind": u.kind, "skill": u.skill, "by": u.name, "place": str(u.span) if u.span else None}
                for u in k.writers
            ],
        }
        for k in keys_of(project, state, verdict)
    ]
    return {**row(verdict), "opens": opens, "keys": keys}
