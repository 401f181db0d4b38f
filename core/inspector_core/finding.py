"""What is wrong in the author's files, as values that can be sorted, printed and compared."""

from __future__ import annotations

from enum import Enum

from inspector_core.classes import dataclass
from inspector_core.source import Span

__all__ = ["Finding", "Severity", "did_you_mean", "in_order"]


class Severity(Enum):
    """How much a finding matters; `ERROR` is what the engine would refuse."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend: what, where, why and what to do. Never raised."""

    code: str
    """The engine's own code (§9) where it has one; `inspector.<subject>.<what>` where the rule is ours."""
    severity: Severity
    message: str
    """Lower case, no full stop, the author's own words in backticks; works alone."""
    span: Span
    hint: str | None = None
    """What to do, apart from the message."""
    skill: str | None = None
    """The id of the skill it belongs to; `None` for the project."""
    reported_as: str | None = None
    """The code under which the engine reports it, where it wraps the inner code in another one."""


def in_order(findings: tuple[Finding, ...] | list[Finding]) -> tuple[Finding, ...]:
    """Findings by path, line, column and code, each once."""
    return tuple(
        sorted(dict.fromkeys(findings), key=lambda f: (f.span.path, f.span.line, f.span.column, f.code, f.message))
    )


def did_you_mean(word: str, known: list[str] | tuple[str, ...] | frozenset[str]) -> str | None:
    """A hint naming the closest known spelling, or `None` where nothing is close."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f"did you mean `{close[0]}`?" if close else None
