"""Reading `skill.md`: its frame and its frontmatter (§2.1, §2.2)."""

from __future__ import annotations

import frontmatter
import pytest

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.condition import parse
from inspector_core.mantle.reading.frontmatter import SkillHandler
from inspector_core.mantle.reading.skill import SkillText, read_skill_md
from inspector_core.source import Source

BODY = "Help the customer pay.\n"
FAILED = "mantle.validation.skill.failed_to_load"


def read(text: str, version: str = "3.21") -> SkillText:
    return read_skill_md("pay", Source("skills/pay/skill.md", text), version)


def front(*lines: str, body: str = BODY, version: str = "3.21") -> SkillText:
    """The skill with these lines of frontmatter, which begin in line 2."""
    return read("\n".join(["---", *lines, "---", body]), version)


def only(skill: SkillText) -> Finding:
    (finding,) = skill.findings
    return finding


def said(finding: Finding) -> tuple[str, int, int]:
    return finding.code, finding.span.line, finding.span.column


def test_every_field_is_read() -> None:
    skill = front(
        "name: Pay",
        "description: >",
        "  Pays",
        "  an invoice.",
        "hidden: yes",
        "disabled: false",
        "always_include_in_prompt: on",
        "precondition: verified",
        "routing: {engine_managed: true}",
        "import_tools: [lookup, mcp/banking:get_balance]",
        "knowledge_answering: {instructions: Be brief.}",
    )
    assert skill.findings == ()
    assert not skill.broken
    assert (skill.name, skill.description) == ("Pay", "Pays an invoice.\n")
    assert (skill.hidden, skill.disabled, skill.always_include_in_prompt) == (True, False, True)
    assert (skill.is_default, skill.engine_managed) == (None, True)
    assert skill.precondition is not None
    assert (skill.precondition.name, str(skill.precondition.span)) == ("verified", "skills/pay/skill.md:9:15")
    assert [(i.name, i.server) for i in skill.imports] == [("lookup", None), ("get_balance", "banking")]


def test_tool_constraints_are_gates() -> None:
    skill = front(
        "tool_constraints:",
        "- look:",
        "- pay:",
        "    requires: >",
        "      session.pay.amount",
        "      and not session.pay.paid",
        "    requires_confirmation:",
        "      enabled: true",
        "      utter_for_confirmation: utter_ask",
        "    on_success: utter_paid",
        "- refund:",
        '    requires: "session.pay.paid"',
        "    requires_confirmation: {enabled: false, utter_on_user_denial: utter_kept}",
    )
    assert skill.findings == ()
    look, pay, refund = skill.gates
    assert (look.tool, look.requires, look.confirmation) == ("look", None, None)
    assert pay.requires == parse("session.pay.amount and not session.pay.paid\n")
    assert pay.requires_span is not None
    assert (pay.requires_span.line, pay.requires_span.column, pay.requires_span.end_line) == (6, 7, 7)
    assert pay.confirmation is not None
    assert (pay.confirmation.enabled, pay.confirmation.denial) == (True, None)
    assert pay.confirmation.ask is not None
    assert str(pay.confirmation.ask.span).endswith(":10:31")
    assert pay.on_success is not None
    assert pay.on_success.name == "utter_paid"
    assert refund.requires_span is not None
    assert (refund.requires_span.column, refund.requires_span.end_column) == (16, 32)
    assert refund.confirmation is not None
    assert not refund.confirmation.enabled


def test_triggers_may_fire_on_activation_or_when_something_turns_true() -> None:
    skill = front(
        "utter:",
        "- utter_a:",
        "    on: activate",
        "- utter_b:",
        "    'on':",
        "- utter_c:",
        "    when: session.pay.paid",
        "    on: activate",
    )
    assert skill.findings == ()
    assert [(t.response.name, t.on_activate, t.when is not None) for t in skill.triggers] == [
        ("utter_a", True, False),
        ("utter_b", True, False),
        ("utter_c", True, True),
    ]


def test_completion_has_a_condition_and_criteria() -> None:
    skill = front("complete_when:", "  condition: session.pay.paid", "  criteria: [It is paid., All is said.]")
    assert skill.findings == ()
    assert skill.completion is not None
    assert skill.completion.condition == parse("session.pay.paid")
    assert skill.completion.criteria == ("It is paid.", "All is said.")


