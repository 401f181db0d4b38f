"""Conditions: what is legal, what is read, and what comes out (§4)."""

from __future__ import annotations

import copy
import pickle

import pytest

from inspector_core.mantle.condition import parse
from inspector_core.proof import Proof, Truth

HOLDS, FAILS, ERRORS = Truth.HOLDS, Truth.FAILS, Truth.ERRORS


def part(proof: Proof, text: str) -> Proof:
    """The part of a proof with that text."""
    waiting = [proof]
    while waiting:
        here = waiting.pop()
        if here.text == text:
            return here
        waiting.extend(here.children)
    raise AssertionError(f"no part {text!r}")


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("True or foo", HOLDS),
        ("False and -1", FAILS),
        ("2 < 1 < foo", FAILS),
        ("2 < 1 is 1", FAILS),
        ("1 < 2 is 1", ERRORS),
        ("True or session.a.b.c", HOLDS),
        ("True and [1]", ERRORS),
    ],
)
def test_what_is_illegal_errors_only_where_the_engine_gets_to_it(text: str, truth: Truth) -> None:
    condition = parse(text)
    assert condition.truth({}) is truth
    assert not condition.accepted


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("session", HOLDS),
        ("session == session", HOLDS),
        ("session == session.pay", FAILS),
        ("session.pay == session.pay", HOLDS),
        ("session.pay == session.card", FAILS),
        ("session.pay == None", FAILS),
        ("session.pay == ''", FAILS),
        ("session.pay < 1", ERRORS),
        ("session < session", ERRORS),
    ],
)
def test_an_incomplete_path_is_a_value_of_its_own(text: str, truth: Truth) -> None:
    assert parse(text).truth({"pay": 5}) is truth


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("session.b.y or session.a.x or session.b.y", ("b.y", "a.x")),
        ("(session.pay).ok", ("pay.ok",)),
        ("session.pay.__class__", ("pay.__class__",)),
        ("session.ﬁ.x == ｓession.fi.x", ("fi.x",)),
        ("session.pay.obj.k", ("pay.obj",)),
        ("len(session.pay.x) in [session.pay.y]", ("pay.x", "pay.y")),
        ("session.pay.x if session.a.b else session.c.d", ("pay.x", "a.b", "c.d")),
        ("{{session.pay.ok}}", ("pay.ok",)),
        ("session.card-replace.reason", ()),
        ("session.pay", ()),
        ("session.pay.ok and", ()),
    ],
)
def test_keys_come_in_order_of_appearance_those_of_refused_parts_too(text: str, keys: tuple[str, ...]) -> None:
    assert parse(text).keys == keys


@pytest.mark.parametrize(
    "text",
    [
        "\0",
        "1\0",
        "\ud800",
        "'\ud800'",
        "﻿1",
        "(" * 300 + "1" + ")" * 300,
        "not " * 5000 + "1",
        "-" * 100_000 + "1",
        "1+" * 50_000 + "1",
        "session" + ".a" * 50_000,
        "1" * 5000,
        "{" * 1000,
        "&&" * 50_000,
        "x\n" * 50_000,
        "session-" * 50_000 + "(",
    ],
    ids=range(15),
)
def test_no_text_is_too_odd_to_be_an_error(text: str) -> None:
    condition = parse(text)
    assert condition.truth({}) is ERRORS
    assert condition.row({})[0] is ERRORS
    assert condition.prove({}).error
    assert not condition.accepted
    assert condition.problem is not None


@pytest.mark.parametrize("text", ["not " * 300 + "session.a.b", " and ".join(["session.a.b"] * 2000)])
def test_what_is_too_large_to_be_compiled_is_interpreted(text: str) -> None:
    condition = parse(text)
    assert condition.truth({"a.b": True}) is HOLDS
    assert condition.row({"a.b": True})[2] == (True,)
    assert condition.accepted


def test_no_warning_of_the_parser_gets_out() -> None:
    assert parse("0xfor 1").truth({}) is HOLDS
    assert parse(r"'\d' == session.a.b").truth({"a.b": "\\d"}) is HOLDS


def test_a_row_tells_every_atom_and_every_value() -> None:
    row = parse("session.a.x or session.b.y >= 3 and not session.a.z == 'q'").row({"a.x": 1, "a.z": "q"})
    assert row == (HOLDS, (True, None, True), (1, None, "q"))


