"""Findings as SARIF 2.1.0, with fingerprints that outlive a moved line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from urllib.parse import quote

from inspector.reports.findings import Findings
from inspector.reports.json import dumps
from inspector_core.finding import Finding, Severity

__all__ = ["sarif"]

_LEVELS: Mapping[Severity, str] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif(found: Findings, version: str, explain: Callable[[str], str | None]) -> str:
    """The whole log; `explain` gives the sentence that is known of a code."""
    codes = sorted({f.code for f in found.findings})
    driver = {"name": "skill-inspector", "version": version, "rules": [_rule(code, explain(code)) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": list(_results(found, codes)),
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return dumps(log) + "\n"


def _rule(code: str, explanation: str | None) -> dict[str, object]:
    return {"id": code} if explanation is None else {"id": code, "shortDescription": {"text": explanation}}


def _results(found: Findings, codes: list[str]) -> Iterable[dict[str, object]]:
    seen: Counter[str] = Counter()
    for finding in found.findings:
        base = _fingerprint(found, finding)
        seen[base] += 1
        yield {
            "ruleId": finding.code,
            "ruleIndex": codes.index(finding.code),
            "level": _LEVELS[finding.severity],
            "message": {"text": finding.message if finding.hint is None else f"{finding.message}\n{finding.hint}"},
            "locations": [{"physicalLocation": _place(found, finding)}],
            "partialFingerprints": {"primaryLocationLineHash": f"{base}:{seen[base]}"},
        }


def _place(found: Findings, finding: Finding) -> dict[str, object]:
    span = finding.span
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"artifactLocation": {"uri": quote(found.path(finding), errors="replace")}, "region": region}


def _fingerprint(found: Findings, finding: Finding) -> str:
    """The same for the same fault on the same words of the same file, wherever the line has moved to."""
    parts = (finding.code, finding.span.path, found.line(finding).strip())
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
