"""What is found wrong while one `skill.md` is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.nodes import Node
from inspector_core.source import Span

__all__ = ["Notes"]

_FAILED = "mantle.validation.skill.failed_to_load"
_SURPRISE = "inspector.yaml.surprise"


class Notes:
    """Gathers the findings of one file, under its skill's name and the code that the engine reports it by."""

    def __init__(self, skill: str, version: str) -> None:
        self.skill = skill
        self.muted = False
        """While what is read is only guessed at, its faults are no news: the file has its finding already."""
        self._findings: list[Finding] = []
        self._expected: set[tuple[int, int]] = set()
        self._is_older = _number(version) < (3, 21)

    def error(self, code: str, message: str, place: Node | Span, hint: str | None = None) -> None:
        """The engine refuses the file for this."""
        self._add(Finding(code, Severity.ERROR, message, _span(place), hint, self.skill, _FAILED))

    def outdated(self, code: str, message: str, place: Node | Span, hint: str | None = None) -> None:
        """Older engines read this; 3.21 refuses it."""
        if self._is_older:
            self._add(Finding(code, Severity.WARNING, f"{message} from 3.21 on", _span(place), hint, self.skill))
        else:
            self.error(code, message, place, hint)

    def warn(self, code: str, message: str, place: Node | Span, hint: str | None = None) -> None:
        """The engine takes this, but hardly as it is meant."""
        self._add(Finding(code, Severity.WARNING, message, _span(place), hint, self.skill))

    def expect(self, node: Node) -> None:
        """What YAML made of these words is what is wanted here, so that it surprises nobody."""
        span = node.span
        self._expected.add((span.line, span.column))

    def take(self, findings: Iterable[Finding]) -> None:
        """Findings about the YAML that the file is written in."""
        for finding in findings:
            failed = _FAILED if finding.severity is Severity.ERROR else None
            self._add(replace(finding, skill=self.skill, reported_as=failed))

    def findings(self) -> tuple[Finding, ...]:
        """All of them. Where a value is refused, nothing more is said of how YAML reads it."""
        told = {(f.span.line, f.span.column) for f in self._findings if f.code != _SURPRISE} | self._expected
        return tuple(f for f in self._findings if f.code != _SURPRISE or (f.span.line, f.span.column) not in told)

    def is_broken(self) -> bool:
        """Whether the engine would refuse the file."""
        return any(f.severity is Severity.ERROR for f in self._findings)

    def _add(self, finding: Finding) -> None:
        if not self.muted:
            self._findings.append(finding)


def _span(place: Node | Span) -> Span:
    return place.span if isinstance(place, Node) else place


def _number(version: str) -> tuple[int, ...]:
    parts = version.split(".")[:2]
    is_number = len(parts) == 2 and all(part.isdecimal() for part in parts)
    return tuple(int(part) for part in parts) if is_number else (3, 21)
