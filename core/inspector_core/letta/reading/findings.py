"""What reading finds wrong, gathered on the way."""

from __future__ import annotations

from inspector_core.finding import Finding, Severity
from inspector_core.source import Span

__all__ = ["Findings"]


class Findings:
    """A list that knows how findings are named."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def error(self, what: str, message: str, span: Span, hint: str | None = None) -> None:
        """Something that the server refuses, or that can't be read at all."""
        self.found.append(Finding(f"letta.{what}", Severity.ERROR, message, span, hint))

    def warn(self, what: str, message: str, span: Span, hint: str | None = None) -> None:
        """Something that does other than it says."""
        self.found.append(Finding(f"letta.{what}", Severity.WARNING, message, span, hint))

    def note(self, what: str, message: str, span: Span, hint: str | None = None) -> None:
        """Something to know."""
        self.found.append(Finding(f"letta.{what}", Severity.INFO, message, span, hint))
