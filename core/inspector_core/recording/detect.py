"""Which format a file is in, by what it holds and not by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from json import JSONDecoder

from inspector_core.classes import NamedTuple
from inspector_core.mantle.wire.kinds import KINDS
from inspector_core.recording.text import decoded

__all__ = ["Format", "detect", "detect_text"]


class Format(Enum):
    """What wrote a file."""

    OWN = "inspector"
    MANTLE = "mantle"
    """Events of the engine's, flat or in envelopes: in an array, in lines, or one alone."""
    TRACKER = "mantle-tracker"
    """What the engine's HTTP API answers: a whole tracker with its events."""
    MANTLE_TEST = "mantle-e2e"
    OPENAI = "openai"
    TAU_BENCH = "tau-bench"
    ANTHROPIC = "anthropic"
    OPENTELEMETRY = "opentelemetry"
    LETTA = "letta"
    """Messages of its API."""
    LETTA_FILE = "letta-af"
    UNKNOWN = "unknown"


_LONGEST = 250_000
"""How far into a file its first object is looked at."""
_OUTSIDE = frozenset({"conversation_id", "event_id", "timestamp", "sequence", "session_id"})
_TEST = re.compile(r"^(?:test_cases|- ?test_case)\s*:", re.MULTILINE)
_STRING = JSONDecoder(strict=False).raw_decode
_STRUCTURE = re.compile(r'["{}\[\]]')


class _Head(NamedTuple):
    """The keys of the first object in a text, and its text."""

    keys: frozenset[str]
    text: str


def detect(data: bytes) -> Format:
    """The format of a file's bytes; total."""
    return detect_text(decoded(data).text)


def detect_text(text: str) -> Format:
    """The format of a file's text; total."""
    start = text.lstrip()[:1]
    if start and start in "{[":
        head = _first_object(text[:_LONGEST])
        return next((kind for kind, fits in _SIGNS.items() if fits(head)), Format.UNKNOWN)
    return Format.MANTLE_TEST if _TEST.search(text[:_LONGEST]) else Format.UNKNOWN


def _first_object(text: str) -> _Head:
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
    return _Head(frozenset(keys), text[max(start, 0) : at])


def _mantle(head: _Head) -> bool:
    return "event" in head.keys or (bool(head.keys & KINDS.keys()) and bool(head.keys & _OUTSIDE))


def _tracker(head: _Head) -> bool:
    return len(head.keys & {"sender_id", "events", "slots", "latest_message"}) > 1


def _telemetry(head: _Head) -> bool:
    spans = head.keys & {"resourceSpans", "resource_spans", "scopeSpans", "span_id", "spanId", "attributes"}
    return any(key.startswith("gen_ai.") for key in head.keys) or (bool(spans) and "gen_ai." in head.text)


def _messages(head: _Head) -> bool:
    return "messages" in head.keys or "role" in head.keys or "request" in head.keys


def _anthropic(head: _Head) -> bool:
    return _messages(head) and ('"tool_use' in head.text or '"tool_result"' in head.text)


_SIGNS: dict[Format, Callable[[_Head], bool]] = {
    Format.OWN: lambda head: "inspector" in head.keys,
    Format.TRACKER: _tracker,
    Format.MANTLE: _mantle,
    Format.LETTA_FILE: lambda head: "agent_type" in head.keys or ("agents" in head.keys and "tools" in head.keys),
    Format.LETTA: lambda head: "message_type" in head.keys,
    Format.TAU_BENCH: lambda head: {"traj", "task_id"} <= head.keys,
    Format.OPENTELEMETRY: _telemetry,
    Format.ANTHROPIC: _anthropic,
    Format.OPENAI: _messages,
}
"""What each format's first object looks like; the first sign that fits counts."""
