"""What is wrong with one YAML text, or surprising in it."""

from __future__ import annotations

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.words import clip
from inspector_core.source import Source

__all__ = ["Report"]

_SEVERITIES = {
    "syntax": Severity.ERROR,
    "tag": Severity.ERROR,
    "key": Severity.ERROR,
    "bounds": Severity.WARNING,
    "duplicate-key": Severity.WARNING,
    "surprise": Severity.INFO,
}
"""The engine's loader refuses the errors; the bounds are ours."""


class Report:
    """Gathers findings by the offsets of what they speak of."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Finding] = []

    def add(self, what: str, message: str, start: int, end: int, hint: str | None = None) -> None:
        span = self.source.span(start, end)
        self.findings.append(Finding(f"inspector.yaml.{what}", _SEVERITIES[what], message, span, hint))

    def bounded(self, start: int, end: int) -> bool:
        """Whether what stands there was too much to be told, so that nothing more is to be said of it."""
        span = self.source.span(start, end)
        return any(f.code == "inspector.yaml.bounds" and f.span == span for f in self.findings)

    def surprise(self, text: str, value: object, start: int, end: int) -> None:
        """A plain word that YAML 1.1 reads as something else."""
        if isinstance(value, bool):
            meant = f"`{str(value).lower()}`"
        else:
            meant = f"the {'number' if isinstance(value, int | float) else 'date'} `{clip(str(value))}`"
        hint = f"write {meant} if it is meant, or put the text in quotes"
        self.add("surprise", f"`{clip(text)}` reads as {meant}, not as text", start, end, hint)

    def tag(self, tag: str, start: int, content: int) -> None:
        """A tag, at `start`, of a value whose content begins at `content`."""
        name = clip(tag.replace("tag:yaml.org,2002:", "!!"))
        harm = "would have the loader make objects, and " if name.startswith("!!python") else ""
        end = start + len(self.source.text[start:content].rstrip())
        self.add("tag", f"the tag `{name}` {harm}is refused", start, end, "remove the tag")
