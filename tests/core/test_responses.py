"""`responses.yml`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.reading.responses import ResponsesText, read_responses
from inspector_core.source import Source


def read(text: str, owner: str | None = "pay") -> ResponsesText:
    return read_responses(Source("responses.yml", text), owner)


def findings(text: str) -> list[tuple[str, int, int]]:
    return [(f.code, f.span.line, f.span.column) for f in read(text).findings]


def test_variants_in_order_with_conditions_and_places() -> None:
    (response,) = read(
        "responses:\n  utter_paid:\n  - text: It is paid.\n    condition: session.pay.paid\n  - text: It is open.\n"
    ).responses
    assert (response.name, response.owner, str(response.span)) == ("utter_paid", "pay", "responses.yml:2:3")
    first, second = response.variants
    assert (first.text, second.text, second.condition) == ("It is paid.", "It is open.", None)
    assert first.condition is not None
    assert first.condition.keys == ("pay.paid",)
    assert (str(first.span), str(first.text_span)) == ("responses.yml:3:5", "responses.yml:3:11")
    assert str(first.condition_span) == "responses.yml:4:16"


@pytest.mark.parametrize("written", ["Hello", "{text: Hello}", "[Hello]", "[{text: Hello}]", "\n    text: Hello"])
def test_one_variant_needs_no_list(written: str) -> None:
    (response,) = read(f"responses:\n  utter_hi: {written}\n").responses
    assert [v.text for v in response.variants] == ["Hello"]
    assert findings(f"responses:\n  utter_hi: {written}\n") == []


def test_buttons_with_their_payloads_places() -> None:
    buttons = "    buttons:\n    - title: Yes\n      payload: set:session.pay.ok=true\n"
    (button,) = read("responses:\n  utter_ask:\n  - text: Pay?\n" + buttons).responses[0].variants[0].buttons
    assert (button.title, button.payload, str(button.span)) == ("True", "set:session.pay.ok=true", "responses.yml:6:16")


def test_buttons_that_a_tool_makes() -> None:
    (response,) = read("responses:\n  utter_ask:\n  - text: Which?\n    buttons: {source: list_cards}\n").responses
    source = response.variants[0].button_source
    assert source is not None
    assert (source.name, str(source.span)) == ("list_cards", "responses.yml:4:23")


@pytest.mark.parametrize(
    ("metadata", "expected"), [("{rephrase: true}", True), ("{rephrase: 'true'}", False), ("", False)]
)
def test_rephrasing_is_asked_for_by_a_boolean(metadata: str, expected: bool) -> None:
    (response,) = read(f"responses:\n  utter_hi:\n  - text: Hi\n    metadata: {metadata}\n").responses
    assert response.variants[0].rephrase is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- utter_hi\n", ("responses.registry.invalid_mapping", 1, 1)),
        ("responses:\n- utter_hi\n", ("responses.registry.invalid_mapping", 2, 1)),
        ("responses:\n  utter_hi:\n", ("responses.registry.invalid_entry", 2, 12)),
        ("responses:\n  utter_hi:\n  - - Hi\n", ("responses.registry.invalid_variant", 3, 5)),
        ("responses:\n  utter_hi:\n  - {text: Hi, buttons: 5}\n", ("responses.registry.invalid_variant", 3, 25)),
        ("responses:\n  utter_hi:\n  - {text: Hi, buttons: [x]}\n", ("responses.registry.invalid_variant", 3, 26)),
        (
            "responses:\n  utter_hi:\n  - {text: Hi, image: x}\n",
            ("mantle.validation.response.invalid_variant_key", 3, 16),
        ),
        ("responses:\n  utter_hi:\n  - {text: [Hi]}\n", ("mantle.validation.response.invalid_variant_shape", 3, 12)),
        (
            "responses:\n  utter_hi:\n  - {text: Hi, condition: 5}\n",
            ("mantle.validation.response.invalid_condition", 3, 27),
        ),
        ("utter_hi:\n- text: Hi\n", ("inspector.responses.none", 1, 1)),
        ("responses:\n  utter_hi: []\n", ("inspector.responses.no-variants", 2, 13)),
    ],
)
def test_what_is_malformed_is_said_where_it_is(text: str, expected: tuple[str, int, int]) -> None:
    assert findings(text) == [expected]


def test_what_stops_loading_a_skill_is_reported_as_that() -> None:
    text = "responses: []\n"
    assert [f.reported_as for f in read(text).findings] == ["mantle.validation.skill.failed_to_load"]
    assert [f.reported_as for f in read(text, None).findings] == [None]


def test_a_malformed_response_hides_no_other() -> None:
    found = read("responses:\n  utter_a:\n  - 5: x\n    text: A\n  utter_b:\n  - [x]\n  - B\n  utter_c: C\n").responses
    assert [(r.name, [v.text for v in r.variants]) for r in found] == [
        ("utter_a", ["A"]), ("utter_b", ["B"]), ("utter_c", ["C"]),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "# none\n", "responses:\n", "responses: {}\n"])
def test_no_responses_are_fine(text: str) -> None:
    assert read(text).responses == ()
    assert findings(text) == []


WORDS = st.sampled_from([
    "responses", "utter_a", ":", "\n", "  ", "    ", "- ", "text", "condition", "buttons", "source", "title", "payload",
    "metadata", "[", "]", "{", "}", ",", "'", '"', "session.pay.a", "x", "|", ">", "&a ", "*a", "é", "\t", "? ", "true",
])  # fmt: skip


@given(st.lists(WORDS, max_size=30).map("".join))
def test_any_text_is_read_with_places_inside_it(text: str) -> None:
    found = read("responses:\n  " + text)
    spans = [f.span for f in found.findings] + [r.span for r in found.responses]
    spans += [v.span for r in found.responses for v in r.variants]
    for span in spans:
        assert 1 <= span.line <= span.end_line <= text.count("\n") + 2
