"""Two agents that come with the engine's own package, played from hello to the end by scripts of ours.

`INSPECTOR_REAL_AGENTS` names the folder that the package was unpacked into; nothing of it is kept here.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from inspector.folder import read_folder
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.script.reading import read
from inspector_core.script.running import Run, run
from inspector_core.source import Source

HERE = Path(__file__).parent
UNPACKED = os.environ.get("INSPECTOR_REAL_AGENTS", "")
AGENTS = {
    "template": "rasa/cli/project_templates/mantle",
    "nextgen": "rasa/core/channels/inspector-nextgen/e2e/agents/mantle",
}
OUT_OF_REACH = {("report_fraudulent_transaction", "main"), ("travel_notice", "submit")}
"""Blocks that nothing can enter: the prose of their skills doesn't name them with `@block` (§5.7)."""

pytestmark = pytest.mark.skipif(
    not UNPACKED, reason="INSPECTOR_REAL_AGENTS doesn't name a folder with the engine's package unpacked in it"
)


def scripts(agent: str) -> list[Path]:
    return sorted((HERE / agent).glob("*.yml"))


@cache
def played(path: Path) -> Run[Project, State]:
    text = read(Source(path.name, path.read_text("utf-8")))
    assert text.findings == ()
    project = MANTLE.read(read_folder(Path(UNPACKED) / AGENTS[path.parent.name]))
    return run(MANTLE, project, text.script)


@pytest.mark.parametrize(
    "path", [p for agent in AGENTS for p in scripts(agent)], ids=lambda p: f"{p.parent.name}/{p.stem}"
)
def test_a_real_agent_plays_as_its_script_says(path: Path) -> None:
    assert played(path).failures == ()


@pytest.mark.parametrize("agent", AGENTS)
def test_every_skill_is_started_and_every_block_entered_that_can_be(agent: str) -> None:
    runs = [played(path) for path in scripts(agent)]
    records = [r for one in runs for moment in one.session.moments for r in moment.records]
    started = {r.fields["skill_id"] for r in records if r.event == "skill_activated"}
    entered = {(r.fields["skill_id"], r.fields["block_id"]) for r in records if r.event == "ordered_block_entered"}
    own = runs[0].session.project.own_skills
    assert {skill.id for skill in own} <= started
    assert {(skill.id, block.id) for skill in own for block in skill.blocks} - entered <= OUT_OF_REACH
