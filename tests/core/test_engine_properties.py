"""What holds of every conversation, whatever the author plays and whatever the files say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    Completed,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Record,
    Resolved,
    Stub,
)
from inspector_core.mantle.engine.state import EMPTY, Frame, Pending, State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.gates import report
from inspector_core.mantle.moves import available
from inspector_core.report import changes
from tests.core.handmade import (
    BUILT_IN,
    Played,
    asks,
    block,
    done_when,
    field,
    gate,
    imported,
    local,
    needs,
    project,
    rule,
    says,
    shared,
    skill,
    trigger,
)
from tests.core.stepped import with_defaults

SHOP = skill(
    "shop",
    tools=(local("pay", n="integer"), local("gift"), local("look"), local("run_after_setting_n")),
    gates=(
        gate("pay", "session.shop.n > 0", asks("utter_ask", "utter_no"), success="utter_ok", failure="utter_no"),
        gate("gift", "session.project.auth or session.shop.n", asks()),
    ),
    imports=(imported("common"), imported("remote", "bank")),
    fields=(field("shop.n", settable=True), field("shop.done"), field("shop.x", initial=0)),
    triggers=(trigger("utter_ok", "session.shop.done"), trigger("utter_ok")),
    completion=done_when("session.shop.done"),
    blocks=(block("main", gate("look", "session.shop.n", block="main")), block("side")),
    mentions=("steps",), enters=("main", "side"),
)  # fmt: skip
STEPS = skill(
    "steps", prose="", tools=(local("walk"),), gates=(gate("walk", None, asks("utter_blank")),),
    blocks=(block("go"),), fields=(field("steps.n"),),
)  # fmt: skip
SAFE = skill("safe", precondition="known", tools=(local("open"),), gates=(gate("open", None, asks("utter_ask")),))
KNOW = skill("know", hidden=True, tools=(local("check"),), completion=done_when("session.project.auth"))
RISKY = skill("risky", completion=done_when("session.risky.n > 3", "kind"), fields=(field("risky.n", settable=True),))
AGENT = project(
    SHOP, STEPS, SAFE, KNOW, RISKY, skill("off", disabled=True),
    fields=(field("project.auth"),), tools=(shared("common"), shared("lone")), servers=("bank",),
    responses=(says("utter_ask", "Sure {n}?"), says("utter_no", "No."), says("utter_ok", ("Yes", "session.shop.n")),
               says("utter_blank", " ")),
    preconditions=(needs("known", "session.project.auth", "know"),), knowledge=True,
)  # fmt: skip
GUARDED = replace(AGENT, agent=replace(AGENT.agent, constraints=(rule("cancel", confirmation=asks("utter_ask")),)))
CONFIRMED = {"pay", "gift", "walk", "open"}

TARGETS = st.sampled_from(
    ["shop", "steps", "safe", "know", "risky", "off", "shop__main", "shop__side", "steps__go", "?"]
)
TOOLS = st.sampled_from(["pay", "gift", "look", "walk", "open", "check", "common", "remote", "lone", "?", *BUILT_IN])
KEYS = st.sampled_from(["shop.n", "shop.done", "shop.x", "steps.n", "risky.n", "project.auth", "no.where", "system.x"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=True), st.text(max_size=5))
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=2) | st.dictionaries(st.text(max_size=3), v, max_size=2), max_leaves=4
)
NAMES = st.sampled_from(["n", "done", "x", "auth", "shop.n", "project.auth", "?"])
PAYLOADS = st.one_of(
    VALUES, st.just({"error": "no"}), st.just({"ok": True}), st.sampled_from(["{'error': 1}", '{"error": 1}', "{"])
)
STUBS = st.builds(
    Stub, PAYLOADS, st.lists(st.tuples(NAMES, VALUES), max_size=2).map(tuple),
    st.lists(st.text(max_size=3), max_size=1).map(tuple), st.none() | st.text(max_size=3),
)  # fmt: skip
ARGUMENTS = st.one_of(
    st.just({"n": 1}), st.just({"confirmed": True}), st.just({"confirmed": False}), st.just({"target_id": "shop"}),
    st.just({}), st.dictionaries(st.text(max_size=3), VALUES, max_size=2),
)  # fmt: skip
CALLS = st.builds(Call, TOOLS, ARGUMENTS, STUBS)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(CustomerSaid, st.text(max_size=3)), st.builds(CustomerSaid, st.just("yes")),
    st.builds(ModelSaid, st.text(max_size=3)), st.just(Listened()), st.builds(Activated, TARGETS),
    st.builds(FieldsSet, st.dictionaries(NAMES, VALUES, max_size=2)),
    st.lists(CALLS, max_size=4).map(lambda calls: Called(tuple(calls))),
    st.builds(lambda tool, stub: Called((Call(tool, {"n": 1} if tool == "pay" else {}, stub),)), TOOLS, STUBS),
    st.builds(Resolved, st.booleans() | VALUES, STUBS), st.builds(Completed, st.booleans()), st.just(Cancelled()),
    st.builds(AuthorSet, KEYS, VALUES), st.builds(AuthorCleared, KEYS),
)  # fmt: skip


def chain(scenes: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    return tuple(event for scene in scenes for event in scene)


ASKING = st.sampled_from([("shop", "pay"), ("shop", "gift"), ("steps", "walk"), ("safe", "open"), ("shop", "cancel")])
OPEN = (AuthorSet("shop.n", 1), AuthorSet("project.auth", True))
"""Opens every gate of the tools that ask."""
ASKED = ASKING.map(lambda asks: (CustomerSaid("go"), Activated(asks[0]), *OPEN, called(asks[1])))
SAID_YES = STUBS.map(lambda stub: (CustomerSaid("yes"), Resolved(True, stub)))
SAID_NO = STUBS.map(lambda stub: (CustomerSaid("no"), Resolved(False, stub)))
ANY: st.SearchStrategy[tuple[Event, ...]] = EVENTS.map(lambda event: (event,))
STARTED = TARGETS.map(lambda target: (CustomerSaid("hello"), Activated(target)))
LEFT = st.sampled_from([Cancelled(), Activated("risky"), Completed(True)]).map(
    lambda event: (CustomerSaid("wait"), event)
)
SCENES: st.SearchStrategy[tuple[Event, ...]] = st.sampled_from(
    [
        ANY,
        STARTED,
        ASKED,
        st.tuples(ASKED, SAID_YES).map(chain),
        st.tuples(ASKED, SAID_NO).map(chain),
        st.tuples(ASKED, LEFT).map(chain),
        st.tuples(ASKED, LEFT, SAID_YES).map(chain),
        st.tuples(ASKED, ANY, SAID_YES).map(chain),
    ]
).flatmap(lambda scene: scene)  # not `one_of`, which would choose among all kinds of events alike
PLAYS = st.lists(SCENES, min_size=2, max_size=8).map(chain).map(list)
AGENTS = {"plain": AGENT, "guarded": GUARDED, "whole": with_defaults(AGENT)}
NAMED = st.sampled_from(sorted(AGENTS))


def called(tool: str) -> Called:
    return Called((Call(tool, {"n": 1} if tool == "pay" else {}),))


def resolves(event: Event, confirmed: bool) -> bool:
    """Whether an event reports this very answer."""
    if isinstance(event, Resolved):
        return event.confirmed is confirmed
    if isinstance(event, Called):
        said = (c.arguments.get("confirmed") for c in event.calls if c.tool == "resolve_tool_confirmation")
        return any(answer is confirmed for answer in said)
    return False


def runs(records: tuple[Record, ...]) -> list[Record]:
    """The records of confirmed tools that are no pause, no decline and no refusal."""
    return [
        r for r in records
        if r.event == "tool_executed" and r.fields["tool_name"] in CONFIRMED and r.metadata.get("source")
        and '"declined"' not in str(r.fields["result"])
    ]  # fmt: skip


def beyond_its_gates(state: State) -> bool:
    """In a block of a skill with prose, what only the skill gates is called without its gate (§5.6)."""
    return state.target in ("shop__main", "shop__side")


def straight(records: tuple[Record, ...]) -> list[Record]:
    """The records of confirmed tools that the model's call led to."""
    return [
        r for r in records
        if r.event == "tool_executed" and r.fields["tool_name"] in CONFIRMED and not r.metadata.get("source")
    ]  # fmt: skip


