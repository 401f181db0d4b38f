"""`inspector convert IN OUT`: a recording in another form, and what that form has no place for."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os.path import exists, isdir
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli import kept
from inspector.cli.output import say, show, warn, write
from inspector.cli.parser import version
from inspector.errors import CannotWrite, Exit, UsageError
from inspector.pieces import Line
from inspector.recordings import MAX_BYTES, read_file
from inspector.reports import text as lines
from inspector.scripts import Exists, save
from inspector.visible import harmless, visible
from inspector_core.finding import Finding, Severity, did_you_mean
from inspector_core.recording.forms import FORMS
from inspector_core.recording.forms import write as written
from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording

if TYPE_CHECKING:
    from inspector_core.recording.mapping import MemoryMapping

__all__ = ["arguments", "run"]

_MOST = 20
"""So many findings are told one by one."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", type=Path, help="a recording; `-` for what comes in")
    parser.add_argument("target", metavar="OUT", type=Path, help="the file to write; `-` for what goes out")
    parser.add_argument("--to", choices=(*FORMS, *kept.FORMS), default="own", help="the form to write (%(default)s)")
    about = "a file that says which part of a tool's result is which memory entry"
    parser.add_argument("--mapping", metavar="FILE", type=Path, help=about)
    parser.add_argument("--session", metavar="NAME", help="only this session, by its name or its number")
    kept.add_arguments(parser)
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def run(arguments: Namespace) -> Exit:
    data, shown = _read(arguments.source)
    recording = open_recording(data, shown, _mapping(arguments.mapping))
    if not recording.sessions:
        raise UsageError(_none(recording), code="no-recording")
    recording = _chosen(recording, arguments.session)
    if arguments.to in kept.FORMS:
        tests = kept.kept(data, shown, recording, arguments)
        texts, notes = tests.texts, tests.notes
    else:
        done = written(recording, arguments.to, version())
        texts, notes = {"": done.text}, tuple(f"lost: {what}: {count}" for what, count in done.lost.items())
    places = _write(arguments.target, texts, arguments.force)
    _tell(recording, places, notes, arguments)
    return Exit.FINDINGS if any(f.severity is not Severity.INFO for f in recording.findings) else Exit.CLEAN


def _read(source: Path) -> tuple[bytes, str]:
    if str(source) != "-":
        return read_file(source)
    stream = getattr(sys.stdin, "buffer", None)
    data = stream.read(MAX_BYTES + 1) if stream is not None else sys.stdin.read(MAX_BYTES).encode()
    if len(data) > MAX_BYTES:
        raise UsageError(f"what comes in is longer than {MAX_BYTES >> 20} MiB", code="too-large")
    return data, "-"


def _mapping(path: Path | None) -> MemoryMapping | None:
    if path is None:
        return None
    from inspector.mappings import open_mapping

    return open_mapping(path)


def _none(recording: Recording) -> str:
    problem = next(iter(recording.findings), None)
    return f"`{problem.span.path}`: {problem.message}" if problem else "there is nothing in it"


def _chosen(recording: Recording, name: str | None) -> Recording:
    if name is None:
        return recording
    for number, session in enumerate(recording.sessions, 1):
        if name in (session.name, str(number)):
            return replace(recording, sessions=(session,), own=recording.own if len(recording.sessions) == 1 else None)
    hint = did_you_mean(name, [session.name for session in recording.sessions])
    raise UsageError(f"there is no session `{name}` in it", code="no-session", hint=hint)


def _write(target: Path, texts: Mapping[str, str], force: bool) -> list[str]:
    """Write one text to a file, several into a folder; and say where."""
    if str(target) == "-":
        text = "".join(texts.values())
        write(visible(text, lines=True) if sys.stdout.isatty() else text)
        return []
    if len(texts) == 1 and not isdir(target):
        return [_save(target.parent, target.name, text, force) for text in texts.values()]
    if "" in texts or (exists(target) and not isdir(target)):
        hint = "name a folder, or one of them with `--session`" if len(texts) > 1 else "name the file in it"
        raise UsageError(f"`{target}` is no {'folder' if len(texts) > 1 else 'file'}", code="target", hint=hint)
    return [_save(target, name, text, force) for name, text in texts.items()]


def _save(folder: Path, name: str, text: str, force: bool) -> str:
    try:
        return str(save(folder, name, text, overwrite=force))
    except Exists:
        hint = "write over it with `--force`"
        raise UsageError(f"`{folder / name}` is there already", code="exists", hint=hint) from None
    except (OSError, ValueError) as error:
        why = (error.strerror or "it failed").lower() if isinstance(error, OSError) else "no file can be named so"
        raise CannotWrite(f"`{folder / name}` can't be written: {why}", code="output") from None


def _tell(recording: Recording, places: list[str], notes: Sequence[str], arguments: Namespace) -> None:
    """What was written where, what to know of it, what could not be read: beside the result where that goes out."""
    for finding in recording.findings[:_MOST]:
        _warn(finding)
    if len(recording.findings) > _MOST:
        warn(f"{len(recording.findings) - _MOST} more problems")
    told = list(_lines(recording, places, notes, arguments.to))
    if places:
        show(told, arguments.color)
    else:
        say(lines.printed(told))


def _warn(finding: Finding) -> None:
    message = f"{finding.span.path}:{finding.span.line}: {finding.message}"
    if finding.severity is Severity.INFO:
        say(f"inspector: {harmless(message)}\n")
    else:
        warn(message, finding.hint)


def _lines(recording: Recording, places: list[str], notes: Sequence[str], form: str) -> Iterable[Line]:
    counted = Counter(one.event.name for session in recording.sessions for one in session.events)
    events = f"{_many(counted.total(), 'event')} of {_many(len(recording.sessions), 'session')}"
    yield lines.say((f"{recording.format.value}: ", "head"), f"{events} to {form}")
    for place in places:
        yield lines.say("  written: ", (place, "head"))
    yield from (lines.say("  ", note) for note in notes)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
