"""What acts on the world, one function an effect. The user's own settings choose programs, a folder's never do."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from inspector_core.source import Span

__all__ = ["clock", "editor_command", "now", "open_editor"]

_PLUS_LINE = frozenset(
    {"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "jed", "ne", "mcedit"}
)
_PLACE = frozenset({"code", "code-insiders", "codium", "cursor", "windsurf"})
_COLON = frozenset({"hx", "helix", "subl", "zed", "atom"})


def clock() -> str:
    """The wall-clock time, as `14:02:11`."""
    return datetime.now().strftime("%H:%M:%S")


def now() -> float:
    """Seconds since 1970."""
    return datetime.now().timestamp()


def editor_command(root: Path, span: Span, environment: Mapping[str, str]) -> Sequence[str] | None:
    """The argv that opens the user's editor at a place; `None` where the user has named no editor and none is found."""
    named = environment.get("VISUAL") or environment.get("EDITOR")
    words = _words(named) if named else _found()
    if not words:
        return None
    path = str(root / span.path)
    name = Path(words[0]).stem
    if name in _PLACE:
        return [*words, "--goto", f"{path}:{span.line}:{span.column}"]
    if name in _COLON:
        return [*words, f"{path}:{span.line}:{span.column}"]
    if name in _PLUS_LINE:
        return [*words, f"+{span.line}", path]
    return [*words, path]


def _words(named: str) -> list[str]:
    """A command as a shell splits it; where its quotes don't match, at its spaces."""
    try:
        return shlex.split(named)
    except ValueError:
        return named.split()


def _found() -> list[str]:
    return next(([name] for name in ("sensible-editor", "vim", "vi", "nano") if shutil.which(name)), [])


def open_editor(command: Sequence[str]) -> str:
    """Run the editor until it ends; empty, or why it could not be run."""
    import subprocess

    try:
        subprocess.run(command, check=False, env=os.environ)
    except OSError as problem:
        return f"{command[0]}: {problem.strerror}"
    return ""
