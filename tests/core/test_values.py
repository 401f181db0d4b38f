"""Values as typed and as shown."""

import pytest

from inspector_core.mantle.project import Field
from inspector_core.mantle.values import Refused, as_text, choices, mistyped, next_flip, parse_value
from inspector_core.source import Span


def field(kind: str, *enum: str) -> Field:
    return Field("pay.x", "public", kind, Span("memory.yml", 1, 1, 1, 1), enum_values=enum)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("int", "12", 12), ("int", "12 * 30", 360), ("int", "-4", -4), ("float", "1.5", 1.5), ("float", "3", 3),
        ("bool", "yes", True), ("bool", "FALSE", False), ("text", "true", "true"), ("text", "", ""), ("any", "5", "5"),
        ("list", "[1, 2]", [1, 2]), ("json", '{"a": null}', {"a": None}), ("text", "=3", 3),
        ("bool", '="false"', "false"),
        ("int", "=null", None),
    ],
)  # fmt: skip
def test_a_typed_text_becomes_a_value_of_the_fields_type(kind: str, text: str, value: object) -> None:
    parsed = parse_value(field(kind), text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("int", "twelve"), ("int", "1.5"), ("int", "True"), ("float", "rand()"), ("bool", "perhaps"), ("list", "[1"),
     ("json", "{a: 1}"), ("int", "9**9**9"), ("int", "1/0"), ("int", "().__class__"), ("int", "")],
)  # fmt: skip
def test_what_is_no_value_is_refused_with_a_reason(kind: str, text: str) -> None:
    parsed = parse_value(field(kind), text)
    assert isinstance(parsed, Refused)
    assert parsed.message
    assert parsed.hint


def test_an_enum_takes_its_values_only() -> None:
    reason = field("categorical", "lost", "stolen")
    assert parse_value(reason, "lost") == "lost"
    assert parse_value(reason, "broken") == Refused(
        "`broken` is none of lost, stolen", 'write `="…"` to store another value on purpose'
    )


def test_flipping_goes_round() -> None:
    flag, reason = field("bool"), field("categorical", "lost", "stolen")
    assert [next_flip(flag, v) for v in (None, True, False)] == [True, False, None]
    assert [next_flip(reason, v) for v in (None, "lost", "stolen", "odd")] == ["lost", "stolen", None, None]
    assert choices(field("text")) is None
    assert next_flip(field("text"), "x") == "x"


def test_text_is_shown_in_quotes_so_that_false_and_its_spelling_differ() -> None:
    assert as_text("false") == "'false'"
    assert as_text(False) == "false"
    assert as_text(None) == "unset"
    assert as_text({"a": "é"}) == '{"a": "é"}'
    assert as_text("it's\n") == "'it\\'s\\n'"


@pytest.mark.parametrize(
    ("kind", "value", "odd"),
    [("bool", "false", True), ("bool", False, False), ("int", True, True), ("float", 3, False), ("text", 3, True),
     ("json", 3, False), ("any", [], False), ("int", None, False)],
)  # fmt: skip
def test_a_value_of_another_type_is_told(kind: str, value: object, odd: bool) -> None:
    assert mistyped(field(kind), value) is odd


def test_a_value_outside_its_enum_is_told() -> None:
    assert mistyped(field("categorical", "lost"), "stolen")
    assert not mistyped(field("categorical", "lost"), "lost")
