"""Reading the steps of an ordered block (§2.6)."""

from __future__ import annotations

import pytest

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Step
from inspector_core.mantle.reading.skill import SkillText, read_skill_md
from inspector_core.source import Source


def block(*lines: str, version: str = "3.21") -> SkillText:
    """The skill with a block of these lines below `steps:`, which begin in line 5."""
    text = "\n".join(["---", "---", ":::ordered_block id=main", "steps:", *lines, ":::"])
    return read_skill_md("pay", Source("skills/pay/skill.md", text), version)


def step(*lines: str) -> Step:
    skill = block(*lines)
    assert skill.findings == ()
    return skill.blocks[0].steps[0]


def only(skill: SkillText) -> Finding:
    (finding,) = skill.findings
    return finding


@pytest.mark.parametrize(
    ("line", "kind", "target"),
    [
        ("{id: END, utter: 5, whatever: x}", "end", None),
        ("{id: a, noop: true, next: END}", "route", None),
        ("{id: a, noop: yes}", "route", None),
        ("{id: a, utter: utter_x}", "action", "utter_x"),
        ("{id: a, utter: utter_x, action: utter_y}", "action", "utter_x"),
        ("{id: a, instructions: Ask.}", "autonomous", None),
        ("{id: a, collect: amount}", "collect", "amount"),
        ("{id: a, action: action_listen}", "action", "action_listen"),
        ("{id: a, execute_tool: pay}", "execute_tool", "pay"),
        ("{id: a, set_memory: {paid: true}}", "set_memory", None),
        ("{id: a, call: other}", "call", "other"),
        ("{id: a, link: other}", "link", "other"),
    ],
)
def test_the_first_key_that_is_there_says_what_a_step_is(line: str, kind: str, target: str | None) -> None:
    found = step(f"- {line}")
    assert (found.kind, found.target.name if found.target else None) == (kind, target)


def test_an_autonomous_step_has_its_words_and_its_end() -> None:
    found = step(
        "- id: ask",
        "  instructions: |",
        "    Ask for it,",
        "    kindly.",
        "  complete_when: 'session.pay.amount'",
        "  optional: yes",
        "  next: END",
    )
    assert (found.instructions, found.optional) == ("Ask for it,\nkindly.\n", True)
    assert found.instructions_span is not None
    assert (found.instructions_span.line, found.instructions_span.column) == (7, 5)
    assert found.complete_when == parse("session.pay.amount")
    assert found.complete_when_span is not None
    assert (found.complete_when_span.line, found.complete_when_span.column) == (9, 19)


def test_a_collecting_step_has_its_question() -> None:
    found = step(
        "- id: ask",
        "  collect: amount",
        "  utterance: utter_ask",
        "  description: How much",
        "  ask_before_filling: true",
        "  dtmf: {length: 4, allow_audio_input: no}",
    )
    assert (found.description, found.ask_before_filling) == ("How much", True)
    assert found.utterance is not None
    assert str(found.utterance.span).endswith(":7:14")


def test_literals_are_kept_as_yaml_reads_them() -> None:
    skill = block(
        "- {id: a, execute_tool: pay, parameters: {n: 010, x: session.pay.x, l: [1]}}",
        "- {id: b, set_memory: {y: 1.5}}",
    )
    first, second = skill.blocks[0].steps
    assert first.parameters == {"n": 8, "x": "session.pay.x", "l": [1]}
    assert second.writes == {"y": 1.5}
    assert only(skill).code == "inspector.yaml.surprise"


def test_next_takes_many_forms() -> None:
    assert step("- {id: a, action: hangup}").next is None
    assert step("- {id: a, action: hangup, next: }").next is None
    assert step("- {id: a, action: hangup, next: []}").next == ()
    (only_way,) = step("- {id: a, action: hangup, next: b}").next or ()
    assert (only_way.condition, only_way.then, only_way.span.column) == (None, "b", 33)
    ways = step(
        "- id: a",
        "  noop: true",
        "  next:",
        "  - if: session.pay.x",
        "    then: b",
        "  - {if: , then: c}",
        "  - {then: d, extra: 1}",
        "  - {if: session.pay.x, then: e, else: f}",
    ).next
    assert ways is not None
    conditions = [parse("session.pay.x"), None, None, None]
    assert [(w.condition, w.then) for w in ways] == list(zip(conditions, "bcdf", strict=True))
    assert (ways[0].span.line, ways[0].span.column) == (9, 11)
    assert ways[0].condition_span is not None
    assert (ways[0].condition_span.line, ways[0].condition_span.column) == (8, 9)


