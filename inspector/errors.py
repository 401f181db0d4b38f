"""Our own and the caller's mistakes: what the author's files get wrong is a finding and never comes here."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["CannotLoad", "Exit", "InspectorError", "UsageError"]


class Exit(IntEnum):
    """Every exit code of the command."""

    CLEAN = 0
    FINDINGS = 1
    """Something is to mend, or a line of a batch could not be answered."""
    USAGE = 2
    CANNOT_LOAD = 3
    INTERNAL = 70
    """A mistake of ours; its traceback is on stderr."""
    CANNOT_WRITE = 74
    """The output could not be written: a full disk, or a terminal that has gone."""
    INTERRUPTED = 130
    PIPE_CLOSED = 141
    """The reader went away, as `head` does; the code that a shell gives to it."""


class InspectorError(Exception):
    """Why a command can't do its work, in words for the person who called it."""

    exit = Exit.USAGE

    def __init__(self, message: str, *, code: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """Stable, for programs: `not-an-agent`, `unknown-tool`, …"""
        self.hint = hint


class UsageError(InspectorError):
    """The command line can't be followed as written."""


class CannotWrite(InspectorError):
    """Results could not be written where they were sent."""

    exit = Exit.CANNOT_WRITE


class CannotLoad(InspectorError):
    """The folder that was named can't be opened as an agent at all."""

    exit = Exit.CANNOT_LOAD
