"""What the shell gets to see: results on stdout, complaints on stderr, colour where it is wanted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from inspector.visible import harmless

if TYPE_CHECKING:
    from inspector.pieces import Line

__all__ = ["complain", "is_terminal", "prepare", "show", "wants_color", "warn", "write"]


def prepare() -> None:
    """Never fail for a sign that the terminal's encoding lacks: escape it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Results, as they are: the caller has made them safe."""
    sys.stdout.write(text)


def show(lines: Iterable[Line], color: str) -> None:
    """Results for people."""
    from inspector.reports.text import printed

    write(printed(lines, wants_color(color)))


def warn(message: str, hint: str | None = None) -> None:
    """Something that the caller should know and that stops nothing."""
    sys.stderr.write(f"inspector: warning: {_one_line(message, hint)}\n")


def complain(error: InspectorError, as_json: bool) -> None:
    """Why the command could not do its work, in one line: of JSON for programs."""
    if as_json:
        from inspector.reports.json import dumps

        told = {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
        sys.stderr.write(dumps(told, indent=None) + "\n")
    else:
        sys.stderr.write(f"inspector: {_one_line(error.message, error.hint)}\n")


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
