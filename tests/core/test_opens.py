"""What would open a condition, what never can, and what always does."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.analysis.candidates import candidates
from inspector_core.analysis.opens import always_holds, never_opens, openers
from inspector_core.analysis.search import Search
from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Field
from inspector_core.proof import Truth
from inspector_core.source import Span
from tests.core.written import accepted, memories, nearly, plain, texts

HERE = Span("skills/a/memory.yml", 1, 1, 1, 1)
FIELDS = {
    key: Field(key, "public", kind, HERE, enum_values=values)
    for key, kind, values in [
        ("a.text", "text", ()),
        ("a.whole", "int", ()),
        ("a.part", "float", ()),
        ("a.flag", "bool", ()),
        ("a.list", "list", ()),
        ("a.reason", "categorical", ("lost", "stolen", "damaged")),
    ]
}


def said(text: str, memory: dict[str, object] | None = None) -> list[str]:
    """The openings, each as a line of keys and words."""
    found = openers(parse(text), memory or {}, FIELDS.get)
    return [" + ".join(f"{change.key.partition('.')[2]}: {change.words}" for change in way.changes) for way in found]


@pytest.mark.parametrize(
    ("text", "memory", "ways"),
    [
        ("session.a.text", {}, ["text: any text"]),
        ("session.a.flag", {}, ["flag: true"]),
        ("session.a.list", {}, ["list: a list with something in it"]),
        ("session.a.whole", {"a.whole": 0}, ["whole: any number but 0"]),
        ("session.a.whole >= 100", {}, ["whole: 100 or more"]),
        ("session.a.part > 99.5", {"a.part": 1}, ["part: more than 99.5"]),
        ("50 < session.a.whole < 150", {}, ["whole: more than 50, less than 150"]),
        ("session.a.reason == 'stolen'", {}, ["reason: 'stolen'"]),
        ("session.a.reason != 'stolen'", {"a.reason": "stolen"}, ["reason: anything but 'stolen'"]),
        ("not session.a.flag", {"a.flag": True}, ["flag: false"]),
        ("not session.a.text", {"a.text": "x"}, ["text: unset"]),
        ("session.a.flag == None", {"a.flag": False}, ["flag: unset"]),
        ("not session.a.whole >= 3", {"a.whole": 9}, ["whole: less than 3"]),
        ("session.a.flag and session.a.whole < 3", {}, ["flag: true + whole: less than 3"]),
        ("session.a.flag or session.a.text == 'x'", {}, ["flag: true", "text: 'x'"]),
        ("session.a.text == 'x' and session.a.flag", {"a.text": "x"}, ["flag: true"]),
        ("session.a.whole < 3 or session.a.whole > 10", {"a.whole": 5}, ["whole: less than 3", "whole: more than 10"]),
        ("session.z.unknown", {}, ["unknown: true"]),
        ("not session.z.unknown", {"z.unknown": "abc"}, ["unknown: unset"]),
        ("session.a.flag", {"a.flag": True}, []),
        ("session.a.text >= 10", {}, []),
        ("1 == 2", {}, []),
    ],
)
def test_the_smallest_changes_come_first_and_in_words(text: str, memory: dict[str, object], ways: list[str]) -> None:
    assert said(text, memory) == ways


def test_an_error_that_is_reached_first_must_be_cleared_too() -> None:
    assert said("session.a.whole >= 3 or session.a.flag") == ["whole: 3 or more", "whole: less than 3 + flag: true"]
    assert said("session.a.flag or session.a.whole >= 3") == ["flag: true", "whole: 3 or more"]


def test_values_keep_to_the_declared_type_and_its_values() -> None:
    found = openers(parse("session.a.reason != 'lost' and session.a.whole != 1.5"), {"a.reason": "lost"}, FIELDS.get)
    assert [change.value for way in found for change in way.changes] == ["stolen"]


def test_entries_compared_with_each_other_are_found_values_for() -> None:
    found = openers(parse("session.a.whole < session.a.part"), {"a.part": 5}, FIELDS.get)
    assert [change.key for change in found[0].changes] == ["a.whole"]


def test_there_are_at_most_six_ways_of_at_most_three_changes() -> None:
    assert len(said(" or ".join(f"session.z.k{n}" for n in range(20)))) == 6
    assert said(" and ".join(f"session.z.k{n}" for n in range(3)))
    assert said(" and ".join(f"session.z.k{n}" for n in range(4))) == []


def test_thirty_keys_take_a_bounded_amount_of_work() -> None:
    condition = parse(" or ".join(f"session.z.a{n} and session.z.b{n} and session.z.c{n} == 'x'" for n in range(10)))
    search = Search(condition, candidates(condition, {}, FIELDS.get), evaluations=200, expansions=20)
    list(search.smallest({}, most=3))
    assert search.exhausted
    assert search.evaluations >= 0
    assert search.expansions >= 0


@given(accepted | nearly, memories)
def test_what_is_said_to_open_opens(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    for way in openers(condition, memory, lambda key: None):
        changes = {change.key: change.value for change in way.changes}
        assert condition.truth({**memory, **changes}) is Truth.HOLDS
        for left_out in changes:
            fewer = {key: value for key, value in changes.items() if key != left_out}
            assert condition.truth({**memory, **fewer}) is not Truth.HOLDS


_KEYS = ("pay.ok", "project.auth", "pay.amount")


@given(plain, st.dictionaries(st.sampled_from(_KEYS), st.booleans()))
def test_no_smaller_way_is_missed(text: str, memory: dict[str, object]) -> None:
    """Entries alone, true or unset: here everything can be tried."""
    condition = parse(text)
    sizes = [len(way.changes) for way in openers(condition, memory, lambda key: None)]
    if condition.truth(memory) is not Truth.HOLDS:
        assert sizes[:1] == _smallest(text, memory)


def _smallest(text: str, memory: dict[str, object]) -> list[int]:
    condition = parse(text)
    for size in (1, 2, 3):
        for keys in combinations(condition.keys, size):
            for values in product((True, None), repeat=size):
                if condition.truth({**memory, **dict(zip(keys, values, strict=True))}) is Truth.HOLDS:
                    return [size]
    return []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("session.a.whole > 5 and session.a.whole < 3", "no value of `whole` makes it hold"),
        ("session.a.text == 'x' and session.a.text == 'y'", "no value of `text` makes it hold"),
        ("session.a.reason == 'stoln'", "no value of `reason` makes it hold"),
        ("session.a.text >= 10", "no value of `text` makes it hold"),
        ("session.a.flag and False", "no value of `flag` makes it hold"),
        ("session.a.whole >= 3 and session.a.whole == None", "no value of `whole` makes it hold"),
        ("foo or session.a.flag", "no value of `flag` makes it hold"),
        ("session.z.a and not session.z.a", "no value of `a` makes it hold"),
        ("1 == 2", "it reads no memory"),
        ("session.z.a > 5 and session.z.a < 5.5", None),
        ("session.a.whole > 5 and session.a.whole < 6", "no value of `whole` makes it hold"),
        ("session.z.a == 'x' or session.z.a == 1", None),
        ("session.z.a != session.z.a", None),
        ("session.z.a > 'a' and session.z.a < 'b'", None),
        (" and ".join(f"session.z.k{n} == {n}" for n in range(30)), None),
    ],
)
def test_what_never_opens_is_told_only_where_it_is_sure(text: str, why: str | None) -> None:
    assert never_opens(parse(text), FIELDS.get) == why


@given(accepted | nearly, memories)
def test_what_holds_somewhere_is_never_said_to_never_open(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    if condition.truth(memory) is Truth.HOLDS:
        assert never_opens(condition, lambda key: None) is None


@pytest.mark.parametrize(
    ("text", "always"),
    [
        ("'always'", True),
        ("1 == 1", True),
        ("True", True),
        ("session.a.text == 'x' or 'y'", True),
        ("True or session.a.whole > 3", True),
        ("session.a.whole > 3 or True", False),
        ("not session.a.flag", False),
        ("1 == 2", False),
        ("foo", False),
    ],
)
def test_what_always_holds(text: str, always: bool) -> None:
    assert always_holds(parse(text)) is always


@given(texts, memories)
def test_what_is_said_to_always_hold_holds(text: str, memory: dict[str, object]) -> None:
    condition = parse(text)
    if always_holds(condition):
        assert condition.truth(memory) is Truth.HOLDS