FAULTS = [
    ("owner: cards", "skill.markdown.unknown_frontmatter_key", 2, 1),
    ("on: true", "skill.markdown.unknown_frontmatter_key", 2, 1),
    ("hidden: 'true'", "skill.markdown.invalid_boolean_frontmatter", 2, 9),
    ("disabled: 1", "skill.markdown.invalid_boolean_frontmatter", 2, 11),
    ("always_include_in_prompt: []", "skill.markdown.invalid_boolean_frontmatter", 2, 27),
    ("precondition: ''", "skill.precondition.invalid", 2, 15),
    ("precondition: no", "skill.precondition.invalid", 2, 15),
    ("routing: x", "skill.markdown.invalid_routing", 2, 10),
    ("routing: {is_default: 1}", "skill.markdown.invalid_routing", 2, 23),
    ("routing: {visible: true}", "skill.markdown.unknown_frontmatter_key", 2, 11),
    ("knowledge_answering: x", "skill.markdown.invalid_knowledge_answering", 2, 22),
    ("knowledge_answering: {instructions: 5}", "skill.markdown.invalid_knowledge_answering", 2, 37),
    ("import_tools: lookup", "skill.markdown.invalid_import_tools", 2, 15),
    ("import_tools: {a: b}", "skill.markdown.invalid_import_tools", 2, 15),
    ("import_tools: [5]", "skill.markdown.invalid_import_tools", 2, 16),
    ("import_tools: ['mcp/-x:y']", "skill.markdown.invalid_import_tools", 2, 16),
    ("import_tools: ['mcp/x:y.z']", "skill.markdown.invalid_import_tools", 2, 16),
    (f"import_tools: ['mcp/x:{'y' * 65}']", "skill.markdown.invalid_import_tools", 2, 16),
    ("tool_constraints: {pay: {}}", "skill.markdown.invalid_tool_constraints", 2, 19),
    ("tool_constraints: [pay]", "skill.markdown.invalid_tool_constraints", 2, 20),
    ("tool_constraints: [{}]", "skill.markdown.invalid_tool_constraints", 2, 20),
    ("tool_constraints: [{a: , b: }]", "skill.markdown.invalid_tool_constraints", 2, 20),
    ("tool_constraints: [5: ]", "skill.markdown.invalid_tool_constraints", 2, 20),
    ("tool_constraints: [pay: always]", "skill.markdown.invalid_tool_constraints", 2, 25),
    ("tool_constraints: [pay: {requiers: x}]", "skill.markdown.invalid_tool_constraints", 2, 26),
    ("tool_constraints: [pay: {requires: true}]", "skill.markdown.invalid_tool_constraints", 2, 36),
    ("tool_constraints: [pay: {requires: no}]", "skill.markdown.invalid_tool_constraints", 2, 36),
    ("tool_constraints: [pay: {on_failure: [x]}]", "skill.markdown.invalid_tool_constraints", 2, 38),
    ("tool_constraints: [pay: {requires_confirmation: }]", "skill.markdown.invalid_tool_constraints", 2, 26),
    ("tool_constraints: [pay: {requires_confirmation: yes}]", "skill.markdown.invalid_tool_constraints", 2, 49),
    ("tool_constraints: [pay: {requires_confirmation: {x: 1}}]", "skill.markdown.invalid_tool_constraints", 2, 50),
    (
        "tool_constraints: [pay: {requires_confirmation: {enabled: 1}}]",
        "skill.markdown.invalid_tool_constraints",
        2,
        59,
    ),
    ("utter: {utter_a: {on: activate}}", "skill.markdown.invalid_utter", 2, 8),
    ("utter: [utter_a]", "skill.markdown.invalid_utter", 2, 9),
    ("utter: [utter_a: ]", "skill.markdown.invalid_utter", 2, 9),
    ("utter: [utter_a: {}]", "skill.markdown.invalid_utter", 2, 18),
    ("utter: [utter_a: {on: start}]", "skill.markdown.invalid_utter", 2, 23),
    ("utter: [utter_a: {if: x}]", "skill.markdown.invalid_utter", 2, 19),
    ("utter: [utter_a: {when: }]", "skill.markdown.invalid_utter", 2, 19),
    ("utter: [utter_a: {when: ' '}]", "skill.markdown.invalid_utter", 2, 25),
    ("utter: [utter_a: {when: yes}]", "skill.markdown.invalid_utter", 2, 25),
    ("utter: [utter_a: {when: session.pay.x is None}]", "skill.markdown.invalid_utter", 2, 39),
    ("utter: [utter_a: {on: }, utter_a: {on: }]", "skill.markdown.invalid_utter", 2, 26),
    ("complete_when: session.pay.paid", "skill.complete_when.mapping_required", 2, 16),
    ("complete_when: [x]", "skill.complete_when.mapping_required", 2, 16),
    ("complete_when: {}", "skill.complete_when.invalid", 2, 16),
    ("complete_when: {condition: }", "skill.complete_when.invalid", 2, 17),
    ("complete_when: {after: 3}", "skill.complete_when.invalid", 2, 17),
    ("complete_when: {condition: 5}", "skill.complete_when.invalid", 2, 28),
    ("complete_when: {condition: 'session.pay.x == true'}", "skill.complete_when.invalid", 2, 46),
    ("complete_when: {criteria: x}", "skill.complete_when.invalid", 2, 27),
    ("complete_when: {criteria: []}", "skill.complete_when.invalid", 2, 27),
    ("complete_when: {criteria: [a, '']}", "skill.complete_when.invalid", 2, 31),
    ("complete_when: {criteria: [a, a]}", "skill.complete_when.invalid", 2, 31),
    ("requires: session.pay.paid", "skill.requires.removed", 2, 1),
    ("name: 'x", "inspector.yaml.syntax", 2, 9),
    ("name: a: b", "inspector.yaml.syntax", 2, 8),
    ("name: !!python/name:os.system x", "inspector.yaml.tag", 2, 7),
    ("? {a: b}\n: c", "inspector.yaml.key", 2, 3),
    ("- a", "skill.markdown.invalid_frontmatter", 2, 1),
    ("just words", "skill.markdown.invalid_frontmatter", 2, 1),
]


