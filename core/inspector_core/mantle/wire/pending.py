"""The confirmation that waits, in the form in which the engine keeps it in memory, and back (§6.2)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.events import Next
from inspector_core.mantle.engine.state import Pending

__all__ = ["read", "shown"]


def shown(pending: Pending) -> dict[str, object]:
    """The value of `system.pending_tool_confirmation`."""
    return {
        "tool_name": pending.tool, "tool_args": dict(pending.arguments), "confirmation_ask": pending.ask,
        "utter_on_user_denial": pending.denial_response, "skill_id": pending.skill_id, "frame_id": pending.frame_id,
        "execute_step_id": pending.step_id, "deferred_next": [_deferred(tool, to) for tool, to in pending.deferred],
    }  # fmt: skip


def _deferred(tool: str, to: Next) -> dict[str, object]:
    return {"tool_name": tool, "instruction": {"skill_id": to.skill, "ordered_block": to.block}}


def read(value: object, turn: int, memory: Mapping[str, object]) -> Pending | str:
    """What waits, as of the turn and the memory it was recorded in; or what is wrong with the value."""
    if not isinstance(value, Mapping):
        return "the pending confirmation is no mapping"
    tool, skill, frame = value.get("tool_name"), value.get("skill_id"), value.get("frame_id")
    if not isinstance(tool, str) or not isinstance(skill, str) or not isinstance(frame, str):
        return "the pending confirmation doesn't say whose it is"
    arguments, waiting = value.get("tool_args"), value.get("deferred_next")
    return Pending(
        tool, arguments if isinstance(arguments, Mapping) else {}, _text(value.get("confirmation_ask")),
        _text(value.get("utter_on_user_denial")), skill, frame, turn, _text(value.get("execute_step_id")), memory,
        tuple(found for one in waiting if (found := _next(one)) is not None) if isinstance(waiting, list) else (),
    )  # fmt: skip


def _next(one: object) -> tuple[str, Next] | None:
    tool, to = (one.get("tool_name"), one.get("instruction")) if isinstance(one, Mapping) else (None, None)
    skill = to.get("skill_id") if isinstance(to, Mapping) else None
    if not isinstance(tool, str) or not isinstance(to, Mapping) or not isinstance(skill, str):
        return None
    return tool, Next(skill, _text(to.get("ordered_block")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
