"""Both kinds of `memory.yml`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.finding import Severity
from inspector_core.mantle.project import Field
from inspector_core.mantle.reading.memory import MemoryText, read_project_memory, read_skill_memory
from inspector_core.source import Source


def skill(text: str) -> MemoryText:
    return read_skill_memory(Source("skills/pay/memory.yml", text), "pay")


def project(text: str) -> MemoryText:
    return read_project_memory(Source("memory.yml", text))


def codes(text: MemoryText) -> list[tuple[str, int, int]]:
    assert all(f.severity is Severity.WARNING for f in text.findings)
    return [(f.code, f.span.line, f.span.column) for f in text.findings]


def test_public_entries_come_before_private_ones() -> None:
    found = skill("schema:\n  private:\n    b: {type: int}\n  public:\n    a: {type: bool}\n")
    assert [(f.key, f.scope, f.type) for f in found.fields] == [
        ("pay.a", "public", "bool"),
        ("pay.b", "private", "int"),
    ]
    assert str(found.fields[0].span) == "skills/pay/memory.yml:5:5"
    assert found.findings == ()


def test_every_attribute_that_gates_and_conversations_read() -> None:
    (field,) = skill(
        "schema:\n  public:\n    a:\n      type: categorical\n      description: Which.\n      enum_values: [x, 2]\n"
        "      llm_settable: true\n      initial_value: x\n      pii: yes\n      privacy_rules: []\n"
    ).fields
    assert field == Field(
        "pay.a", "public", "categorical", field.span, description="Which.", enum_values=("x", 2), llm_settable=True,
        initial_value="x", pii=True,
    )  # fmt: skip


def test_without_attributes_an_entry_is_of_any_type() -> None:
    (field,) = project("customer:\n").fields
    assert (field.key, field.scope, field.type, field.seed) == ("project.customer", "project", "any", False)
    assert (field.entry, field.owner) == ("customer", "project")


def test_a_name_that_is_public_and_private_is_private() -> None:
    found = skill("schema:\n  public:\n    a: {type: int}\n    b:\n  private:\n    a: {type: bool}\n")
    assert [(f.key, f.scope) for f in found.fields] == [("pay.b", "public"), ("pay.a", "private")]
    assert codes(found) == [("inspector.memory.shadowed", 3, 5)]


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "schema:\n", "schema:\n  public:\n", "null\n", "schema: {}\n"])
def test_an_empty_contract_is_fine(text: str) -> None:
    assert skill(text).fields == ()
    assert skill(text).findings == ()


@pytest.mark.parametrize("text", ["public:\n  a: {type: int}\n", "a: {type: int}\n", "- a\n", "schema: 5\n"])
def test_a_skills_file_without_a_schema_declares_nothing_and_says_so(text: str) -> None:
    found = skill(text)
    assert found.fields == ()
    assert [code for code, _, _ in codes(found)] == ["inspector.memory.no-schema"]


def test_the_access_of_an_older_engine_is_told_to_shield_nothing() -> None:
    found = skill("access:\n  deny_read: [other]\nschema:\n  public:\n    a: {type: int}\n")
    assert [f.key for f in found.fields] == ["pay.a"]
    assert codes(found) == [("inspector.memory.access-ignored", 1, 1)]


def test_unknown_keys_are_named_with_what_may_be_meant() -> None:
    found = skill("schema:\n  pubic:\n    a:\n  public:\n    b: {typ: int, llm_setable: true}\n")
    assert [(f.message, f.hint) for f in found.findings] == [
        ("`pubic` is no part of a schema", "did you mean `public`?"),
        ("`typ` is no attribute of an entry, so `b` goes without it", "did you mean `type`?"),
        ("`llm_setable` is no attribute of an entry, so `b` goes without it", "did you mean `llm_settable`?"),
    ]
    assert [f.key for f in found.fields] == ["pay.b"]


def test_an_entry_written_as_its_type_alone_gets_no_type() -> None:
    found = project("amount: int\n")
    assert found.fields[0].type == "any"
    assert [(f.code, f.hint) for f in found.findings] == [
        ("inspector.memory.not-a-mapping", "write `type: int` below it")
    ]


def test_values_of_another_kind_are_said() -> None:
    found = skill("schema:\n  public:\n    a: {llm_settable: 'true', seed: 'no', enum_values: x}\n")
    (field,) = found.fields
    assert (field.llm_settable, field.seed, field.enum_values) == (True, False, ())
    assert sorted(code for code, _, _ in codes(found)) == [
        "inspector.memory.enum-not-a-list", "inspector.memory.not-a-boolean", "inspector.memory.not-a-boolean",
    ]  # fmt: skip


def test_yaml_1_1_words_as_names() -> None:
    assert [f.key for f in project("on: {type: bool}\n").fields] == ["project.True"]


def test_a_file_that_breaks_off_keeps_what_stands_before() -> None:
    found = skill("schema:\n  public:\n    a: {type: int}\n    b: {type: 'int}\n")
    assert [f.key for f in found.fields][:1] == ["pay.a"]
    assert [f.severity for f in found.findings][-1] is Severity.ERROR


WORDS = st.sampled_from([
    "schema", "public", "private", ":", "\n", "  ", "    ", "a", "type", "int", "[", "]", "{", "}", ",", "'", '"', "- ",
    "enum_values", "true", "llm_settable", "&x ", "*x", "<<", "!!python/object:os.system", "0x" + "f" * 5000, "#", "\t",
    "? ", "|", ">", "é", "2001-01-01", "~",
])  # fmt: skip


@given(st.lists(WORDS, max_size=30).map("".join))
def test_any_text_is_read_with_places_inside_it(text: str) -> None:
    for found in (skill(text), project(text)):
        lines = text.count("\n") + 1
        for span in [f.span for f in found.findings] + [f.span for f in found.fields]:
            assert 1 <= span.line <= span.end_line <= lines
