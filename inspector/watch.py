"""The folder, watched: says when it may have changed. What changed is for whoever reads it to find out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

__all__ = ["STEP_MS", "SWEEP_S", "folder_changes", "worth_a_look"]

STEP_MS = 5
"""How long the watcher gathers before it tells, in milliseconds; the time from save to news is about 1.5 of these."""
DEBOUNCE_MS = 50
"""The longest a flood of changes is gathered into one piece of news."""
RETRY_S = 0.1
"""How long to wait before trying again to watch what can't be watched now."""
SWEEP_S = 2.0
"""How often the folder is looked at without any news: some file systems tell nothing."""

EVERYTHING: frozenset[str] = frozenset()
"""No path is named: look at the whole folder."""

_NOISE = (".swp", ".swx", ".swo", "~", ".tmp", ".pyc", ".bak", ".orig")
_NOISE_DIRS = frozenset({"__pycache__", ".git", ".venv", "node_modules", ".idea", ".vscode", ".mypy_cache"})


def worth_a_look(root: Path, path: str) -> bool:
    """Whether a change of this path may concern the agent: editors' own files and tools' caches don't."""
    try:
        parts = Path(path).relative_to(root).parts
    except ValueError:
        return True
    if any(part in _NOISE_DIRS for part in parts[:-1]):
        return False
    name = parts[-1] if parts else ""
    return not name.endswith(_NOISE) and name != "4913" and not name.startswith((".#", "#"))


async def folder_changes(root: Path) -> AsyncIterator[frozenset[str]]:
    """Yield the relative paths that may have changed, for ever; an empty set asks for a look at everything.

    Empty sets come with each sweep, and after the folder itself went away and came back.
    """
    while True:
        if not os.path.isdir(root):  # as `Path.is_dir`, but false where a folder above is barred
            await asyncio.sleep(RETRY_S)
            yield EVERYTHING
            continue
        async for news in _until_gone(root):
            yield news


async def _until_gone(root: Path) -> AsyncIterator[frozenset[str]]:
    from watchfiles import awatch

    identity = _identity(root)
    watcher = awatch(
        root, step=STEP_MS, debounce=DEBOUNCE_MS, rust_timeout=int(SWEEP_S * 1000), yield_on_timeout=True,
        watch_filter=lambda _, path: worth_a_look(root, path), ignore_permission_denied=True,
    )  # fmt: skip
    try:
        async for changes in watcher:
            yield frozenset(_relative(root, path) for _, path in changes)
            if _identity(root) != identity:
                return
    except (RuntimeError, OSError):
        await asyncio.sleep(RETRY_S)
        yield EVERYTHING


def _relative(root: Path, path: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
