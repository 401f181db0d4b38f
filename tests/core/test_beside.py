"""Two recordings side by side: every event of both stands there once, and what always differs is not compared."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.beside import Pair, side_by_side


def said(text: str, who: str = "user", **ids: object) -> TrackerEvent:
    return TrackerEvent(who, {"text": text, **ids})


def wrote(key: str, value: object) -> TrackerEvent:
    return TrackerEvent("memory_set", {"key": key, "value": value})


EVENTS = st.lists(
    st.one_of(
        st.sampled_from(["hi", "bye"]).map(said),
        st.sampled_from(["hi", "bye"]).map(lambda text: said(text, "bot")),
        st.tuples(st.sampled_from(["a.b", "a.c"]), st.sampled_from([1, True, "1", [1], {}])).map(lambda w: wrote(*w)),
    ),
    max_size=40,
)


def lefts_and_rights(left: Sequence[TrackerEvent], right: Sequence[TrackerEvent]) -> tuple[list[int], list[int]]:
    pairs = side_by_side(left, right).pairs
    return [p.left for p in pairs if p.left is not None], [p.right for p in pairs if p.right is not None]


@given(EVENTS, EVENTS)
def test_every_event_of_both_stands_there_once_and_in_order(
    left: list[TrackerEvent], right: list[TrackerEvent]
) -> None:
    lefts, rights = lefts_and_rights(left, right)
    assert lefts == list(range(1, len(left) + 1))
    assert rights == list(range(1, len(right) + 1))


@given(EVENTS, EVENTS)
def test_they_differ_exactly_where_they_are_not_the_same(left: list[TrackerEvent], right: list[TrackerEvent]) -> None:
    assert bool(side_by_side(left, right).differences) is (repr(left) != repr(right))


@given(EVENTS, EVENTS)
def test_up_to_the_first_difference_both_are_the_same(left: list[TrackerEvent], right: list[TrackerEvent]) -> None:
    beside = side_by_side(left, right)
    for place in range(beside.differences[0] if beside.differences else len(beside.pairs)):
        assert beside.pairs[place] == Pair(place + 1, place + 1, True)


def test_a_difference_in_one_turn_does_not_carry_over_into_the_next() -> None:
    left = [said("hi"), said("ok", "bot"), said("bye"), wrote("a.b", 1)]
    right = [said("hi"), wrote("a.c", 2), said("ok", "bot"), said("bye"), wrote("a.b", 1)]
    beside = side_by_side(left, right)
    assert [beside.pairs[place] for place in beside.differences] == [Pair(None, 2, False)]
    assert beside.left(beside.differences[0]) == 1
    assert beside.first == Pair(None, 2, False)


def test_ids_times_and_frames_are_not_compared() -> None:
    left = [
        said("hi", message_id="1", parse_data={"a": 1})._replace(timestamp=1.0),
        TrackerEvent("stack", {"update": "1"}),
    ]
    right = [said("hi", message_id="2"), TrackerEvent("stack", {"update": "2"})]
    assert side_by_side(left, right).differences == ()


def test_a_very_long_turn_is_compared_in_its_order() -> None:
    left = [wrote("a.b", n) for n in range(50_000)]
    beside = side_by_side(left, [*left[:-1], wrote("a.b", -1)])
    assert beside.differences == (49_999,)
