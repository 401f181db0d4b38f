"""The catalogue knows every code that can be found, and the checks keep to their promise whatever they get."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector_core
from inspector_core.finding import Severity, in_order
from inspector_core.mantle.checks import check
from inspector_core.mantle.checks.catalogue import CATALOGUE
from inspector_core.mantle.reading.folder import read
from inspector_core.source import FolderText
from tests.core.agents import block, project, prose, tools

CORE = Path(inspector_core.__file__).parent
CODE = re.compile(r"(?:skill|mantle|responses|config|validation|inspector)(?:\.[a-z0-9]+(?:[_-][a-z0-9]+)*)+")
ROOT = Path(__file__).parents[2]


def texts() -> Iterator[set[str]]:
    """The texts that each file of the rules holds, the catalogue's own left out."""
    for path in sorted(CORE.rglob("*.py")):
        if "catalogue" not in path.parts:
            tree = ast.parse(path.read_text("utf-8"))
            yield {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def says(held: set[str], code: str) -> bool:
    """Whether a file holds a code, whole or in two parts."""
    home, _, last = code.rpartition(".")
    return code in held or (f"{home}." in held and last in held)


def test_every_code_that_is_written_somewhere_is_in_the_catalogue() -> None:
    written = {text for held in texts() for text in held if CODE.fullmatch(text) and text.count(".") >= 2}
    assert written - CATALOGUE.keys() == set()


def test_every_code_that_a_broken_folder_gives_is_in_the_catalogue() -> None:
    for root in sorted((ROOT / "fixtures" / "broken").iterdir()):
        paths = [p for p in root.rglob("*") if p.is_file() and p.name != "expected.json"]
        files = {p.relative_to(root).as_posix(): p.read_text("utf-8") for p in paths}
        for finding in check(read(FolderText(root.name, files, frozenset()))):
            assert finding.code in CATALOGUE
            assert finding.severity is CATALOGUE[finding.code].severity, finding.code


def test_of_our_own_codes_the_catalogue_has_none_that_nobody_says() -> None:
    held = list(texts())
    ours = [code for code in CATALOGUE if code.startswith("inspector.")]
    assert [code for code in ours if not any(says(h, code) for h in held)] == []


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_an_entry_reads_well(code: str) -> None:
    entry = CATALOGUE[code]
    for text in filter(None, (entry.explanation, entry.hint)):
        assert text[0] == text[0].lower()
        assert not text.endswith(".") or text.endswith("..."), text
        assert text.count("`") % 2 == 0


def test_ours_are_no_errors_but_for_what_can_not_be_read() -> None:
    ours = {c for c, e in CATALOGUE.items() if c.startswith("inspector.") and e.severity is Severity.ERROR}
    assert ours <= CAN_NOT_BE_READ


CAN_NOT_BE_READ = {
    "inspector.yaml.syntax", "inspector.yaml.key", "inspector.yaml.tag", "inspector.folder.unreadable",
    "inspector.folder.endpoints", "inspector.integrations.invalid", "inspector.tools.legacy-import",
    "inspector.mapping.wrong",
}  # fmt: skip


PIECES = st.lists(
    st.sampled_from([
        "@skill.pay", "@tool.submit", "@memory.pay.amount", "@block.main", "session.pay.amount", "session.x",
        "`submit`", "if: session.pay.paid\n", "if: not (\n", "\n\n", "ask to confirm.", "{name}", "ship",
        ":::ordered_block id=main\n", "steps:\n- id: go\n  call: pay\n", "- id: END\n", ":::\n", "next: [",
        "  execute_tool: submit\n", "é", "\u202e",
    ]),
    max_size=12,
).map(" ".join)  # fmt: skip


@given(PIECES, PIECES, PIECES)
def test_whatever_the_files_say_the_findings_are_in_order_and_each_once(body: str, front: str, words: str) -> None:
    files = {
        "skills/pay/skill.md": prose(body, f"tool_constraints:\n- submit:\n    requires: {words}"),
        "skills/pay/responses.yml": f"responses:\n  utter_done:\n  - text: {words!r}\n",
        "skills/pay/tools.py": tools("submit"),
        "skills/ship/skill.md": prose(front + block("- id: END", "other")),
    }
    agent = project(files)
    findings = check(agent)
    assert findings == in_order(findings)
    for finding in findings:
        assert finding.code in CATALOGUE
        source = agent.sources.get(finding.span.path)
        assert source is None or 1 <= finding.span.line <= len(source.starts)
