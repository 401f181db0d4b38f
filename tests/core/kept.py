"""The recordings in `fixtures/recordings/bank`: scripts of the bank's agent as they were played, in our own format.

`python -m tests.core.kept` writes them; a test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.wire.own import Header, header_line, lines
from inspector_core.mantle.wire.stamp import Stamps
from inspector_core.script.reading import read as read_script
from inspector_core.script.running import run
from inspector_core.script.values import Script
from inspector_core.source import FolderText, Source
from tests.core.test_broken import FIXTURES, folder_text

__all__ = ["BANK", "OLDER", "RECORDINGS", "SCRIPTS", "older_text", "recorded_text"]

BANK = FIXTURES / "bank"
RECORDINGS = FIXTURES / "recordings" / "bank"
SCRIPTS = ("card_replaced", "card_kept", "card_locked", "dispute_filed")
OLDER = FIXTURES.parent / "docs" / "examples" / "older.jsonl"
_SKILL = "skills/card_replacement"
_OLDER = {
    f"{_SKILL}/skill.md": [
        ("\n      and (session.card_replacement.reason == 'stolen' or session.card_replacement.reason == 'lost')", ""),
    ],
    f"{_SKILL}/responses.yml": [("Shall I replace the {session", "Do you want me to replace the {session")],
    f"{_SKILL}/memory.yml": [("    fee_cents:\n", "    branch:\n      type: text\n    fee_cents:\n")],
}  # fmt: skip
_TALKED = [
    ("- set: {reason: lost}\n", "- set: {reason: damaged}\n"),
    ("  writes: {eligible: true, fee_cents: 1500}\n", "  writes: {eligible: true, fee_cents: 1500, branch: quay}\n"),
    ("- call: check_eligibility\n", "- call: lock_card\n  returns: {locked: true}\n- call: check_eligibility\n"),
]
BEGAN = 1_790_000_000.0
"""Seconds since 1970; each of them begins then."""


def script(name: str, *edits: tuple[str, str]) -> Script:
    path = BANK / "scripts" / f"{name}.yml"
    return read_script(Source(path.name, _edited(path.read_text("utf-8"), edits))).script


def recorded_text(project: Project, name: str) -> str:
    """A script's session as a file of ours."""
    return _recorded(project, script(name), name)


def older_text() -> str:
    """A session of the bank's agent as it may have been before: the docs show what has changed since."""
    text = folder_text(BANK)
    files = {path: _edited(content, _OLDER.get(path, ())) for path, content in text.files.items()}
    return _recorded(read(FolderText("bank", files, text.directories)), script("card_replaced", *_TALKED), "older")


def _recorded(project: Project, told: Script, name: str) -> str:
    played = run(MANTLE, project, told, go_on=True).session
    header = Header("0.1.0", "mantle 3.21", "larkfield-bank", dict(played.seed))
    text, stamps = header_line(header, Stamps(name, f"{name}-1", BEGAN))
    for moment in played.moments[1:]:
        if moment.event is not None:
            more, stamps = lines(moment.event, moment.records, stamps)
            text += more
    return text


def _edited(text: str, edits: Sequence[tuple[str, str]]) -> str:
    for now, then in edits:
        assert text.count(now) == 1, now
        text = text.replace(now, then)
    return text


def main() -> None:
    project = read(folder_text(BANK))
    RECORDINGS.mkdir(parents=True, exist_ok=True)
    for name in SCRIPTS:
        (RECORDINGS / f"{name}.jsonl").write_text(recorded_text(project, name), "utf-8")
    OLDER.write_text(older_text(), "utf-8")


if __name__ == "__main__":
    main()
