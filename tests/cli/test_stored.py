"""`inspector replay` of a tracker store: a conversation of it is a recording like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Inspector
from tests.inspector.stores import row, sealed, sqlite_store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    rows = [row(name, sealed(number, name), number) for number, name in enumerate(("ann", "bob", "ann"))]
    return sqlite_store(tmp_path / "tracker.db", rows)


def test_a_conversation_is_named_by_an_option_or_in_the_address(inspector: Inspector, agent: Path, store: Path) -> None:
    by_option = inspector("replay", agent, store, "--conversation", "ann")
    in_address = inspector("replay", agent, f"sqlite:///{store}?conversation=ann")
    assert (by_option.code, in_address.code) == (0, 0)
    assert "2 events" in by_option.out.splitlines()[0]
    assert in_address.out.splitlines()[1:] == by_option.out.splitlines()[1:]


def test_of_several_one_has_to_be_named(inspector: Inspector, agent: Path, store: Path) -> None:
    ran = inspector("replay", agent, store)
    assert ran.code == 2
    assert "name one with `--conversation`: ann, bob" in ran.err


def test_one_that_is_not_there_is_told(inspector: Inspector, agent: Path, store: Path) -> None:
    ran = inspector("replay", agent, store, "--conversation", "anne")
    assert ran.code == 2
    assert "there is no conversation `anne`" in ran.err
    assert "ann" in ran.err.partition("(")[2]


def test_a_file_has_no_conversations_to_choose(inspector: Inspector, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]")
    assert inspector("replay", agent, tmp_path / "a.json", "--conversation", "ann").code == 2


def test_a_server_that_can_not_be_reached_is_told_without_its_password(inspector: Inspector, agent: Path) -> None:
    ran = inspector("replay", agent, "postgresql://me:s3cr3t@127.0.0.1:1/db?conversation=ann", "--format", "json")
    assert (ran.code, ran.out) == (2, "")
    assert "s3cr3t" not in ran.err
    assert "postgresql://me@127.0.0.1:1/db" in ran.err
