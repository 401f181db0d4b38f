"""Conversations under tool rules, played event by event; and recorded ones, played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CustomerSaid,
    Event,
    Listened,
    ModelSaid,
    Record,
    Resolved,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.letta.dialect import LETTA, Letta
from inspector_core.letta.loops import Loop
from inspector_core.letta.moves import available, outputs
from inspector_core.letta.project import LettaProject
from inspector_core.letta.reasons import REASONS
from inspector_core.letta.replay import events
from inspector_core.letta.rules import Rule, wire
from inspector_core.letta.state import State
from inspector_core.recording.opening import open_recording
from inspector_core.script.reading import read as read_script
from inspector_core.script.running import run
from inspector_core.session import Session, begin
from inspector_core.source import Source
from tests.core.ruled import FIXTURES, TOOLS, of_file, of_text, rule_sets

SCRIPTS = sorted(FIXTURES.glob("*/scripts/*.yml"))


def project(*rules: object, tools: tuple[str, ...] = TOOLS) -> LettaProject:
    return of_text("rules.json", json.dumps({"tools": tools, "tool_rules": rules}))


def call(tool: str, returns: object = None, **arguments: object) -> Called:
    return Called((Call(tool, arguments, Stub(returns)),))


def played(of: LettaProject, *given: Event, dialect: Letta = LETTA) -> Session[LettaProject, State]:
    session = begin(dialect, of, {})
    for event in given:
        session = session.apply(event)
    return session


def told(session: Session[LettaProject, State]) -> list[tuple[object, object]]:
    """Of the last event's records: the reason or the tool, and whether it ran."""
    return [(r.fields.get("reason") or r.fields.get("tool_name"), r.ran) for r in session.now.records]


@pytest.mark.parametrize("suffix", ["af", "yml", "py", "ts"])
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: f"{p.parts[-3]}-{p.stem}")
def test_a_pattern_plays_to_its_end_from_any_of_its_sources(path: Path, suffix: str) -> None:
    name = path.parts[-3]
    script = read_script(Source(path.name, path.read_text("utf-8")))
    assert not script.findings
    done = run(LETTA, of_file(FIXTURES / name / f"{name}.{suffix}"), script.script)
    assert done.passed, done.failures


# -- turns -------------------------------------------------------------------------------------------------------------

EXIT = {"type": "exit_loop", "tool_name": "b"}
MOST = {"type": "max_count_per_step", "tool_name": "a", "max_count_limit": 1}
ASKS = {"type": "requires_approval", "tool_name": "b"}
AFTER = {"type": "parent_last_tool", "tool_name": "a", "children": ["b"]}


def test_a_terminal_tool_ends_the_turn_and_the_next_message_begins_one_anew() -> None:
    session = played(project(EXIT, MOST), CustomerSaid("hi"), call("a"), call("b"))
    assert (session.now.state.turn.open, session.now.state.turn.stop) == (False, "tool_rule")
    assert told(session.apply(call("c"))) == [("turn-over", False)]
    again = session.apply(CustomerSaid("more"))
    assert again.now.state.history == ()
    assert "a" in [v.tool for v in again.now.report.verdicts if v.offered]


def test_a_required_tool_keeps_the_turn_open() -> None:
    required = {"type": "required_before_exit", "tool_name": "c"}
    session = played(project(EXIT, required), CustomerSaid("hi"), call("b"), ModelSaid("done"))
    assert session.now.state.turn.open
    assert told(session)[-1] == ("required-before-exit", False)
    assert not session.apply(call("c")).apply(ModelSaid("done")).now.state.turn.open


def test_a_refused_call_is_not_counted_and_says_what_the_model_reads() -> None:
    session = played(project(AFTER), CustomerSaid("hi"), call("b"))
    [record] = session.now.records
    assert not record.ran
    assert session.now.state.history == ()
    assert str(record.fields["error_message"]).startswith(
        "[ToolConstraintError] b can't be called now. Callable: a, c."
    )