@pytest.mark.parametrize(("line", "code", "row", "column"), FAULTS, ids=[line for line, *_ in FAULTS])
def test_one_mistake_gives_one_finding_at_its_place(line: str, code: str, row: int, column: int) -> None:
    skill = front(line)
    finding = only(skill)
    assert said(finding) == (code, row, column)
    assert (finding.severity, finding.skill, finding.reported_as) == (Severity.ERROR, "pay", FAILED)
    assert skill.broken


def test_a_faulty_entry_hides_no_other() -> None:
    skill = front(
        "tool_constraints:",
        "- pay: always",
        "- look: {requires: session.pay.amount}",
        "- [x]",
        "- refund:",
        "utter:",
        "- utter_a: 5",
        "- utter_b: {on: activate}",
        "hidden: maybe",
        "name: Pay",
    )
    assert [g.tool for g in skill.gates] == ["pay", "look", "refund"]
    assert skill.gates[1].requires == parse("session.pay.amount")
    assert [t.response.name for t in skill.triggers] == ["utter_a", "utter_b"]
    assert skill.name == "Pay"
    assert [f.span.line for f in skill.findings] == [10, 3, 5, 8]


def test_options_beside_the_tool_are_read_as_meant() -> None:
    skill = front("tool_constraints:", "- pay:", "  requires: session.pay.paid", "  on_success: utter_paid")
    finding = only(skill)
    assert finding.hint == "indent the options further than the tool's name"
    (gate,) = skill.gates
    assert (gate.tool, gate.requires) == ("pay", parse("session.pay.paid"))


def test_close_spellings_are_offered() -> None:
    assert only(front("descripton: x")).hint == "did you mean `description`?"
    assert only(front("tool_constraints: [pay: {requiers: x}]")).hint == "did you mean `requires`?"
    assert only(front("utter: [utter_a: {wen: x}]")).hint == "did you mean `when`?"


def test_what_yaml_makes_of_a_word_is_told_with_the_refusal() -> None:
    assert "bare `no`" in only(front("precondition: no")).message


def test_duplicate_keys_are_told_and_break_nothing() -> None:
    skill = front("name: A", "name: B")
    finding = only(skill)
    assert (finding.code, finding.skill, skill.broken) == ("inspector.yaml.duplicate-key", "pay", False)
    assert skill.name == "B"


