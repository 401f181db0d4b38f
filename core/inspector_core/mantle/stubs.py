"""What a tool is taken to do when it is called by hand: a sensible default, read off its code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inspector_core.events import Stub
from inspector_core.mantle.gatelist import VALIDATES
from inspector_core.mantle.project import Field, Project
from inspector_core.tool import UNKNOWN, MemoryUse, Tool

__all__ = ["default_stub", "sample", "sample_arguments"]

_SAMPLES: Mapping[str, object] = {
    "text": "example", "int": 1, "float": 1.0, "bool": True, "list": [], "json": {}, "any": "example",
}  # fmt: skip


def default_stub(project: Project, skill_id: str | None, tool: Tool) -> Stub:
    """The first success the code can be read to return, with the writes it makes; unread values become samples.

    What a check makes of the very entry it checks is left as that was set.
    """
    payload = next((o.payload for o in tool.outcomes if not _fails(o.payload)), None)
    if payload is None and tool.outcomes and _fails(tool.outcomes[0].payload):
        payload = {"ok": True}
    writes = tuple(
        (w.name, _written(project, skill_id, w.name, w.value))
        for w in _last_writes(tool)
        if tool.name != f"{VALIDATES}{w.name.rpartition('.')[2]}"
    )
    return Stub(_plain(payload), writes, tool.sends)


def sample(field: Field | None) -> object:
    """A non-empty value of a field's type."""
    if field is None:
        return "example"
    if field.enum_values:
        return field.enum_values[0]
    return _SAMPLES.get(field.type, "example")


def sample_arguments(tool: Tool) -> dict[str, object]:
    """A value of the right JSON type for each required argument, as a start for the form."""
    properties = tool.schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    return {name: _argument(properties.get(name)) for name in tool.required}


def _argument(schema: object) -> object:
    kinds = {"integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}
    return kinds.get(str(schema.get("type")), "example") if isinstance(schema, Mapping) else "example"


def _fails(payload: object) -> bool:
    return isinstance(payload, Mapping) and bool(payload.get("error") or payload.get("errors"))


def _last_writes(tool: Tool) -> Sequence[MemoryUse]:
    return list({w.name: w for w in tool.writes}.values())


def _written(project: Project, skill_id: str | None, name: str, value: object) -> object:
    if value is not UNKNOWN:
        return _plain(value)
    fields = project.field_by_key
    return sample(fields.get(name) or fields.get(f"{skill_id}.{name}") or fields.get(f"project.{name}"))


def _plain(value: object) -> object:
    """JSON values only: what could not be read is shown as text that says so."""
    if value is UNKNOWN:
        return "…"
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value
