"""What was written to memory, held against what today's files declare."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.mantle.gatelist import VALIDATES
from inspector_core.mantle.project import Field, Project
from inspector_core.mantle.replay.drifts.values import Drift
from inspector_core.mantle.replay.replay import Replay
from inspector_core.mantle.values import as_text, mistyped
from inspector_core.mantle.wire.rebuild import is_engines

__all__ = ["memory_drift"]

_WRITES = ("memory_set", "memory_cleared")
_SOON = 50
"""A check of a value is recorded within so many events."""


def memory_drift(replay: Replay) -> Iterator[Drift]:
    """Each write of a key that nobody declares, and of a value that its entry does not take."""
    for number, event in enumerate(replay.events, 1):
        key, value = event.fields.get("key"), event.fields.get("value")
        if event.name != "memory_set" or not isinstance(key, str) or value is None or is_engines(key):
            continue
        field = replay.project.field_by_key.get(key)
        if field is None:
            if not _engines_own(replay.project, key):
                active = replay.rest(number).state.skill
                now = "no file declares it"
                yield Drift(number, "undeclared", key, active, f"it was set to {as_text(value)}", now, "undeclared")
        elif mistyped(field, value) and not _taken_back(replay, number, key):
            active = replay.rest(number).state.skill
            shown = "a value that is kept back (pii)" if field.pii else as_text(value)
            was, now = f"it was set to {shown}", f"it is {_taken(field)}"
            yield Drift(number, "value", key, active, was, now, "mistyped", None, field.span)


def _taken_back(replay: Replay, number: int, key: str) -> bool:
    """Whether a check of the value itself took it back at once, and so it never counted."""
    checked = False
    for place in range(number, min(number + _SOON, len(replay))):
        event = replay.events[place]
        if checked and event.fields.get("key") == key:
            return True
        tool = str(event.fields.get("tool_name"))
        checked = checked or tool.startswith(VALIDATES)
        if event.name not in _WRITES and not tool.startswith(VALIDATES) and tool not in ("set_fields", "correct"):
            return False
    return False


def _engines_own(project: Project, key: str) -> bool:
    """The entries of the engine's own skills are declared where nobody can see it."""
    skill = project.skill_by_id.get(key.partition(".")[0])
    return skill is not None and skill.bundled


def _taken(field: Field) -> str:
    if field.type == "categorical" and field.enum_values:
        return f"one of {', '.join(as_text(v) for v in field.enum_values)}"
    return f"of type {field.type}"
