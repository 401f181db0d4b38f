"""`inspector PATH`: the app; where there is no terminal to draw on, the same as a report."""

from __future__ import annotations

import gc
import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.memory import add_memory, given, in_project
from inspector.cli.output import is_terminal, show, write
from inspector.cli.parser import add_path
from inspector.errors import Exit, UsageError
from inspector.folder import is_agent, require_agent

if TYPE_CHECKING:
    from inspector.asked import Asked
    from inspector.recorder import Begun

__all__ = ["add_format", "add_recording", "add_replay", "arguments", "drop_odd_settings", "open_folder", "run"]


def arguments(parser: ArgumentParser) -> None:
    add_path(parser, optional=True)
    add_memory(parser)
    add_recording(parser)
    add_replay(parser)
    add_format(parser)


def add_replay(parser: ArgumentParser) -> None:
    """A recorded conversation that is looked at."""
    parser.add_argument(
        "--recording", metavar="FILE", type=Path, help="look at a recorded conversation, held against the agent's files"
    )
    parser.add_argument("--session", metavar="NAME", help="which session of that file: its name or its number")
    parser.add_argument("--compare", metavar="FILE", type=Path, help="put another recording beside it")


def add_recording(parser: ArgumentParser) -> None:
    """Whether the session of the app is recorded."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--record", metavar="FILE", type=Path, help="record the session into a new file, each move before it is shown"
    )
    group.add_argument(
        "--resume", metavar="FILE", type=Path, help="take up the session of such a file again, and record it further"
    )


def add_format(parser: ArgumentParser) -> None:
    """How the report is printed; asking for it prints it in a terminal too."""
    parser.add_argument("--format", choices=("text", "json"), help="print the report instead of opening the app")


def run(arguments: Namespace) -> Exit:
    return open_folder(arguments.path, arguments)


def open_folder(path: Path, arguments: Namespace) -> Exit:
    """The app or the report. The report exits with 0 whatever it says: `check` is the one that judges."""
    asked = _asked(arguments)
    if arguments.format is None and is_terminal():
        alone = asked is not None and path == Path() and not is_agent(path)
        if not alone:
            require_agent(path)
        seed = _seed(path, arguments)
        begun = _begun(path, arguments)
        drop_odd_settings(os.environ)
        gc.disable()  # until the first frame is there: nothing before it is garbage
        from inspector.app import run as run_app

        place = Path(os.path.abspath(path))  # `.` would stay the folder that was deleted, once another stands there
        return Exit(run_app(place, arguments.engine, seed, begun, asked, alone))
    if asked is not None:
        raise UsageError("a recording is looked at in a terminal", code="usage", hint="`inspector replay` prints one")
    if arguments.record or arguments.resume:
        raise UsageError("only a session of the app is recorded, and this prints a report", code="usage")
    _report(path, arguments)
    return Exit.CLEAN


def _asked(arguments: Namespace) -> Asked | None:
    """The recording that is to be looked at, if any."""
    if arguments.recording is None:
        if arguments.compare or arguments.session:
            raise UsageError("there is no recording to compare, or to choose a session of", code="usage",
                             hint="name it with `--recording`")  # fmt: skip
        return None
    for path in (arguments.recording, arguments.compare):
        if path is not None and not path.is_file():
            raise UsageError(f"there is no recording `{path}`", code="not-found")
    from inspector.asked import Asked

    return Asked(arguments.recording, arguments.session, arguments.compare)


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


def _begun(path: Path, arguments: Namespace) -> Begun | None:
    """What records the session, made before the screen is taken: so what is wrong with the file is said in time."""
    if arguments.record is None and arguments.resume is None:
        return None
    from inspector.cli.loading import load
    from inspector.cli.parser import version
    from inspector.journal import create
    from inspector.recorder import Begun, Recorder, resume

    if arguments.record is not None:
        return Begun(Recorder(create(arguments.record), version()))
    if arguments.memory is not None or arguments.set:
        raise UsageError("a session that is taken up again has its own memory", code="usage")
    return Begun(*resume(arguments.resume, load(path, arguments.engine), version()))


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