def test_arguments_that_a_rule_gives_win_over_the_models() -> None:
    nodes = [{"name": "b", "args": {"x": 1}}]
    rule = {"type": "constrain_child_tools", "tool_name": "a", "children": ["b"], "child_arg_nodes": nodes}
    session = played(project(rule), call("a"), call("b", x=5, y=2))
    [record] = session.now.records
    assert record.fields["arguments"] == {"x": 1, "y": 2}


def test_with_rules_only_the_first_of_several_calls_counts() -> None:
    session = played(project(MOST), Called((Call("a"), Call("c"))))
    assert session.now.state.history == ("a",)
    assert told(session)[0] == ("one-at-a-time", False)
    assert played(project(ASKS), Called((Call("a"), Call("c")))).now.state.history == ("a", "c")


def test_a_turn_has_at_most_fifty_steps() -> None:
    session = played(project(), CustomerSaid("hi"), *[call("a")] * 50)
    assert (session.now.state.turn.open, session.now.state.turn.stop) == (False, "max_steps")


# -- approvals ---------------------------------------------------------------------------------------------------------


def test_a_call_that_needs_approval_waits_for_it() -> None:
    session = played(project(ASKS), CustomerSaid("hi"), call("b", "paid"))
    assert session.now.state.active_pending is not None
    assert told(session.apply(CustomerSaid("and?"))) == [("approval-pending", False)]
    assert told(session.apply(Resolved(True, tool="a"))) == [("no-approval", False)]
    done = session.apply(Resolved(True, tool="b"))
    assert done.now.records[0].ran
    assert json.loads(str(done.now.records[0].fields["result"]))["message"] == "paid"
    denied = session.apply(Resolved(False))
    assert denied.now.state.history == ()
    assert not any(r.ran for r in denied.now.records)


def test_the_rules_come_first_but_a_loop_asks_all_the_same_and_its_card_says_what_is_broken() -> None:
    assert played(project(ASKS, AFTER), call("b")).now.state.pending is None
    session = played(project(ASKS, AFTER), call("b"), dialect=Letta(Loop.V3))
    pending = session.now.state.pending
    assert pending is not None
    assert pending.broken == ("parent_last_tool a → b: `a` was not called last",)
    yes, no = available(session.project, session.now.state)
    assert (yes.accepted, no.accepted) == (False, True)
    assert yes.detail.startswith("breaks parent_last_tool a → b")
    done = session.apply(Resolved(True))
    assert [(r.fields.get("reason"), r.ran) for r in done.now.records] == [
        ("approval-hides-violation", False), (None, True),
    ]  # fmt: skip


def test_an_answer_begins_a_new_request_where_the_server_is_followed() -> None:
    of = project(ASKS, MOST)
    assert played(of, call("a"), call("b"), Resolved(True)).now.state.history == ("a", "b")
    forgets = played(of, call("a"), call("b"), Resolved(True), dialect=Letta(forgets=True))
    assert forgets.now.state.history == ("b",)
    assert "a" in [v.tool for v in forgets.now.report.verdicts if v.offered]


# -- what can be done next ---------------------------------------------------------------------------------------------


def test_the_moves_are_the_calls_that_keep_the_rules_and_then_those_that_do_not() -> None:
    of = project(AFTER, {"type": "conditional", "tool_name": "a", "child_output_mapping": {"yes": "b"}})
    moves = {m.name: m for m in available(of, played(of, CustomerSaid("hi")).now.state) if m.kind == "call"}
    assert [(name, m.accepted) for name, m in moves.items()] == [("a", True), ("c", True), ("b", False)]
    assert moves["b"].detail == "parent_last_tool a → b"
    assert outputs(of, "a") == ("yes",)


