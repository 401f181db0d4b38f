"""From the path on the command line to a project."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

from inspector_core.mantle.dialect import MANTLE

from inspector.folder import read_folder
from inspector_core.mantle.project import Project

__all__ = ["load"]


def load(path: Path, engine: str) -> Project:
    """Read an agent's folder; raises `CannotLoad`. Nothing made here is garbage, so none is looked for meanwhile."""
    gc.disable()
    try:
        project = MANTLE.read(read_folder(path))
    finally:
        gc.freeze()
        gc.enable()
    return project if project.version == engine else replace(project, version=engine)
