"""`inspector rules FILE`: which tools may be called after some calls, by which rule not, and the rules as a graph."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from inspector.cli.lines import answer_lines
from inspector.cli.output import show, write
from inspector.errors import CannotLoad, Exit, UsageError
from inspector.rulefiles import RULES
from inspector_core.letta.loops import Loop
from inspector_core.letta.solver import Situation

__all__ = ["arguments", "run"]


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "path", metavar="FILE", nargs="?", type=Path,
        help="an agent file (.af), rules as JSON or YAML, a client's Python or TypeScript, or a folder with one",
    )  # fmt: skip
    parser.add_argument("--history", metavar="A,B", default="", help="the calls of this request so far, oldest first")
    parser.add_argument(
        "--last-output", metavar="TEXT", help="what the last call returned: its message, or the packaged JSON of it"
    )
    parser.add_argument("--available", metavar="A,B", help="the attached tools, instead of those in the file")
    parser.add_argument(
        "--loop", choices=[loop.value for loop in Loop], default=Loop.SOLVER.value,
        help="judge as one of the retired server's loops did, with its defects, instead of by the rules alone",
    )  # fmt: skip
    parser.add_argument(
        "--graph", choices=("mermaid", "dot", "svg"), help="write the rules as a graph, and judge nothing"
    )
    parser.add_argument(
        "--jsonl", action="store_true",
        help='answer lines of stdin, each {"rules": [...], "available": [...], "history": [...], "last_output": ...}',
    )  # fmt: skip
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (%(default)s)")


def run(arguments: Namespace) -> Exit:
    if arguments.jsonl == (arguments.path is not None):
        raise UsageError("give either a file or `--jsonl`", code="usage")
    if arguments.jsonl:
        return answer_lines(_answer)
    path: Path = arguments.path
    if not path.exists():
        raise CannotLoad(f"there is no file `{path}`", code="not-found")
    if not RULES.opens(path):
        raise CannotLoad(f"`{path}` holds no tool rules", code="no-rules", hint="see `inspector rules --help`")
    project = RULES.read(path)
    available = project.available if arguments.available is None else _names(arguments.available)
    now = Situation(_names(arguments.history), available, _packaged(arguments.last_output))
    if arguments.graph:
        from inspector_core.letta.graph import drawn

        write(drawn(project, now, arguments.graph))
        return Exit.CLEAN
    from inspector.reports.rules import asked_json, asked_lines

    loop = Loop(arguments.loop)
    if arguments.format == "json":
        write(asked_json(project, now, loop))
    else:
        show(asked_lines(project, now, loop), arguments.color)
    return Exit.CLEAN


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _packaged(text: str | None) -> str | None:
    """The output as the server keeps it: what is no object with a message yet is put into one."""
    from inspector_core.letta.outputs import is_packaged, packaged

    return text if text is None or is_packaged(text) else packaged(text)


def _answer(question: Mapping[str, object]) -> Mapping[str, object]:
    from inspector_core.letta.asked import answer

    rules = question.get("rules")
    if not isinstance(rules, list):
        raise UsageError("`rules` is no list", code="bad-line")
    output = question.get("last_output")
    if output is not None and not isinstance(output, str):
        raise UsageError("`last_output` is neither text nor null", code="bad-line")
    return answer(rules, Situation(_texts(question, "history"), _texts(question, "available"), output))


def _texts(question: Mapping[str, object], name: str) -> tuple[str, ...]:
    found = question.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise UsageError(f"`{name}` is no list of names", code="bad-line")
    return tuple(found)
