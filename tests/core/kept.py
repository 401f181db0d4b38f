"""The recordings in `fixtures/recordings/bank`: scripts of the bank's agent as they were played, in our own format.

`python -m tests.core.kept` writes them; a test compares them.
"""

from __future__ import annotations

from pathlib import Path

from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.wire.own import Header, header_line, lines
from inspector_core.mantle.wire.stamp import Stamps
from inspector_core.script.reading import read as read_script
from inspector_core.script.running import run
from inspector_core.script.values import Script
from inspector_core.source import Source
from tests.core.test_broken import FIXTURES, folder_text

__all__ = ["BANK", "RECORDINGS", "recorded_text"]

BANK = FIXTURES / "bank"
RECORDINGS = FIXTURES / "recordings" / "bank"
SCRIPTS = ("card_replaced", "card_kept", "card_locked", "dispute_filed")
BEGAN = 1_790_000_000.0
"""Seconds since 1970; each of them begins then."""


def script(name: str) -> Script:
    path = BANK / "scripts" / f"{name}.yml"
    return read_script(Source(path.name, path.read_text("utf-8"))).script


def recorded_text(project: Project, name: str) -> str:
    """A script's session as a file of ours."""
    played = run(MANTLE, project, script(name)).session
    header = Header("0.1.0", "mantle 3.21", "larkfield-bank", dict(played.seed))
    text, stamps = header_line(header, Stamps(name, f"{name}-1", BEGAN))
    for moment in played.moments[1:]:
        if moment.event is not None:
            more, stamps = lines(moment.event, moment.records, stamps)
            text += more
    return text


def main() -> None:
    project = read(folder_text(BANK))
    RECORDINGS.mkdir(parents=True, exist_ok=True)
    for name in SCRIPTS:
        Path(RECORDINGS / f"{name}.jsonl").write_text(recorded_text(project, name), "utf-8")


if __name__ == "__main__":
    main()
