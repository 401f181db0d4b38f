"""Reading YAML: the values of the engine's loader, with places, within bounds, without raising."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.yaml import Document, Node, load
from inspector_core.source import Source


def read(text: str) -> Document:
    return load(Source("a.yml", text))


def value(text: str) -> object:
    node = read(text).node
    assert node is not None
    return node.value


def only(text: str) -> Finding:
    (finding,) = read(text).findings
    return finding


def every(node: Node) -> Iterator[Node]:
    yield node
    for item in node.items:
        yield from every(item)
    for pair in node.entries:
        for part in pair:
            yield from every(part)


WORDS = """
yes Yes YES yEs no No NO on On ON oN off Off OFF true True TRUE tRue false False FALSE y n null Null NULL nULL ~
0 00 010 -010 +010 08 0_7 _1 1_000 1__0 -1 +1 - + 0x1F 0xg 0x_f -0x1f 0b101 0b2 0o17 12:30 1:60 12:30:45 0:30 -1:30
1:2:3:4 1. 1.5 1.10 .5 . -.5 +.5 1e3 1.e+3 1.5e3 1.5e+3 1.5E-3 .inf -.inf +.INF .Inf .NaN .nan 1:30.5 1_0.5 1._
190:20:30.15 1,000 2025-01-02 2025-1-2 2025-01-02T03:04:05 2025-01-02t03:04:05Z 2025-01-02T03:04:05.6789012
2025-01-02T03:04:05+05:30 2025-01-02T03:04:05-5 2025-01-02T3:04:05 12-01-02 0x -- 1-2 +a 0.0 -0 -0.0 1.0.0 v1
"""


def engine(text: str) -> object:
    return yaml.load(text, Loader=yaml.CSafeLoader)


def is_refused(text: str) -> bool:
    try:
        engine(text)
    except (yaml.YAMLError, ValueError, KeyError, IndexError, AttributeError, RecursionError, TypeError):
        return True
    return False


@pytest.mark.parametrize("word", WORDS.split())
def test_plain_words_read_as_the_engines_loader_reads_them(word: str) -> None:
    for text in (f"{word} ", f"a: {word}", f"[{word}]", f"{word}: 1"):
        if not is_refused(text):
            assert repr(value(text)) == repr(engine(text))


@pytest.mark.parametrize(
    "text",
    [
        "2025-01-02 03:04:05 +1",
        "2025-01-02 \t 03:04:05.1",
        "a: !!str 010",
        "a: !!int '7'",
        "a: !!float 5",
        "a: !!bool 'yEs'",
        "a: !!null x",
        "a: !!binary aGk=",
        "a: !!timestamp 2025-1-2",
        "!!set {a, b}",
        "!!omap [a: 1, b: 2]",
        "!!pairs [a: 1, a: 2]",
        "!!map {a: 1}",
        "!!seq [1]",
        "! 12",
        "! '12'",
        "- !\n- ! no",
        "=: 1",
        "'<<': 1",
        "'=': =a",
        "a: &x [1, {b: c}]\nd: *x\n",
        "a: &x {k: 1, l: 2}\nd: {<<: *x, k: 3}\n",
        "a: &x {k: 1}\nb: &y {m: 2}\nd:\n  z: 0\n  <<: [*x, *y]\n  n: 4\n",
        "a: &x {k: 1}\nb: &y {<<: *x, m: 2}\nd: {<<: *y}\n",
        "&a a: &b b\n*b : *a\n",
        "? a\n: b\n? c\n",
        "? 'x'\n: - 1\n  - 2\n",
        "a: |\n  x\n   y\n\nb: >-\n  u\n  v\n\n  w\nc: |+\n  k\n\n\nd: >2\n    e\n",
        "a: \"x\\n\\u00e9\\\n   y\"\nb: 'it''s'\n",
        "a: b\n  c\n  d\n",
        "- - - 1\n  -\n- {}\n- []\n",
        "# only a comment\n",
        "",
        "---\n",
        "--- a\n...\n",
        "%YAML 1.1\n---\na: 1\n",
        "\ufeffa: 1\n",
        "a: 1\r\nb: |\r\n  x\r\n  y\r\n",
        "a: 'é😀'\nb: 日本\n",
        "1: a\ntrue: b\n1.0: c\n",
    ],
)
def test_documents_read_as_the_engines_loader_reads_them(text: str) -> None:
    document = read(text)
    assert (document.node.value if document.node else None) == engine(text)
    assert not [f for f in document.findings if f.severity is Severity.ERROR]


words = st.one_of(
    st.sampled_from(["a", "b", "no", "on", "010", "12:30", "1.10", "~", "", "2025-01-02", "x y", "é😀", "- ", ": "]),
    st.text(max_size=6),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.none(),
    st.dates(),
    st.binary(max_size=4),
)
values = st.recursive(
    words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)
STYLES = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([True, False, None]),
        "default_style": st.sampled_from([None, None, "'", '"', "|", ">"]),
        "indent": st.integers(2, 5),
        "line_break": st.sampled_from(["\n", "\r\n"]),
        "allow_unicode": st.booleans(),
        "explicit_start": st.booleans(),
    }
)


@given(values, STYLES)
def test_whatever_was_written_is_read_back(data: object, style: dict[str, Any]) -> None:
    text = yaml.safe_dump(data, **style)
    document = read(text)
    assert document.node is not None
    assert document.node.value == engine(text)
    assert_inside(document, text)


PIECES = [
    *["a", "b", ": ", "- ", "? ", ",", "[", "]", "{", "}", "&", "*", "&x ", "*x", "|", ">", "|-", "'", '"', "#", "%"],
    *["!", "!!str ", "!!int ", "!!set ", "!!omap ", "!!python/object:x ", "!t ", "<<", "<<: ", "<<: *x", "{<<: *x}"],
    *["no", "on", "=", "010", "1.10", "12:30", "2025-01-02", "2025-99-99", "0b_", "~", "@", "`", "---", "...", "\\"],
    *["\n", "\n  ", "\n    ", "\n- ", "\na: ", "\n  b: ", "\r\n", "\r", "\t", "\0", "é", "😀", "\ud800", "\ufeff"],
]
scraps = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def assert_inside(document: Document, text: str) -> None:
    """Every place named lies in the text."""
    lines = Source("a.yml", text).starts
    for finding in document.findings:
        assert 1 <= finding.span.line <= finding.span.end_line <= len(lines)
        assert finding.span.column >= 1
    for root in filter(None, (document.node, document.partial)):
        for node in every(root):
            assert 0 <= node.start <= node.end <= len(text)


@given(st.one_of(scraps, st.text()).filter(lambda text: "\ufeff\ufeff" not in text))
def test_any_text_is_read_without_raising_and_as_the_engine_would(text: str) -> None:
    document = read(text)
    assert_inside(document, text)
    refused = [f for f in document.findings if f.severity is Severity.ERROR]
    assert bool(refused) == is_refused(text)
    if not refused and not any(f.code == "inspector.yaml.bounds" for f in document.findings):
        expected = engine(text)
        assert repr(document.node.value if document.node else None) == repr(expected)


@given(scraps.filter(lambda text: not re.search(r"\ufeff|!(?![^\s,\]}])", text)))  # read otherwise by the two
def test_the_parser_without_libyaml_gives_the_same_values(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspector_core.mantle.reading.yaml._LOADER", yaml.BaseLoader)
        pure = read(text)
    assert_inside(pure, text)
    fast = read(text)
    if pure.node and fast.node:
        assert repr(pure.node.value) == repr(fast.node.value)


def test_nodes_know_where_they_stand() -> None:
    text = "# c\nname: 'é😀'\nlist:\n- &x a b\n-  !!str c # d\n\nlast: |\n  x\n  y\n\n"
    node = read(text).node
    assert node is not None
    places = {n.text: str(n.span) for n in every(node)}
    assert places["'é😀'"] == "a.yml:2:7"
    assert places["a b"] == "a.yml:4:6"
    assert places["c"] == "a.yml:5:10"
    assert places["|\n  x\n  y"] == "a.yml:7:7"
    listed = node.get("list")
    assert listed is not None
    assert (listed.span.line, listed.span.end_line, listed.span.end_column) == (4, 5, 11)


def test_offsets_of_a_part_count_in_the_whole_file() -> None:
    source = Source("skill.md", "---\r\na: 1\r\nb: [\r\n---\r\n")
    finding = load(source, 5, 18).findings[-1]
    assert finding.code == "inspector.yaml.syntax"
    assert finding.span.line in (3, 4)
    node = load(source, 5, 11).node
    assert node is not None
    assert str(node.entries[0][1].span) == "skill.md:2:4"


def test_a_syntax_error_has_its_exact_place_and_leaves_what_stood_before_it() -> None:
    document = read("a: 1\nb: x: y\nc: 2\n")
    (finding,) = document.findings
    assert str(finding.span) == "a.yml:2:5"
    assert finding.hint == "put a text that contains `: ` in quotes"
    assert document.node is None
    assert document.partial is not None
    assert document.partial.value == {"a": 1, "b": "x"}


def test_what_is_never_closed_is_missed_behind_the_last_character() -> None:
    assert str(only("a: {b: c\n\n").span) == "a.yml:1:9"


def test_a_repeated_key_is_told_with_the_line_of_the_first_and_the_last_counts() -> None:
    text = "a: 1\nb: 2\n'a': 3\n"
    finding = only(text)
    assert (finding.code, finding.severity, str(finding.span)) == (
        "inspector.yaml.duplicate-key",
        Severity.WARNING,
        "a.yml:3:1",
    )
    assert "line 1" in finding.message
    node = read(text).node
    assert node is not None
    assert [(key, item.value) for key, _, item in node.pairs()] == [("a", 3), ("b", 2)]


def test_a_merged_key_written_here_too_is_no_repetition() -> None:
    node = read("a: &x {k: 1, l: 2}\nd: {<<: *x, k: 3}\n").node
    assert node is not None
    inner = node.get("d")
    assert inner is not None
    assert [key.value for key, _ in inner.entries] == ["l", "k"]
    assert read("a: &x {k: 1, l: 2}\nd: {<<: *x, k: 3}\n").findings == ()


@pytest.mark.parametrize("word", ["no", "Yes", "off", "010", "12:30", "1.10", "2025-01-02", "1:30.5"])
def test_what_yaml_makes_of_words_is_told(word: str) -> None:
    finding = only(f"version: {word}")
    assert (finding.code, finding.severity) == ("inspector.yaml.surprise", Severity.INFO)
    assert f"`{word}`" in finding.message
    assert read(f"version: '{word}'").findings == ()


@pytest.mark.parametrize("text", ["a: true", "a: False", "on: activate", "a: 1.5", "a: 10", "a: ~", "a: 1.0", "a: -3"])
def test_what_surprises_nobody_is_not_told(text: str) -> None:
    assert read(text).findings == ()


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!custom", "!<tag:x,1:y>", "!!unknown"])
def test_tags_are_refused_and_the_value_read_as_it_stands(tag: str) -> None:
    for text, expected in ((f"a: {tag} [x]", ["x"]), (f"a: {tag} x", "x")):
        finding = only(text)
        assert (finding.code, finding.severity, finding.span.column) == ("inspector.yaml.tag", Severity.ERROR, 4)
        assert value(text) == {"a": expected}


def test_a_mapping_as_key_is_refused_alone() -> None:
    finding = only("{a: b}: c\nd: e\n")
    assert finding.code == "inspector.yaml.key"
    assert value("{a: b}: c\nd: e\n") == {"d": "e"}


def test_a_second_document_is_refused() -> None:
    finding = only("a: 1\n---\nb: 2\n")
    assert (finding.code, finding.span.line) == ("inspector.yaml.syntax", 2)


def test_an_alias_bomb_reads_as_null() -> None:
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
    document = read(text)
    (finding,) = document.findings
    assert finding.code == "inspector.yaml.bounds"
    assert document.node is not None
    assert sum(1 for _ in every(document.node)) < 2_500


def test_an_alias_to_what_contains_it_reads_as_null() -> None:
    assert only("&a [*a]").code == "inspector.yaml.bounds"
    assert value("&a [*a]") == [None]


@pytest.mark.parametrize("text", ["[" * 101 + "]" * 101, "- " * 10_000, "[" * 900 + "&x 1" + "]" * 900, "{a: " * 200])
def test_nesting_is_read_to_a_depth(text: str) -> None:
    document = read(text)
    assert any(f.code in ("inspector.yaml.bounds", "inspector.yaml.syntax") for f in document.findings)


@pytest.mark.parametrize(("prefix", "digit"), [("", "9"), ("0x", "f"), ("0b", "1"), ("0", "7")])
def test_numbers_too_long_to_be_printed_read_as_text(prefix: str, digit: str) -> None:
    number = prefix + digit * (3_990 if prefix == "0x" else 20_000)
    assert only(f"a: {number}").code == "inspector.yaml.syntax"
    assert value(f"a: {number}") == {"a": number}


def test_dates_are_dates() -> None:
    assert value("2025-01-02") == datetime.date(2025, 1, 2)


def test_a_mapping_that_is_merged_into_itself_brings_nothing_and_is_no_error() -> None:
    document = read("&x {<<: *x, a: 1}")
    assert document.node is not None
    assert document.node.value == {"a": 1}
    assert [f.code for f in document.findings] == ["inspector.yaml.bounds"]
