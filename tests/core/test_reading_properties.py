"""Whatever is in a `skill.md`, reading it answers, and every place it names is in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.condition import Condition
from inspector_core.mantle.reading.skill import SkillText, read_skill_md
from inspector_core.source import Source, Span

WHOLE = """---
name: Pay
description: >
  Pays an invoice.
hidden: no
precondition: verified
routing: {engine_managed: false}
complete_when:
  condition: session.pay.paid
  criteria: [It is paid., "All is said."]
import_tools: [lookup, mcp/banking:get_balance]
tool_constraints:
- look:
- pay:
    requires: >-
      session.pay.amount
      and not session.pay.paid
    requires_confirmation: {enabled: true, utter_for_confirmation: utter_ask}
    on_success: &done utter_paid
- refund: {requires: "session.pay.paid", on_failure: *done}
utter:
- utter_hello:
    on: activate
- utter_paid: {when: 'session.pay.paid == True'}
---
# Pay

Find out the amount with @tool.look, then enter @block.main, or @skill.other.
It is @memory.pay.amount.

if: session.pay.paid
Say that it is settled – “thanks” 😀.

:::ordered_block id=main
tools:
- look
- name: pay
  requires: session.pay.amount
steps:
- id: get
  collect: amount
  utterance: utter_ask_amount
  dtmf: {length: 4}
- id: way
  noop: true
  next:
  - if: session.pay.amount > 100
    then: talk
  - else: run
- id: talk
  instructions: |
    Ask again with @tool.look,
    for @memory.pay.amount.
  complete_when: session.pay.amount
- id: run
  execute_tool: pay
  parameters: {amount: session.pay.amount, when: 2025-01-02}
- {id: note, set_memory: {paid: true}}
- id: END
:::
"""
LINES = WHOLE.splitlines(keepends=True)
SCRAPS = [
    *[
        "\0",
        "\ufeff",
        "\ud800",
        "\r",
        "\r\n",
        "\t",
        " ",
        "\u2028",
        "\x1b[31m",
        "'",
        '"',
        "`",
        ":",
        ": ",
        "- ",
        "#",
        "@",
    ],
    *[
        "---",
        "...",
        ":::",
        ":::ordered_block",
        ":::ordered_block id=x\n",
        "if:",
        "else:",
        "[",
        "]",
        "{",
        "}",
        "&a ",
        "*a",
    ],
    *[
        "!!python/object:os.system ",
        "!x ",
        "<<: *done",
        "? ",
        "|",
        ">",
        "~",
        "no",
        "on",
        "010",
        "9" * 5000,
        "null",
        "=",
        "\n",
    ],
    *[
        "@skill",
        "@memory.a",
        "@block.",
        "  ",
        "\n\n",
        "END",
        "id: END",
        "requires: true",
        "next: []",
        "else: x",
        '"a\\nb"',
    ],
]


def places(value: object) -> Iterator[Span]:
    """Every span in a value, however deep."""
    if isinstance(value, Span):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from places(item)
    elif is_dataclass(value) and not isinstance(value, Condition):
        for field in fields(value):
            yield from places(getattr(value, field.name))


def assert_sound(skill: SkillText, source: Source) -> None:
    ends = [*source.starts[1:], len(source.text) + 1]
    lengths = [end - start for start, end in zip(source.starts, ends, strict=True)]
    for span in places(skill):
        assert span.path == source.path
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        assert span.end_line <= len(source.starts)
        assert span.column <= lengths[span.line - 1]
        assert span.end_column <= lengths[span.end_line - 1]
    for finding in skill.findings:
        assert finding.message
        assert "\n" not in finding.message
        assert not finding.message.endswith(".")


def read(text: str) -> None:
    source = Source("skills/pay/skill.md", text)
    assert_sound(read_skill_md("pay", source), source)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The whole file with a few lines dropped, doubled, moved, indented, cut or spoiled."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(lines) - 1, 0)))
        line = lines[at] if lines else ""
        middle = draw(st.integers(0, len(line)))
        scrap = draw(st.sampled_from(SCRAPS))
        changed = {
            "drop": [],
            "double": [line, line],
            "indent": ["  " + line],
            "outdent": [line.lstrip(" ")],
            "cut": [line[:middle]],
            "insert": [line[:middle] + scrap + line[middle:]],
            "replace": [scrap + "\n"],
            "value": [line.partition(":")[0] + ": " + scrap + "\n"],
            "swap": [*lines[at + 1 : at + 2], line],
        }
        how = draw(st.sampled_from(sorted(changed)))
        lines[at : at + (2 if how == "swap" else 1)] = changed[how]
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    return "".join(lines).replace("\n", end)


def test_the_whole_file_is_sound() -> None:
    source = Source("skills/pay/skill.md", WHOLE)
    skill = read_skill_md("pay", source)
    assert_sound(skill, source)
    assert not skill.broken
    assert [f.code for f in skill.findings] == ["inspector.yaml.surprise"]
    assert len(list(places(skill))) > 40


@given(mutated())
def test_spoiled_files_are_read(text: str) -> None:
    read(text)


@given(st.text() | st.lists(st.sampled_from([*SCRAPS, *LINES]), max_size=25).map("".join))
def test_any_text_is_read(text: str) -> None:
    read(text)


@given(mutated())
def test_carriage_returns_change_nothing_but_places(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", " ")
    plain = read_skill_md("pay", Source("skill.md", text))
    returned = read_skill_md("pay", Source("skill.md", text.replace("\n", "\r\n")))
    assert [p.text for p in plain.paragraphs] == [p.text for p in returned.paragraphs]
    assert [(f.code, f.span.line, f.span.column) for f in plain.findings] == [
        (f.code, f.span.line, f.span.column) for f in returned.findings
    ]
    assert [g.requires for g in plain.gates] == [g.requires for g in returned.gates]
    assert [b.steps for b in plain.blocks] == [b.steps for b in returned.blocks]
