"""`inspector check PATH --recordings …`: recorded conversations judged by today's files, on all cores."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from inspector.cli.loading import load
from inspector.cli.output import show, write
from inspector.cli.progress import progress
from inspector.errors import Exit, UsageError
from inspector.recordings import find, open_file, uncollected
from inspector.reports.drift import JudgedFile, drift_json, drift_junit, drift_lines
from inspector_core.mantle.project import Project
from inspector_core.mantle.replay.batch import gates_seen, judge_recording
from inspector_core.recording.opening import ENGINES

__all__ = ["check_recordings", "workers_for"]

_FORMATS = ("text", "json", "junit")


def check_recordings(arguments: Namespace) -> Exit:
    """Judge them all; 1 where one drifts, or can't be judged."""
    if arguments.format not in _FORMATS:
        hint = f"there are {', '.join(_FORMATS)}"
        raise UsageError(f"recordings can't be printed as {arguments.format}", code="usage", hint=hint)
    project = load(arguments.path, arguments.engine)
    before = load(arguments.before, arguments.engine) if arguments.before is not None else None
    paths = find(arguments.recordings)
    if not paths:
        where = ", ".join(f"`{path}`" for path in arguments.recordings)
        raise UsageError(f"there are no recordings in {where}", code="no-recordings")
    judged = tuple(progress(_judged(paths, project, before), len(paths), "recordings"))
    gates = gates_seen(project, (session for one in judged for session in one.sessions))
    match arguments.format:
        case "json":
            write(drift_json(judged, gates, project.version))
        case "junit":
            write(drift_junit(judged))
        case _:
            show(drift_lines(judged, gates), arguments.color)
    return Exit.CLEAN if all(one.passed for one in judged) else Exit.FINDINGS


def _judged(paths: Sequence[Path], project: Project, before: Project | None) -> Iterator[JudgedFile]:
    """Each file judged, in order; several at once where there are several, in processes that have the project."""
    judge = partial(_one, project=project, before=before)
    workers = workers_for(len(paths))
    if workers < 2:
        yield from map(judge, paths)
        return
    from inspector.cli.fanned import fanned

    yield from fanned(judge, paths, workers)


def workers_for(count: int) -> int:
    """How many processes are worth their while: one for each core that we may use, and no more than files."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, count)


def _one(path: Path, project: Project, before: Project | None) -> JudgedFile:
    opened = open_file(path)
    recording = opened.recording
    if recording is None:
        return JudgedFile(opened.path, why=opened.why)
    form, findings = recording.format.value, recording.findings
    if recording.format not in ENGINES:
        why = "it carries no memory, so its gates can't be judged" if recording.sessions else "it is no recording"
        return JudgedFile(opened.path, form, (), findings, why)
    if not recording.sessions:
        return JudgedFile(opened.path, form, (), findings, "there is no session in it")
    with uncollected():
        return JudgedFile(opened.path, form, judge_recording(project, recording, before), findings)
