"""`inspector replay PATH RECORDING`: what was, event by event, with every tool's gate; judging is for `check`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from inspector.cli.loading import load
from inspector.cli.output import show, warn, write
from inspector.cli.parser import add_path
from inspector.errors import Exit, UsageError
from inspector.recordings import Opened, open_file, uncollected
from inspector.reports import replay as report
from inspector.storeurl import is_store
from inspector_core.finding import did_you_mean
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay.batch import replay_of
from inspector_core.recording.mapping import MemoryMapping
from inspector_core.recording.recording import Recording
from inspector_core.recording.sessions import Session

__all__ = ["arguments", "run"]


def arguments(parser: ArgumentParser) -> None:
    add_path(parser)
    about = "a file of a recorded conversation, or a tracker store: a file of SQLite's, `sqlite:///…`, `postgresql://…`"
    parser.add_argument("recording", metavar="RECORDING", help=about)
    parser.add_argument("--conversation", metavar="ID", help="which conversation of a tracker store")
    parser.add_argument("--session", metavar="NAME", help="which session of the file: its name or its number")
    parser.add_argument("--at", metavar="N", type=int, help="show the moment after event N, instead of all events")
    about = "a file that says which part of a tool's result is which memory entry"
    parser.add_argument("--mapping", metavar="FILE", type=Path, help=about)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (%(default)s)")


def run(arguments: Namespace) -> Exit:
    project = load(arguments.path, arguments.engine)
    opened = _opened(arguments)
    recording = _readable(opened)
    for problem in recording.findings:
        warn(f"{problem.span.path}:{problem.span.line}: {problem.message}", problem.hint)
    if not recording.sessions:
        return Exit.FINDINGS
    session = _chosen(recording, arguments.session)
    if session is None:
        _listed(opened.path, recording, arguments)
    else:
        _replayed(project, opened.path, recording, session, arguments)
    return Exit.CLEAN


def _opened(arguments: Namespace) -> Opened:
    if is_store(arguments.recording):
        from inspector.stored import open_stored

        return open_stored(arguments.recording, arguments.conversation)
    if arguments.conversation is not None:
        raise UsageError("only a tracker store has conversations to choose", code="usage", hint="see `--session`")
    return open_file(Path(arguments.recording), _mapping(arguments.mapping))


def _mapping(path: Path | None) -> MemoryMapping | None:
    if path is None:
        return None
    from inspector.mappings import open_mapping

    return open_mapping(path)


def _readable(opened: Opened) -> Recording:
    if opened.recording is None:
        raise UsageError(f"`{opened.path}` can't be read: {opened.why}", code="unreadable")
    return opened.recording


def _chosen(recording: Recording, name: str | None) -> Session | None:
    """The session that is meant; none where there are several and none was named."""
    if name is None:
        return recording.sessions[0] if len(recording.sessions) == 1 else None
    named = {session.name: session for session in recording.sessions}
    numbered = {str(number): session for number, session in enumerate(recording.sessions, 1)}
    found = named.get(name) or numbered.get(name)
    if found is None:
        hint = did_you_mean(name, list(named)) or f"there are {len(recording.sessions)}"
        raise UsageError(f"there is no session `{name}` in it", code="no-session", hint=hint)
    return found


def _listed(path: str, recording: Recording, arguments: Namespace) -> None:
    if arguments.at is not None:
        raise UsageError("there are several sessions in it", code="several-sessions", hint="name one with `--session`")
    if arguments.format == "json":
        _write_json(report.sessions_json(path, recording))
    else:
        show(report.session_lines(path, recording), arguments.color)


def _replayed(project: Project, path: str, recording: Recording, session: Session, arguments: Namespace) -> None:
    if not recording.has_memory:
        _told(path, recording, session, arguments)
        return
    with uncollected():
        replay = replay_of(project, recording, session)
    if arguments.at is not None and not 0 <= arguments.at <= len(replay):
        raise UsageError(f"there is no event {arguments.at}", code="no-event", hint=f"they go from 0 to {len(replay)}")
    head = {**report.sessions_json(path, recording), "engine": project.version, "session": session.name}
    match arguments.format, arguments.at:
        case "json", None:
            _write_json({**head, **report.replay_json(replay)})
        case "json", number:
            _write_json({**head, **report.moment_json(replay, replay.at(number))})
        case _, None:
            show(report.replay_lines(path, session, replay), arguments.color)
        case _, number:
            show(report.moment_lines(path, session, replay, replay.at(number)), arguments.color)


def _told(path: str, recording: Recording, session: Session, arguments: Namespace) -> None:
    """A recording without memory: what happened, and nothing of gates."""
    if arguments.format == "json":
        _write_json({**report.sessions_json(path, recording), "session": session.name,
                     "events": report.told_json(session)})  # fmt: skip
    else:
        show(report.told_lines(path, session), arguments.color)


def _write_json(value: object) -> None:
    from inspector.reports.json import dumps

    write(dumps(value) + "\n")
