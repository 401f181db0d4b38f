"""The calls of a recording, each with where it began: what a call writes is recorded before the call itself (§8.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from inspector_core.mantle.engine.play import PENDING_KEY
from inspector_core.mantle.gatelist import RESERVED, VALIDATES
from inspector_core.mantle.wire.flags import status_of
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["Recorded", "recorded_calls"]

Who = Literal["model", "step", "answer", "check"]
"""The model; a step of an ordered block; the customer's answer to an ask; the engine, after something was set."""
Outcome = Literal["ran", "failed", "asked", "declined"]

_WRITES = ("memory_set", "memory_cleared")
_SETTING = frozenset({"set_fields", "correct"})
_BETWEEN = frozenset({"tool_executed", "user", "bot_turn_ended", "session_started", "action"})


class Recorded(NamedTuple):
    """One call as it was recorded."""

    number: int
    """Its own event, counted from 1."""
    tool: str
    arguments: Mapping[str, object]
    who: Who
    outcome: Outcome
    """`failed` is any error: the tool's own, or the engine's refusal."""
    start: int
    """How many events there had been when the call was begun."""
    listed: int
    """How many there had been when the model got the list of tools that it chose from."""

    @property
    def surely_ran(self) -> bool:
        """A tool that failed has run if it left a trace; else the engine may have refused the call."""
        return self.outcome == "ran" or (self.outcome == "failed" and self.start < self.number - 1)


def recorded_calls(events: Sequence[TrackerEvent]) -> tuple[Recorded, ...]:
    """Every call, in order."""
    found: list[Recorded] = []
    batches: dict[object, int] = {}
    for number, event in enumerate(events, 1):
        if event.name == "user":
            batches.clear()
        tool = event.fields.get("tool_name")
        if event.name != "tool_executed" or not isinstance(tool, str):
            continue
        start = _start(events, number, event, tool)
        batch = event.metadata.get("tool_batch_id")
        listed = batches.setdefault(batch, start) if isinstance(batch, str) else start
        given = event.fields.get("arguments")
        arguments = given if isinstance(given, Mapping) else {}
        found.append(Recorded(number, tool, arguments, _who(event, tool), _outcome(event), start, listed))
    return tuple(found)


def _who(event: TrackerEvent, tool: str) -> Who:
    if tool.startswith(VALIDATES):
        return "check"
    source = event.metadata.get("source")
    return "step" if source == "execute_step" else "answer" if source == "tool_confirmation" else "model"


def _outcome(event: TrackerEvent) -> Outcome:
    status = status_of(event.fields.get("result"))
    if status == "awaiting_confirmation":
        return "asked"
    if status == "declined" and event.metadata.get("source") == "tool_confirmation":
        return "declined"
    return "failed" if event.fields.get("is_error") else "ran"


def _start(events: Sequence[TrackerEvent], number: int, event: TrackerEvent, tool: str) -> int:
    """Before what the call did: for a tool, its own writes and words; for the engine's, all since what came before."""
    at = number - 1
    while at > 0 and _belongs(events[at - 1], event, tool):
        at -= 1
    if tool == "complete":  # what the engine did before of its own accord is told apart by what it does first
        return max((n for n in range(at, number - 1) if events[n].name == "skill_completed"), default=at)
    return at


def _belongs(before: TrackerEvent, call: TrackerEvent, tool: str) -> bool:
    if before.name == "bot":
        return "mantle_response_source" not in before.metadata and "utter_action" not in before.metadata
    if tool in RESERVED - _SETTING:
        return before.name not in _BETWEEN and not before.name.startswith("inspector_")
    if before.name not in _WRITES:
        return False
    if before.fields.get("key") == PENDING_KEY or tool in _SETTING:
        return True
    found = before.metadata.get("mantle_write_provenance")
    origin = found if isinstance(found, Mapping) else {}
    return origin.get("tool") == tool and _same_call(origin, call)


def _same_call(origin: Mapping[object, object], call: TrackerEvent) -> bool:
    """Two calls of one tool in a row are told apart by their ids, where they have any."""
    ids = origin.get("tool_call_id"), call.metadata.get("tool_call_id")
    return None in ids or ids[0] == ids[1]
