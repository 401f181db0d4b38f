"""Whether a call's arguments fit the tool's schema, as the engine validates them before it asks or runs (§5.2)."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["misfit"]


def misfit(schema: Mapping[str, object], arguments: Mapping[str, object]) -> str | None:
    """What is wrong with the arguments; `None` where they fit, or where nothing is known of the schema."""
    if not schema:
        return None
    import re

    import jsonschema
    import referencing
    from referencing.exceptions import Unresolvable

    draft7 = "draft-07" in str(schema.get("$schema", ""))
    kind = jsonschema.Draft7Validator if draft7 else jsonschema.Draft202012Validator
    try:
        kind.check_schema(schema)
        errors = kind(schema, registry=referencing.Registry()).iter_errors(dict(arguments))
        first = next(iter(errors), None)
    except (jsonschema.SchemaError, Unresolvable, re.error, RecursionError, TypeError, ValueError):
        return "the arguments can't be checked against the tool's schema"
    return None if first is None else _told(first)


def _told(error: object) -> str:
    place = ".".join(str(part) for part in getattr(error, "absolute_path", ()))
    message = str(getattr(error, "message", error))
    return f"`{place}`: {message}" if place else message
