"""The command `inspector`. Importing this is cheap: each command brings what it needs when it is called."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; never raises."""
    from inspector.cli.run import run

    return int(run(list(sys.argv[1:] if argv is None else argv)))
