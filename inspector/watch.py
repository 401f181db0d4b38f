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
MOST_FOLDERS = 10_000
"""More are left to the sweeps."""
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
    """News of the folder until it is another one, or until its folders are: then they have to be watched anew."""
    from watchfiles import awatch

    identity, folders = _identity(root), own_folders(root)
    watcher = awatch(
        *folders, step=STEP_MS, debounce=DEBOUNCE_MS, rust_timeout=int(SWEEP_S * 1000), yield_on_timeout=True,
        recursive=False, watch_filter=lambda _, path: worth_a_look(root, path), ignore_permission_denied=True,
    )  # fmt: skip
    try:
        async for changes in watcher:
            yield frozenset(_relative(root, path) for _, path in changes)
            if _identity(root) != identity or (changes and own_folders(root) != folders):
                yield EVERYTHING
                return
    except (RuntimeError, OSError, ExceptionGroup):  # a name that the watcher can't read, a limit of the system
        await asyncio.sleep(RETRY_S)
        yield EVERYTHING


def own_folders(root: Path) -> tuple[str, ...]:
    """The folder and those below it, each by itself: a watcher that goes down by itself would follow links out."""
    found = [os.fspath(root)]
    for place in found:
        if len(found) < MOST_FOLDERS:
            found += sorted(_below(place))
    return tuple(found[:MOST_FOLDERS])


def _below(place: str) -> list[str]:
    try:
        with os.scandir(place) as entries:
            return [
                e.path
                for e in entries
                if e.name not in _NOISE_DIRS and _utf8(e.name) and e.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []


def _utf8(name: str) -> bool:
    """The watcher can't name any other."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _relative(root: Path, path: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
