"""A conversation kept as a test of the engine's: in its published words, about what was marked alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    CustomerSaid,
    Event,
    FieldsSet,
    ModelSaid,
    Record,
    SessionBegan,
    Stub,
)
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.recording.keep.conversation import Conversation, of_session
from inspector_core.recording.keep.keeping import Form, keep
from inspector_core.recording.keep.marks import EVERYTHING, Marks, read_marks
from inspector_core.script.parts import Parts
from inspector_core.source import Source
from tests.core import test_keep_redact as private
from tests.core.test_keep_script import MARKS, PAY, TALK, drawn, session

SUITES: tuple[Form, ...] = ("e2e", "scenario")
ALLOWED: Mapping[str, frozenset[str]] = {
    **{
        f"skill_{how}": frozenset({"skill_id"})
        for how in ("activated", "completed", "cancelled", "interrupted", "resumed")
    },
    **{
        f"ordered_block_{how}": frozenset({"skill_id", "block_id"})
        for how in ("entered", "completed", "cancelled", "interrupted", "resumed")
    },
    "tool_executed": frozenset({"tool_name", "source", "mcp_server", "arguments", "is_error"}),
    "bot_uttered": frozenset({"utter_name", "text_matches", "buttons"}),
}  # fmt: skip
"""The vocabulary (§8.4), as far as it is used: each word with what may stand under it."""


def document(text: str) -> dict[str, object]:
    found = load(Source("t.yml", text))
    assert [f for f in found.findings if f.severity.value != "info"] == []
    assert isinstance(found.node, Node)
    value = Parts().value(found.node)
    assert isinstance(value, dict)
    return value


def told(form: Form, marks: Marks, *events: Event) -> str:
    return keep(of_session(session(events or TALK)), form, PAY, marks=marks, name="a bill").text


def asserted(text: str) -> list[dict[str, object]]:
    whole = document(text)
    found: object = whole
    if "scenario" in whole:
        scenario = whole["scenario"]
        assert isinstance(scenario, dict)
        found = scenario.get("goals", {}).get("assertions", [])
    else:
        listed = whole["test_cases"]
        assert isinstance(listed, list)
        found = [a for step in listed[0]["steps"] for a in step.get("assertions", [])]
    assert isinstance(found, list)
    return found


def well_formed(assertion: Mapping[str, object], *, ordered: bool = False) -> None:
    [(word, value)] = assertion.items()
    match word:
        case "memory_was_set" | "memory_was_cleared" if ordered:
            assert isinstance(value, str)
        case "memory_was_set" | "memory_was_cleared":
            assert isinstance(value, list)
            allowed = {"name", "value"} if word == "memory_was_set" else {"name"}
            assert all({"name"} <= entry.keys() <= allowed for entry in value)
            assert all(entry.get("value", 0) is not None for entry in value)
        case "sequencing":
            assert isinstance(value, list)
            assert not ordered
            for one in value:
                well_formed(one, ordered=True)
        case _:
            assert isinstance(value, dict)
            assert value.keys() <= ALLOWED[word]
            if word == "tool_executed":
                assert value["source"] in ("local", "mcp")
            if word == "bot_uttered":
                assert not ordered
                assert value
                re.compile(str(value.get("text_matches", "")))


@pytest.mark.parametrize("form", SUITES)
@given(st.integers(0, 2**32), MARKS)
def test_whatever_was_played_is_told_in_the_published_words(form: Form, seed: int, marks: Marks) -> None:
    played = drawn(seed)
    for assertion in asserted(keep(of_session(played), form, played.project, marks=marks).text):
        well_formed(assertion)


def test_an_end_to_end_test_has_a_step_for_each_message() -> None:
    assert told("e2e", read_marks("1, 3, 5")) == (
        "test_cases:\n"
        "- test_case: a bill\n"
        "  steps:\n"
        "  - user: my bill\n"
        "    assertions:\n"
        "    - memory_was_set:\n"
        "      - name: pay.amount\n"
        "        value: 5\n"
        '  - user: "yes"\n'
    )


def test_a_scenario_says_who_the_customer_is_and_what_has_to_come_of_it() -> None:
    found = document(told("scenario", EVERYTHING, AuthorSet("project.known", True), *TALK))["scenario"]
    assert isinstance(found, dict)
    assert found["name"] == "a bill"
    assert found["simulation_context"].endswith("\n1. my bill\n2. yes\n")
    assert found["setup"] == {"initial_slots": {"project.known": True}}
    assert {"skill_activated": {"skill_id": "pay"}} in found["goals"]["assertions"]


def test_the_order_is_asserted_of_what_was_marked_and_of_nothing_else() -> None:
    assert "sequencing" not in told("scenario", EVERYTHING)
    last = asserted(told("scenario", read_marks("1-")))[-1]
    sequence = last["sequencing"]
    assert isinstance(sequence, list)
    words = [next(iter(one)) for one in sequence]
    assert words.count("bot_uttered") == 0
    assert [one["tool_executed"]["tool_name"] for one in sequence if "tool_executed" in one].count("send") == 2


def test_the_models_own_words_are_asserted_only_where_they_are_marked() -> None:
    assert "Anything else" not in told("e2e", EVERYTHING)
    assert {"bot_uttered": {"text_matches": r"Anything else\?"}} in asserted(told("e2e", read_marks("1-")))


def test_a_named_response_is_asserted_by_its_name_and_its_buttons() -> None:
    ask = next(a for a in asserted(told("e2e", EVERYTHING)) if "bot_uttered" in a)
    assert ask == {"bot_uttered": {
        "utter_name": "utter_ask",
        "buttons": [{"title": "Please do", "payload": "yes, do it"}, {"title": "Leave it", "payload": "no, don't"}],
    }}  # fmt: skip


def test_a_tool_of_a_server_is_asserted_with_its_server() -> None:
    fields = {"tool_name": "pay", "source": "mcp", "mcp_server": "bank", "is_error": True, "arguments": {"n": 1}}
    records = (Record("user", {"text": "hi"}), Record("tool_executed", fields))
    [found] = asserted(keep(Conversation({}, (), records), "e2e").text)
    assert found == {"tool_executed": fields}


def test_what_the_engine_keeps_for_itself_is_not_asserted() -> None:
    text = told("e2e", EVERYTHING, SessionBegan({"a": 1}), *TALK)
    assert "system." not in text
    assert "session_started_metadata" not in text


def test_a_message_that_a_channel_sends_for_the_customer_is_a_step_but_no_wish() -> None:
    events = (SessionBegan(), *TALK)
    assert "- user: /session_start" in told("e2e", EVERYTHING, *events).replace('"', "")
    assert "1. my bill\n" in told("scenario", EVERYTHING, *events)


def test_a_tap_is_what_the_button_says_to_a_model_and_what_it_sends_to_a_channel() -> None:
    events = (CustomerSaid("set:session.pay.amount=5", "Five"),)
    assert 'user: "set:session.pay.amount=5"' in told("e2e", EVERYTHING, *events)
    assert "1. Five\n" in told("scenario", EVERYTHING, *events)


def test_what_can_not_be_asserted_is_said() -> None:
    records = (Record("user", {"text": "hi"}), Record("user_silence_timeout", {"timeout": 1.0}))
    notes = keep(Conversation({}, (), records), "e2e", PAY).notes
    assert notes == ("no assertion can be made about `user_silence_timeout` (1)",)


# -- what was redacted is another customer's in the test -----------------------------------------------------------


def spoken() -> Iterator[Event]:
    yield AuthorSet("project.holder", "Ada")
    yield CustomerSaid("I am Ada")
    yield Activated("pay")
    yield FieldsSet({"code": "Ada"})
    yield Called((Call("send", {"to": "Ada", "n": 1}, Stub({"ok": True})),))
    yield ModelSaid("Fine (so far), Ada.")


@pytest.mark.parametrize("form", SUITES)
def test_what_was_redacted_is_not_asserted(form: Form) -> None:
    text = keep(of_session(private.session(*spoken())), form, private.PAY, marks=read_marks("1-")).text
    assert "Ada" not in text
    found = asserted(text)
    assert {"memory_was_set": [{"name": "pay.code"}]} in found
    sent = next(a["tool_executed"] for a in found if "send" in repr(a))
    assert isinstance(sent, dict)
    assert sent["arguments"] == {"n": 1}
    assert {"bot_uttered": {"text_matches": r"Fine \(so far\), .+\."}} in found
