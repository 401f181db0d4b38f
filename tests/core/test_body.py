"""Reading a skill's body: paragraphs, references and fences (§2.3–§2.5)."""

from __future__ import annotations

import pytest

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.condition import parse
from inspector_core.mantle.reading.skill import SkillText, read_skill_md
from inspector_core.mantle.reading.tokens import matches, scan
from inspector_core.source import Source

BLOCK = ":::ordered_block id=main\nsteps:\n- id: END\n:::\n"


def body(text: str) -> SkillText:
    """The skill with this body, which begins in line 3."""
    return read_skill_md("pay", Source("skills/pay/skill.md", f"---\n---\n{text}"))


def only(skill: SkillText) -> Finding:
    (finding,) = skill.findings
    return finding


def texts(skill: SkillText) -> list[str]:
    return [p.text for p in skill.paragraphs]


def test_blank_lines_split_paragraphs() -> None:
    skill = body("  One\n two \n \t \nThree\n\n\n# Four\n- five\n")
    assert texts(skill) == ["One\n two", "Three", "# Four\n- five"]
    assert [(p.span.line, p.span.column, p.span.end_line) for p in skill.paragraphs] == [
        (3, 3, 4),
        (6, 1, 6),
        (9, 1, 10),
    ]


def test_a_first_line_with_if_is_the_paragraphs_condition() -> None:
    skill = body("Always.\n\n  if:  session.pay.paid  \n  Say so.\n  And if: this.\n\nIf: x\n\nThen\nif: y\n")
    assert skill.findings == ()
    assert texts(skill) == ["Always.", "Say so.\n  And if: this.", "If: x", "Then\nif: y"]
    always, conditional, *_ = skill.paragraphs
    assert (always.condition, always.condition_span) == (None, None)
    assert conditional.condition == parse("session.pay.paid")
    assert conditional.condition_span is not None
    assert (conditional.condition_span.column, conditional.condition_span.end_column) == (8, 24)
    assert (conditional.span.line, conditional.span.column) == (6, 3)


def test_a_condition_has_one_line_and_no_folding() -> None:
    skill = body("if: >\n  session.pay.paid\nSay so.\n")
    assert skill.paragraphs[0].condition == parse(">")
    assert skill.findings == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("else: x\ny", "unsupported_prose_else"),
        ("elif: x\ny", "unsupported_prose_elif"),
        ("if:\ny", "empty_prose_if_condition"),
        ("if:", "empty_prose_if_condition"),
        ("if: session.pay.x", "empty_prose_if_body"),
        ("if: session.pay.x\n\ny", "empty_prose_if_body"),
    ],
)
def test_marked_paragraphs_have_their_form(text: str, code: str) -> None:
    finding = only(body(f"Help.\n\n{text}\n"))
    assert (finding.code, finding.span.line, finding.span.column) == (f"skill.markdown.{code}", 5, 1)
    assert finding.severity is Severity.ERROR


@pytest.mark.parametrize("text", ["x\nelse: y", "elsewhere", "Else: x", "else", "- if: x"])
def test_other_words_are_only_words(text: str) -> None:
    assert body(text).findings == ()


@pytest.mark.parametrize(
    ("text", "kind", "name", "complete"),
    [
        ("@skill.pay", "skill", "pay", True),
        ("@skill.pay.", "skill", "pay", True),
        ("@skill.pay, then", "skill", "pay", True),
        ("(@skill.pay)", "skill", "pay", True),
        ("**@skill.pay**", "skill", "pay", True),
        ("`@skill.pay`", "skill", "pay", True),
        ("@skill.pay-now", "skill", "pay-now", True),
        ("@block.größe", "block", "größe", True),
        ("@tool.x!", "tool", "x", True),
        ("@memory.pay.amount", "memory", "pay.amount", True),
        ("@memory.pay.amount.", "memory", "pay.amount", True),
        ("@skill.pay.x", "skill", "pay.x", False),
        ("@skill.pay.x.", "skill", "pay.x", False),
        ("@memory.pay.amount.x", "memory", "pay.amount.x", False),
        ("@memory.x", "memory", "x", False),
        ("@skill", "skill", "", False),
        ("@skill.", "skill", "", False),
        ("@memory..x", "memory", "", False),
    ],
)
def test_references_and_what_looks_like_them(text: str, kind: str, name: str, complete: bool) -> None:
    (found,) = matches(text)
    assert (found.kind, found.name, found.complete) == (kind, name, complete)


