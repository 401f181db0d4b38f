"""Frames: how a skill or a block comes onto the stack, waits on it, and leaves it (§7.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from inspector_core.events import Record
from inspector_core.mantle.engine import triggers
from inspector_core.mantle.engine.memory import clear_pending, put, reset
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.state import Frame, FrameType
from inspector_core.mantle.project import Block, Skill

__all__ = [
    "begin", "drop", "enter", "frames_of", "park", "promote", "put_back", "remove", "resume", "retyped", "suspend",
    "take_up",
]  # fmt: skip


def frames_of(play: Play, skill_id: str) -> tuple[Frame, ...]:
    """The frames of one skill's run: its own, and its blocks'."""
    return tuple(f for f in play.stack if f.skill_id == skill_id)


def retyped(frame: Frame, kind: FrameType) -> Frame:
    """A frame that now waits, remembering what it was."""
    return replace(frame, frame_type=kind, previous_frame_type=frame.frame_type)


def put_back(frame: Frame) -> Frame:
    """A frame that waited, as it was before."""
    return replace(frame, frame_type=frame.previous_frame_type or "regular", previous_frame_type=None)


def change(play: Play, when: Callable[[Frame], bool], how: Callable[[Frame], Frame]) -> None:
    """Replace some frames where they stand."""
    play.stack = tuple(how(f) if when(f) else f for f in play.stack)


def begin(
    play: Play, skill: Skill, block: Block | None, kind: FrameType, *, interrupts: str | None = None,
    given: Mapping[str, object] | None = None,
) -> None:  # fmt: skip
    """A new run on top of the stack: its memory at initial values, then what it interrupts, then itself.

    `given` are entries that the engine fills in for it.
    """
    reset(play, skill)
    for key, value in (given or {}).items():
        if key in play.project.field_by_key:
            put(play, key, value, "engine")
    if interrupts is not None:
        park(play, interrupts, skill)
    play.stack = (*play.stack, play.frame(skill, None, kind))
    if block is not None:
        play.stack = (*play.stack, play.frame(skill, block))
    _announce(play, skill, block)


def enter(play: Play, skill: Skill, block: Block, kind: FrameType = "regular") -> None:
    """Another block of the skill that is running: nothing is reset."""
    play.stack = (*play.stack, play.frame(skill, block, kind))
    play.record("ordered_block_entered", skill_id=skill.id, block_id=block.id)
    play.record_stack()


def promote(play: Play, skill: Skill) -> None:
    """A run that waited for its precondition starts where it stands (§7.1)."""
    reset(play, skill)
    change(play, lambda f: f.skill_id == skill.id and f.frame_type == "pending", put_back)
    _announce(play, skill, play.block)


def _announce(play: Play, skill: Skill, block: Block | None) -> None:
    play.record("skill_activated", skill_id=skill.id)
    if block is not None:
        play.record("ordered_block_entered", skill_id=skill.id, block_id=block.id)
    play.record_stack()
    triggers.on_activate(play, skill)


def park(play: Play, target: str, to: Skill) -> None:
    """The active run is interrupted by another one, and waits beneath it."""
    suspend(play, digression={"to_flow_id": target, "to_step_id": None, "to_skill_id": to.id})


def suspend(play: Play, **metadata: object) -> None:
    """The active run waits from now on, unless it does already."""
    top = play.top
    if top is None or top.frame_type in ("interrupt", "pending"):
        return
    change(
        play, lambda f: f.skill_id == top.skill_id and f.frame_type != "inline_reference",
        lambda f: retyped(f, "interrupt"),
    )  # fmt: skip
    _moved(play, top, "interrupted", **metadata)


def resume(play: Play, skill_id: str) -> None:
    """A run that was interrupted goes on; its values are as they were."""
    change(play, lambda f: f.skill_id == skill_id and f.frame_type == "interrupt", put_back)
    top = play.top
    if top is not None:
        _moved(play, top, "resumed")
        play.record_stack()


def take_up(play: Play, skill_id: str) -> None:
    """A run that was interrupted comes back on top of the stack."""
    own = frames_of(play, skill_id)
    play.stack = (*(f for f in play.stack if f.skill_id != skill_id), *own)
    resume(play, skill_id)


def _moved(play: Play, top: Frame, how: str, **metadata: object) -> None:
    """The two records of a run that is parked or taken up: its block's first, if it is in one."""
    if top.block_id is not None:
        fields = {"skill_id": top.skill_id, "block_id": top.block_id, "step_id": top.step_id}
        play.records.append(Record(f"ordered_block_{how}", fields, metadata))
    step = top.step_id if top.block_id is not None else "autonomous"
    play.records.append(Record(f"skill_{how}", {"skill_id": top.skill_id, "step_id": step}, metadata))


def remove(play: Play, skill_id: str) -> None:
    """Take a run off the stack, and with it the confirmation that one of its frames waited for."""
    gone = {f.frame_id for f in play.stack if f.skill_id == skill_id}
    play.stack = tuple(f for f in play.stack if f.skill_id != skill_id)
    if play.pending is not None and play.pending.frame_id in gone:
        clear_pending(play)
    play.asked = tuple(a for a in play.asked if a.frame_id not in gone)
    triggers.forget(play)


def drop(play: Play, frame: Frame) -> None:
    """The record of a block that is cancelled, on the stack or off it."""
    play.record("ordered_block_cancelled", skill_id=frame.skill_id, block_id=frame.block_id, step_id=frame.step_id)
