"""Values in a line, whatever they are."""

from __future__ import annotations

from inspector.reports.json import plain
from inspector_core.mantle.values import as_text

__all__ = ["shown"]

_LONGEST = 200


def shown(value: object) -> str:
    """A value as the screen shows it, cut where it goes on for long."""
    text = as_text(plain(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