@pytest.mark.parametrize(
    "text", ["x@skill.pay", "@Skill.pay", "@skills.pay", "@skill-pay", "@skill_pay.x", "skill.pay"]
)
def test_what_is_no_reference(text: str) -> None:
    assert list(matches(text)) == []


def test_references_know_their_place() -> None:
    source = Source("a.md", "x\ny @tool.pay z")
    (token,) = scan(source.text[2:], source, 2)
    assert str(token.span) == "a.md:2:3"
    assert token.span.end_column == 12


def test_each_kind_of_reference_is_gathered() -> None:
    skill = body(
        "Go to @skill.other or @block.main.\n\nif: session.pay.x\nUse @tool.pay for @memory.pay.x, not @tool.a.b.\n\n"
        ":::ordered_block id=main\nsteps:\n- id: a\n  instructions: >\n"
        "    Use @tool.look\n    on @memory.pay.y and @skill.third.\n:::\n"
    )
    assert skill.findings == ()
    assert [n.name for n in skill.referenced_skills] == ["other"]
    assert [n.name for n in skill.referenced_blocks] == ["main"]
    tools = [(n.name, n.span.line, n.span.column) for n in skill.referenced_tools]
    assert tools == [("pay", 6, 5), ("look", 12, 9)]
    memory = [(n.name, n.span.line, n.span.column) for n in skill.referenced_memory]
    assert memory == [("pay.x", 6, 19), ("pay.y", 13, 8)]


def test_a_reference_to_no_block_is_refused() -> None:
    finding = only(body(f"Go to @block.mian.\n\n{BLOCK}"))
    assert (finding.code, str(finding.span)) == ("skill.markdown.invalid_block_reference", "skills/pay/skill.md:3:7")
    assert finding.hint == "did you mean `main`?"


def test_fences_are_cut_out_of_the_prose() -> None:
    skill = body(f"One\n{BLOCK}Two\n\nThree :::ordered_block id=b-2  \n:::  \n")
    assert skill.findings == ()
    assert texts(skill) == ["One", "Two", "Three"]
    assert [(b.id, b.span.line, b.span.column, len(b.steps)) for b in skill.blocks] == [
        ("main", 4, 1, 1),
        ("b-2", 10, 7, 0),
    ]


def test_a_fence_in_a_code_block_is_a_fence_all_the_same() -> None:
    skill = body(f"```\n{BLOCK}```\n")
    assert [b.id for b in skill.blocks] == ["main"]


@pytest.mark.parametrize(
    ("opening", "closing", "word"),
    [
        (':::ordered_block id="main"', ":::", "quoted"),
        (":::ordered_block id='main'", ":::", "quoted"),
        (":::ordered_block id=main now", ":::", "no id"),
        (":::ordered_block main", ":::", "no id"),
        (":::ordered_block id=main", "  :::", "never closed"),
        (":::ordered_block id=main", "", "never closed"),
        (":::ordered-block id=main", ":::", "opens nothing"),
        ("  :::orderedblock id=main", ":::", "opens nothing"),
    ],
)
def test_a_fence_that_is_none_leaves_the_block_in_the_prose(opening: str, closing: str, word: str) -> None:
    skill = body(f"Help.\n\n{opening}\nsteps:\n- id: END\n{closing}\n")
    finding = only(skill)
    assert (finding.code, finding.severity) == ("inspector.block.fence-not-recognised", Severity.WARNING)
    assert (finding.span.line, word in finding.message) == (5, True)
    assert skill.blocks == ()
    assert not skill.broken
    assert "steps:\n- id: END" in skill.paragraphs[1].text


