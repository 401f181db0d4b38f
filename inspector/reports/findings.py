"""Findings for people: `path:line:col: severity message  [code]`, the hint below, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from posixpath import join

from inspector.pieces import Line, Tone
from inspector.reports.text import say
from inspector_core.classes import dataclass
from inspector_core.finding import Finding, Severity
from inspector_core.source import Source

__all__ = ["Findings", "code_lines", "finding_lines", "summary"]

_TONES: Mapping[Severity, Tone] = {Severity.ERROR: "error", Severity.WARNING: "ask", Severity.INFO: "accent"}


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check found, and where its paths are to be seen from."""

    findings: tuple[Finding, ...]
    root: str = ""
    """The agent's folder as the user named it: put before every path, so that it leads there from where they are."""
    sources: Mapping[str, Source] | None = None

    def path(self, finding: Finding) -> str:
        """A finding's path as seen from where the command was called; never one that looks like an option."""
        path = join(self.root, finding.span.path) if self.root not in ("", ".") else finding.span.path
        return f"./{path}" if path.startswith((":", "-", "#")) else path

    def line(self, finding: Finding) -> str:
        """The text of the line that a finding is about; empty where it is not known."""
        source = (self.sources or {}).get(finding.span.path)
        return source.line(finding.span.line) if source else ""


def finding_lines(found: Findings) -> Iterator[Line]:
    """Every finding in order, then the summary."""
    for finding in found.findings:
        yield _finding(found, finding)
        if finding.hint:
            yield say("    ", (f"hint: {finding.hint}", "dim"))
    yield summary(found.findings)


def code_lines(code: str, severity: Severity, explanation: str, hint: str | None) -> Iterator[Line]:
    """What is known of a code."""
    yield say((code, "head"), " ", (severity.value, _TONES[severity]))
    yield say("  ", explanation)
    if hint:
        yield say("  ", (f"hint: {hint}", "dim"))


def summary(findings: Iterable[Finding]) -> Line:
    """How many findings there are of each severity."""
    counts = Counter(f.severity for f in findings)
    if not counts:
        return say(("no problems", "good"))
    told = [f"{n} {s.value}{'s' if n > 1 and s is not Severity.INFO else ''}" for s in Severity if (n := counts[s])]
    return say((", ".join(told), _TONES[next(s for s in Severity if counts[s])]))


def _finding(found: Findings, finding: Finding) -> Line:
    span, severity = finding.span, finding.severity
    return say(
        (f"{found.path(finding)}:{span.line}:{span.column}:", "head"),
        " ",
        (severity.value, _TONES[severity]),
        f" {finding.message}  ",
        (f"[{finding.code}]", "dim"),
    )