def test_plays_get_to_where_the_rules_bite() -> None:
    reached: Counter[str] = Counter()

    @settings(max_examples=100)
    @given(NAMED, PLAYS)
    def play(name: str, events: list[Event]) -> None:
        state: State = EMPTY
        seen: set[str] = set()
        for event in events:
            waited = state.active_pending
            state, records = step(AGENTS[name], state, event)
            seen |= {"active"} if state.stack else set()
            seen |= {"waiting"} if state.active_pending else set()
            seen |= {"ran"} if runs(records) else set()
            seen |= {"declined"} if waited and resolves(event, False) and not state.pending else set()
            seen |= {"set aside"} if state.pending and not state.active_pending else set()
            seen |= {"dropped"} if waited and not state.pending and not isinstance(event, Resolved) else set()
        reached.update(seen)

    play()
    assert {what for what, count in reached.items() if count >= 4} == {
        "active", "waiting", "ran", "declined", "dropped", "set aside",
    }, reached  # fmt: skip


@given(NAMED, PLAYS)
def test_every_event_is_legal_in_every_state_and_memory_holds_no_null(name: str, events: list[Event]) -> None:
    agent = AGENTS[name]
    play = Played(agent)
    for event in events:
        play(event)
        assert None not in play.state.memory.values()
        assert play.state.writes.keys() == play.state.memory.keys()
        assert all(isinstance(r.fields, Mapping) for r in play.last)
        available(agent, play.state)