def test_a_closing_fence_alone_is_told() -> None:
    assert only(body("Help.\n:::\n")).span.line == 4


def test_a_reference_to_a_block_whose_fence_is_none_says_so() -> None:
    skill = body('Go to @block.main.\n\n:::ordered_block id="main"\nsteps: []\n:::\n')
    finding = only(skill)
    assert finding.code == "skill.markdown.invalid_block_reference"
    assert finding.hint is not None
    assert finding.hint.startswith("line 5: ")


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        (":::ordered_block\nsteps: []\n:::", "skill.markdown.invalid_ordered_block", 3, 1),
        (":::ordered_block id=a\n- id: END\n:::", "skill.markdown.invalid_ordered_block", 4, 1),
        (":::ordered_block id=a\nwords\n:::", "skill.markdown.invalid_ordered_block", 4, 1),
        (f"{BLOCK}\n{BLOCK}", "skill.markdown.invalid_ordered_block", 8, 21),
        (":::ordered_block id=a\nroutable: no\n:::", "skill.markdown.ordered_block_routable_forbidden", 4, 1),
        (":::ordered_block id=a\ndescription: x\n:::", "skill.markdown.ordered_block_description_forbidden", 4, 1),
        (":::ordered_block id=a\nsteps: a: b\n:::", "inspector.yaml.syntax", 4, 9),
    ],
)
def test_blocks_have_their_form(text: str, code: str, line: int, column: int) -> None:
    skill = body(text)
    finding = only(skill)
    assert (finding.code, finding.span.line, finding.span.column) == (code, line, column)
    assert skill.broken
    assert skill.blocks


@pytest.mark.parametrize(
    "content", ["", "# nothing\n", "name: x\n", "steps:\n", "steps: []\ntools: []\n", "other: 5\n"]
)
def test_a_block_may_hold_nothing(content: str) -> None:
    skill = body(f":::ordered_block id=a\n{content}:::\n")
    assert skill.findings == ()
    assert [b.steps for b in skill.blocks] == [()]


def test_a_blocks_tools_are_names_or_gates() -> None:
    skill = body(
        ":::ordered_block id=a\ncomplete_when: done\ntools:\n- look\n- name: pay\n  requires: session.pay.x\n"
        "  other: 5\n  requires_confirmation: {enabled: true}\n:::\n"
    )
    assert skill.findings == ()
    (block,) = skill.blocks
    assert block.complete_when == "done"
    look, pay = block.gates
    assert (look.tool, look.origin, look.block, look.span.line) == ("look", "block", "a", 6)
    assert (pay.tool, pay.span.line, pay.requires) == ("pay", 7, parse("session.pay.x"))
    assert pay.confirmation is not None


def test_what_a_block_passes_over_is_told() -> None:
    first, second = "steps: {id: END}", "tools:\n- pay: {requires: x}\n- 5"
    skill = body(f":::ordered_block id=a\n{first}\n:::\n:::ordered_block id=b\n{second}\n:::\n")
    steps, *tools = [f.code for f in skill.findings]
    assert (steps, tools) == ("inspector.block.steps", ["inspector.block.tools"] * 2)
    assert not skill.broken


def test_completion_needs_prose() -> None:
    text = f"---\ncomplete_when: {{condition: session.pay.x}}\n---\n{BLOCK}"
    skill = read_skill_md("pay", Source("skills/pay/skill.md", text))
    finding = only(skill)
    assert (finding.code, finding.span.line, finding.span.column) == ("skill.complete_when.requires_prose", 2, 1)
    assert read_skill_md("pay", Source("skills/pay/skill.md", f"{text}Help.")).findings == ()
