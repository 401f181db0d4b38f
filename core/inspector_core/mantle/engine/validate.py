"""`run_after_setting_<entry>`: a skill's own check of what was just set, and the way back where it says no (§3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inspector_core.classes import NamedTuple
from inspector_core.mantle import scope
from inspector_core.mantle.engine.memory import put_back
from inspector_core.mantle.engine.payload import Answer, as_json, in_words
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.run import effects
from inspector_core.mantle.engine.state import Asked, Write
from inspector_core.mantle.gatelist import VALIDATES
from inspector_core.mantle.project import Skill
from inspector_core.tool import Tool

__all__ = ["Snapshot", "snapshot", "validate"]


class Snapshot(NamedTuple):
    """Memory before something was set."""

    memory: Mapping[str, object]
    writes: Mapping[str, Write]
    asked: tuple[Asked, ...]
    """Questions of steps, with whether they were answered by a write."""


def snapshot(play: Play) -> Snapshot:
    """Memory as it is now, to go back to."""
    return Snapshot(dict(play.memory), dict(play.writes), play.asked)


def validate(play: Play, names: Iterable[str], before: Snapshot) -> None:
    """Run the checks of the entries just set; the first that finds an error takes everything back.

    They are the engine's own runs: no call of the model's, and what they set themselves is not checked again.
    """
    skill = play.skill
    if skill is None:
        return
    call, play.call_id = play.call_id, None
    for tool in _checks(play, skill, names):
        if _refuses(play, tool):
            _restore(play, skill, before)
            break
    play.call_id = call


def _checks(play: Play, skill: Skill, names: Iterable[str]) -> list[Tool]:
    fields = [scope.writable(play.project, skill.id, name) for name in names]
    wanted = [f"{VALIDATES}{f.entry}" for f in fields if f is not None and f.owner == skill.id]
    own = {tool.name: tool for tool in skill.tools}
    return [own[name] for name in wanted if name in own]


def _refuses(play: Play, tool: Tool) -> bool:
    """Run one check; its own test for errors: an `error` that is there and not null (§5.4)."""
    stub = play.stub(tool)
    problem = effects(play, tool, {}, stub)
    payload = stub.payload if problem is None else {"error": problem}
    error = payload.get("error") if isinstance(payload, Mapping) else None
    answer = Answer(as_json(payload), None if error is None else in_words(error))
    play.executed(tool.name, {}, answer, ran=True)
    return error is not None


def _restore(play: Play, skill: Skill, before: Snapshot) -> None:
    """All memory that the skill sees becomes what it was, and so does who wrote it; no question was answered."""
    now = dict(play.memory)
    for key in {**before.memory, **now}:
        if now.get(key) is not before.memory.get(key) and scope.readable(play.project, skill.id, key):
            put_back(play, key, before.memory.get(key), before.writes.get(key))
    play.asked = before.asked