FAULTS = [
    ("- words", 5, 3),
    ("- [a]", 5, 3),
    ("- action: hangup", 5, 3),
    ("- {id: , action: hangup}", 5, 4),
    ("- {id: on, action: hangup}", 5, 8),
    ("- {id: '', action: hangup}", 5, 8),
    ("- {id: a}", 5, 3),
    ("- {id: a, next: b}", 5, 3),
    ("- {id: a, noop: false}", 5, 3),
    ("- {id: a, noop: 'true'}", 5, 3),
    ("- {id: a, noop: true, action: hangup}", 5, 23),
    ("- {id: a, action: hangup, then: END}", 5, 27),
    ("- {id: a, collect: x, utter: utter_y, utterance: z}", 5, 11),
    ("- {id: a, link: x, next: END}", 5, 20),
    ("- {id: a, collect: 5}", 5, 20),
    ("- {id: a, collect: }", 5, 11),
    ("- {id: a, action: ''}", 5, 19),
    ("- {id: a, utter: [x]}", 5, 18),
    ("- {id: a, instructions: 5}", 5, 25),
    ("- {id: a, instructions: x, complete_when: true}", 5, 43),
    ("- {id: a, instructions: x, optional: 'yes'}", 5, 38),
    ("- {id: a, collect: x, utterance: 5}", 5, 34),
    ("- {id: a, collect: x, ask_before_filling: 1}", 5, 43),
    ("- {id: a, collect: x, dtmf: 4}", 5, 29),
    ("- {id: a, collect: x, dtmf: {}}", 5, 29),
    ("- {id: a, collect: x, dtmf: {length: 4, finish_on_key: '#'}}", 5, 29),
    ("- {id: a, execute_tool: pay, parameters: [x]}", 5, 42),
    ("- {id: a, set_memory: x}", 5, 23),
    ("- {id: a, action: hangup, next: 5}", 5, 33),
    ("- {id: a, action: hangup, next: {else: b}}", 5, 33),
    ("- {id: a, action: hangup, next: [b]}", 5, 34),
    ("- {id: a, action: hangup, next: [{if: session.pay.x}]}", 5, 34),
    ("- {id: a, action: hangup, next: [{if: 5, then: b}]}", 5, 39),
    ("- {id: a, action: hangup, next: [{then: 5}]}", 5, 41),
    ("- {id: a, action: hangup, next: [{else: }]}", 5, 35),
    ("- {id: a, action: hangup, next: [{else: off}]}", 5, 41),
]


@pytest.mark.parametrize(("line", "row", "column"), FAULTS, ids=[line for line, *_ in FAULTS])
def test_one_mistake_gives_one_finding_at_its_place(line: str, row: int, column: int) -> None:
    skill = block(line, "- id: END")
    finding = only(skill)
    assert (finding.code, finding.severity) == ("skill.step.invalid", Severity.ERROR)
    assert (finding.span.line, finding.span.column) == (row, column)
    assert [s.id for s in skill.blocks[0].steps][1:] == ["END"]


def test_several_unknown_keys_of_a_step_are_one_mistake() -> None:
    finding = only(block("- {id: a, utter: utter_x, collect: y, utterance: z}"))
    assert finding.message == "a step with `utter` does not take `collect`, `utterance`"


@pytest.mark.parametrize(
    ("key", "code"),
    [("force_collection", "skill.step.outdated_force_collection"), ("tool", "skill.step.outdated_collect_tool")],
)
def test_old_words_of_collecting_steps_have_codes_of_their_own(key: str, code: str) -> None:
    skill = block(f"- {{id: a, collect: x, {key}: true}}")
    assert (only(skill).code, only(skill).span.column) == (code, 23)
    assert skill.blocks[0].steps[0].ask_before_filling == (key == "force_collection")
    older = block(f"- {{id: a, collect: x, {key}: true}}", version="3.20")
    assert (only(older).severity, older.broken) == (Severity.WARNING, False)
    assert only(block(f"- {{id: a, action: hangup, {key}: true}}")).code == "skill.step.invalid"


def test_conditions_of_steps_are_read_and_not_checked() -> None:
    found = step("- {id: a, instructions: x, complete_when: session.pay.x is None, next: [{if: '', then: b}]}")
    assert found.complete_when is not None
    assert not found.complete_when.accepted


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("pay__other", "this skill has no block `other`"),
        ("refund__main", "`refund__main` is a block of another skill, which can't be entered from here"),
    ],
)
@pytest.mark.parametrize("key", ["call", "link"])
def test_blocks_that_can_not_be_entered_are_refused(key: str, target: str, message: str) -> None:
    finding = only(block(f"- {{id: a, {key}: {target}}}"))
    assert (finding.code, finding.message) == ("skill.markdown.invalid_step_target", message)


@pytest.mark.parametrize("target", ["pay__main", "main", "refund"])
def test_targets_that_may_be_there_are_left_to_the_whole_folder(target: str) -> None:
    assert block(f"- {{id: a, call: {target}}}").findings == ()
