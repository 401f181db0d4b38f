"""`agent.yml`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.reading.agent import AgentText, read_agent
from inspector_core.source import Source

GOOD = "agent:\n  id: larkfield\n  persona: You are brief.\norchestrator:\n  model_group: main\n"


def read(text: str) -> AgentText:
    return read_agent(Source("agent.yml", text))


def findings(text: str) -> list[tuple[str, int, int]]:
    return [(f.code, f.span.line, f.span.column) for f in read(text).findings]


def test_the_agent_and_the_group_it_asks_for() -> None:
    found = read(GOOD)
    assert (found.agent.id, found.agent.language, found.agent.persona) == ("larkfield", "en", "You are brief.")
    assert found.agent.tool_timeout == 10.0
    assert found.model_group is not None
    assert (found.model_group.name, str(found.model_group.span)) == ("main", "agent.yml:5:16")
    assert found.findings == ()


def test_preconditions() -> None:
    (bound, bare) = read(
        GOOD + "  preconditions:\n    known:\n      satisfied_when: session.project.known\n      resolve_with: verify\n"
        "      unmet_utterance: false\n    bare:\n"
    ).agent.preconditions
    assert bound.satisfied_when is not None
    assert bound.satisfied_when.keys == ("project.known",)
    assert bound.resolve_with is not None
    assert (bound.name, bound.resolve_with.name, bound.unmet_utterance) == ("known", "verify", False)
    assert (bare.name, bare.satisfied_when, bare.resolve_with, bare.unmet_utterance) == ("bare", None, None, True)


def test_what_is_said_of_the_engines_own_tools() -> None:
    agent = read(
        GOOD + "  tool_constraints:\n    complete: {enabled: false}\n    cancel:\n      requires_confirmation:\n"
        "        enabled: true\n        utter_for_confirmation: utter_sure\n"
    ).agent
    complete, cancel = agent.constraint("complete"), agent.constraint("cancel")
    assert complete is not None
    assert not complete.enabled
    assert cancel is not None
    assert cancel.enabled
    assert cancel.confirmation is not None
    assert cancel.confirmation.ask is not None
    assert (cancel.confirmation.enabled, cancel.confirmation.ask.name) == (True, "utter_sure")
    assert agent.constraint("listen") is None


MISSING = "mantle.validation.config.missing_agent_section"
INVALID = "config.agent.invalid_section"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- agent\n", [("mantle.validation.config.invalid_agent_yml", 1, 1)]),
        ("orchestrator: {model_group: main}\n", [(MISSING, 1, 1)]),
        ("", [(MISSING, 1, 1), ("config.agent.missing_orchestrator", 1, 1)]),
        ("agent: x\norchestrator: {model_group: m}\n", [("mantle.validation.config.invalid_agent_section", 1, 8)]),
        ("agent: {id: x}\norchestrator: {model_group: m}\n", [("config.agent.missing_persona", 1, 1)]),
        ("agent: {persona: ' '}\norchestrator: {model_group: m}\n", [("config.agent.missing_persona", 1, 18)]),
        ("agent: {persona: x}\n", [("config.agent.missing_orchestrator", 1, 1)]),
        ("agent: {persona: x}\norchestrator: {text_rules: y}\n", [(INVALID, 2, 15)]),
        ("agent: {persona: x}\norchestrator: main\n", [(INVALID, 2, 15)]),
        (GOOD + "  temperature: 0\n", [(INVALID, 6, 3)]),
        (GOOD + "  tool_constraints: {listen: {enabled: false}}\n", [(INVALID, 6, 22)]),
        (GOOD + "  tool_constraints: {complete: {requires_confirmation: {}}}\n", [(INVALID, 6, 56)]),
        (GOOD + "  tool_constraints: {activate: {enabled: false}}\n", [("inspector.agent.cannot-disable", 6, 22)]),
        (GOOD + "  preconditions: [a]\n", [(INVALID, 6, 18)]),
        (GOOD + "  preconditions: {a: {satisfied_when: true}}\n", [(INVALID, 6, 39)]),
        (GOOD + "tool_timeout: 0\n", [(INVALID, 6, 15)]),
        (GOOD + "tool_timeout: soon\n", [(INVALID, 6, 15)]),
        (GOOD + "tool_timeout: ${TIMEOUT}\n", []),
        (GOOD + "rulez: []\n", [("inspector.agent.unknown-key", 6, 1)]),
        (GOOD + "session_config: {session_expiration_time: -1}\n", [("config.session.invalid_expiration_time", 6, 43)]),
    ],
)
def test_what_is_wrong_is_said_where_it_is(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert findings(text) == expected


def test_a_file_that_breaks_off_is_not_blamed_for_what_may_follow() -> None:
    found = read("agent:\n  id: x\n  persona: 'You\n")
    assert [f.reported_as for f in found.findings] == ["mantle.validation.config.invalid_agent_yml"]
    assert found.agent.id == "x"


WORDS = st.sampled_from([
    "agent", "persona", "orchestrator", "model_group", "preconditions", "tool_constraints", "cancel", "enabled", "true",
    ":", ": ", "\n", "  ", "    ", "- ", "[", "]", "{", "}", ",", "'", "x", "1", "tool_timeout", "1e999", "~", "é",
    "requires_confirmation", "satisfied_when", "session_config", "\t", "&a ", "*a", "0x" + "f" * 5000,
])  # fmt: skip


@given(st.lists(WORDS, max_size=30).map("".join))
def test_any_text_is_read_with_places_inside_it(text: str) -> None:
    for finding in read(text).findings:
        assert 1 <= finding.span.line <= finding.span.end_line <= text.count("\n") + 1
