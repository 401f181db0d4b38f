"""Events of every kind, for the tests of what is written and read."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from inspector_core.mantle.wire.kinds import KINDS, Field
from inspector_core.mantle.wire.tracker import TrackerEvent

WORDS = st.text(max_size=6)
NAMES = st.text(min_size=1, max_size=6).filter(lambda s: bool(s.strip()))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBERS | WORDS,
    lambda v: st.lists(v, max_size=2) | st.dictionaries(WORDS, v, max_size=2), max_leaves=5,
)  # fmt: skip
OBJECTS = st.dictionaries(WORDS, JSON, max_size=3)
METADATA = st.dictionaries(WORDS.filter(lambda k: k != "session_id"), JSON, max_size=2)
BUTTONS = st.lists(st.fixed_dictionaries({"title": WORDS, "payload": WORDS}), max_size=2)
DATA = st.one_of(st.just({}), st.fixed_dictionaries({"buttons": BUTTONS}), st.fixed_dictionaries({"image": WORDS}))
FORMS: Mapping[str, st.SearchStrategy[object]] = {
    "name": WORDS, "text": WORDS, "text?": st.none() | WORDS, "flag": st.booleans(), "number": NUMBERS,
    "number?": st.none() | NUMBERS, "json": JSON, "json object": OBJECTS, "struct": OBJECTS, "data": DATA,
}  # fmt: skip
MOMENTS = st.none() | NUMBERS


def _fields(kind: tuple[Field, ...]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({field.name: FORMS[field.form] for field in kind})


def of_kind(name: str) -> st.SearchStrategy[TrackerEvent]:
    """Events of one kind with everything that an envelope holds."""
    return st.builds(
        TrackerEvent, st.just(name), _fields(KINDS[name]), METADATA, MOMENTS, st.none() | NAMES, st.none() | NAMES,
        st.none() | st.integers(0, 2**40), st.none() | NAMES, st.none() | NAMES, st.none() | NAMES, st.none(),
    )  # fmt: skip


ANY_EVENT = st.sampled_from(sorted(KINDS)).flatmap(of_kind)
ENTRIES = st.one_of(
    JSON,
    st.dictionaries(st.sampled_from(["event", "timestamp", "metadata", "session_id", "sequence", *KINDS]), JSON),
    st.builds(lambda name, rest: {**rest, "event": name}, st.sampled_from(sorted(KINDS)), OBJECTS),
    st.builds(lambda name, rest: {name: rest}, st.sampled_from(sorted(KINDS)), OBJECTS),
)
"""What may stand where an event should."""
