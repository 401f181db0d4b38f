"""What to say when a folder can't be opened as an agent, naming the agent that was probably meant."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from inspector.errors import CannotLoad
from inspector_core.finding import did_you_mean

__all__ = ["cannot_open", "closest_agent", "not_an_agent"]

_LOOKED_AT = 2_000
_DEPTH = 4
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})


def cannot_open(root: Path, error: OSError | ValueError) -> CannotLoad:
    """The exception for a root that can't be opened at all."""
    match error:
        case FileNotFoundError():
            return CannotLoad(f"there is no folder `{root}`", code="not-found", hint=_sibling(root))
        case NotADirectoryError():
            hint = _hint(root, closest_agent(root.parent, below=False))
            return CannotLoad(f"`{root}` is not a folder", code="not-a-folder", hint=hint)
        case OSError():
            why = (error.strerror or "it can't be opened").lower()
            return CannotLoad(f"`{root}` can't be read: {why}", code="unreadable")
        case _:
            return CannotLoad(f"`{root}` can't be the name of a folder", code="not-found")


def not_an_agent(root: Path) -> CannotLoad:
    """The exception for a folder that has neither `agent.yml` nor `skills/`."""
    message = f"`{root}` is no agent's folder: it has neither `agent.yml` nor `skills/`"
    return CannotLoad(message, code="not-an-agent", hint=_hint(root, closest_agent(root)))


def closest_agent(start: Path, below: bool = True) -> Path | None:
    """The nearest folder above, or else below, that looks like an agent; looks at a bounded number of names."""
    try:
        here = Path(os.path.abspath(start))
    except OSError:  # the folder we stand in is gone
        return None
    above = next((p for p in (here, *here.parents) if _looks_like_agent(p)), None)
    return above or (_beneath(start) if below else None)


def _hint(root: Path, found: Path | None) -> str | None:
    return None if found is None else f"did you mean `{_shortest(found)}`?"


def _shortest(path: Path) -> str:
    try:
        relative = os.path.relpath(path)
    except OSError:
        return str(path)
    return relative if len(relative) < len(str(path)) else str(path)


def _looks_like_agent(path: Path) -> bool:
    try:
        return (path / "agent.yml").is_file() and (path / "skills").is_dir()
    except OSError:
        return False


def _beneath(start: Path) -> Path | None:
    """Breadth first, so that the closest comes first."""
    level, left = [start], _LOOKED_AT
    for _ in range(_DEPTH):
        deeper: list[Path] = []
        for folder in level:
            children = _folders(folder, left)
            left -= len(children) + 1
            found = next((c for c in children if _looks_like_agent(c)), None)
            if found or left <= 0:
                return found
            deeper += children
        level = deeper
    return None


def _folders(folder: Path, most: int) -> list[Path]:
    found: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, most):
                if entry.name[0] not in "._" and entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False):
                    found.append(folder / entry.name)
    except OSError:
        return []
    return sorted(found)


def _sibling(root: Path) -> str | None:
    return did_you_mean(root.name, [p.name for p in _folders(root.parent, _LOOKED_AT)])
