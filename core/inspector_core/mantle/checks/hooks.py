"""Hook files: whether they can be read at all (§9.5). What hooks do at which point only the engine knows."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Known
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.reading.python import parse

__all__ = ["of_project"]


def of_project(known: Known) -> Iterator[Finding]:
    """Hook files that can't be loaded."""
    for path, source in known.project.sources.items():
        if path == "hooks.py" or (path.startswith("hooks/") and path.endswith(".py") and "__init__" not in path):
            code = parse(source)
            if isinstance(code, Finding):
                yield say("mantle.validation.hooks.import_failed", code.message, code.span, None, code.hint)
