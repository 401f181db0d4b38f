"""`inspector gates PATH`: every tool, whether the model would get it, and the reason."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from inspector.cli.lines import answer_lines
from inspector.cli.loading import load
from inspector.cli.memory import add_memory, given, in_project, in_question
from inspector.cli.output import show, write
from inspector.cli.parser import add_path
from inspector.cli.target import Target, add_target, judged, target
from inspector.errors import Exit, UsageError
from inspector_core.mantle.project import Project
from inspector_core.report import Verdict

__all__ = ["arguments", "run"]

_CUSTOM = frozenset({"local", "shared", "mcp", "engine-only"})


def arguments(parser: ArgumentParser) -> None:
    add_path(parser, optional=True)
    add_target(parser)
    add_memory(parser)
    parser.add_argument(
        "--jsonl", action="store_true", help='answer lines of stdin, each {"skill": …, "block": …, "memory": {…}}'
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (%(default)s)")


def run(arguments: Namespace) -> Exit:
    project = load(arguments.path, arguments.engine)
    if arguments.jsonl:
        return answer_lines(lambda question: _answer(project, question))
    where = target(project, arguments.skill, arguments.block)
    memory = given(arguments.memory, arguments.set, in_project(project, where.skill))
    verdicts = judged(project, memory, where)
    if arguments.format == "json":
        from inspector.reports.json import dumps, verdict

        write(dumps({"engine": project.version, "tools": [verdict(v) for v in verdicts]}) + "\n")
    else:
        from inspector.reports.tools import tool_lines

        show(tool_lines(project, verdicts), arguments.color)
    return Exit.CLEAN


def _answer(project: Project, question: Mapping[str, object]) -> Mapping[str, object]:
    skill, block = question.get("skill"), question.get("block")
    if not isinstance(skill, str) or not (block is None or isinstance(block, str)):
        raise UsageError("`skill` is no text, or `block` neither text nor null", code="bad-line")
    where = target(project, skill, block)
    return _offered(where, judged(project, in_question(question), where))


def _offered(where: Target, verdicts: tuple[Verdict, ...]) -> Mapping[str, object]:
    """The custom tools that the model gets, and the reason for each that it doesn't."""
    custom = [v for v in verdicts if v.skill == where.skill and v.kind in _CUSTOM]
    return {
        "offered": sorted(v.tool for v in custom if v.offered),
        "withheld": {v.tool: v.reason for v in sorted(custom, key=lambda v: v.tool) if not v.offered},
    }
