"""The scripts of the fixtures: each passes, each can be saved and played again, and each trace has both wire forms."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.mantle.wire.envelope import from_entry, to_envelope
from inspector_core.mantle.wire.flat import to_flat
from inspector_core.mantle.wire.stamp import Stamps, stamped
from inspector_core.script.reading import read
from inspector_core.script.running import Run, run
from inspector_core.script.values import Script
from inspector_core.script.writing import write
from inspector_core.source import Source
from tests.core.test_broken import folder_text

FIXTURES = Path(__file__).parents[2] / "fixtures"
SCRIPTS = sorted(p for agent in ("bank", "traces") for p in (FIXTURES / agent / "scripts").glob("*.yml"))
TRACES = [p for p in SCRIPTS if p.parent.parent.name == "traces"]


@cache
def agent(name: str) -> Project:
    return MANTLE.read(folder_text(FIXTURES / name))


def script(path: Path) -> Script:
    text = read(Source(path.name, path.read_text("utf-8")))
    assert text.findings == ()
    return text.script


def played(path: Path) -> Run[Project, State]:
    return run(MANTLE, agent(path.parent.parent.name), script(path))


def named(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_a_script_passes_and_expects_something(path: Path) -> None:
    found = played(path)
    assert found.failures == ()
    assert found.heard > 0


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_a_played_script_saved_as_a_script_plays_again(path: Path) -> None:
    session = played(path).session
    again = run(MANTLE, session.project, read(Source("again.yml", write(session))).script)
    assert again.failures == ()
    assert again.session.events == session.events


def test_every_skill_and_every_ordered_block_of_the_bank_is_played() -> None:
    bank = agent("bank")
    records = [
        r for p in SCRIPTS if p not in TRACES for moment in played(p).session.moments for r in moment.records
    ]  # fmt: skip
    entered = {(r.fields["skill_id"], r.fields["block_id"]) for r in records if r.event == "ordered_block_entered"}
    activated = {r.fields["skill_id"] for r in records if r.event == "skill_activated"}
    assert {s.id for s in bank.own_skills if not s.disabled} <= activated
    assert {(s.id, b.id) for s in bank.own_skills for b in s.blocks} <= entered


@pytest.mark.parametrize("path", TRACES, ids=named)
def test_a_trace_is_the_same_after_either_wire_form(path: Path) -> None:
    records = [r for moment in played(path).session.moments for r in moment.records]
    events, _ = stamped([r for r in records if not r.event.startswith("inspector_")], Stamps("c", "s", 1.0))
    assert events
    for event in events:
        for form in (to_flat(event), to_envelope(event)):
            back = from_entry(form)
            assert (back.name, back.timestamp, dict(back.metadata)) == (
                event.name,
                event.timestamp,
                dict(event.metadata),
            )
            assert dict(back.fields) == dict(event.fields)
