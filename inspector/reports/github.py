"""Findings as annotations of a pull request: the one output that gives orders to a build server, and only its own."""

from __future__ import annotations

from collections.abc import Mapping

from inspector.reports.findings import Findings
from inspector.visible import harmless
from inspector_core.finding import Finding, Severity

__all__ = ["github"]

_ORDERS: Mapping[Severity, str] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(found: Findings) -> str:
    """One workflow command a finding."""
    return "".join(f"{_annotation(found, f)}\n" for f in found.findings)


def _annotation(found: Findings, finding: Finding) -> str:
    span = finding.span
    places = {
        "file": found.path(finding),
        "line": str(span.line),
        "endLine": str(span.end_line),
        "col": str(span.column),
        "endColumn": str(span.end_column),
        "title": finding.code,
    }
    if span.end_line != span.line:
        del places["col"], places["endColumn"]  # the server refuses columns over several lines
    told = finding.message if finding.hint is None else f"{finding.message} ({finding.hint})"
    properties = ",".join(f"{k}={_property(v)}" for k, v in places.items())
    return f"::{_ORDERS[finding.severity]} {properties}::{_data(told)}"


def _data(text: str) -> str:
    return harmless(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
