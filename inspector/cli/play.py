"""`inspector play PATH SCRIPT…`: scripted conversations, played and held against what they expect."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.loading import load
from inspector.cli.output import show, write
from inspector.cli.parser import add_path
from inspector.errors import Exit, UsageError
from inspector.reports.played import Played, junit, played_json, played_lines
from inspector.scripts import FOLDER, Found, find, find_own
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.gatelist import BUILT_IN
from inspector_core.mantle.reading.words import clip
from inspector_core.script.mentions import unknown
from inspector_core.script.running import Run
from inspector_core.script.running import run as run_script
from inspector_core.script.values import MentionKind

if TYPE_CHECKING:
    from inspector_core.mantle.engine.state import State
    from inspector_core.mantle.project import Project

__all__ = ["arguments", "run"]


def arguments(parser: ArgumentParser) -> None:
    add_path(parser)
    about = f"scripts to play, or folders of them (the agent's own `{FOLDER}/`)"
    parser.add_argument("scripts", metavar="SCRIPT", nargs="*", type=Path, help=about)
    parser.add_argument(
        "--format", choices=("text", "json", "junit"), default="text", help="how to print (%(default)s)"
    )
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="record the one script that is played, in a new file"
    )
    parser.add_argument("--go-on", action="store_true", help="play on after a failure, to see all of them")
    parser.add_argument(
        "--trace",
        choices=("flat", "envelope"),
        nargs="?",
        const="flat",
        help="give the events that the engine would record, flat or in their envelopes, a line each",
    )
    parser.add_argument(
        "--invariants",
        metavar="N",
        nargs="?",
        const=1000,
        type=_count,
        help="instead of scripts, try out on N made-up conversations (%(const)s) what every confirmation has to keep",
    )
    parser.add_argument("--seed", type=int, default=0, help="begin with other conversations (%(default)s)")


def _count(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        raise ArgumentTypeError(f"a number of conversations is at least 1, and this is `{clip(text)}`")
    return count


def run(arguments: Namespace) -> Exit:
    project = load(arguments.path, arguments.engine)
    if arguments.invariants is not None:
        if arguments.scripts:
            raise UsageError(
                "`--invariants` makes up its own conversations", code="usage", hint="leave out the scripts"
            )
        return _try_out(project, arguments)
    scripts = _found(arguments.path, arguments.scripts)
    if arguments.record is not None and len(scripts) != 1:
        hint = "name the one script to record"
        raise UsageError(f"`--record` takes one session, and these are {len(scripts)} scripts", code="usage", hint=hint)
    played = [_played(project, found, arguments) for found in scripts]
    if arguments.record is not None and (run := played[0].run) is not None:
        _record(arguments.record, run)
    match arguments.format:
        case "json":
            write(played_json(played, project.version))
        case "junit":
            write(junit(played))
        case _:
            show(played_lines(played), arguments.color)
    return Exit.CLEAN if all(one.passed for one in played) else Exit.FINDINGS


def _try_out(project: Project, arguments: Namespace) -> Exit:
    from random import Random

    from inspector.reports.invariants import tried_json, tried_junit, tried_lines
    from inspector_core.mantle.invariants import try_out

    tried = try_out(project, arguments.invariants, Random, seed=arguments.seed)
    match arguments.format:
        case "json":
            write(tried_json(tried, project.version))
        case "junit":
            write(tried_junit(tried))
        case _:
            show(tried_lines(tried), arguments.color)
    return Exit.FINDINGS if tried.failures else Exit.CLEAN


def _found(agent: Path, named: list[Path]) -> tuple[Found, ...]:
    found = find(named) if named else find_own(agent)
    if not found:
        where = ", ".join(f"`{path}`" for path in named or [agent / FOLDER])
        raise UsageError(f"there are no scripts in {where}", code="no-scripts", hint="a script is a file `NAME.yml`")
    return found


def _played(project: Project, found: Found, arguments: Namespace) -> Played:
    text = found.text
    if text is None:
        return Played(found.path, why=found.why)
    if text.broken:
        return Played(found.path, text.script.name, text.findings)
    findings = (*text.findings, *unknown(text.mentions, _known(project)))
    done = run_script(MANTLE, project, text.script, go_on=arguments.go_on)
    trace = _trace(done, arguments.trace) if arguments.trace else ()
    return Played(found.path, text.script.name, findings, run=done, trace=trace)


def _known(project: Project) -> Mapping[MentionKind, frozenset[str]]:
    """Every name that a script can speak of."""
    tools = [t.name for s in project.skills for t in s.tools] + [i.name for s in project.skills for i in s.imports]
    return {
        "key": frozenset((*project.field_by_key, "session_started_metadata")),
        "tool": frozenset((*tools, *(t.name for t in project.shared_tools), *BUILT_IN)),
        "response": frozenset(project.response_by_name),
    }


def _record(path: Path, done: Run[Project, State]) -> None:
    from inspector.cli.parser import version
    from inspector.recorder import record

    record(path, done.session, version())


def _trace(done: Run[Project, State], form: str) -> tuple[object, ...]:
    """The records of the whole session; times and ids count from nothing, so that they are the same every time."""
    from inspector_core.mantle.wire.envelope import to_envelope
    from inspector_core.mantle.wire.flat import to_flat
    from inspector_core.mantle.wire.stamp import Stamps, stamped

    records = [record for moment in done.session.moments for record in moment.records]
    events, _ = stamped(records, Stamps(done.script.name, "session", 0.0))
    told = (to_envelope(event) if form == "envelope" else to_flat(event) for event in events)
    return tuple(form for form in told if form is not None)
