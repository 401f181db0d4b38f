"""The turn's flags, which no event of their own tells: they follow from what its calls came to (§6.2)."""

from __future__ import annotations

import json
from dataclasses import replace

from inspector_core.mantle.engine.state import Pending, Turn
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["after_call", "status_of"]


def after_call(turn: Turn, event: TrackerEvent, answered: Pending | None) -> Turn:
    """A turn after one of its calls; `answered` is the confirmation that was cleared in it.

    A greeting ends like a turn, and the model acts after it all the same: then it had not ended (§8.3).
    """
    fields = event.fields
    if not turn.open and "tool_call_id" in event.metadata:
        turn = replace(turn, open=True)
    tool, result = fields.get("tool_name"), fields.get("result")
    if event.metadata.get("source") == "tool_confirmation":
        return _resolved(turn, tool, answered)
    if status_of(result) == "awaiting_confirmation":
        return replace(turn, paused=True)
    if tool == "search_knowledge" and not fields.get("is_error"):
        return replace(turn, searched=True, trimmed=True)
    if tool == "activate" and result == "activate: done":
        return replace(turn, trimmed=False)
    return turn


def _resolved(turn: Turn, tool: object, answered: Pending | None) -> Turn:
    """A call that the customer's answer led to; one whose arguments no longer fit goes on waiting."""
    if answered is None or answered.tool != tool:
        return turn
    return replace(turn, resolved=turn.resolved | {(answered.skill_id, answered.tool)})


def status_of(result: object) -> object:
    """The `status` in a result, which is JSON in a text even in the flat form (§11)."""
    if not isinstance(result, str) or '"status"' not in result:
        return None
    try:
        found: object = json.loads(result)
    except (ValueError, RecursionError):
        return None
    return found.get("status") if isinstance(found, dict) else None
