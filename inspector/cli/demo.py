"""`inspector demo`: the app on the agent that comes with it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from inspector.cli.memory import add_memory
from inspector.cli.open import add_format, add_recording, add_replay, open_folder
from inspector.errors import CannotLoad, Exit

__all__ = ["arguments", "bundled", "run"]


def arguments(parser: ArgumentParser) -> None:
    add_memory(parser)
    add_recording(parser)
    add_replay(parser)
    add_format(parser)


def run(arguments: Namespace) -> Exit:
    return open_folder(bundled(), arguments)


def bundled() -> Path:
    """The demo agent: inside the package where it is installed, beside it in a checkout."""
    package = Path(__file__).parents[1]
    found = next((p for p in (package / "fixtures/bank", package.parent / "fixtures/bank") if p.is_dir()), None)
    if found is None:
        raise CannotLoad("the demo agent is missing from this installation", code="no-demo")
    return found
