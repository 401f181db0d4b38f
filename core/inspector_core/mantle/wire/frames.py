"""Frames in the engine's own form, and back (§7.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from inspector_core.mantle.engine.state import Frame, FrameType

__all__ = ["read", "shown"]

_TYPES: dict[object, FrameType] = {kind: kind for kind in get_args(FrameType)}


def shown(frame: Frame) -> dict[str, object]:
    """A frame as the engine's stack holds it; what is not set is left out."""
    form: dict[str, object] = {"frame_id": frame.frame_id, "skill_id": frame.skill_id}
    if frame.block_id:
        form |= {"block_id": frame.block_id, "step_id": frame.step_id or "START"}
    form["frame_type"] = frame.frame_type
    if frame.previous_frame_type:
        form["previous_frame_type"] = frame.previous_frame_type
    form["type"] = "ordered_block" if frame.block_id else "skill"
    return form


def read(forms: Iterable[object]) -> tuple[tuple[Frame, ...], tuple[str, ...]]:
    """The frames of a recorded stack, and what is wrong with those that had to be left out."""
    frames: list[Frame] = []
    problems: list[str] = []
    for form in forms:
        frame = _frame(form)
        if isinstance(frame, Frame):
            frames.append(frame)
        else:
            problems.append(frame)
    return tuple(frames), tuple(problems)


def _frame(form: object) -> Frame | str:
    if not isinstance(form, dict):
        return "a frame of the stack is no mapping"
    frame_id, skill_id, block_id = form.get("frame_id"), form.get("skill_id"), form.get("block_id")
    if not isinstance(frame_id, str) or not isinstance(skill_id, str):
        return "a frame of the stack has no `frame_id` or no `skill_id`"
    kind, before = form.get("frame_type", "regular"), form.get("previous_frame_type")
    if not isinstance(kind, str) or kind not in _TYPES:
        return f"`{kind}` is no type of a frame"
    step_id = form.get("step_id")
    if not isinstance(block_id, str) or not block_id:
        return Frame(frame_id, skill_id, None, None, _TYPES[kind], _before(before))
    step = step_id if isinstance(step_id, str) else "START"
    return Frame(frame_id, skill_id, block_id, step, _TYPES[kind], _before(before))


def _before(kind: object) -> FrameType | None:
    return _TYPES.get(kind) if isinstance(kind, str) else None
