"""Checking anew after a change finds what checking from scratch would find, whatever was kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector_core.mantle.checks import check
from inspector_core.mantle.reading.folder import read
from inspector_core.source import FolderText

BANK = Path(__file__).parents[2] / "fixtures" / "bank"
PATHS = sorted(p.relative_to(BANK).as_posix() for p in BANK.rglob("*") if p.suffix in {".md", ".yml", ".py"})
FILES = {path: (BANK / path).read_text("utf-8") for path in PATHS}
EDITS = {
    "without it": lambda text: "",
    "cut in half": lambda text: text[: len(text) // 2],
    "hidden": lambda text: text.replace("description:", "hidden: true\ndescription:", 1),
    "renamed": lambda text: text.replace("card", "crad"),
    "moved down": lambda text: text.replace("---\n\n", "---\n\n\n\n").replace("responses:", "# more\nresponses:"),
}


def folder(files: dict[str, str]) -> FolderText:
    directories = {"/".join(p.split("/")[:n]) for p in files for n in range(1, p.count("/") + 1)}
    return FolderText("bank", files, frozenset(directories))


@pytest.mark.parametrize("path", PATHS)
def test_a_change_is_checked_as_if_all_were_new(path: str) -> None:
    before = read(folder(FILES))
    check(before)
    for edit in EDITS.values():
        files = {**FILES, path: edit(FILES[path])}
        if not files[path]:
            del files[path]
        assert check(read(folder(files), before)) == check(read(folder(files)))


def test_a_skill_that_did_not_change_keeps_its_findings() -> None:
    before = read(folder(FILES))
    first = {id(f) for f in check(before)}
    files = {**FILES, "skills/handoff/skill.md": FILES["skills/handoff/skill.md"] + "\nAnd more.\n"}
    again = check(read(folder(files), before))
    kept = [id(f) in first for f in again if f.skill == "card_replacement"]
    assert kept
    assert all(kept)
