"""The engine's end-to-end tests and scenarios as scripts: each expectation says the same, and the rest is kept."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from textwrap import dedent

import pytest

from inspector_core.events import CustomerSaid, SessionBegan
from inspector_core.recording.cases import Case, cases
from inspector_core.recording.casetext import case_text
from inspector_core.recording.detect import Format
from inspector_core.recording.opening import open_recording
from inspector_core.script.reading import read
from inspector_core.script.values import Check, Expectation, Move, Pattern, Script
from inspector_core.source import NO_FILE, Source
from tests.core.foreign import told

TEST = """\
fixtures:
- known:
  - project.authenticated: true
test_cases:
- test_case: a card is locked
  fixtures: [known]
  steps:
  - user: /session_start
  - user: Lock my card
    assertions:
    - skill_activated: {skill_id: cards}
    - skill_activated: payments
    - memory_was_set:
      - name: cards.number
        value: "4821"
      - name: cards.reason
    - flow_started: lock_card
    - bot_uttered: {utter_name: utter_locked}
  - user: "yes"
    mood: cheerful
"""


def only(text: str) -> Case:
    (case,) = cases(Source("t.yml", dedent(text)))
    return case


def asserted(text: str) -> Case:
    """A test with one turn and this assertion."""
    body = dedent(text).strip().replace("\n", "\n      ")
    return only(f"test_cases:\n- test_case: t\n  steps:\n  - user: hi\n    assertions:\n    - {body}\n")


def checks_of(script: Script) -> list[Check]:
    return [check for step in script.steps if isinstance(step, Expectation) for check in step.checks]


def test_what_the_customer_says_becomes_moves_and_fixtures_become_memory() -> None:
    case = only(TEST)
    moves = [event for step in case.script.steps if isinstance(step, Move) for event in step.events]
    assert moves == [SessionBegan(), CustomerSaid("Lock my card"), CustomerSaid("yes")]
    assert (case.name, case.memory) == ("a card is locked", {"project.authenticated": True})


def test_what_is_not_understood_is_kept_with_its_place_and_said() -> None:
    assert [(f.message, f.span.line) for f in only(TEST).findings] == [
        ("`flow_started: lock_card` is not understood", 17), ("`mood: cheerful` is not understood", 20),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("assertion", "pattern"),
    [
        ("skill_cancelled: {skill_id: pay, step_id: ask}", Pattern("skill_cancelled", "pay", {"step_id": "ask"})),
        ("ordered_block_entered: {skill_id: pay, block_id: main}",
         Pattern("ordered_block_entered", "main", {"skill_id": "pay"})),
        ("ordered_block_completed: main", Pattern("ordered_block_completed", "main")),
        ("memory_was_cleared: [{name: pay.n}]", Pattern("memory_cleared", "", {"key": "pay.n"})),
        ("memory_was_set: [{name: pay.n, value: 5}]", Pattern("memory_set", "", {"key": "pay.n", "value": 5})),
        ("tool_executed: pay", Pattern("tool_executed", "", {"tool_name": "pay"})),
        ("tool_executed: {tool_name: pay, source: mcp, is_error: true}",
         Pattern("tool_executed", "", {"tool_name": "pay", "source": "mcp", "is_error": True})),
    ],
)  # fmt: skip
def test_an_assertion_about_an_event_expects_that_event(assertion: str, pattern: Pattern) -> None:
    case = asserted(assertion)
    assert [check.patterns for check in checks_of(case.script)] == [(pattern,)]
    assert case.findings == ()


def test_calls_of_one_turn_are_expected_in_order_only_where_the_test_says_so() -> None:
    calls = "calls: [{tool_name: a}, {tool_name: b}]"
    counts = [len(checks_of(asserted(f"tools_within_one_turn: {{{calls}, ordered: {flag}}}").script))
              for flag in ("true", "false")]  # fmt: skip
    assert counts == [1, 2]


def test_a_sequence_is_one_order_and_not_understood_where_a_part_of_it_isnt() -> None:
    case = asserted("sequencing: [{skill_activated: pay}, {tool_executed: send}]")
    assert [str(p) for check in checks_of(case.script) for p in check.patterns] == [
        "skill_activated pay",
        "tool_executed",
    ]
    assert checks_of(asserted("sequencing: [{skill_activated: pay}, {flow_started: x}]").script) == []


@pytest.mark.parametrize(
    ("assertion", "left"),
    [
        ("bot_uttered: {text_matches: 'D.ne|OK'}", None),
        ("bot_uttered: {utter_name: utter_x, buttons: []}", "`buttons of bot_uttered"),
        ("tool_executed: {tool_name: pay, arguments: {to: Ann}}", "`arguments of tool_executed"),
        ("tools_within_one_turn: {calls: [a], allow_extra_calls: false}", "`allow_extra_calls of tools_within"),
        ("memory_was_not_set: [{name: pay.n}]", None),
        ("bot_did_not_utter: {utter_name: a, text_matches: b}", None),
        ("unheard_of", None),
    ],
)
def test_what_our_expectations_cant_say_is_left_whole_or_only_the_part_is(assertion: str, left: str | None) -> None:
    case = asserted(assertion)
    (finding,) = case.findings
    assert finding.message.startswith(left or f"`{assertion.partition(':')[0]}")
    assert bool(checks_of(case.script)) is (left is not None)


def test_the_text_of_the_script_is_read_as_the_same_moves_and_checks() -> None:
    for case in (only(TEST), asserted("tools_within_one_turn: {calls: [a, b]}"), asserted("bot_did_not_utter: oh no")):
        text = case_text(case)
        again = read(Source("s.yml", text))
        assert again.findings == ()
        kinds = [(c.kind, c.name, c.patterns) for c in checks_of(again.script)]
        mine = [(c.kind, c.name, c.patterns) for c in checks_of(case.script)]
        by_kind = sorted(map(str, mine))
        assert sorted(str((k, n if k != "order" else None, p)) for k, n, p in kinds) == by_kind
        assert [s.events for s in again.script.steps if isinstance(s, Move)] == [
            s.events for s in case.script.steps if isinstance(s, Move)
        ]
        assert again.script.memory == case.memory


def test_in_the_text_what_is_not_understood_is_a_comment_in_its_place() -> None:
    lines = case_text(only(TEST)).splitlines()
    assert lines[-2:] == ['- customer: "yes"', "# not understood: mood: cheerful"]


SCENARIO = """\
scenario:
  name: A lost card
  simulation_context: >
    You have lost your card.
  setup:
    initial_slots: {project.authenticated: true}
  goals:
    criteria: [The agent is kind]
    assertions:
    - skill_completed: {skill_id: cards}