@given(NAMED, PLAYS)
def test_a_tool_that_asks_runs_only_after_a_yes_that_came_in_a_later_turn(name: str, events: list[Event]) -> None:
    agent = AGENTS[name]
    state: State = EMPTY
    for event in events:
        waiting, paused = state.pending, state.turn.paused
        after, records = step(agent, state, event)
        for record in straight(records) if not beyond_its_gates(state) and not beyond_its_gates(after) else ():
            ran = not record.fields["is_error"] and '"awaiting_confirmation"' not in str(record.fields["result"])
            assert not ran
        if runs(records):
            assert resolves(event, True)
            assert waiting is not None
            assert not paused
        state = after


@given(NAMED, PLAYS, STUBS)
def test_after_a_no_nothing_ran(name: str, events: list[Event], stub: Stub) -> None:
    agent = AGENTS[name]
    play = Played(agent)(*events)
    waiting = play.state.active_pending
    play(CustomerSaid("no"))
    before = play.state
    play(Resolved(False, stub))
    if waiting is not None and before.active_pending is not None:
        assert play.state.memory == before.memory
        assert play.state.pending is None
        assert not runs(play.last)


@given(NAMED, PLAYS)
def test_each_call_leaves_exactly_one_record_under_its_name(name: str, events: list[Event]) -> None:
    agent = AGENTS[name]
    play = Played(agent)
    for event in events:
        if isinstance(event, Called) and play.state.turn.open:
            names = [c.tool for c in event.calls if c.tool != "listen"]
            play(event)
            made = [
                r.fields["tool_name"] for r in play.last if r.event == "tool_executed" and "tool_call_id" in r.metadata
            ]
            assert [n for n in made if n != "listen"] == names
        else:
            play(event)


@given(NAMED, PLAYS)
def test_a_report_made_from_the_one_before_is_the_report_made_afresh(name: str, events: list[Event]) -> None:
    agent = AGENTS[name]
    play = Played(agent)
    latest = report(agent, play.state)
    for event in events:
        play(event)
        earlier, latest = latest, report(agent, play.state, latest)
        afresh = report(agent, play.state)
        assert list(latest.by_skill) == list(afresh.by_skill)
        assert len({v.id for v in afresh.verdicts}) == len(list(afresh.verdicts))
        assert all(afresh.standings(s) == {v.tool: v.standing for v in afresh.of(s)} for s in afresh.by_skill)
        for one, other in zip(latest.by_skill.values(), afresh.by_skill.values(), strict=True):
            assert list(map(repr, one)) == list(map(repr, other))
        assert {str(c) for c in changes(earlier, latest)} == {str(c) for c in changes(earlier, afresh)}


@given(EVENTS, NAMED)
def test_a_state_of_other_files_harms_nothing(event: Event, name: str) -> None:
    agent = AGENTS[name]
    gone = (Frame("f1", "ghost"), Frame("f2", "shop", "ghost"), Frame("f3", "ghost", "main"))
    for stack in (gone, gone[:2], gone[:1]):
        waiting = Pending("ghost", {}, None, "utter_ghost", stack[-1].skill_id, stack[-1].frame_id, 1)
        state, _ = step(agent, State(stack=stack, pending=waiting), event)
        assert list(report(agent, state).verdicts)
        available(agent, state)


@given(NAMED, PLAYS)
def test_what_is_admissible_is_what_a_call_gets_past(name: str, events: list[Event]) -> None:
    agent = AGENTS[name]
    play = Played(agent)(*events)
    if not play.state.turn.open:
        play(CustomerSaid("next"))
    if not play.state.turn.open:
        return
    for verdict in report(agent, play.state).of(play.state.skill):
        if verdict.kind in ("built-in", "engine-only"):
            continue
        arguments = {"n": 1} if verdict.tool == "pay" else {}
        _, records = step(agent, play.state, Called((Call(verdict.tool, arguments, Stub({"ok": 1})),)))
        record = next(r for r in records if r.event == "tool_executed")
        assert record.fields["is_error"] is not verdict.admissible
