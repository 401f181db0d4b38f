"""Reading a script: every step becomes its event, and every mistake is a finding with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.script.mentions import unknown
from inspector_core.script.reading import read
from inspector_core.script.values import Check, Expectation, Move, Pattern, ScriptText, Tap
from inspector_core.source import Source


def text(steps: str) -> ScriptText:
    return read(Source("s.yml", f"script: s\nsteps:\n{steps}"))


def events(steps: str) -> tuple[Event, ...]:
    found = text(steps)
    assert not found.findings
    return tuple(event for step in found.script.steps if isinstance(step, Move) for event in step.events)


def checks(expectation: str) -> tuple[Check, ...]:
    found = text(f"- expect: {expectation}\n")
    assert not found.findings
    [step] = found.script.steps
    assert isinstance(step, Expectation)
    return step.checks


def wrong(steps: str) -> list[str]:
    """What is wrong, with its place and the hint."""
    return [f"{f.span.line}:{f.span.column} {f.message}{f'; {f.hint}' if f.hint else ''}" for f in text(steps).findings]


MOVES = [
    ("- customer: my card is gone", CustomerSaid("my card is gone")),
    ("- customer: set:session.a.b=1\n  button: One", CustomerSaid("set:session.a.b=1", "One")),
    ("- say: I see.", ModelSaid("I see.")),
    ("- start: pay__main", Activated("pay__main")),
    ("- set: {reason: lost, count: 2}", FieldsSet({"reason": "lost", "count": 2})),
    ("- call: lock", Called((Call("lock"),))),
    ("- call: lock\n  with: {id: c1}", Called((Call("lock", {"id": "c1"}),))),
    ("- call: lock\n  returns: null", Called((Call("lock", {}, Stub()),))),
    ("- call: a\n  returns: {ok: true}\n  writes: {x: 1}", Called((Call("a", {}, Stub({"ok": True}, (("x", 1),))),))),
    ("- call: a\n  writes: [{x: 1}, {x: null}]", Called((Call("a", {}, Stub(None, (("x", 1), ("x", None)))),))),
    ("- call: a\n  says: Wait.\n  raises: no", Called((Call("a", {}, Stub(says=("Wait.",), raises="no")),))),
    ("- call: a\n  next: [b, {skill: c, block: d}]", Called((Call("a", {}, Stub(next=(Next("b"), Next("c", "d")))),))),
    ("- call: a\n  interrupted: true", Called((Call("a", {}, Stub(interrupted=True)),))),
    ("- yes:", Resolved(True)),
    ("- yes", Resolved(True)),
    ("- no: lock", Resolved(False, None, "lock")),
    ("- yes:\n  returns: 1", Resolved(True, Stub(1))),
    ("- answer: maybe\n  tool: lock", Resolved("maybe", None, "lock")),
    ("- complete:", Completed()),
    ("- complete:\n  criteria: fail", Completed(False)),
    ("- cancel", Cancelled()),
    ("- listen", Listened()),
    ("- correct: {pay.amount: 5}", Corrected("pay.amount", 5)),
    ("- search: fees\n  finds: [a, b]", Searched("fees", Stub(["a", "b"]))),
    ("- search: fees", Searched("fees")),
    ("- cannot_help:\n  in_domain: false", CannotHelp(False)),
    ("- stub: {lock: {returns: 1}}", Stubbed("lock", Stub(1))),
    ("- stub: {lock: null}", Stubbed("lock", None)),
    ("- author: {pay.paid: true}", AuthorSet("pay.paid", True)),
    ("- author: {pay.paid: null}", AuthorCleared("pay.paid")),
    ("- session: {channel: web}", SessionBegan({"channel": "web"})),
    ("- session:", SessionBegan()),
    ("- reply:\n  - say: One moment.\n  - call: a\n  - set: {b: 1}\n  - yes\n  - start: c",
     Called((Call("a"), Call("set_fields", {"b": 1}), Call("resolve_tool_confirmation", {"confirmed": True}),
             Call("activate", {"target_id": "c"})), "One moment.")),
    ("- reply:\n  - listen\n  - cancel\n  - complete\n  - correct: {a: 1}\n  - search: b\n"
     "  - cannot_help:\n    in_domain: true",
     Called((Call("listen"), Call("cancel"), Call("complete"), Call("correct", {"memory_key": "a", "value": 1}),
             Call("search_knowledge", {"query": "b"}, Stub()), Call("cannot_help", {"in_domain": True})))),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "event"), MOVES, ids=[steps for steps, _ in MOVES])
def test_a_step_becomes_the_event_it_stands_for(steps: str, event: Event) -> None:
    assert events(steps) == (event,)


@pytest.mark.parametrize(("written", "meant"), [("yes", "yes"), ("4821", "4821"), ("2025-01-02", "2025-01-02"),
                                                ("|\n    two\n    lines", "two\nlines"), ("'1'", "1")])  # fmt: skip
def test_words_are_taken_as_they_are_written(written: str, meant: str) -> None:
    assert events(f"- customer: {written}") == (CustomerSaid(meant),)


def test_a_date_is_the_text_that_json_would_have_for_it() -> None:
    [move] = text("- call: a\n  with: {day: 2025-01-02}").script.steps
    assert isinstance(move, Move)
    assert move.events == (Called((Call("a", {"day": "2025-01-02"}),)),)


def test_one_step_may_hold_several_moves_of_the_author() -> None:
    assert events("- author: {a.b: 1, a.c: null}") == (AuthorSet("a.b", 1), AuthorCleared("a.c"))


def test_a_tap_is_resolved_only_when_it_is_played() -> None:
    [step] = text("- tap: Rush, next day").script.steps
    assert isinstance(step, Tap)
    assert step.title == "Rush, next day"


def test_memory_and_name_stand_before_the_steps() -> None:
    script = read(Source("s.yml", "script: pay\nmemory: {project.a: true, pay.b: null}\nsteps: []")).script
    assert (script.name, script.memory, script.steps) == ("pay", {"project.a": True}, ())


def test_expectations_are_checks_one_by_one() -> None:
    found = checks(
        "{asks: pay, offered: [a, b], hidden: {c: gate-false}, ran: {d: 2}, memory: {e.f: 1}, said: utter_g}"
    )
    assert [(c.kind, c.name, c.wanted) for c in found] == [
        ("asks", "pay", None), ("offered", "a", None), ("offered", "b", None), ("hidden", "c", "gate-false"),
        ("ran", "d", 2), ("memory", "e.f", 1), ("said", "utter_g", None),
    ]  # fmt: skip


def test_a_run_without_a_number_is_one_run() -> None:
    assert [c.wanted for c in checks("{ran: [a, b]}")] == [1, 1]


@pytest.mark.parametrize("none", ["", "null", "nothing"])
def test_nothing_asks_is_an_expectation_too(none: str) -> None:
    [check] = checks(f"\n    asks: {none}")
    assert (check.kind, check.name) == ("asks", None)


def test_records_are_expected_by_name_by_subject_and_by_field() -> None:
    [check] = checks(
        "{records: [user, bot utter_a, {tool_executed: {tool_name: b, metadata: {source: x}}}, {memory_set: c.d}]}"
    )
    assert check.patterns == (
        Pattern("user"), Pattern("bot", "utter_a"), Pattern("tool_executed", "", {"tool_name": "b"}, {"source": "x"}),
        Pattern("memory_set", "c.d"),
    )  # fmt: skip


def test_the_engines_own_names_of_events_are_expectations() -> None:
    [check] = checks("{skill_completed: pay}")
    assert (check.kind, check.patterns) == ("happened", (Pattern("skill_completed", "pay"),))


WRONG = [
    ("- custmer: hi", "3:3 `custmer` is no step; did you mean `customer`?"),
    ("- call: a\n  wiht: {}", "4:3 `wiht` is no part of `call`; did you mean `with`?"),
    ("- customer: a\n  start: b", "4:3 `customer` and `start` are two steps; begin another step with `- start:`"),
    ("- customer: [a]", "3:13 what the customer says is a list, and has to be a text"),
    ("- customer:", "3:12 what the customer says is nothing, and has to be a text"),
    ("- set: lost", "3:8 `set` is the text `lost`, and has to be a mapping"),
    ("- correct: {a: 1, b: 2}", "3:12 `correct` takes one entry with its new value, not 2"),
    ("- complete:\n  criteria: passd", "4:13 `passd` is no verdict on the criteria; did you mean `pass`?"),
    ("- cannot_help", "3:14 `cannot_help` has to say whether it is about what the agent is for; add `in_domain:`"),
    ("- expect: {offred: a}", "3:12 `offred` is no expectation; did you mean `offered`?"),
    ("- expect:", "3:10 nothing is expected here"),
    ("- expect: {ran: {a: often}}", "3:21 how often `a` ran has to be a number"),
    ("- expect: {records: user}", "3:21 `records` is no list of events"),
    ("- expect: {memory: [a]}", "3:20 `memory` is no mapping of keys to values"),
    ("- stub: {a: {retuns: 1}}", "3:14 `retuns` is no part of what a tool does; did you mean `returns`?"),
    ("- reply: hi", "3:10 a reply is a list of what the model calls and says; for words alone there is `say:`"),
    ("- cancel: all", "3:11 `cancel` takes nothing behind its `:`"),
    ("- [a]", "3:3 a step is a mapping such as `customer: hello`, not a list"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "told"), WRONG, ids=[steps for steps, _ in WRONG])
def test_a_mistake_is_told_with_its_place_and_what_may_be_meant(steps: str, told: str) -> None:
    assert told in wrong(steps)
    assert text(steps).broken


@pytest.mark.parametrize(
    "whole", ["", "# nothing", "steps: hello", "[a]", "- customer: hi", "script: x", "a: [", "steps:\n- \t"]
)
def test_a_text_that_is_no_script_is_a_finding(whole: str) -> None:
    found = read(Source("s.yml", whole))
    assert found.broken
    assert all(f.span.path == "s.yml" for f in found.findings)


def test_a_script_that_would_play_for_minutes_is_refused() -> None:
    found = text("- listen\n" * 10_001)
    assert [f.span.line for f in found.findings] == [10_003]
    assert len(found.script.steps) == 10_000


PIECES = ["steps:", "- ", "  ", "\n", "customer", "expect", "call", ": ", "yes", "{", "}", "[", "]", "a", "1", "'",
          "reply", "records", "ran", "stub", "&a", "*a", "<<", "|", "!!x", "returns", "next", "null"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60))
def test_reading_never_raises_and_every_finding_lies_in_the_text(steps: str) -> None:
    for whole in (steps, f"steps:\n- {steps}"):
        source = Source("s.yml", whole)
        for finding in read(source).findings:
            assert 1 <= finding.span.line <= len(source.starts)


def test_a_name_that_nothing_has_is_told_where_nothing_else_would_miss_it() -> None:
    found = read(Source("s.yml", (
        "memory: {pay.amont: 1, system.x: 1}\nsteps:\n- author: {pay.paid: 1}\n- stub: {sned: {}}\n"
        "- expect: {not_ran: [snd, send], not_said: [utter_asq, hello], memory: {pay.payed: null}}\n"
    )))  # fmt: skip
    known = {"key": ["pay.amount", "pay.paid"], "tool": ["send"], "response": ["utter_ask"]}
    assert [f"{f.span.line} {f.message}; {f.hint}" for f in unknown(found.mentions, known)] == [
        "1 no file declares `pay.amont`; did you mean `pay.amount`?",
        "4 no skill has a tool `sned`; did you mean `send`?",
        "5 no skill has a tool `snd`; did you mean `send`?",
        "5 no file has a response `utter_asq`; did you mean `utter_ask`?",
        "5 no file declares `pay.payed`; did you mean `pay.paid`?",
    ]
