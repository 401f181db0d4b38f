"""The arguments of the engine's own tools, as the model gets them in one state (§3.2, §5.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Field, Project
from inspector_core.mantle.targets import startable

__all__ = ["built_in", "field_schema"]

Schema = Mapping[str, object]

_TYPES: Final = {"bool": "boolean", "int": "integer", "float": "number", "list": "array"}


def built_in(project: Project, state: State, tool: str) -> Schema:
    """The schema of one of the engine's tools; its arguments' own descriptions are the engine's, and not known."""
    made = _SCHEMAS.get(tool)
    return _object(made(project, state) if made is not None else {})


def field_schema(field: Field) -> Schema:
    """How `set_fields` shows an entry: values to choose from only where it is categorical (§3.2)."""
    schema: dict[str, object] = {"type": _TYPES.get(field.type, "string")}
    if field.type == "categorical" and field.enum_values:
        schema["enum"] = list(field.enum_values)
    if field.description:
        schema["description"] = field.description
    return schema


def _object(properties: Mapping[str, object]) -> Schema:
    return {"type": "object", "properties": properties}


def _activate(project: Project, state: State) -> Mapping[str, object]:
    return {"target_id": {"type": "string", "enum": list(startable(project, state))}}


def _correct(project: Project, state: State) -> Mapping[str, object]:
    keys = [field.key for field in scope.correctable(project, state.skill, state)]
    return {"memory_key": {"type": "string", "enum": keys}, "value": {}}


def _set_fields(project: Project, state: State) -> Mapping[str, object]:
    skill = project.skill_by_id.get(state.skill or "")
    fields = scope.settable_fields(project, skill, state.memory, state.top) if skill is not None else ()
    return {field.entry: field_schema(field) for field in fields}


_SCHEMAS: Mapping[str, Callable[[Project, State], Mapping[str, object]]] = {
    "activate": _activate,
    "search_knowledge": lambda _project, _state: {"query": {"type": "string"}},
    "cannot_help": lambda _project, _state: {"in_domain": {"type": "boolean"}},
    "resolve_tool_confirmation": lambda _project, _state: {"confirmed": {"type": "boolean"}},
    "correct": _correct,
    "set_fields": _set_fields,
}
