"""Each folder in `fixtures/broken` has one mistake, and gives exactly the findings that stand beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from inspector_core.finding import Finding
from inspector_core.mantle.checks import check
from inspector_core.mantle.reading.folder import read
from inspector_core.source import FolderText

FIXTURES = Path(__file__).parents[2] / "fixtures"
BROKEN = sorted(f for f in (FIXTURES / "broken").iterdir() if f.is_dir())
LEAST = 200
"""Kinds of breakage that have their folder."""


def folder_text(root: Path) -> FolderText:
    paths = [p for p in sorted(root.rglob("*")) if p.name != "expected.json" and "__pycache__" not in p.parts]
    files = {p.relative_to(root).as_posix(): p.read_text(encoding="utf-8") for p in paths if p.is_file()}
    return FolderText(root.name, files, frozenset(p.relative_to(root).as_posix() for p in paths if p.is_dir()))


def found(root: Path) -> tuple[Finding, ...]:
    return check(read(folder_text(root)))


def as_expected(finding: Finding, keys: Mapping[str, object]) -> dict[str, object]:
    """A finding in the words of an `expected.json`, as far as that speaks of it."""
    span = finding.span
    every = {
        "code": finding.code,
        "severity": finding.severity.value,
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "skill": finding.skill,
    }
    return {key: every[key] for key in keys}


@pytest.mark.parametrize("root", BROKEN, ids=lambda root: root.name)
def test_a_broken_folder_gives_its_findings_and_no_others(root: Path) -> None:
    expected = json.loads((root / "expected.json").read_text())["findings"]
    findings = found(root)
    keys = expected[0] if expected else {"code": None}
    assert [as_expected(f, keys) for f in findings] == expected


def test_every_finding_says_something_that_can_be_shown() -> None:
    for root in BROKEN:
        for finding in found(root):
            assert finding.message
            assert not finding.message.endswith(".")
            assert finding.message[0] == finding.message[0].lower()


def test_there_are_many_kinds() -> None:
    assert len(BROKEN) >= LEAST


def test_the_bank_is_in_order() -> None:
    assert [str(f.span) + " " + f.code for f in found(FIXTURES / "bank") if f.severity.value != "info"] == []
