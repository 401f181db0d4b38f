"""A session turn by turn, and its bookkeeping folded."""

from __future__ import annotations

import pytest

from inspector.reports.tell import failure, tell
from inspector.turns import Entry, bookkeeping, brief, entries, turns
from inspector_core.events import Activated, AuthorSet, CustomerSaid, ModelSaid, Record
from inspector_core.mantle.dialect import MANTLE
from inspector_core.session import begin
from tests.core import handmade

BOOKS = Record("stack", {"update": "[]"})
SAID = Record("bot", {"text": "Hello\nthere", "data": {}})
ENDED = Record("bot_turn_ended")
RAN = Record(
    "tool_executed",
    {"tool_name": "pay", "arguments": {}, "result": '{"ok": true}', "is_error": False},
    {"source": "tool_confirmation"},
)


def test_a_turn_begins_when_the_customer_speaks() -> None:
    session = begin(MANTLE, handmade.project(handmade.skill("pay")), {})
    for event in (AuthorSet("pay.x", 1), CustomerSaid("hi"), Activated("pay"), ModelSaid("ok"), CustomerSaid("bye")):
        session = session.apply(event)
    assert [(t.number, t.first, t.last) for t in turns(session.moments)] == [(0, 0, 1), (1, 2, 4), (2, 5, 5)]


@pytest.mark.parametrize(
    ("update", "told"),
    [
        ('[{"op": "add", "path": "/0", "value": {"skill_id": "pay"}}]', "put pay on it"),
        ('[{"op": "add", "path": "/0", "value": {"skill_id": "pay", "block_id": "b"}}]', "put pay › b on it"),
        ('[{"op": "remove", "path": "/1"}, {"op": "remove", "path": "/0"}]', "took a frame off it"),
        ('[{"op": "replace", "path": "/1/step_id", "value": "ask"}]', "step_id = 'ask'"),
        ('[{"op": "remove", "path": "/0/step_id"}]', "step_id unset"),
        ("no patch", "no patch"),
        ("[]", "[]"),
        ("7", "7"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_what_a_patch_does_to_the_stack_is_said_in_words(update: str, told: str) -> None:
    assert brief(Record("stack", {"update": update})) == told


def test_what_keeps_the_engines_books_is_folded_into_one_row_with_a_count() -> None:
    pending = Record("memory_set", {"key": "system.pending_tool_confirmation", "value": {}})
    told = list(entries((pending, BOOKS, SAID, ENDED)))
    assert told == [
        Entry(0, "bookkeeping", "memory_set, stack", 2), Entry(2, "bot", "Hello there"),
        Entry(3, "bookkeeping", "bot_turn_ended", 1),
    ]  # fmt: skip


def test_every_record_has_its_row_where_that_is_wanted() -> None:
    assert [e.name for e in entries((BOOKS, SAID, ENDED), every=True)] == ["stack", "bot", "bot_turn_ended"]


def test_a_call_of_the_engines_own_is_bookkeeping_unless_it_failed() -> None:
    fields = {"tool_name": "activate", "arguments": {}, "result": "activate: done", "is_error": False}
    assert bookkeeping(Record("tool_executed", fields))
    assert not bookkeeping(Record("tool_executed", {**fields, "result": '{"error": "no"}', "is_error": True}))
    assert not bookkeeping(RAN)


def test_a_record_in_a_few_words() -> None:
    assert brief(RAN) == 'pay by tool confirmation → {"ok": true}'
    assert brief(Record("memory_set", {"key": "pay.x", "value": "a"})) == "pay.x = 'a'"
    place = {"skill_id": "pay", "block_id": "main", "step_id": "ask"}
    assert brief(Record("ordered_block_completed", place)) == "pay › main › ask"


def test_a_turn_that_broke_is_a_failure_and_a_step_that_waits_stands_out() -> None:
    broken = Record("inspector_note", {"reason": "turn-failed", "message": "a branch can't be evaluated"})
    waits = Record("inspector_note", {"reason": "step-waits-gate", "message": "the gate is closed"})
    aside = Record("inspector_note", {"reason": "default-completed", "message": "the engine asks"})
    assert [next(tell(r)).tone for r in (broken, waits, aside)] == ["error", "ask", "dim"]
    assert [bool(failure(r)) for r in (broken, waits, aside)] == [True, False, False]
