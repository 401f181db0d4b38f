"""What any file of a recorded conversation comes to."""

from __future__ import annotations

from collections.abc import Sequence

from inspector_core.classes import dataclass
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.wire.own import Kept
from inspector_core.recording.detect import ENGINES, Format
from inspector_core.recording.entries import Fault
from inspector_core.recording.sessions import Session
from inspector_core.source import Span

__all__ = ["Recording", "faults_of", "finding"]

_MOST = 100
"""So many faults of one file are told one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """What a file holds: its sessions in the order in which they begin, and what could not be read."""

    format: Format
    sessions: tuple[Session, ...]
    findings: tuple[Finding, ...] = ()
    repeated: int = 0
    """How many events were left out since they only say again what another one says."""
    own: Kept | None = None
    """The moves of a file of ours, with which its session can be played again."""
    mapped: bool = False
    """Its memory is what a mapping says that its results tell."""

    @property
    def has_memory(self) -> bool:
        """Whether it tells what memory held, so that gates can be judged."""
        return self.mapped or self.format in ENGINES


def finding(path: str, line: int, what: str, message: str) -> Finding:
    """What is wrong on one line of a recording."""
    return Finding(f"inspector.recording.{what}", Severity.WARNING, message, Span(path, line, 1, line, 1))


def faults_of(path: str, faults: Sequence[Fault]) -> list[Finding]:
    """What could not be read; of very many faults only the first are told, and how many there are besides."""
    told = [finding(path, one.line, "unreadable", one.message) for one in faults[:_MOST]]
    if len(faults) > _MOST:
        told.append(finding(path, faults[_MOST].line, "unreadable", f"{len(faults) - _MOST} more can't be read"))
    return told