"""


def test_a_scenario_is_what_it_begins_with_and_what_has_to_come_of_it() -> None:
    case = only(SCENARIO)
    assert (case.name, case.kind, case.memory) == ("A lost card", "scenario", {"project.authenticated": True})
    assert [(c.kind, c.name) for c in checks_of(case.script)] == [("happened", "cards")]
    assert [f.span.line for f in case.findings] == [3, 8]


def test_tests_are_opened_as_conversations_of_which_the_customers_side_is_there() -> None:
    found = open_recording(TEST.encode(), "t.yml")
    assert (found.format, [s.name for s in found.sessions]) == (Format.MANTLE_TEST, ["a card is locked"])
    assert [line for line in told(found)[0] if line.startswith("user")] == [
        "user /session_start", "user Lock my card", "user yes",
    ]  # fmt: skip
    assert "mantle-e2e.not-understood flow_started: lock_card" in told(found)[0]
    assert open_recording(SCENARIO.encode(), "s.yml").format is Format.MANTLE_SCENARIO


@pytest.mark.parametrize("encode", [
    lambda text: codecs.BOM_UTF8 + text.encode(), lambda text: text.replace("\n", "\r\n").encode(),
    lambda text: text.encode("utf-16"), lambda text: ("# " + "x" * 1_000_000 + "\n" + text).encode(),
], ids=["bom", "crlf", "utf-16", "long"])  # fmt: skip
def test_an_encoding_or_a_long_line_changes_nothing(encode: Callable[[str], bytes]) -> None:
    for text in (TEST, SCENARIO):
        assert told(open_recording(encode(text), "t.yml")) == told(open_recording(text.encode(), "t.yml"))


def test_of_a_test_that_is_cut_off_what_stands_before_is_read() -> None:
    for end in range(len(TEST)):
        found = cases(Source("t.yml", TEST[:end]))
        said = [event.text for case in found for step in case.script.steps if isinstance(step, Move)
                for event in step.events if isinstance(event, CustomerSaid)]  # fmt: skip
        assert [text for text in said if text in ("Lock my card", "yes")] == ["Lock my card", "yes"][: len(said)][
            :2
        ] or said


@pytest.mark.parametrize("text", [
    "test_cases:", "test_cases: 5", "test_cases: [5, []]", "test_cases:\n- test_case: [a]\n  steps: {a: b}\n",
    "test_cases:\n- steps:\n  - user:\n  - [a]\n  - assertions: {a: b}\n  - user: &a [*a]\n", "scenario: [1]",
    "scenario:\n  goals: {assertions: [1, {a: 1, b: 2}]}\n  setup: 5\n", "test_cases: [\n",
    "test_cases:\n- test_case: {", "test_cases:\n- test_case: t\n  fixtures: {a: 1}\nfixtures: 5",
    "test_cases:\n- test_case: t\n  steps: [{slot_was_set: [{a: 1}]}, {utter: utter_x}]",
])  # fmt: skip
def test_whatever_stands_in_a_test_it_is_read_without_a_crash(text: str) -> None:
    found = cases(Source(NO_FILE, text))
    assert all(isinstance(case_text(case), str) for case in found)
