"""The tests that a recording becomes: of a test its scripts, of a conversation what is kept of it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from inspector.errors import UsageError
from inspector.scripts import file_name
from inspector_core.classes import NamedTuple
from inspector_core.recording.detect import Format
from inspector_core.recording.recording import Recording

if TYPE_CHECKING:
    from inspector_core.mantle.project import Project
    from inspector_core.recording.keep.keeping import Form, KeptTest
    from inspector_core.recording.keep.marks import Marks

__all__ = ["FORMS", "Kept", "add_arguments", "kept"]

FORMS = ("script", "e2e", "scenario")
_TESTS = (Format.MANTLE_TEST, Format.MANTLE_SCENARIO)


class Kept(NamedTuple):
    """Texts by the names of their files, and in words what the author should know of each."""

    texts: dict[str, str]
    notes: tuple[str, ...] = ()


def add_arguments(parser: ArgumentParser) -> None:
    """What only a test has to be told."""
    parser.add_argument("--project", metavar="PATH", type=Path, help="the agent: which entries of its are private")
    parser.add_argument("--mark", metavar="EVENTS", default="", help="what a test is about: `3-17, 20` (everything)")
    about = "leave a private value in a test: `email 1`, or `email` for all of the kind"
    parser.add_argument("--keep", metavar="NAME", action="append", default=[], help=about)


def kept(data: bytes, path: str, recording: Recording, arguments: Namespace) -> Kept:
    """The tests. Raises `UsageError`."""
    marks = _marks(arguments.mark)
    if recording.format not in _TESTS:
        return _of_sessions(recording, arguments, marks)
    if arguments.to != "script":
        raise UsageError("it is a test already", code="usage", hint="`--to script` makes a script of it")
    return _of_tests(data, path, recording)


def _marks(text: str) -> Marks:
    from inspector_core.recording.keep.marks import read_marks

    try:
        return read_marks(text)
    except ValueError as error:
        raise UsageError(str(error), code="usage") from None


def _of_tests(data: bytes, path: str, recording: Recording) -> Kept:
    from inspector_core.recording.cases import cases
    from inspector_core.recording.casetext import case_text
    from inspector_core.recording.text import decoded
    from inspector_core.source import Source

    names = {session.name for session in recording.sessions}
    found = [case for case in cases(Source(path, decoded(data).text)) if case.name in names]
    return Kept(_files([case.name for case in found], lambda at: case_text(found[at])))


def _of_sessions(recording: Recording, arguments: Namespace, marks: Marks) -> Kept:
    from inspector_core.recording.keep.conversation import of_recording
    from inspector_core.recording.keep.keeping import keep

    project = _project(arguments)
    own = recording.own if len(recording.sessions) == 1 else None
    form = cast("Form", arguments.to)
    found = [
        keep(of_recording(session, own), form, project, marks=marks, shown=arguments.keep, name=session.name)
        for session in recording.sessions
    ]
    texts = _files([one.name for one in found], lambda at: found[at].text)
    return Kept(texts, tuple(note for name, one in zip(texts, found, strict=True) for note in _notes(name, one)))


def _project(arguments: Namespace) -> Project | None:
    if arguments.project is None:
        return None
    from inspector.cli.loading import load

    return load(arguments.project, arguments.engine)


def _files(names: Sequence[str], text: Callable[[int], str]) -> dict[str, str]:
    """Each text under a name for its file, no two alike."""
    files = [file_name(name) for name in names]
    repeated = Counter(files)
    return {(f"{at + 1}_{file}" if repeated[file] > 1 else file): text(at) for at, file in enumerate(files)}


def _notes(name: str, test: KeptTest) -> Iterator[str]:
    """What was taken out, by its name and never by its value; what can't be kept, and what does not pass."""
    for redaction in test.redactions:
        places = f"{len(redaction.places)} place{'' if len(redaction.places) == 1 else 's'}"
        what = "left in" if redaction.kept else "taken out"
        yield f"{name}: {redaction.name} is {what}, in {places}"
    yield from (f"{name}: {note}" for note in test.notes)
    if test.problem is not None:
        yield f"{name}: it does not pass over the files as they are: {test.problem}"
