"""A mapping file on disk: which part of a tool's result is which memory entry."""

from __future__ import annotations

from pathlib import Path

from inspector import disk
from inspector.disk import Unreadable
from inspector.errors import UsageError
from inspector_core.finding import Severity
from inspector_core.recording.mapping import MemoryMapping, read_mapping
from inspector_core.source import Source

__all__ = ["open_mapping"]


def open_mapping(path: Path) -> MemoryMapping:
    """The mapping in a file. Raises `UsageError` where it can't be read or used, with the first thing that is wrong."""
    try:
        with disk.root_directory(str(path.parent)) as folder:
            text, _ = disk.read(folder, path.name)
    except (Unreadable, OSError, ValueError) as error:
        raise UsageError(f"the mapping `{path}` can't be read: {_why(error)}", code="unreadable") from None
    found = read_mapping(Source(str(path), text))
    wrong = next((finding for finding in found.findings if finding.severity is Severity.ERROR), None)
    if wrong is not None:
        raise UsageError(f"{wrong.span}: {wrong.message}", code="mapping", hint=wrong.hint)
    return found


def _why(error: Unreadable | OSError | ValueError) -> str:
    match error:
        case Unreadable(why):
            return why
        case OSError():
            return disk.reason(error)
        case _:
            return "it can't be the name of a file"
