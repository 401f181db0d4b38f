"""Knowing what changed between two memories, with and without knowing where they come from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.engine.lineage import Memory, differing

MEMORIES = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2) | st.just([]))


@given(MEMORIES, MEMORIES)
def test_no_key_that_differs_is_missed(before: dict[str, object], after: dict[str, object]) -> None:
    differ = {k for k in before.keys() | after.keys() if before.get(k) != after.get(k) or (k in before) != (k in after)}
    assert differ <= differing(before, after)


def test_a_memory_knows_what_it_changed_of_the_one_it_was_made_from_and_back() -> None:
    first = Memory({"a": 1, "b": [2]})
    second = Memory(first, first)
    second["a"] = 2
    second.settle(frozenset({"a"}))
    assert differing(first, second) == differing(second, first) == {"a"}


def test_of_another_memory_it_knows_nothing_and_all_is_compared() -> None:
    first, other = Memory({"a": 1}), Memory({"a": 1, "b": 2})
    second = Memory(first, first)
    second.settle(frozenset({"a"}))
    assert differing(other, second) == {"b"}


def test_a_memory_is_nothing_but_its_values_to_everyone_else() -> None:
    assert Memory({"a": 1}) == {"a": 1}
