"""The command line's grammar. Each command declares its own arguments; only the one that is called is loaded."""

from __future__ import annotations

import argparse
import gc
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn, Protocol, cast

from inspector.cli.chosen import carry_out
from inspector.cli.output import write
from inspector.errors import Exit, UsageError

__all__ = ["COMMANDS", "ENGINES", "add_path", "load_command", "parse"]

ENGINES = ("3.21",)
"""The engine versions whose rules are known; the last is the default."""

COMMANDS: Mapping[str, str] = {
    "demo": "open the bundled demo agent",
    "check": "list what is wrong in the files",
    "gates": "list every tool with its gate's verdict",
    "why": "explain why a tool is offered or not, and what would change that",
    "eval": "evaluate a condition",
    "play": "play scripted conversations and check what comes of them",
    "rules": "say which tools an agent's tool rules allow now, by which rule not, and draw them",
    "replay": "show a recorded conversation with every tool's gate at each event",
    "convert": "write a recording in another form",
}

_EPILOG = """\
exit codes:
  0  clean            3  the folder cannot be loaded
  1  findings       130  interrupted
  2  wrong usage    141  the reader of the output went away
 74  the output cannot be written
"""


class Command(Protocol):
    """A module of this package that holds one command."""

    def arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace) -> Exit: ...


def parse(argv: Sequence[str]) -> tuple[Callable[[Namespace], Exit], Namespace | Exit]:
    """The command that is meant and its arguments; an exit code instead where argparse has said all there is to say."""
    name = argv[0] if argv and argv[0] in COMMANDS else None
    command = load_command(name or "open")
    parser = _parser(name)
    command.arguments(parser)
    _add_common(parser)
    run = partial(carry_out, name or "open", command.run)
    try:
        return run, parser.parse_args(argv[1:] if name else argv)
    except SystemExit as stop:
        return run, Exit(int(stop.code or 0))


def load_command(name: str) -> Command:
    """Import a command. Modules are never garbage: none is looked for among them, neither meanwhile nor at the end."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return cast(Command, import_module(f"inspector.cli.{name}"))
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


def _parser(name: str | None) -> ArgumentParser:
    if name:
        about = COMMANDS[name]
        return _Parser(prog=f"inspector {name}", description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
    commands = "\n".join(f"  {command:<7} {about}" for command, about in COMMANDS.items())
    return _Parser(
        prog="inspector",
        usage="inspector [PATH] [options]\n       inspector COMMAND ...",
        description="Why can't the model call this tool, and what would change that?",
        epilog=f"commands (`inspector COMMAND --help` tells more):\n{commands}\n\n{_EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_path(parser: ArgumentParser, optional: bool = False) -> None:
    """The agent's folder."""
    about = "the agent's folder"
    if optional:
        parser.add_argument("path", metavar="PATH", nargs="?", type=Path, default=Path(), help=f"{about} (here)")
    else:
        parser.add_argument("path", metavar="PATH", type=Path, help=about)


def _add_common(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        metavar="VERSION",
        choices=ENGINES,
        default=ENGINES[-1],
        help="engine version judged by (%(default)s)",
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colour the text (auto)")
    parser.add_argument("-V", "--version", action=_Version, help="print the version and exit")


class _Parser(ArgumentParser):
    """Leaves the saying of errors to us."""

    def error(self, message: str) -> NoReturn:
        from inspector_core.finding import did_you_mean

        unknown = message.removeprefix("unrecognized arguments: ").split(" ")[0].split("=")[0]
        hint = did_you_mean(unknown, sorted(self._option_string_actions)) if unknown.startswith("-") else None
        raise UsageError(message, code="usage", hint=hint or f"see `{self.prog} --help`")


class _Version(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, *_: object) -> NoReturn:
        write(f"inspector {version()}\n")
        raise SystemExit(0)


def version() -> str:
    """Our own version, as installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("skill-inspector")
    except PackageNotFoundError:
        return "unknown"
