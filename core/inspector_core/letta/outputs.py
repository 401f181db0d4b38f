"""What a tool returned, as rules see it, and which child a conditional rule makes of it (§1.4)."""

from __future__ import annotations

import json
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.letta.rules import Conditional

__all__ = ["Fault", "Routed", "is_packaged", "message_of", "packaged", "route"]

Fault = Literal["needs_output", "bad_output"]


class Routed(NamedTuple):
    """What an output comes to under one conditional rule."""

    child: str | None = None
    """The only tool that may follow; `None` with neither `nothing` nor `fault`: anything may."""
    nothing: bool = False
    """No output was mapped, and one has to be."""
    fault: Fault | None = None
    why: str = ""
    """How it came to that, in a line."""


def packaged(message: object, failed: bool = False) -> str:
    """The text under which the server keeps what a tool returned."""
    status = "Failed" if failed else "OK"
    return json.dumps({"status": status, "message": message}, ensure_ascii=False, default=str)


def message_of(output: str) -> object:
    """The message in a packaged output; text that is no package is its own message."""
    try:
        found: object = json.loads(output)
    except (ValueError, RecursionError):
        return output
    return found.get("message", "") if isinstance(found, dict) else output


def route(rule: Conditional, output: object) -> Routed:
    """Where the output of its tool leads."""
    if not output:
        return Routed(fault="needs_output", why=f"`{rule.tool}` has no output to choose by")
    if not isinstance(output, str):
        return Routed(fault="bad_output", why=f"the output is {_noun(output)}, and no text")
    try:
        found: object = json.loads(output)
    except (ValueError, RecursionError):
        return _fallback(rule, "the output is not JSON")
    if not isinstance(found, dict):
        return Routed(fault="bad_output", why=f"the output is {_noun(found)}, and no object with a `message`")
    message: object = found.get("message", "")
    for key, child in rule.mapping:
        try:
            hit = _equal(key, message)
        except (TypeError, AttributeError, OverflowError) as error:
            return Routed(fault="bad_output", why=f"`{message}` can't be compared with `{key}`: {error}")
        if hit:
            return Routed(child, why=f"the output `{message}` is mapped to `{child}`")
    return _fallback(rule, f"the output `{message}` is not among the keys")


def _fallback(rule: Conditional, why: str) -> Routed:
    if rule.require:
        return Routed(nothing=True, why=f"{why}, and one of them is required")
    if rule.default:
        return Routed(rule.default, why=f"{why}, so `{rule.default}` follows by default")
    return Routed(why=f"{why}, so anything may follow")


def _equal(key: object, message: object) -> bool:
    """Whether an output matches a key: by the key's own type, and else as exact text."""
    match key:
        case bool():
            if not isinstance(message, str):
                raise TypeError(f"{_noun(message)} has no lower case")
            return message.lower() == ("true" if key else "false")
        case int():
            return _number(int, message) == key
        case float():
            return _number(float, message) == key
        case _:
            return str(message) == str(key)


def _number(kind: type[int] | type[float], message: object) -> float | None:
    """The message as a number; `None` for text that is none. Raises TypeError for what can't be text or number."""
    if not isinstance(message, (str, int, float)):
        raise TypeError(f"{_noun(message)} is no number")
    try:
        return kind(message)
    except ValueError:
        return None


def _noun(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"


def is_packaged(text: str) -> bool:
    """Whether a text is an object as the server packs it."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and ("message" in found or "status" in found)
