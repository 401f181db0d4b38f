"""Which recording the command line wants to be looked at."""

from __future__ import annotations

from pathlib import Path

from inspector_core.classes import NamedTuple

__all__ = ["Asked"]


class Asked(NamedTuple):
    """A file, the session of it that is meant, and another one to put beside it."""

    recording: Path
    session: str | None = None
    compare: Path | None = None
