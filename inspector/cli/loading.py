"""From the path on the command line to a project."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

from inspector.folder import read_folder
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read

__all__ = ["load", "seen_from_here"]


def load(path: Path, engine: str) -> Project:
    """Read an agent's folder; raises `CannotLoad`. Nothing made here is garbage, so none is looked for meanwhile."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        project = read(read_folder(path))
    finally:
        if collecting:
            gc.enable()
    gc.freeze()
    return project if project.version == engine else replace(project, version=engine)


def seen_from_here(path: Path) -> str:
    """A folder as a report names it: relative where it lies below the current one, as build servers want it."""
    if not path.is_absolute():
        return str(path)
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
