"""No character that acts, or that nobody can see, comes out of `visible`."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.visible import visible

ACTING = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def every_acting_character() -> list[str]:
    return [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in ACTING]


def test_every_control_format_and_surrogate_character_of_unicode_is_replaced() -> None:
    left = [c for c in every_acting_character() if c in visible(c)]
    assert left == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\nb\tc", "a␊b␉c"),
        ("\x7f", "␡"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("safe\u202egpj.exe", "safe⟨U+202E⟩gpj.exe"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("\ufeff---", "⟨U+FEFF⟩---"),
        ("\ud800", "⟨U+D800⟩"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("\u3164", "⟨U+3164⟩"),
    ],
)
def test_what_acts_is_shown_by_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("text", ["", "plain", "größer ≥ 5 €", "日本語", "🙂 ❤️", "a b", "[bold]x[/]"])
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text


def test_line_feeds_and_tabs_stay_where_lines_are_wanted() -> None:
    assert visible("a\n\tb\r\x1b", lines=True) == "a\n\tb␍␛"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_nothing_that_acts_is_left(text: str) -> None:
    assert not {unicodedata.category(c) for c in visible(text)} & ACTING


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_showing_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_with_lines_only_line_feeds_and_tabs_are_left(text: str) -> None:
    assert {c for c in visible(text, lines=True) if unicodedata.category(c) in ACTING} <= {"\n", "\t"}