def test_conditions_that_train_does_not_check_are_not_checked() -> None:
    skill = front("tool_constraints: [pay: {requires: session.pay.x is None}]")
    assert skill.findings == ()
    assert skill.gates[0].requires is not None
    assert not skill.gates[0].requires.accepted


@pytest.mark.parametrize("version", ["3.20", "3.15.2"])
def test_old_grammar_is_taken_from_older_engines(version: str) -> None:
    skill = front("requires: session.pay.a", "complete_when: session.pay.b", version=version)
    assert not skill.broken
    assert {f.severity for f in skill.findings} == {Severity.WARNING}


def test_old_grammar_is_read_as_it_was_meant() -> None:
    skill = front("requires: session.pay.a", "complete_when: session.pay.b")
    assert skill.legacy_requires == parse("session.pay.a")
    assert skill.legacy_requires_span is not None
    assert skill.legacy_requires_span.column == 11
    assert skill.completion is not None
    assert skill.completion.condition == parse("session.pay.b")
    assert [f.code for f in skill.findings] == ["skill.requires.removed", "skill.complete_when.mapping_required"]


def test_nothing_is_needed_in_the_frontmatter() -> None:
    skill = read("---\n---\nHelp.")
    assert skill.findings == ()
    assert skill.name is None


def test_white_space_around_the_frame_is_no_matter() -> None:
    skill = read("\n  \n ---  \nname: Pay\n\t---\t\nHelp.\n\n")
    assert skill.findings == ()
    assert (skill.name, [p.text for p in skill.paragraphs]) == ("Pay", ["Help."])


@pytest.mark.parametrize(
    ("text", "line", "name", "prose"),
    [
        ("Help.\n", 1, None, ["Help."]),
        ("", 1, None, []),
        ("\n\nHelp.\n", 3, None, ["Help."]),
        ("----\nname: Pay\n----\nHelp.\n", 1, None, ["----\nname: Pay\n----\nHelp."]),
        ("---\nname: Pay\n\nHelp.\n", 1, "Pay", ["Help."]),
        ("---\nname: 'Pay\n\nHelp.\n", 1, None, ["Help."]),
        ("\ufeff---\nname: Pay\n---\nHelp.\n", 1, "Pay", ["Help."]),
    ],
)
def test_a_broken_frame_is_told_once_and_read_as_meant(
    text: str, line: int, name: str | None, prose: list[str]
) -> None:
    skill = read(text)
    finding = only(skill)
    assert said(finding) == ("skill.markdown.invalid_frontmatter_delimiter", line, 1)
    assert (skill.name, [p.text for p in skill.paragraphs]) == (name, prose)
    assert skill.broken


def test_nothing_to_do_is_told() -> None:
    assert said(only(read("---\nname: Pay\n---\n  \n"))) == ("skill.markdown.missing_instructions", 1, 1)


def test_what_stands_before_a_syntax_error_is_read() -> None:
    skill = front("name: Pay", "tool_constraints: [look: ]", "description: a: b")
    assert [f.code for f in skill.findings] == ["inspector.yaml.syntax"]
    assert (skill.name, [g.tool for g in skill.gates]) == ("Pay", ["look"])


def test_places_are_right_in_files_with_carriage_returns() -> None:
    text = (
        "---\r\nname: Pay\r\nhidden: 1\r\n---\r\nHelp\r\nthem with @tool.pay.\r\n\r\nif: session.pay.x \r\nSay so.\r\n"
    )
    skill = read(text)
    assert said(only(skill)) == ("skill.markdown.invalid_boolean_frontmatter", 3, 9)
    assert [p.text for p in skill.paragraphs] == ["Help\nthem with @tool.pay.", "Say so."]
    assert str(skill.referenced_tools[0].span) == "skills/pay/skill.md:6:11"
    condition = skill.paragraphs[1].condition_span
    assert condition is not None
    assert (condition.line, condition.column, condition.end_column) == (8, 5, 18)


def test_the_handler_serves_the_library_too() -> None:
    text = "---\nname: Pay\n---\n\nHelp.\n"
    handler = SkillHandler(Source("skill.md", text))
    metadata, content = frontmatter.parse(text, handler=handler)
    assert (metadata, content) == ({"name": "Pay"}, "Help.")
    assert handler.detect(text)
    assert text[handler.frame.start : handler.frame.end] == "name: Pay\n"
    assert not SkillHandler(Source("skill.md", "---\nname: Pay\n")).detect("")
