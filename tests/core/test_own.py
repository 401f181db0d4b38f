"""Our own file: every fact comes back as it was, and a session is played again from its lines alone."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    CannotHelp,
    Corrected,
    CustomerSaid,
    Event,
    ModelSaid,
    Next,
    Record,
    Stub,
    Stubbed,
)
from inspector_core.mantle.wire.envelope import from_entry
from inspector_core.mantle.wire.exact import Inexact, packed, unpacked
from inspector_core.mantle.wire.kinds import Malformed
from inspector_core.mantle.wire.own import (
    Fact,
    Header,
    Kept,
    Line,
    Reloaded,
    Rewound,
    header_line,
    kept,
    lines,
    read_line,
)
from inspector_core.mantle.wire.rebuild import rebuild
from inspector_core.mantle.wire.stamp import Stamps
from tests.core.handmade import Played
from tests.core.test_engine_properties import AGENTS, NAMED, PLAYS
from tests.core.test_rebuild import known

STAMPS = Stamps("c1", "s1", 1000.0)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("$") | st.just(10**400),
    lambda v: st.lists(v, max_size=2) | st.lists(v, max_size=2).map(tuple)
    | st.dictionaries(st.text(max_size=2) | st.just("$") | st.integers() | st.none(), v, max_size=2), max_leaves=5,
)  # fmt: skip
"""Values that a script in YAML or a person may put into an event, and JSON has no form for."""
MAPPINGS = st.dictionaries(st.text(max_size=3) | st.just("$"), ODD, max_size=3)
WORDS = st.text(max_size=4)
STUBS = st.builds(
    Stub, payload=ODD, writes=st.lists(st.tuples(WORDS, ODD), max_size=2).map(tuple),
    says=st.lists(WORDS, max_size=2).map(tuple), raises=st.none() | WORDS,
    next=st.lists(st.builds(Next, WORDS, st.none() | WORDS), max_size=2).map(tuple), interrupted=st.booleans(),
)  # fmt: skip
CALLS = st.builds(Call, WORDS, MAPPINGS, st.none() | STUBS)


def of_class(cls: type[Event]) -> st.SearchStrategy[Event]:
    """Events of a class with anything that its fields allow."""
    known = {
        "text": WORDS, "button": st.none() | WORDS, "metadata": MAPPINGS, "target": WORDS, "values": MAPPINGS,
        "fills": MAPPINGS,
        "calls": st.lists(CALLS, max_size=2).map(tuple), "filler": WORDS, "key": WORDS, "value": ODD, "query": WORDS,
        "in_domain": ODD, "confirmed": ODD, "criteria_met": st.booleans(), "stub": STUBS,
        "tool": WORDS if cls is Stubbed else st.none() | WORDS,
    }  # fmt: skip
    hints = get_type_hints(cls)
    return st.builds(
        cls, **{f.name: known[f.name] if f.name in known else st.from_type(hints[f.name]) for f in fields(cls)}
    )


def parsed(text: str) -> list[Line]:
    return [read_line(json.loads(line)) for line in text.splitlines()]


def written(fact: Event | Rewound | Reloaded, *records: Record) -> list[Line]:
    return parsed(lines(fact, records, STAMPS)[0])


@pytest.mark.parametrize("cls", get_args(Event), ids=lambda cls: cls.__name__)
def test_every_move_reads_back_as_it_was(cls: type[Event]) -> None:
    @given(of_class(cls))
    def round_trip(event: Event) -> None:
        (line,) = written(event)
        assert repr(line.fact) == repr(event)

    round_trip()


@pytest.mark.parametrize(
    "event",
    [
        Stubbed("pay", None),
        Stubbed("pay", Stub(0)),
        Stubbed("pay", Stub(False)),
        Stubbed("pay", Stub(0.0)),
        CustomerSaid("ja", ""),
        CannotHelp(1),
        Corrected("a.b", "\ud800\u2028"),
    ],
)
def test_what_is_nearly_a_default_is_not_taken_for_one(event: Event) -> None:
    (line,) = written(event)
    assert repr(line.fact) == repr(event)


@given(st.builds(Header, WORDS, WORDS, WORDS, MAPPINGS))
def test_a_header_reads_back_with_the_memory_that_the_session_began_with(header: Header) -> None:
    text, _ = header_line(header, STAMPS)
    assert repr(parsed(text)[0].fact) == repr(header)


@pytest.mark.parametrize("fact", [Rewound(3), Reloaded("d1")])
def test_going_back_and_reading_anew_are_in_the_file_too(fact: Rewound | Reloaded) -> None:
    assert written(fact)[0].fact == fact


@given(st.sampled_from(["inspector_set", "inspector_note", "inspector_later"]), MAPPINGS, MAPPINGS)
def test_our_own_records_read_back(name: str, held: dict[str, object], metadata: dict[str, object]) -> None:
    record = Record(name, held, metadata)
    line = written(ModelSaid("a"), record)[1]
    assert repr(line.fact) == repr(record)
    assert (line.event.name, repr(line.event.fields)) == (name, repr(held))


@given(NAMED, PLAYS)
def test_a_session_is_played_again_from_its_lines_and_rebuilt_from_its_events(name: str, moves: list[Event]) -> None:
    text, stamps = header_line(Header("0.1", "mantle", "d1"), STAMPS)
    play = Played(AGENTS[name])
    for move in moves:
        more, stamps = lines(move, play(move).last, stamps)
        text += more
    found = kept(parsed(text))
    assert repr([m.event for m in found.moves]) == repr(moves)
    assert known(rebuild(e for m in found.moves for e in m.events)) == known(play.state)
    assert known(Played(AGENTS[name])(*(m.event for m in found.moves)).state) == known(play.state)


def test_any_line_is_an_envelope_and_one_line() -> None:
    text, _ = lines(AuthorSet("a.b", "x\u2028\n\udc00"), (Record("inspector_note", {"reason": "\x85"}),), STAMPS)
    assert text.isascii()
    assert [from_entry(json.loads(line)).name for line in text.split("\n")[:-1]] == ["inspector", "inspector"]


def test_a_move_stands_before_what_came_of_it_and_the_moments_go_on() -> None:
    text, stamps = lines(CustomerSaid("hi"), (Record("user", {"text": "hi"}),), STAMPS, 2000.0)
    more, _ = lines(ModelSaid("ho"), (Record("bot", {"text": "ho"}), Record("bot_turn_ended")), stamps, 3000.0)
    found = parsed(text + more)
    assert [(line.event.name, line.event.sequence) for line in found] == [
        ("inspector", 0), ("user", 1), ("inspector", 2), ("bot", 3), ("bot_turn_ended", 4),
    ]  # fmt: skip
    assert [line.event.timestamp for line in found] == [2000.0, 2000.001, 3000.0, 3000.001, 3000.002]


def fold(*facts: Fact) -> Kept:
    return kept(Line(from_entry({"inspector": {}}), fact) for fact in facts)


def test_moves_that_the_author_went_back_behind_no_longer_count() -> None:
    one, two, three = CustomerSaid("1"), ModelSaid("2"), ModelSaid("3")
    assert [m.event for m in fold(one, two, Rewound(1), three).moves] == [one, three]
    assert fold(one, two, Rewound(0)).moves == ()
    assert [m.event for m in fold(one, Rewound(9), Rewound(-1), two).moves] == [two]


def test_the_files_that_the_last_of_it_was_played_over_are_known() -> None:
    header = Header("0.1", "mantle", "d1", {"a.b": 1})
    assert fold(header, ModelSaid("1"), Reloaded("d2"))[::3] == (header, "d2")


def test_a_later_header_begins_anew_with_another_memory() -> None:
    first, later = Header("0.1", "mantle", "d1"), Header("0.1", "mantle", "d2", {"a.b": 1})
    found = fold(first, ModelSaid("1"), later, ModelSaid("2"))
    assert (found.header, [m.event for m in found.moves], found.project) == (later, [ModelSaid("2")], "d2")


def test_what_was_not_played_here_stands_before_the_first_move() -> None:
    event = from_entry({"event": "inactive"})
    found = kept([Line(event), *written(Activated("pay"))])
    assert (found.before, len(found.moves)) == ((event,), 1)


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"played": "danced"},
        {"played": "customer_said"},
        {"played": "customer_said", "text": 5},
        {"played": "completed", "criteria_met": 1},
        {"played": "called", "calls": 5},
        {"played": "called", "calls": [{}]},
        {"played": "searched", "query": "q", "stub": {"writes": [["a"]]}},
        {"played": "author_set", "key": "a", "value": {"$": "secret"}},
        {"played": "session_began", "metadata": {"$": "mapping", "items": [[[], 1]]}},
        {"record": "user", "fields": {}},
        {"record": "inspector_note", "fields": []},
        {"header": []},
        {"rewound": {"kept": True}},
        {"rewound": {"kept": "1"}},
    ],
)
def test_what_can_not_be_read_of_ours_is_malformed(form: object) -> None:
    with pytest.raises(Malformed):
        read_line({"inspector": form})


def test_a_field_of_a_later_version_does_no_harm() -> None:
    assert read_line({"inspector": {"played": "model_said", "text": "a", "tone": "kind"}}).fact == ModelSaid("a")


@given(ODD)
def test_any_value_is_packed_into_plain_json_and_unpacked_as_it_was(value: object) -> None:
    text = json.dumps(packed(value), allow_nan=False)
    assert repr(unpacked(json.loads(text))) == repr(value)


def test_what_is_nested_deep_is_kept_and_what_has_no_end_becomes_words() -> None:
    deep: object = 1
    for _ in range(600):
        deep = [deep]
    assert unpacked(json.loads(json.dumps(packed({"a": deep})))) == {"a": deep}
    for _ in range(90_000):
        deep = [deep]
    assert packed({"a": deep, "b": 1}) == {"a": "<list>", "b": 1}


@given(st.recursive(st.none() | st.text(max_size=3) | st.just("$"), lambda v: st.lists(v, max_size=3) | st.dictionaries(
    st.sampled_from(["$", "items", "text", "hex", "a"]), v | st.sampled_from(["tuple", "mapping", "int", "json"]),
    max_size=3,
)))  # fmt: skip
def test_whatever_is_marked_is_unpacked_or_told(form: object) -> None:
    try:
        unpacked(form)
    except Inexact:
        return
