"""Saving a session as a script: read and played again, it is the same conversation, and all that it expects holds."""

from __future__ import annotations

from collections.abc import Sequence

import yaml
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.script.emit import words
from inspector_core.script.reading import read
from inspector_core.script.running import run
from inspector_core.script.writing import write
from inspector_core.session import Session, begin
from inspector_core.source import Source
from tests.core import agents
from tests.core.test_script_run import FILES

AWKWARD = [
    "yes", "no", "null", "a: b", "# x", "- a", "2025-01-02", "4821", "1e3", "a's", "ünï", "x #y", "0x1f", " lead",
    "a\nb", "~", "<<", "=", "on:", "%a", "@b", "?", "!x", "&x", "*y", "{a}", "[b]", "a, b", "'q'", '"q"', "...", "---",
    "nothing", "\x00", "\u2028", "\x85", "tail ", "\ufeff", "\\", "a\tb", "",
]  # fmt: skip
WORDS = st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS
VALUES = st.recursive(
    SCALARS, lambda c: st.lists(c, max_size=3) | st.dictionaries(WORDS, c, max_size=3), max_leaves=5
)  # fmt: skip
ARGUMENTS = st.dictionaries(WORDS, VALUES, max_size=3)
STUBS = st.builds(
    Stub, VALUES, st.lists(st.tuples(WORDS, VALUES), max_size=3).map(tuple), st.lists(WORDS, max_size=2).map(tuple),
    st.none() | WORDS, st.lists(st.builds(Next, WORDS, st.none() | WORDS), max_size=2).map(tuple), st.booleans(),
)  # fmt: skip
CALLS = st.lists(st.builds(Call, WORDS, ARGUMENTS, st.none() | STUBS), max_size=3).map(tuple)
EVENTS = st.one_of(
    st.builds(CustomerSaid, WORDS, st.none() | WORDS), st.builds(ModelSaid, WORDS), st.builds(Listened),
    st.builds(Activated, WORDS), st.builds(FieldsSet, ARGUMENTS), st.builds(Called, CALLS, WORDS),
    st.builds(Corrected, WORDS, VALUES), st.builds(Searched, WORDS, STUBS), st.builds(CannotHelp, VALUES),
    st.builds(Resolved, VALUES, st.none() | STUBS, st.none() | WORDS), st.builds(Completed, st.booleans()),
    st.builds(Cancelled), st.builds(AuthorSet, WORDS, VALUES.filter(lambda v: v is not None)),
    st.builds(AuthorCleared, WORDS), st.builds(Stubbed, WORDS, st.none() | STUBS), st.builds(SessionBegan, ARGUMENTS),
)  # fmt: skip
LIKELY = st.one_of(
    st.sampled_from([
        CustomerSaid("hi"), CustomerSaid("yes"), Activated("pay"), Activated("ship"), Activated("pai"), Cancelled(),
        Called((Call("send"),)), Called((Call("look", {}, Stub({"error": "no"})), Call("list_bills")), "Wait."),
        Resolved(True), Resolved(False), Resolved(True, Stub({"error": "no money"}), "send"), Resolved("maybe"),
        FieldsSet({"amount": 5}), Completed(), Completed(False), Listened(), ModelSaid("I see."),
        Corrected("amount", 6), AuthorSet("pay.amount", 3), AuthorCleared("pay.amount"),
        Stubbed("look", Stub(1, (("paid", True),), ("So.",))),
        Called(()), SessionBegan(), SessionBegan({"a": 1}), CannotHelp(True), Searched("x"),
    ]),
    EVENTS,
)  # fmt: skip
PAY = agents.project(FILES)


def session(events: Sequence[Event], memory: dict[str, object] | None = None) -> Session[Project, State]:
    found = begin(MANTLE, PAY, memory or {})
    for event in events:
        found = found.apply(event)
    return found


@given(st.lists(LIKELY, max_size=12), st.dictionaries(WORDS, VALUES, max_size=2))
def test_a_saved_session_plays_again_as_it_was(events: list[Event], memory: dict[str, object]) -> None:
    memory = {key: value for key, value in memory.items() if value is not None}
    saved = session(events, memory)
    text = read(Source("s.yml", write(saved, "saved")))
    assert [f for f in text.findings if f.severity.value == "error"] == []
    again = run(MANTLE, PAY, text.script)
    assert again.failures == ()
    assert again.session.events == saved.events
    assert again.session.seed == memory


def test_a_saved_session_reads_like_the_conversation() -> None:
    events = [CustomerSaid("my bill"), Activated("pay"), FieldsSet({"amount": 5}), Called((Call("send"),)),
              CustomerSaid("no"), Resolved(False, None, "send")]  # fmt: skip
    assert (
        write(session(events, {"project.known": True}), "pay a bill")
        == """\
script: pay a bill
memory:
  project.known: true
steps:
- customer: my bill
- start: pay
- set: {amount: 5}
- call: send
- expect:
    asks: send
    said: [utter_ask]
    memory:
      pay.amount: 5
- customer: "no"
- no: send
- expect:
    declined: [send]
    said: [utter_no]
"""
    )


def test_what_no_file_can_hold_is_replaced_and_never_breaks_the_script() -> None:
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]
    odd = session([CustomerSaid("a\ud800b"), AuthorSet("pay.paid", deep), AuthorSet("pay.amount", 10**5000)])
    text = write(odd)
    assert not read(Source("s.yml", text)).broken
    text.encode("utf-8")


def test_what_nobody_can_see_is_spelled_out_in_a_saved_script() -> None:
    said = "pay\u202eyap\u200b\u2066\u00ad\U000e0041 ja\u0301 👩\u200d🚀"
    text = words(said)
    assert "\\u202Eyap\\u200B\\u2066\\u00AD\\U000E0041" in text
    assert "👩\u200d🚀" in text
    assert yaml.safe_load(f"say: {text}") == {"say": said}
