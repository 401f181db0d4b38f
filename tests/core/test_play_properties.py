"""What holds of every conversation over any agent, its ordered blocks and the engine's own skills included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Event,
    FieldsSet,
    Listened,
    Record,
    Resolved,
    Searched,
    Stub,
)
from inspector_core.mantle import scope
from inspector_core.mantle.engine.handoff import MOST as MOST_HANDOFFS
from inspector_core.mantle.engine.phase import MOST as MOST_STEPS
from inspector_core.mantle.engine.state import EMPTY, State
from inspector_core.mantle.engine.turn import MOST as MOST_REPLIES
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.gates import report
from inspector_core.mantle.moves import available
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.targets import startable
from inspector_core.source import FolderText
from tests.core.drawn import drawn_agent, drawn_event
from tests.generate import agent_files

SEEDS = st.integers(0, 2**32)
READ = read(FolderText("agent", agent_files(3), frozenset()))
"""Three skills of a size as real ones have."""
Moment = tuple[Project, State, Event, tuple[Record, ...]]


def played(seed: int, length: int = 40, given: Project | None = None) -> Iterator[Moment]:
    """A conversation of this length: for each event the state after it."""
    chance = Random(seed)
    agent, state = given or drawn_agent(chance), EMPTY
    for _ in range(length):
        event = drawn_event(chance, agent, state)
        state, records = step(agent, state, event)
        yield agent, state, event, records


def well_formed(state: State) -> None:
    """What holds of every state."""
    assert None not in state.memory.values()
    assert state.writes.keys() == state.memory.keys()
    frames = [f.frame_id for f in state.stack]
    assert len(set(frames)) == len(frames)
    own = [f.skill_id for f in state.stack if f.block_id is None]
    assert len(set(own)) == len(own)
    assert {f.skill_id for f in state.stack} == set(own)
    assert state.top is None or state.top.frame_type not in ("pending", "inline_reference")
    assert state.pending is None or state.pending.frame_id in frames
    assert {a.frame_id for a in state.asked} <= set(frames)
    assert {mark[0] for mark in state.triggers} <= set(frames)
    assert state.turn.replies <= MOST_REPLIES
    assert state.turn.handoffs <= MOST_HANDOFFS


@given(SEEDS)
def test_every_event_is_legal_in_every_state_of_every_agent(seed: int) -> None:
    for agent, state, event, records in played(seed):
        well_formed(state)
        assert sum(r.event == "stack" for r in records) <= 6 * MOST_STEPS, event
        available(agent, state)


@given(SEEDS)
def test_every_event_is_legal_over_files_as_they_are_read(seed: int) -> None:
    for agent, state, _, _ in played(seed, given=READ):
        well_formed(state)
        available(agent, state)


@given(SEEDS)
def test_the_same_events_lead_to_the_same_records(seed: int) -> None:
    agent = drawn_agent(Random(seed))
    state: State = EMPTY
    for _, _, event, records in played(seed):
        state, again = step(agent, state, event)
        assert repr(again) == repr(records)


@given(SEEDS)
def test_a_report_made_from_the_one_before_is_the_report_made_afresh(seed: int) -> None:
    latest = None
    for agent, state, _, _ in played(seed, 25):
        latest, afresh = report(agent, state, latest), report(agent, state)
        assert list(map(repr, latest.verdicts)) == list(map(repr, afresh.verdicts))


@given(SEEDS)
def test_what_is_admissible_is_what_a_call_gets_past(seed: int) -> None:
    for agent, state, _, _ in played(seed, 25):
        if not state.turn.open or state.over or state.turn.replies >= MOST_REPLIES:
            continue
        for verdict in report(agent, state).of(state.skill):
            if verdict.kind in ("built-in", "engine-only"):
                continue
            arguments = {"n": 1} if verdict.tool == "ask" else {}
            _, records = step(agent, state, Called((Call(verdict.tool, arguments, Stub({"ok": 1})),)))
            record = next(r for r in records if r.event == "tool_executed" and "tool_call_id" in r.metadata)
            assert record.fields["is_error"] is not verdict.admissible, verdict


def made_by(tool: str, agent: Project, state: State) -> Event | None:
    """A call of one of the engine's own tools that has nothing wrong with it but, maybe, its moment."""
    match tool:
        case "activate":
            targets = startable(agent, state)
            return Activated(targets[0]) if targets else None
        case "set_fields":
            skill = agent.skill_by_id.get(state.skill or "")
            fields = scope.settable_fields(agent, skill, state.memory, state.top) if skill is not None else ()
            return FieldsSet({fields[0].entry: 1}) if fields else None
        case "correct":
            return None
        case _:
            return PLAIN[tool]


PLAIN: Mapping[str, Event] = {
    "search_knowledge": Searched("q"), "cannot_help": CannotHelp(True), "resolve_tool_confirmation": Resolved(False),
    "listen": Listened(), "complete": Completed(), "cancel": Cancelled(),
}  # fmt: skip


@given(SEEDS)
def test_what_is_admissible_of_the_engines_own_tools_is_too(seed: int) -> None:
    for agent, state, _, _ in played(seed, 25):
        if not state.turn.open or state.over or state.turn.replies >= MOST_REPLIES:
            continue
        for verdict in report(agent, state).of(state.skill):
            event = made_by(verdict.tool, agent, state) if verdict.kind == "built-in" else None
            if event is None:
                continue
            _, records = step(agent, state, event)
            record = next((r for r in records if r.fields.get("tool_name") == verdict.tool), None)
            if record is None:  # the answer led the block to a branch that can't be evaluated
                assert [r.fields.get("reason") for r in records][-1] == "turn-failed"
                continue
            assert record.fields["is_error"] is not verdict.admissible, verdict


def test_these_conversations_get_everywhere() -> None:
    reached: Counter[str] = Counter()
    for seed in range(300):
        seen: set[str] = set()
        for _, state, _, records in played(seed):
            seen |= {r.event for r in records} | {str(r.fields.get("reason")) for r in records}
            seen |= {f.frame_type for f in state.stack}
            seen |= {"step paused"} if state.pending is not None and state.pending.step_id else set()
            seen |= {"put off"} if state.pending is not None and state.pending.deferred else set()
        reached.update(seen)
    wanted = {
        "ordered_block_entered", "ordered_block_completed", "ordered_block_cancelled", "ordered_block_interrupted",
        "ordered_block_resumed", "skill_resumed", "skill_interrupted", "unsupported_request_classified", "action",
        "turn-failed", "step-waits-gate", "step-waits-arguments", "step-tool-missing", "step-target-unknown",
        "step-target-running", "step-unknown", "step-limit", "next-refused", "call", "interrupt", "pending",
        "inline_reference", "step paused", "put off", "default-continue-interrupted", "default-decline",
    }  # fmt: skip
    assert {what for what in wanted if reached[what] < 2} == set(), reached
