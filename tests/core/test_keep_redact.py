"""What is private is taken out of everything that is written of a conversation, and the same stands for the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    ModelSaid,
    Record,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.recording.keep.conversation import Conversation, of_session
from inspector_core.recording.keep.keeping import FORMS, KeptTest, keep
from inspector_core.recording.keep.private import Private
from inspector_core.recording.keep.redactor import Redactor
from inspector_core.session import Session, begin
from inspector_core.source import Source
from tests.core import agents

FILES = {
    "skills/pay/skill.md": agents.prose("Pay it."),
    "skills/pay/tools.py": agents.tools("send"),
    "skills/pay/responses.yml": "responses:\n  utter_hi: [{text: 'Hi {session.project.holder}!'}]\n",
    "skills/pay/memory.yml": "schema: {public: {code: {type: any, pii: true, llm_settable: true, description: A.}}}\n",
    "memory.yml": "holder: {type: text, pii: true, seed: true}\nknown: {type: bool, pii: true}\n",
}
PAY = agents.project(FILES)


def session(*events: Event, memory: dict[str, object] | None = None) -> Session[Project, State]:
    found = begin(MANTLE, PAY, memory or {})
    for event in events:
        found = found.apply(event)
    return found


def kept(*events: Event, shown: Collection[str] = (), memory: dict[str, object] | None = None) -> KeptTest:
    return keep(of_session(session(*events, memory=memory)), "script", PAY, shown=shown)


def leaves(node: Node | None) -> Iterator[object]:
    """Every key and value of a document, as a reader of it gets them."""
    if node is None:
        return
    for key, value in node.entries:
        yield from leaves(key)
        yield from leaves(value)
    for item in node.items:
        yield from leaves(item)
    if node.kind == "scalar":
        yield node.value


# -- nothing of it survives ----------------------------------------------------------------------------------------

NAMES = st.text(st.characters(categories=["Lu", "Ll", "Nd"], exclude_characters="ſıİK"), min_size=2, max_size=9)
TEXTS = st.one_of(
    NAMES, st.lists(NAMES, min_size=2, max_size=3).map(" ".join), st.from_regex(r"[0-9]{3,9}", fullmatch=True),
    NAMES.map(lambda n: f"{n}'s \"{n}\""), NAMES.map(lambda n: f"x{n}\\{n}: #{n}"),
)  # fmt: skip
NUMBERS = st.integers(10, 10**9) | st.floats(10, 10**6, allow_nan=False).map(lambda f: round(f, 2))
SECRETS = TEXTS | NUMBERS
WRAPPED = st.sampled_from(["{}", "it is {}.", "({})", "{}, and {} again", 'says "{}"', "\n{}\t", "é{}é", "{}_{}"])


def spread(value: object, words: str) -> tuple[Event, ...]:
    """A conversation in which a value of a private entry is everywhere that anything can be."""
    text = words.replace("{}", str(value))
    deep = {"list": [value, {text: [text, value]}], "n": value}
    stub = Stub(deep, (("code", value), ("project.holder", text)), (text,))
    return (
        AuthorSet("project.holder", value), SessionBegan({"holder": value, "extra": deep}), CustomerSaid(text),
        Activated("pay"), FieldsSet({"code": value}), Called((Call("send", {"to": text, "deep": deep}, stub),), text),
        Stubbed("send", Stub(raises=text)), Called((Call("send"),)), Corrected("code", value), Searched(text, stub),
        Resolved(text, stub), AuthorSet("pay.code", deep), ModelSaid(text), CustomerSaid("x", text),
        CustomerSaid(f"set:session.project.holder={text}"),
    )  # fmt: skip


PLAIN = of_session(session(*spread("Q", "{}")))
STRUCTURE = (
    "".join(keep(PLAIN, form, PAY).text for form in FORMS).casefold()
    + "hidden private redacted value number none null yes no"
)


def survives(value: object, text: str) -> bool:
    """A short value is one only as a word of its own; the names in a script are not the customer's."""
    found = str(value).casefold()
    if len(re.sub(r"\W", "", found)) >= 4:
        return found in text.casefold()
    return re.search(rf"(?<![^\W_]){re.escape(found)}(?![^\W_])", text.casefold()) is not None


@given(SECRETS, WRAPPED)
def test_nothing_of_a_private_value_survives_in_any_form(value: object, words: str) -> None:
    if str(value).casefold() in STRUCTURE:
        return
    found = of_session(session(*spread(value, words), memory={"project.holder": value, "x": [value]}))
    for form in FORMS:
        text = keep(found, form, PAY).text
        assert not survives(value, text)
        for leaf in leaves(load(Source("t.yml", text)).node):
            assert not survives(value, str(leaf)), leaf


@given(SECRETS, WRAPPED)
def test_what_is_taken_out_is_told_with_its_places(value: object, words: str) -> None:
    found = kept(*spread(value, words))
    assert found.redactions
    for redaction in found.redactions:
        assert redaction.places
        assert redaction.value
    assert len({r.name for r in found.redactions}) == len(found.redactions)


@given(st.lists(SECRETS, min_size=1, max_size=4), st.text(max_size=30))
def test_a_text_is_redacted_once_and_stays_so(values: list[str | int | float], rest: str) -> None:
    private = [Private("name", value) for value in values]
    text = " ".join([rest, *map(str, values), rest])
    once = Redactor(private).text(text, "here")
    for value in values:
        assert not survives(value, once)
    assert Redactor(private).text(text, "here") == once


# -- the same for the same -----------------------------------------------------------------------------------------