def test_every_reason_is_explained() -> None:
    seen = set()
    for dialect in (LETTA, Letta(Loop.V3), Letta(Loop.V2)):
        for rules in ([AFTER], [MOST, EXIT], [{"type": "run_first", "tool_name": "z"}], [ASKS],
                      [{"type": "constrain_child_tools", "tool_name": "a", "children": []}]):  # fmt: skip
            for moment in played(project(*rules), CustomerSaid("hi"), call("a"), dialect=dialect).moments:
                seen |= {v.reason for v in moment.report.verdicts}
    assert seen <= REASONS.keys()
    assert len(seen) > 6


EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(CustomerSaid, st.just("hi")),
    st.builds(ModelSaid, st.just("yes")),
    st.builds(
        lambda tool, out: call(tool, out), st.sampled_from([*TOOLS, "z"]), st.sampled_from(["yes", "no", None, 1])
    ),
    st.builds(Resolved, st.booleans()),
    st.builds(Stubbed, st.sampled_from(TOOLS), st.just(Stub(raises="no"))),
    st.sampled_from([Listened(), SessionBegan(), Activated("a"), AuthorSet("a", 1), Cancelled()]),
)
WAYS = st.builds(Letta, st.sampled_from(Loop), st.booleans())


@given(rule_sets, st.lists(EVENTS, max_size=8), WAYS)
def test_every_event_is_legal_and_what_runs_was_offered_or_approved(
    drawn: list[Rule], given: list[Event], dialect: Letta
) -> None:
    session = begin(dialect, project(*map(wire, drawn)), {})
    for event in given:
        before, session = session, session.apply(event)
        for record in session.now.records:
            assert isinstance(record, Record)
            if record.ran and isinstance(event, Called):
                verdict = before.now.report.find(str(record.fields["tool_name"]))
                assert verdict is not None
                assert verdict.offered or len(event.calls) > 1
        assert [v.proof is not None and isinstance(v.why, str) for v in session.now.report.verdicts].count(False) == 0


# -- recordings --------------------------------------------------------------------------------------------------------


def message(role: str, text: str = "", tool: str = "", at: int = 0) -> dict[str, object]:
    calls = [{"id": f"c{at}", "type": "function", "function": {"name": tool, "arguments": "{}"}}] if tool else None
    return {"role": role, "content": [{"type": "text", "text": text}], "tool_calls": calls, "tool_call_id": f"c{at}",
            "created_at": "2026-01-05T09:00:00"}  # fmt: skip


def named(event: Event) -> str:
    match event:
        case CustomerSaid(text):
            return text
        case Called(calls):
            return calls[0].tool
        case _:
            return repr(event)


def test_the_conversation_in_an_agent_file_plays_again_under_its_rules() -> None:
    file = json.loads((FIXTURES / "branching" / "branching.af").read_text("utf-8"))
    packed = '{"status": "OK", "message": "%s", "time": "now"}'
    file["messages"] = [
        message("system", "You are."),
        message("assistant", "Bootup.", "refund", 1), message("tool", packed % "None", at=1),
        message("user", '{"type": "user_message", "message": "charged twice"}'),
        message("assistant", "thinking", "classify_ticket", 2), message("tool", packed % "billing", at=2),
        message("user", '{"type": "heartbeat", "reason": "x"}'),
        message("assistant", "thinking", "open_incident", 3),
        message("tool", packed % "[ToolConstraintError] not now", at=3),
        message("assistant", "thinking", "refund", 4), message("tool", packed % "None", at=4),
    ]  # fmt: skip
    text = json.dumps(file)
    of = of_text("agent.af", text)
    [recorded] = open_recording(text.encode(), "agent.af").sessions
    found = events(of, [r.event for r in recorded.events])
    assert [named(event) for _, event in found] == ["charged twice", "classify_ticket", "refund"]
    session = played(of, *(event for _, event in found))
    assert session.now.state.turn.stop == "tool_rule"
    assert [r.fields.get("tool_name") for m in session.moments for r in m.records if r.ran] == [
        "classify_ticket", "refund",
    ]  # fmt: skip