@pytest.mark.parametrize(
    ("memory", "row"),
    [
        ({"a.x": 5, "a.y": True}, (HOLDS, (True, True), (5, True))),
        ({"a.x": 1, "a.y": True}, (FAILS, (False, True), (1, True))),
        ({"a.y": True}, (ERRORS, (None, True), (None, True))),
        ({"a.x": "text", "a.y": True}, (ERRORS, (None, True), ("text", True))),
        ({"a.x": 5}, (FAILS, (True, False), (5, None))),
    ],
)
def test_a_row_is_right_by_whichever_way_it_was_found(memory: dict[str, object], row: tuple[object, ...]) -> None:
    assert parse("session.a.x >= 3 and session.a.y").row(memory) == row


def test_a_condition_is_a_value() -> None:
    condition = parse("session.a.b")
    condition.truth({})
    assert condition is parse("session.a.b")
    assert pickle.loads(pickle.dumps(condition)) == condition
    assert copy.deepcopy(condition) == condition
    assert len({condition, parse("session.a.b"), parse("session.a.c")}) == 2
    with pytest.raises(AttributeError):
        _ = condition.nothing


def test_skipped_parts_are_evaluated_and_marked() -> None:
    proof = parse("session.a.x or session.b.y >= 3").prove({"a.x": True})
    skipped = part(proof, "session.b.y >= 3")
    assert proof.truth is HOLDS
    assert not skipped.evaluated
    assert skipped.truth is ERRORS
    assert not part(proof, "session.b.y").evaluated
    assert part(proof, "session.a.x").evaluated


def test_the_rest_of_a_chain_is_skipped_once_a_pair_fails() -> None:
    proof = parse("5 < session.a.x < session.a.y").prove({"a.x": 1, "a.y": 2})
    assert [child.evaluated for child in proof.children] == [True, True, False]
    assert proof.operators == ("<", "<")
    assert [child.value for child in proof.children] == [5, 1, 2]


def test_the_innermost_part_that_raises_is_the_cause() -> None:
    proof = parse("not (session.a.x and session.pay.amount >= 100)").prove({"a.x": True})
    cause = part(proof, "session.pay.amount >= 100")
    assert cause.cause
    assert cause.error == "amount is unset: None >= 100"
    assert [proof.cause, proof.children[0].cause] == [False, False]
    assert proof.error == cause.error


@pytest.mark.parametrize(
    ("text", "memory", "error"),
    [
        ("session.a.x >= 10", {"a.x": "9"}, "'9' >= 10 compares text with a number"),
        ("session.a.x > session.b.x", {"b.x": 3}, "a.x is unset: None > 3"),
        ("session.a.x > session.a.y", {}, "x and y are unset: None > None"),
        ("session.a.x > 3", {"a.x": ["a"]}, "['a'] > 3 compares a list with a number"),
        ("session.a.x == true", {}, "unknown name `true`; write `True`"),
        ("session.a.x in ['a']", {}, "`in` can't be used in a condition"),
        ("foo", {}, "unknown name `foo`"),
        ("session.a < 1", {}, "session.a < 1 compares an incomplete reference with a number"),
    ],
)
def test_errors_are_said_in_the_authors_words(text: str, memory: dict[str, object], error: str) -> None:
    assert parse(text).prove(memory).error == error


def test_a_number_too_long_to_print_is_no_trouble() -> None:
    proof = parse("session.a.x > session.a.y").prove({"a.x": 10**5000, "a.y": "text"})
    assert proof.error == "<a number> > 'text' compares a number with text"


def test_memory_says_its_key_and_whether_it_is_set() -> None:
    proof = parse("session.a.x == 'lost'").prove({})
    assert (proof.children[0].kind, proof.children[0].key, proof.children[0].unset) == ("memory", "a.x", True)
    assert (proof.children[1].kind, proof.children[1].value) == ("constant", "lost")


def test_offsets_count_characters_on_every_line() -> None:
    text = "('é😀' == session.a.naïve\r\n or session.b.x)"
    proof = parse(text).prove({})
    for child in (proof, *proof.children, *proof.children[0].children):
        assert text[child.start : child.end] == child.text
    assert [child.text for child in proof.children] == ["'é😀' == session.a.naïve", "session.b.x"]


def test_a_number_too_long_to_be_read_is_said_in_our_words() -> None:
    problem = parse("9" * 5000).problem
    assert problem is not None
    assert problem.message.endswith("a number of so many digits can't be read")
