"""Development builds of the engine recorded much of what happened twice; here it is told once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["folded"]

_FLOW = "flow_"
_HOW = {"started": "activated"}
"""Where the older name of a change says it in another word."""


def folded(events: Sequence[TrackerEvent]) -> tuple[bool, ...]:
    """For each event, whether it only says in an older form what the next one says (§10)."""
    following = (*events[1:], None) if events else ()
    return tuple(after is not None and _twins(event, after) for event, after in zip(events, following, strict=True))


def _twins(event: TrackerEvent, after: TrackerEvent) -> bool:
    if event.name.startswith(_FLOW):
        return _flow(event, after)
    same = _OLDER.get(event.name)
    return same is not None and same(event.fields, after)


def _call(fields: Mapping[str, object], after: TrackerEvent) -> bool:
    kept = ("tool_name", "arguments", "result")
    return after.name == "tool_executed" and all(fields.get(k) == after.fields.get(k) for k in kept)


def _slot(fields: Mapping[str, object], after: TrackerEvent) -> bool:
    if fields.get("name") != after.fields.get("key"):
        return False
    if after.name == "memory_set":
        return fields.get("value") == after.fields.get("value")
    return after.name == "memory_cleared" and fields.get("value") is None


_OLDER: Mapping[str, Callable[[Mapping[str, object], TrackerEvent], bool]] = {
    "mcp_tool_executed": _call, "slot": _slot,
}  # fmt: skip


def _flow(event: TrackerEvent, after: TrackerEvent) -> bool:
    how = event.name.removeprefix(_FLOW)
    how = _HOW.get(how, how)
    same = event.fields.get("skill_id") == after.fields.get("skill_id")
    return same and after.name in (f"skill_{how}", f"ordered_block_{how}")
