"""What is known of one code."""

from __future__ import annotations

from inspector_core.classes import NamedTuple
from inspector_core.finding import Severity

__all__ = ["ERROR", "INFO", "WARNING", "Entry"]

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


class Entry(NamedTuple):
    """How much a code matters, what it means in a sentence, and what usually mends it."""

    severity: Severity
    explanation: str
    hint: str | None = None
    code: str = ""
