"""From arguments to an exit code: finds the command, runs it, and says in one line what went wrong."""

from __future__ import annotations

import sys
import traceback
from argparse import Namespace
from itertools import pairwise

from inspector.cli.output import close, complain, flush, prepare, say
from inspector.cli.parser import parse
from inspector.errors import Exit, InspectorError
from inspector.visible import harmless

__all__ = ["run"]


def run(argv: list[str]) -> Exit:
    """The exit code of a command line; everything that can go wrong has one of its own."""
    prepare()
    try:
        return _run(argv)
    except BrokenPipeError:
        close(sys.stdout)
        return Exit.PIPE_CLOSED
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Exception:
        told = [harmless(line) for line in traceback.format_exc().splitlines()]
        say("\n".join([*told, "inspector: this is a mistake of the inspector's own\n"]))
        return Exit.INTERNAL


def _run(argv: list[str]) -> Exit:
    try:
        command, arguments = parse(argv)
        code = command(arguments) if isinstance(arguments, Namespace) else arguments
        flush()
        return code
    except InspectorError as error:
        complain(error, as_json=_wants_json(argv))
        return error.exit


def _wants_json(argv: list[str]) -> bool:
    """Whether errors are for a program, looked up in the bare words, since they may be what is wrong."""
    asked = [b for a, b in pairwise(argv) if a == "--format"]
    asked += [a.removeprefix("--format=") for a in argv if a.startswith("--format=")]
    return "--jsonl" in argv or bool(asked and asked[-1] in ("json", "sarif"))