def test_one_value_has_one_placeholder_and_another_has_the_next() -> None:
    found = Redactor([])
    said = [found.text(text, "") for text in ("a@b.de", "c@d.de and A@B.de", "4111 1111 1111 1111", "4111111111111111")]
    assert said == ["<email 1>", "<email 2> and <email 1>", "<card 1>", "<card 1>"]


def test_an_entry_gives_its_placeholder_its_name() -> None:
    found = kept(AuthorSet("project.holder", "Ada Byron"), CustomerSaid("I am ada  byron"))
    assert 'project.holder: "<holder 1>"' in found.text
    assert 'customer: "I am <holder 1>"' in found.text
    [redaction] = found.redactions
    assert redaction[:3] == ("holder 1", "Ada Byron", "<holder 1>")
    assert redaction.places == ("event 1: memory, `project.holder`", "event 2: what the customer says")


def test_a_number_stays_a_number_wherever_it_is_written() -> None:
    found = kept(
        AuthorSet("pay.code", 4821), CustomerSaid("it ends in 4821"), Activated("pay"),
        Called((Call("send", {"card": "card_4821", "n": 4821}, Stub({"code": 4821, "other": 5})),)),
    )  # fmt: skip
    assert "customer: it ends in 1" in found.text
    assert "with: {card: card_1, n: 1}" in found.text
    assert "returns: {code: 1, other: 5}" in found.text


def test_a_card_is_the_same_whether_it_is_said_or_sent() -> None:
    found = kept(
        CustomerSaid("it is 4111 1111 1111 1111"), Activated("pay"),
        Called((Call("send", {"n": 4111111111111111, "t": "4111-1111-1111-1111"}),)),
    )  # fmt: skip
    assert 'customer: "it is <card 1>"' in found.text
    assert 'with: {n: 1, t: "<card 1>"}' in found.text
    assert [r.instead for r in found.redactions if r.kind == "card"] == ["<card 1> or 1"]


def test_the_number_in_its_place_is_never_another_private_one() -> None:
    found = kept(AuthorSet("pay.code", [1, 2, 3]), CustomerSaid("1 or 2 or 3"))
    assert [r.instead for r in found.redactions] == ["4", "5", "6"]


def test_a_flag_says_nothing_by_which_it_could_be_found() -> None:
    found = kept(AuthorSet("project.known", True), FieldsSet({"code": "yes"}), CustomerSaid("yes, it is true"))
    assert found.redactions == ()
    assert "customer: yes, it is true" in found.text


def test_what_stands_under_a_secrets_name_is_found_elsewhere_too() -> None:
    found = kept(CustomerSaid("it is hunter2"), Activated("pay"), Called((Call("send", {"password": "hunter2"}),)))
    assert "hunter2" not in found.text
    assert 'customer: "it is <password 1>"' in found.text


def test_what_is_private_inside_of_what_is_shown_is_still_hidden() -> None:
    events = (AuthorSet("project.holder", "Ada"), CustomerSaid("write to ada@mail.example"))
    assert 'customer: "write to <email 1>"' in kept(*events).text
    assert 'customer: "write to <holder 1>@mail.example"' in kept(*events, shown={"email 1"}).text


# -- the author's choice -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", ["email 2", "<email 2>"])
def test_each_can_be_kept(shown: str) -> None:
    found = kept(CustomerSaid("a@b.de"), CustomerSaid("c@d.de"), shown={shown})
    assert '"<email 1>"' in found.text
    assert '"c@d.de"' in found.text
    assert [r.kept for r in found.redactions] == [False, True]


def test_all_of_a_kind_can_be_kept() -> None:
    found = kept(CustomerSaid("a@b.de"), CustomerSaid("c@d.de"), shown={"email"})
    assert [r.kept for r in found.redactions] == [True, True]


def test_a_placeholder_does_not_say_what_it_hides() -> None:
    found = kept(AuthorSet("project.holder", "holder"), AuthorSet("pay.code", "hidden 1"))
    assert [r.instead for r in found.redactions] == ["<private 1>", "<code 1>"]


def test_a_conversation_that_is_named_after_its_customer_is_not() -> None:
    found = keep(of_session(session(CustomerSaid("hi"))), "e2e", PAY, name="+49 171 1234567")
    assert found.name == "<phone 1>"
    assert "1234567" not in found.text


def test_without_the_agents_files_it_is_said_that_entries_are_not_known() -> None:
    found = keep(of_session(session(AuthorSet("project.holder", "Ada"))), "script")
    assert "Ada" in found.text
    assert found.notes == ("without the agent's files nobody knows which entries are private",)


def test_values_that_no_reader_could_follow_are_left_out() -> None:
    deep: object = "Ada"
    for _ in range(500):
        deep = [deep]
    found = kept(AuthorSet("project.holder", "Ada"), AuthorSet("pay.code", {"x": deep}))
    assert "Ada" not in found.text


def test_a_records_text_that_is_json_is_searched_behind_its_escapes() -> None:
    result = '{"name": "J\\u00fcrgen"}'
    record = Record("tool_executed", {"tool_name": "send", "arguments": {}, "result": result})
    written = Record("memory_set", {"key": "project.holder", "value": "Jürgen"})
    found = keep(Conversation({}, (), (written, record)), "script", PAY)
    assert [p for r in found.redactions for p in r.places][-1] == "event 2: `send`, result"


def test_every_kind_of_move_is_gone_through() -> None:
    """A kind that is forgotten would be written as it is."""
    made = {type(event) for event in spread("Q", "{}")}
    silent = {"AuthorCleared", "Completed", "Cancelled", "Listened", "CannotHelp"}
    kinds: Sequence[type] = get_args(Event)
    assert {cls.__name__ for cls in kinds} - {cls.__name__ for cls in made} == silent
