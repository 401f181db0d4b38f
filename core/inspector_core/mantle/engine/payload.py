"""What a call answers: its text, and whether the engine takes it for an error (§5.4)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from inspector_core.classes import NamedTuple

__all__ = ["Answer", "answered", "as_json", "done", "failed", "failure", "in_words"]

_LONGEST = 100_000
"""Texts longer than this are not searched for an error in them."""


class Answer(NamedTuple):
    """The result of one call as it is recorded."""

    text: str
    error: str | None = None
    """What went wrong; `None` for a success."""


def done(tool: str) -> Answer:
    """A built-in tool that has nothing to say (§8.1)."""
    return Answer(f"{tool}: done")


def answered(payload: object) -> Answer:
    """The answer that a payload makes, by the engine's own test for errors."""
    return Answer(as_json(payload), failure(payload))


def failed(message: str, **more: object) -> Answer:
    """A refusal in the form in which the engine hands it to the model."""
    return Answer(as_json({"error": message, **more}), message)


def failure(payload: object) -> str | None:
    """What a payload says went wrong: `error`, or else `errors`, where it is truthy."""
    found = _mapping(payload)
    problem = (found.get("error") or found.get("errors")) if found is not None else None
    return in_words(problem) if problem else None


def _mapping(payload: object) -> Mapping[object, object] | None:
    """The payload where it is a mapping, or a text that reads as one in JSON or Python."""
    if isinstance(payload, str):
        payload = _read(payload)
    return payload if isinstance(payload, Mapping) else None


def _read(text: str) -> object:
    if len(text) > _LONGEST or "{" not in text:
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return _literal(text)
    return value


def _literal(text: str) -> object:
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value


def as_json(value: object) -> str:
    """JSON text, whatever the value; what JSON has no form for becomes text."""
    try:
        return json.dumps(value, ensure_ascii=False, default=in_words)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(in_words(value), ensure_ascii=False)


def in_words(value: object) -> str:
    """A value inside a sentence, as Python writes it."""
    try:
        return str(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or a list nested as deep
        return f"<{type(value).__name__}>"
