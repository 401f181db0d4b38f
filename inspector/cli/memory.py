"""Memory as it is given on the command line: `--memory FILE`, `--set KEY=VALUE`, and objects in lines of JSON."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.cli.output import warn
from inspector.errors import UsageError
from inspector_core.finding import did_you_mean

if TYPE_CHECKING:
    from inspector_core.mantle.project import Project

__all__ = ["Resolve", "add_memory", "flat", "given", "in_project", "in_question", "qualified"]

Resolve = Callable[[str], str]
"""From a key as typed to the key that memory holds."""

_MOST = 16 << 20


def add_memory(parser: ArgumentParser) -> None:
    """The arguments that say what memory holds."""
    parser.add_argument(
        "--memory",
        metavar="FILE",
        help="what memory holds, as JSON or YAML: `skill.entry: value`, or entries grouped by skill; `-` reads stdin",
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="set one value, read as JSON if it is JSON and else as text; may be repeated",
    )


def given(file: str | None, settings: Iterable[str], resolve: Resolve) -> dict[str, object]:
    """What memory holds by these arguments; a later one wins, and `null` unsets."""
    memory = {} if file is None else {resolve(k): v for k, v in _read(file).items()}
    for setting in settings:
        key, value = _assignment(setting)
        memory[resolve(key)] = value
    return {k: v for k, v in memory.items() if v is not None}


def flat(memory: object) -> dict[str, object]:
    """A memory given whole as flat keys; `session.` before a key and entries grouped by skill are accepted."""
    if not isinstance(memory, Mapping):
        raise UsageError("memory is no mapping of keys to values", code="memory")
    found: dict[str, object] = {}
    for key, value in memory.items():
        name = _key(str(key))
        if "." not in name and isinstance(value, Mapping):
            found.update((f"{name}.{entry}", v) for entry, v in value.items())
        else:
            found[name] = value
    return {k: v for k, v in found.items() if v is not None}


def in_question(question: Mapping[str, object]) -> dict[str, object]:
    """The memory that a line of JSON gives; none where it says nothing of it."""
    memory = question.get("memory")
    return {} if memory is None else flat(memory)


def qualified(key: str) -> str:
    """A key where no project is there to complete it."""
    name = _key(key)
    if "." not in name:
        raise UsageError(f"`{key}` names no skill", code="bare-key", hint=f"write `skill.{name}` or `project.{name}`")
    return name


def in_project(project: Project, skill: str | None) -> Resolve:
    """How keys are read for a project: bare entries are completed, and unknown keys are told on stderr."""

    def resolve(key: str) -> str:
        name = _key(key)
        found = name if "." in name else _completed(project, skill, name)
        if found not in project.field_by_key:
            warn(f"no file declares `{found}`", did_you_mean(found, list(project.field_by_key)))
        return found

    return resolve


def _key(typed: str) -> str:
    """The key that memory holds; `session.` before it is how conditions write it."""
    rest = typed.removeprefix("session.")
    return rest if "." in rest else typed


def _completed(project: Project, skill: str | None, entry: str) -> str:
    """The one key that a bare entry can mean: the skill's own, then the project's, then the only one there is."""
    own = [f"{skill}.{entry}"] if skill else []
    for key in [*own, f"project.{entry}"]:
        if key in project.field_by_key:
            return key
    every = [k for k, f in project.field_by_key.items() if f.entry == entry]
    if len(every) == 1:
        return every[0]
    if every:
        raise UsageError(f"`{entry}` is in several skills", code="ambiguous-key", hint=f"one of {_listed(every)}")
    entries = list(dict.fromkeys(f.entry for f in project.field_by_key.values()))
    raise UsageError(f"no file declares an entry `{entry}`", code="unknown-key", hint=did_you_mean(entry, entries))


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(f"`{k}`" for k in keys)


def _assignment(setting: str) -> tuple[str, object]:
    key, equals, text = setting.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"`{setting}` sets nothing", code="usage", hint="write `--set key=value`")
    return key.strip(), _value(text)


def _value(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _read(file: str) -> dict[str, object]:
    try:
        text = _text(file)
    except (OSError, ValueError) as error:
        why = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"`{file}` can't be read: {why}", code="memory") from None
    try:
        return flat(json.loads(text))
    except (ValueError, RecursionError) as error:
        if Path(file).suffix == ".json":
            raise UsageError(f"`{file}` is not JSON: {error}", code="memory") from None
    return flat(_yaml(file, text))


def _text(file: str) -> str:
    if file == "-":
        return sys.stdin.read(_MOST)
    with Path(file).open(encoding="utf-8-sig") as opened:
        return opened.read(_MOST)


def _yaml(file: str, text: str) -> object:
    from inspector_core.mantle.reading.yaml import load
    from inspector_core.source import Source

    document = load(Source(file, text))
    if document.node is None:
        first = next(iter(document.findings), None)
        why = f": {first.span.line}:{first.span.column} {first.message}" if first else " and holds nothing"
        raise UsageError(f"`{file}` is neither JSON nor YAML{why}", code="memory")
    return document.node.value
