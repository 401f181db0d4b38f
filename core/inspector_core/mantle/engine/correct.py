"""The model corrects what the customer said earlier (§3.5, §3.8)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle import scope
from inspector_core.mantle.engine.coerce import Unfit, coerce
from inspector_core.mantle.engine.memory import put, step_of
from inspector_core.mantle.engine.payload import Answer, done, failed, in_words
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.project import Field

__all__ = ["correct"]


def correct(play: Play, arguments: Mapping[str, object]) -> Answer:
    """Another value for an entry that the customer gave; nothing is written where it is no value of it."""
    name, value = arguments.get("memory_key"), arguments.get("value")
    field = _named(play, name)
    if field is None:
        return failed(f"`{in_words(name)}` can't be corrected now")
    if value is None:
        return failed(f"`{field.key}` can't be corrected to null")
    coerced = coerce(field, value)
    if isinstance(coerced, Unfit):
        return failed(f"`{in_words(value)}` is no value of `{field.key}`, which is {coerced.wanted}")
    put(play, field.key, coerced, "model", arguments=arguments, correction=_place(play))
    return done("correct")


def _named(play: Play, name: object) -> Field | None:
    open_fields = scope.correctable(play.project, play.skill_id, play)
    return next((f for f in open_fields if name in (f.key, f.entry)), None)


def _place(play: Play) -> Mapping[str, object]:
    """Where the conversation stood as the correction was made."""
    top = play.top
    if top is None:
        return {"flow_id": None, "step_id": None, "skill_id": None}
    flow = top.skill_id if top.block_id is None else f"{top.skill_id}__{top.block_id}"
    return {"flow_id": flow, "step_id": step_of(top), "skill_id": top.skill_id}
