"""`inspector PATH`: the app; where there is no terminal to draw on, the same as a report."""

from __future__ import annotations

import gc
import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import MutableMapping
from pathlib import Path

from inspector.cli.memory import add_memory, given, in_project
from inspector.cli.output import is_terminal, show, write
from inspector.cli.parser import add_path
from inspector.errors import Exit
from inspector.folder import require_agent

__all__ = ["add_format", "arguments", "drop_odd_settings", "open_folder", "run"]


def arguments(parser: ArgumentParser) -> None:
    add_path(parser, optional=True)
    add_memory(parser)
    add_format(parser)


def add_format(parser: ArgumentParser) -> None:
    """How the report is printed; asking for it prints it in a terminal too."""
    parser.add_argument("--format", choices=("text", "json"), help="print the report instead of opening the app")


def run(arguments: Namespace) -> Exit:
    return open_folder(arguments.path, arguments)


def open_folder(path: Path, arguments: Namespace) -> Exit:
    """The app or the report. The report exits with 0 whatever it says: `check` is the one that judges."""
    if arguments.format is None and is_terminal():
        require_agent(path)
        seed = _seed(path, arguments)
        drop_odd_settings(os.environ)
        gc.disable()  # until the first frame is there: nothing before it is garbage
        from inspector.app import run as run_app

        place = Path(os.path.abspath(path))  # `.` would stay the folder that was deleted, once another stands there
        return Exit(run_app(place, arguments.engine, seed))
    _report(path, arguments)
    return Exit.CLEAN


_KNOWN = {
    "TEXTUAL_COLOR_SYSTEM": re.compile(r"auto|standard|256|truecolor|windows"),
    "TEXTUAL_DRIVER": re.compile(r"textual\.drivers\.\w+:\w+"),
}


def drop_odd_settings(environment: MutableMapping[str, str]) -> None:
    """Leave out what the toolkit would fail at before there is a screen to say so on, or import from anywhere."""
    for name, known in _KNOWN.items():
        if name in environment and not known.fullmatch(environment[name]):
            del environment[name]


def _seed(path: Path, arguments: Namespace) -> dict[str, object]:
    """The memory that the session begins with; the folder is read for it only where some is given."""
    if arguments.memory is None and not arguments.set:
        return {}
    from inspector.cli.loading import load

    return given(arguments.memory, arguments.set, in_project(load(path, arguments.engine), None))


def _report(path: Path, arguments: Namespace) -> None:
    from inspector.cli.loading import load, seen_from_here
    from inspector.cli.target import Target, judged
    from inspector.reports.findings import Findings
    from inspector_core.finding import in_order
    from inspector_core.mantle.checks import check

    project = load(path, arguments.engine)
    memory = given(arguments.memory, arguments.set, in_project(project, None))
    verdicts = judged(project, memory, Target(None, None))
    found = Findings(in_order(check(project)), seen_from_here(path), project.sources)
    if arguments.format == "json":
        from inspector.reports.json import dumps, finding, verdict

        told = {
            "agent": project.name,
            "engine": project.version,
            "tools": [verdict(v) for v in verdicts],
            "findings": [finding(f) for f in found.findings],
        }
        write(dumps(told) + "\n")
    else:
        from inspector.reports.tools import report_lines

        show(report_lines(project, verdicts, found), arguments.color)
