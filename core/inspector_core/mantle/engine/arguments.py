"""Whether a call's arguments fit the tool's schema, as the engine validates them before it asks or runs (§5.2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice

__all__ = ["misfit"]


def misfit(schema: Mapping[str, object], arguments: Mapping[str, object]) -> str | None:
    """What is wrong with the arguments; `None` where they fit, or where nothing is known of the schema."""
    if not schema:
        return None
    try:
        errors = _validator(json.dumps(schema))(dict(arguments))
    except (RecursionError, TypeError, ValueError):
        errors = None
    if errors is None:
        return "the arguments can't be checked against the tool's schema"
    return _told(errors[0]) if errors else None


Check = Callable[[Mapping[str, object]], "list[object] | None"]


@lru_cache(maxsize=512)
def _validator(schema: str) -> Check:
    """What finds the first thing wrong with some arguments; `None` for a schema that is none.

    Kept for each schema: to look whether a schema is one takes many times what the arguments do.
    """
    import re

    import jsonschema
    import referencing
    from referencing.exceptions import Unresolvable

    parsed = json.loads(schema)
    kind = (
        jsonschema.Draft7Validator if "draft-07" in str(parsed.get("$schema", "")) else jsonschema.Draft202012Validator
    )
    broken = (jsonschema.SchemaError, Unresolvable, re.error, RecursionError, TypeError, ValueError)
    try:
        kind.check_schema(parsed)
    except broken:
        return lambda _: None
    validator = kind(parsed, registry=referencing.Registry())

    def check(arguments: Mapping[str, object]) -> list[object] | None:
        try:
            return list(islice(validator.iter_errors(arguments), 1))
        except broken:
            return None

    return check


def _told(error: object) -> str:
    place = ".".join(str(part) for part in getattr(error, "absolute_path", ()))
    message = str(getattr(error, "message", error))
    return f"`{place}`: {message}" if place else message
