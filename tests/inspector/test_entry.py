"""A memory entry explained: what it holds, by whom, who reads it and who writes it."""

from inspector.reports.entry import entry_lines
from inspector.store import Store
from inspector_core.events import AuthorSet
from tests.inspector.screen import EMPTY, project


def told(key: str, *events: AuthorSet) -> str:
    store = Store(EMPTY, {}, lambda view: None)
    store.reload(project(), "14:02:11")
    if events:
        store.play(*events)
    lines = entry_lines(store.view.project, store.view.state, key)
    return "\n".join("".join(text for text, _ in line.pieces) for line in lines)


def test_the_readers_and_the_writers_are_named() -> None:
    out = told("card_replacement.reason")
    assert "public categorical  the model may set it" in out
    assert "one of 'lost', 'stolen', 'damaged'" in out
    assert "the gate of `lock_card` in `card_replacement`" in out
    assert "the model, by `set_fields`" in out


def test_who_wrote_the_value_is_said() -> None:
    assert told("project.authenticated", AuthorSet("project.authenticated", True)).startswith("true  written by hand")
    assert told("project.authenticated").startswith("unset")


def test_a_key_that_no_file_declares_says_so() -> None:
    assert "no file declares it" in told("card_replacement.no_such")
