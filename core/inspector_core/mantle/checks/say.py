"""How checks speak: a finding whose weight is the one that the catalogue gives its code."""

from __future__ import annotations

from inspector_core.finding import Finding
from inspector_core.mantle.project import Skill
from inspector_core.source import Span

__all__ = ["say"]


def say(code: str, message: str, span: Span, skill: Skill | None = None, hint: str | None = None) -> Finding:
    """A finding of a catalogued code; without a hint of its own it carries the catalogue's."""
    from inspector_core.mantle.checks.catalogue import CATALOGUE

    entry = CATALOGUE[code]
    return Finding(code, entry.severity, message, span, hint or entry.hint, skill.id if skill else None)
