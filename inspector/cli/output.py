"""What the shell gets to see: results on stdout, complaints on stderr, colour where it is wanted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO, cast

from inspector.errors import CannotWrite, InspectorError
from inspector.visible import harmless

if TYPE_CHECKING:
    from inspector.pieces import Line

__all__ = ["close", "complain", "flush", "is_terminal", "prepare", "say", "show", "wants_color", "warn", "write"]


def prepare() -> None:
    """Never fail for a stream that was closed, nor for a sign that the terminal's encoding lacks: escape it."""
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere(mode: str) -> TextIO:
    return cast(TextIO, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def write(text: str) -> None:
    """Results, as they are: the caller has made them safe. Raises `CannotWrite`."""
    with _written():
        sys.stdout.write(text)


def flush() -> None:
    """Send out what was written; that it can't be is often noticed only here. Raises `CannotWrite`."""
    with _written():
        sys.stdout.flush()


@contextmanager
def _written() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        close(sys.stdout)
        why = (error.strerror or "it failed").lower()
        raise CannotWrite(f"the output can't be written: {why}", code="output") from None


def close(stream: TextIO) -> None:
    """Let a stream that can't be written lead nowhere, the interpreter's own flush at the end included."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def show(lines: Iterable[Line], color: str) -> None:
    """Results for people."""
    from inspector.reports.text import printed

    write(printed(lines, wants_color(color)))


def warn(message: str, hint: str | None = None) -> None:
    """Something that the caller should know and that stops nothing."""
    say(f"inspector: warning: {_one_line(message, hint)}\n")


def complain(error: InspectorError, as_json: bool) -> None:
    """Why the command could not do its work, in one line: of JSON for programs."""
    if as_json:
        from inspector.reports.json import dumps

        told = {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
        say(dumps(told, indent=None) + "\n")
    else:
        say(f"inspector: {_one_line(error.message, error.hint)}\n")


def say(text: str) -> None:
    """A complaint; where not even that can be written, the exit code alone has to tell."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        close(sys.stderr)


def _one_line(message: str, hint: str | None) -> str:
    return harmless(message if hint is None else f"{message} ({hint})")


def wants_color(choice: str) -> bool:
    """`always` and `never` as said; `auto`: as the environment says, NO_COLOR first, else whether it is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE")
    if forced:
        return forced != "0"
    return sys.stdout.isatty() and not _dumb()


def is_terminal() -> bool:
    """Whether the app can be drawn and used: it reads stdin and draws on stderr, and stdout is no pipe."""
    return all(s is not None and s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr)) and not _dumb()


def _dumb() -> bool:
    return os.environ.get("TERM") in ("dumb", "unknown")
