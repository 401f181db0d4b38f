"""What may be written, by whom, and what is recorded of it (§3.5, §3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from inspector_core.events import Record
from inspector_core.mantle import scope
from inspector_core.mantle.engine.payload import Answer, done, failed
from inspector_core.mantle.engine.play import PENDING_KEY, Play
from inspector_core.mantle.engine.state import Frame, Pending, Write, Writer
from inspector_core.mantle.project import Field, Skill, Step
from inspector_core.mantle.wire.pending import shown

__all__ = [
    "by_hand", "clear_pending", "engine_entry", "keep_pending", "put", "put_back", "reset", "set_fields", "step_of",
    "step_writes", "tool_writes",
]  # fmt: skip

_DECLINES: Final = "default_unsupported_request_handler"


def put(
    play: Play, key: str, value: object, writer: Writer, by: str | None = None,
    arguments: Mapping[str, object] | None = None, **more: object,
) -> None:  # fmt: skip
    """A write with its record: `None` clears, and anything else, `False` and `0` too, is set.

    `by` is the tool or step that writes; `more` goes into the provenance besides.
    """
    _record(play, key, value, by if writer == "tool" else None, arguments, **more)
    play.write(key, value, writer, by)


def put_back(play: Play, key: str, value: object, write: Write | None) -> None:
    """The engine takes a write back: the value as it was, and whose it was."""
    _record(play, key, value)
    play.store(key, value, write)


def engine_entry(play: Play, key: str, value: object) -> None:
    """A write to one of the engine's own entries, which no condition, tool or response can read (§3.4, §3.9)."""
    _record(play, key, value)


def _record(
    play: Play, key: str, value: object, tool: str | None = None, arguments: Mapping[str, object] | None = None,
    **more: object,
) -> None:  # fmt: skip
    """The record of a write, with where it came from (§8.1)."""
    event, fields = ("memory_cleared", {"key": key}) if value is None else ("memory_set", {"key": key, "value": value})
    top = play.top
    play.position = play.recorded
    provenance: dict[str, object] = {
        "tool": tool, "skill_id": play.skill_id, "step": step_of(top) if top else None,
        "frame_id": top.frame_id if top else None, "arguments": dict(arguments or {}), "position": play.position,
        "tool_call_id": play.call_id,
    }  # fmt: skip
    play.records.append(Record(event, fields, {"mantle_write_provenance": provenance | more}))


def step_of(frame: Frame) -> str | None:
    """The step a frame is at; prose counts as one."""
    return frame.step_id if frame.block_id is not None else "autonomous"


def by_hand(play: Play, key: str, value: object) -> None:
    """The author's own write: no rule of the engine applies to it, and nothing follows from it by itself."""
    if value is None:
        play.record("inspector_cleared", key=key)
    else:
        play.record("inspector_set", key=key, value=value)
    play.write(key, value, "author")


def tool_writes(
    play: Play, skill: Skill, tool: str, arguments: Mapping[str, object], writes: Iterable[tuple[str, object]]
) -> str | None:
    """A tool's writes, one after the other, up to the first that the engine refuses; why it does."""
    for name, value in writes:
        problem = _refused(play, skill, name)
        if problem is not None:
            return problem
        field = scope.writable(play.project, skill.id, name)
        if field is not None:
            put(play, field.key, value, "tool", tool, arguments)
    return None


def _refused(play: Play, skill: Skill, name: str) -> str | None:
    field = scope.writable(play.project, skill.id, name)
    if field is None:
        if name in play.project.field_by_key:
            return f"`{skill.id}` may not write `{name}`: it belongs to another skill"
        return f"memory has no entry `{name}` that `{skill.id}` may write"
    if field.scope == "project" and play.memory.get(field.key) is not None:
        return f"`{field.key}` is set already, and project memory is written once"
    return None


def set_fields(play: Play, values: Mapping[str, object]) -> Answer:
    """The model's own writes: only what it may set, only what is null, and all of them or none."""
    skill = play.skill
    if skill is None:
        return failed("no skill is active whose fields could be set")
    if not values:
        return failed("no field was given")
    open_fields = {f.entry: f for f in scope.settable_fields(play.project, skill, play.memory, play.top)}
    for name, value in values.items():
        if name not in open_fields:
            return failed(f"`{name}` can't be set now")
        if value is None:
            return failed(f"`{name}` can't be set to null")
    for name, value in values.items():
        put(play, open_fields[name].key, value, "model", None, values)
    return done("set_fields")


def step_writes(play: Play, step: Step) -> str | None:
    """What a `set_memory` step writes, up to an entry that nobody declares; what is wrong there breaks the turn."""
    for name, value in step.writes.items():
        field = _declared(play, name.removeprefix("session."))
        if field is None:
            return f"memory has no entry `{name}`"
        if field.scope != "project" or play.memory.get(field.key) is None:
            put(play, field.key, value, "step", step.id)
    return None


def _declared(play: Play, name: str) -> Field | None:
    """The entry that a step means: any skill's by its key, or the skill's own or the project's by its bare name."""
    return play.project.field_by_key.get(name) or scope.writable(play.project, play.skill_id, name)


def reset(play: Play, skill: Skill) -> None:
    """A new run begins with each entry at its initial value; what is there already is not written again (§3.6).

    The run that declines a request is the exception: it begins with what it was just given.
    """
    if skill.id == _DECLINES:
        return
    for field in skill.fields:
        if not _same(play.memory.get(field.key), field.initial_value):
            put(play, field.key, field.initial_value, "engine")


def _same(value: object, initial: object) -> bool:
    try:
        return bool(value == initial)
    except RecursionError:
        return False


def keep_pending(play: Play, pending: Pending) -> None:
    """Store the one confirmation that waits, in place of any other."""
    play.pending = pending
    engine_entry(play, PENDING_KEY, shown(pending))


def clear_pending(play: Play) -> None:
    """Forget the confirmation that waits, if one does."""
    if play.pending is not None:
        play.pending = None
        engine_entry(play, PENDING_KEY, None)
