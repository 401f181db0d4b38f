"""Which files a session was played over: told apart by what they hold and are called, and by nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.wire.digest import digest
from inspector_core.source import Source

FILES = st.dictionaries(st.text("ab/", max_size=3), st.text("ab\ud800\n", max_size=3), max_size=4)


def of(files: dict[str, str]) -> str:
    return digest({path: Source(path, text) for path, text in files.items()})


@given(FILES, FILES)
def test_the_digest_is_the_same_for_the_same_files_alone(one: dict[str, str], other: dict[str, str]) -> None:
    assert (of(one) == of(other)) == (one == other)


def test_neither_the_order_nor_where_a_name_ends_is_guessed_at() -> None:
    assert of({"a": "1", "b": "2"}) == of({"b": "2", "a": "1"})
    assert of({"a": "bc"}) != of({"ab": "c"})
