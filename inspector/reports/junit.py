"""Findings as a JUnit file: one suite a skill, one case a finding that fails, and one that passes where all is well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from inspector.reports.findings import Findings
from inspector.visible import harmless
from inspector_core.finding import Finding, Severity

__all__ = ["junit"]


def junit(found: Findings, skills: Sequence[str]) -> str:
    """The whole file; `skills` are all that were checked, so that the ones without a finding show as passed."""
    ordered = sorted(found.findings, key=lambda f: f.skill or "")
    by_skill = {skill: tuple(of) for skill, of in groupby(ordered, key=lambda f: f.skill or "")}
    names = sorted({"", *skills, *by_skill})
    suites = "".join(_suite(found, name, by_skill.get(name, ())) for name in names)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="inspector check">\n{suites}</testsuites>\n'


def _suite(found: Findings, skill: str, findings: Sequence[Finding]) -> str:
    failures = sum(f.severity is not Severity.INFO for f in findings)
    cases = "".join(_cases(found, findings)) or '    <testcase name="no problems" classname="inspector"/>\n'
    head = f'<testsuite name={_quoted(skill or "project")} tests="{max(len(findings), 1)}" failures="{failures}">'
    return f"  {head}\n{cases}  </testsuite>\n"


def _cases(found: Findings, findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        place = f"{found.path(finding)}:{finding.span.line}:{finding.span.column}"
        told = _text(f"{place}: {finding.message}", *([finding.hint] if finding.hint else []))
        body = (
            f"<system-out>{told}</system-out>"
            if finding.severity is Severity.INFO
            else f"<failure type={_quoted(finding.code)} message={_quoted(finding.message)}>{told}</failure>"
        )
        name = _quoted(f"{finding.code} {place}")
        yield f'    <testcase name={name} classname="inspector">{body}</testcase>\n'


def _text(*lines: str) -> str:
    return escape("\n".join(harmless(line) for line in lines))


def _quoted(text: str) -> str:
    return quoteattr(harmless(text))
