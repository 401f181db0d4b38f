"""Which format a file is in, by what it holds and not by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import Enum
from itertools import islice
from json import JSONDecoder

from inspector_core.classes import NamedTuple
from inspector_core.mantle.wire.kinds import KINDS
from inspector_core.recording.text import decoded

__all__ = ["ENGINES", "Format", "detect", "detect_text"]


class Format(Enum):
    """What wrote a file."""

    OWN = "inspector"
    MANTLE = "mantle"
    """Events of the engine's, flat or in envelopes: in an array, in lines, or one alone."""
    TRACKER = "mantle-tracker"
    """What the engine's HTTP API answers: a whole tracker with its events."""
    MANTLE_TEST = "mantle-e2e"
    MANTLE_SCENARIO = "mantle-scenario"
    """What a conversation with a customer that a model plays has to come to."""
    OPENAI = "openai"
    TAU_BENCH = "tau-bench"
    ANTHROPIC = "anthropic"
    OPENTELEMETRY = "opentelemetry"
    LETTA = "letta"
    """Messages of its API."""
    LETTA_FILE = "letta-af"
    UNKNOWN = "unknown"


ENGINES = (Format.OWN, Format.MANTLE, Format.TRACKER)
"""The formats that carry memory."""
_LONGEST = 250_000
"""How far into a file its first object is looked at."""
_FURTHEST = 8_000_000
"""How far, where that did not tell."""
_OUTSIDE = frozenset({"conversation_id", "event_id", "timestamp", "sequence", "session_id"})
_TEST = re.compile(r"^(?:test_cases|- ?test_case)\s*:", re.MULTILINE)
_SCENARIO = re.compile(r"^scenario\s*:", re.MULTILINE)
_BLOCK = re.compile(r'"type"\s*:\s*"(?:\w*tool_use|\w*tool_result|thinking)"')
"""A block of a message's content; within a text the quotes would be escaped."""
_LINE = re.compile(r"\n\{")
_TRIES = 5
_STRING = JSONDecoder(strict=False).raw_decode
_STRUCTURE = re.compile(r'["{}\[\]]')


class _Head(NamedTuple):
    """The keys of the first object in a text, and how the text begins."""

    keys: frozenset[str]
    text: str


def detect(data: bytes) -> Format:
    """The format of a file's bytes; total."""
    return detect_text(decoded(data).text)


def detect_text(text: str) -> Format:
    """The format of a file's text; total."""
    start = text.lstrip()[:1]
    if start and start in "{[":
        found = _of_objects(text[:_LONGEST])
        return found if found is not Format.UNKNOWN or len(text) <= _LONGEST else _of_objects(text[:_FURTHEST])
    if start == '"':
        return Format.LETTA_FILE if _wrapped(text) else Format.UNKNOWN
    if _SCENARIO.search(text):
        return Format.MANTLE_SCENARIO
    return Format.MANTLE_TEST if _TEST.search(text) else Format.UNKNOWN


def _of_objects(text: str) -> Format:
    """By the first object; where that can't be read, by those that begin the lines after it."""
    for start in (0, *(found.end() - 1 for found in islice(_LINE.finditer(text), _TRIES))):
        head = _Head(_first_keys(text[start:]), text)
        for kind, fits in _SIGNS.items():
            if fits(head):
                return kind
    return Format.UNKNOWN


def _wrapped(text: str) -> bool:
    """Whether it is JSON within a text of JSON, as some agent files are."""
    try:
        inner: object = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(inner, str) and inner.lstrip()[:1] == "{" and detect_text(inner) is Format.LETTA_FILE


def _first_keys(text: str) -> frozenset[str]:
    """The first object's keys, as far as it can be followed."""
    start = text.find("{")
    keys: set[str] = set()
    depth, at = 0, max(start, 0)
    while (found := _STRUCTURE.search(text, at)) is not None:
        sign, at = found[0], found.end()
        if sign == '"':
            try:
                word, at = _STRING(text, at - 1)
            except ValueError:
                break
            if depth == 1 and text[at : at + 20].lstrip()[:1] == ":":
                keys.add(word)
            continue
        depth += 1 if sign in "{[" else -1
        if depth == 0:
            break
    return frozenset(keys)


def _mantle(head: _Head) -> bool:
    outside = len(head.keys & _OUTSIDE)  # an envelope has them all, even around an event of an unknown name
    return "event" in head.keys or (bool(head.keys & KINDS.keys()) and outside > 0) or outside > 3


def _tracker(head: _Head) -> bool:
    return len(head.keys & {"sender_id", "events", "slots", "latest_message"}) > 1


def _telemetry(head: _Head) -> bool:
    spans = head.keys & {"resourceSpans", "resource_spans", "scopeSpans", "span_id", "spanId", "attributes"}
    return any(key.startswith("gen_ai.") for key in head.keys) or (bool(spans) and '"gen_ai.' in head.text)


def _agent_file(head: _Head) -> bool:
    several = "agents" in head.keys and bool(head.keys & {"tools", "blocks", "groups"})
    return "agent_type" in head.keys or several or head.keys == {"schema_version", "agent"}


def _messages(head: _Head) -> bool:
    if head.keys & {"messages", "role", "choices", "traj"}:
        return True
    return bool(head.keys & {"request", "body", "message", "output", "input"}) and '"role"' in head.text


def _items(head: _Head) -> bool:
    return {"type", "call_id"} <= head.keys


_SIGNS: dict[Format, Callable[[_Head], bool]] = {
    Format.OWN: lambda head: "inspector" in head.keys,
    Format.TRACKER: _tracker,
    Format.MANTLE: _mantle,
    Format.LETTA_FILE: _agent_file,
    Format.LETTA: lambda head: "message_type" in head.keys or (
        "messages" in head.keys and '"message_type"' in head.text
    ),
    Format.TAU_BENCH: lambda head: {"traj", "task_id"} <= head.keys,
    Format.OPENTELEMETRY: _telemetry,
    Format.ANTHROPIC: lambda head: _messages(head) and bool(_BLOCK.search(head.text)),
    Format.OPENAI: lambda head: _messages(head) or _items(head),
}  # fmt: skip
"""What each format's first object looks like; the first sign that fits counts."""
