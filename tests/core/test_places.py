"""Finding an offset of a value again in the file it was read from."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.checks.places import part as place_of
from inspector_core.mantle.reading.nodes import Node
from inspector_core.mantle.reading.places import locate, text_span
from inspector_core.mantle.reading.yaml import load
from inspector_core.source import Source, Span


def node_of(text: str) -> Node:
    root = load(Source("a.yml", text)).node
    assert root is not None
    node = root.get("k")
    assert node is not None
    return node


def part(source: Source, span: Span) -> str:
    """The file's characters in a span."""
    start = source.starts[span.line - 1] + span.column - 1
    return source.text[start : source.starts[span.end_line - 1] + span.end_column - 1]


@pytest.mark.parametrize(
    "written",
    [
        "k: session.pay.x and session.pay.y",
        "k:   'session.pay.x and session.pay.y'  # why",
        'k: "session.pay.x and session.pay.y"',
        "k: session.pay.x\n  and session.pay.y",
        "k: >\n  session.pay.x\n  and session.pay.y\n",
        "k: >-\n\n    session.pay.x and\n    session.pay.y\n\n",
        "k: |\n  (session.pay.x\n    and session.pay.y)\n",
        "k: >+ # why\r\n  session.pay.x\r\n  and session.pay.y\r\n",
        "k: 'session.pay.name == ''é'' and session.pay.y'",
        'k: "session.pay.name == \\"\\u00e9\\x41\\" and \\\n   session.pay.y"',
        "k: !!str session.pay.x or session.pay.y",
        "k: &a 'session.pay.x or session.pay.y'",
    ],
)
def test_a_part_of_a_condition_is_found_in_its_file(written: str) -> None:
    node = node_of(written)
    value = node.value
    assert isinstance(value, str)
    start = value.index("session.pay.y")
    span = locate(node.source, text_span(node), value, start, start + len("session.pay.y"))
    assert part(node.source, span) == "session.pay.y"
    assert (span.line, span.column) == node.source.position(written.index("session.pay.y"))


@pytest.mark.parametrize(
    ("written", "inside"),
    [
        ("k: x y ", "x y"),
        ("k: 'x y'", "x y"),
        ('k: "x"', "x"),
        ("k: |\n\n  x\n  y\n", "x\n  y"),
        ("k: >-  # z\n  x\n", "x"),
        ("k: ''", ""),
        ("k: |\n", ""),
        ("k:", ""),
    ],
)
def test_the_text_of_a_scalar_is_what_stands_inside(written: str, inside: str) -> None:
    node = node_of(written)
    assert part(node.source, text_span(node)) == inside


words = st.text(st.sampled_from("ab '\"\\é😀\n\t:#"), max_size=20)


@given(words, st.sampled_from([None, "'", '"', "|", ">"]), st.data())
def test_any_part_of_any_scalar_is_found_or_the_whole_given(value: str, style: str | None, data: st.DataObject) -> None:
    node = node_of(yaml.safe_dump({"k": value}, default_style=style, width=12, allow_unicode=True).replace('"k"', "k"))
    start = data.draw(st.integers(0, len(value)))
    whole = text_span(node)
    found = locate(node.source, whole, value, start)
    assert (whole.line, whole.column) <= (found.line, found.column)
    assert (found.end_line, found.end_column) <= (whole.end_line, whole.end_column)
    if start < len(value) and not value[start].isspace() and value.isalpha():
        assert part(node.source, locate(node.source, whole, value, start, start + 1)) == value[start]


def test_the_parts_of_a_long_text_are_found_without_going_through_it_for_each() -> None:
    text = "session.a.b " * 30_000
    source = Source("skill.md", f"---\n---\n{text}")
    span = source.span(8, 8 + len(text))
    places = [place_of({"skill.md": source}, span, text, at, at + 11) for at in range(0, len(text), 12)]
    assert {part(source, place) for place in places} == {"session.a.b"}
    assert len({place.column for place in places}) == 30_000


def test_a_long_text_that_reads_otherwise_than_it_stands_is_its_own_place() -> None:
    text = "session.a.b " * 30_000
    source = Source("skill.md", text.replace(" ", "\n  "))
    span = source.span(0, len(source.text))
    assert place_of({"skill.md": source}, span, text, 24, 35) == span
