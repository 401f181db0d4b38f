"""What a line typed into the conversation means: the customer's words, an answer, or a move of the model."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from inspector_core.classes import dataclass
from inspector_core.events import Activated, Cancelled, Completed, CustomerSaid, Event, FieldsSet, Listened, ModelSaid
from inspector_core.finding import did_you_mean
from inspector_core.tool import Tool

__all__ = ["COMMANDS", "Answer", "CallTyped", "Wrong", "assignments", "fitted", "understand"]

COMMANDS: Mapping[str, str] = {
    "/start": "SKILL  the model starts a skill",
    "/call": "TOOL name=value…  the model calls a tool; `&` between several calls it together",
    "/set": "ENTRY=VALUE…  the model sets fields",
    "/model": "WORDS  the model says something",
    "/yes": "the model passes on that the customer agreed",
    "/no": "the model passes on that the customer declined",
    "/complete": "the model completes the skill",
    "/cancel": "the model cancels the skill",
    "/listen": "the model waits in silence",
}

_YES, _NO = frozenset({"y", "yes"}), frozenset({"n", "no"})


@dataclass(frozen=True, slots=True)
class Answer:
    """The customer's yes or no to the pending ask, passed on by the model."""

    words: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class CallTyped:
    """Calls of the model in one reply: names with their arguments."""

    calls: tuple[tuple[str, Mapping[str, object]], ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """The line can't be understood."""

    message: str


def understand(text: str, asking: bool) -> Event | Answer | CallTyped | Wrong | None:
    """The meaning of a line; `None` for an empty one, which does nothing. `asking`: a confirmation waits."""
    words = text.strip()
    if not words:
        return None
    if not words.startswith("/"):
        if asking and words.lower() in _YES | _NO:
            return Answer(words, words.lower() in _YES)
        return CustomerSaid(words)
    command, _, rest = words.partition(" ")
    return _command(command, rest.strip(), asking)


def _command(command: str, rest: str, asking: bool) -> Event | Answer | CallTyped | Wrong:
    match command:
        case "/start" | "/activate" if rest:
            return Activated(rest)
        case "/model" if rest:
            return ModelSaid(rest)
        case "/call" if rest:
            return _calls(rest)
        case "/set" if rest:
            values = assignments(rest)
            return FieldsSet(values) if isinstance(values, dict) else values
        case "/yes" | "/no":
            return Answer("", command == "/yes") if asking else Wrong("no confirmation waits for an answer")
        case "/complete":
            return Completed()
        case "/cancel":
            return Cancelled()
        case "/listen":
            return Listened()
        case _ if command in COMMANDS:
            return Wrong(f"`{command}` needs {COMMANDS[command].split('  ')[0]}")
        case _:
            close = did_you_mean(command, list(COMMANDS))
            return Wrong(f"there is no `{command}`{'; ' + close if close else ': try ' + ' '.join(COMMANDS)}")


def _calls(rest: str) -> CallTyped | Wrong:
    calls: list[tuple[str, Mapping[str, object]]] = []
    for part in rest.split(" & "):
        part = part.strip().removeprefix("/call ")
        name, _, given = part.strip().partition(" ")
        arguments = assignments(given)
        if isinstance(arguments, Wrong):
            return arguments
        calls.append((name, arguments))
    return CallTyped(tuple(calls))


def assignments(text: str) -> dict[str, object] | Wrong:
    """`a=1 b="two words" c=[1,2]` as values: JSON where it is JSON, else text; one JSON object is taken whole."""
    if text.lstrip().startswith("{"):
        return _object(text)
    try:
        parts = shlex.split(text)
    except ValueError as problem:
        return Wrong(f"`{text}`: {problem}")
    stray = next((p for p in parts if "=" not in p), None)
    if stray is not None:
        return Wrong(f"`{stray}` is no name=value")
    return {name: _value(value) for name, _, value in (p.partition("=") for p in parts)}


def fitted(tool: Tool, arguments: Mapping[str, object]) -> dict[str, object]:
    """Typed arguments as the tool's schema has them: where it says string, `4821` is a text."""
    properties = tool.schema.get("properties")
    if not isinstance(properties, Mapping):
        return dict(arguments)
    texts = {n for n, s in properties.items() if isinstance(s, Mapping) and s.get("type") == "string"}
    return {n: json.dumps(v) if n in texts and isinstance(v, (bool, int, float)) else v for n, v in arguments.items()}


def _object(text: str) -> dict[str, object] | Wrong:
    value = _value(text)
    return value if isinstance(value, dict) else Wrong(f"`{text}` is no JSON object")


def _value(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value
