"""Which command runs: that of skill folders, or the one that serves every other kind of agent alike."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from inspector.dialects import kind_of
from inspector.errors import Exit

__all__ = ["carry_out"]


def carry_out(name: str, own: Callable[[Namespace], Exit], arguments: Namespace) -> Exit:
    """A command by the kind of agent that its path holds; `own` is the one for skill folders."""
    path = getattr(arguments, "path", None)
    kind = kind_of(path) if isinstance(path, Path) else None
    if kind is None:
        return own(arguments)
    from inspector.cli.alike import COMMANDS

    return COMMANDS[name](kind, arguments) if name in COMMANDS else own(arguments)
