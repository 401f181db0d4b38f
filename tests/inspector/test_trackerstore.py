"""Tracker stores: read page by page, whatever they hold, never written to, and their secrets never told."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector import trackerstore
from inspector.errors import InspectorError, UsageError
from inspector.storeurl import address
from inspector.trackerstore import START, CannotRead, Place, conversations, events, is_store, open_store, recording
from inspector_core.recording.entries import Entry, Fault
from tests.inspector.stores import INDEX, PASSWORD, TABLE, Row, flat, postgres, programs, row, sealed, sqlite_store

MANY = 100_000


def many() -> Iterator[Row]:
    """Two long conversations in turns, in either form, and a short one at the end."""
    for number in range(MANY):
        name = "even" if number % 2 == 0 else "odd"
        yield row(name, sealed(number, name) if number % 4 else flat(number), number)
    yield row("short", flat(MANY), MANY)


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sqlite_store(tmp_path_factory.mktemp("store") / "tracker.db", many())


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed here, or there is only root to run it as")
    with postgres(found) as place:
        import psycopg

        with psycopg.connect(f"postgresql://{place}") as opened:
            opened.execute(TABLE.format(serial="SERIAL"))
            opened.execute(INDEX)
            into = "COPY events (sender_id, type_name, timestamp, intent_name, action_name, data) FROM STDIN"
            with opened.cursor() as cursor, cursor.copy(into) as copy:
                for one in many():
                    copy.write_row(one)
        yield place


def all_is_read_page_by_page(url: str) -> None:
    store = open_store(url)
    listed = conversations(store)
    assert [(c.id, c.events, c.ended) for c in listed] == [
        ("short", 1, float(MANY)), ("odd", MANY // 2, MANY - 1.0), ("even", MANY // 2, MANY - 2.0),
    ]  # fmt: skip
    assert conversations(store, listed[0], 1) == listed[1:2]
    numbers: list[float] = []
    place: Place | None = START
    while place is not None:
        page = events(store, "even", place, 7_000)
        assert [e.line for e in page.entries] == list(range(place.read + 1, place.read + 1 + len(page.entries)))
        assert len(page.entries) <= 7_000
        numbers += [e.value["timestamp"] for e in page.entries]  # type-checked by its equality below
        place = page.following
    assert numbers == [float(n) for n in range(0, MANY, 2)]
    assert events(store, "nobody") == ((), None)


def test_a_long_store_in_a_file_is_read_page_by_page(long_file: Path) -> None:
    before = hashlib.blake2b(long_file.read_bytes()).digest()
    all_is_read_page_by_page(f"sqlite:///{long_file}")
    assert hashlib.blake2b(long_file.read_bytes()).digest() == before
    assert [p.name for p in long_file.parent.iterdir()] == [long_file.name]


def test_a_long_store_of_a_server_is_read_page_by_page(server: str) -> None:
    all_is_read_page_by_page(f"postgresql://{server}")


def test_a_conversation_of_a_store_is_a_recording(long_file: Path) -> None:
    store = open_store(f"sqlite:///{long_file}?conversation=odd")
    assert store.conversation == "odd"
    found = recording(store, "odd")
    assert found.findings == ()
    assert sum(len(s.events) for s in found.sessions) == MANY // 2
    assert {s.conversation_id for s in found.sessions} == {"odd"}


def test_a_server_is_asked_for_nothing_that_writes(server: str) -> None:
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    from inspector import storeengine

    store = open_store(f"postgresql://{server}")
    with storeengine._reading(store.engine) as connection, pytest.raises(SQLAlchemyError, match="read-only"):
        connection.execute(text("DELETE FROM events"))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_a_server_may_be_named_as_elsewhere(server: str, scheme: str) -> None:
    assert conversations(open_store(f"{scheme}://{server}?application_name=x"))[0].id == "short"


def refused(url: str) -> InspectorError:
    with pytest.raises(InspectorError) as told:
        events(open_store(url), "a")
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__ or told.value.__context__ is None
    return told.value


def test_a_password_is_never_told(server: str) -> None:
    place = server.partition("@")[2]
    for wrong in ("wr0ngw0rd", "wr0ng%2Fw0rd"):
        error = refused(f"postgresql://reader:{wrong}@{place}")
        assert "wr0ng" not in error.message
        assert "reader@127.0.0.1" in error.message
        assert "authentication failed" in error.message
    error = refused(f"postgresql://reader:{PASSWORD[:6]}@{place}?bad_option=1&sslpassword=wr0ng")
    assert "wr0ng" not in error.message
    assert "s3cr3t" not in error.message
    assert "s3cr3t" not in repr(open_store(f"postgresql://{server}"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cr3t@127.0.0.1:1/db",
        "postgresql://me:s3cr3t@127.0.0.1:port/db",
        "postgresql://me:s3cr3t@[::1/db",
        "postgresql://me:s3cr3t@127.0.0.1:1/db?password=s3cr3t",
        "mysql://me:s3cr3t@host/db",
        "sqlite://me:s3cr3t@host/db",
        "sqlite://",
        "sqlite:///nowhere.db",
        "nowhere.db",
    ],
)
def test_what_can_not_be_opened_is_told_without_its_secrets(url: str) -> None:
    error = refused(url)
    assert "s3cr3t" not in f"{error.message}{error.hint}{error!r}{error.args}"


@pytest.mark.parametrize("log", [False, True])
def test_nothing_is_made_beside_a_file_nor_in_it(tmp_path: Path, log: bool) -> None:
    path = sqlite_store(tmp_path / "a b?%23.db", [row("c", flat(1), 1)], log)
    before = path.read_bytes()
    path.chmod(0o400)
    assert len(events(open_store(str(path)), "c").entries) == 1
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_a_file_that_is_written_to_meanwhile_is_read_as_it_is_then(tmp_path: Path) -> None:
    path = sqlite_store(tmp_path / "tracker.db", [row("c", flat(1), 1)], log=True)
    store = open_store(str(path))
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO events (sender_id, type_name, data) VALUES ('c', 'user', '{\"event\": \"inactive\"}')")
    writer.commit()
    assert len(events(store, "c").entries) == 2
    writer.execute("INSERT INTO events (sender_id, type_name, data) VALUES ('c', 'user', '{\"event\": \"inactive\"}')")
    assert len(events(store, "c").entries) == 2
    writer.close()


def test_a_row_that_can_not_be_read_costs_only_itself(tmp_path: Path) -> None:
    deep = "[" * 100_000
    odd = [None, "{", "", deep, '{"event": "user", "text": "hi"}']
    path = sqlite_store(tmp_path / "tracker.db", [row("c", data, 1) for data in odd])
    with sqlite3.connect(path) as opened:
        opened.execute("INSERT INTO events (sender_id, type_name, data) VALUES ('c', 'user', x'ff7b')")
        opened.execute("INSERT INTO events (sender_id, type_name, data) VALUES ('c', 'user', CAST(x'ff' AS TEXT))")
    opened.close()
    found = events(open_store(str(path)), "c").entries
    assert [type(e) for e in found] == [Fault, Fault, Fault, Fault, Entry, Fault, Fault]
    assert [e.line for e in found] == [1, 2, 3, 4, 5, 6, 7]
    assert len(recording(open_store(str(path)), "c").findings) == 6


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE other (id INTEGER)",
        "CREATE TABLE events (id INTEGER, sender_id TEXT)",
        "CREATE VIEW events AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n)"
        " SELECT id, 'c' AS sender_id, 1.0 AS timestamp, '{}' AS data FROM n",
    ],
)
def test_what_is_no_store_is_not_read(tmp_path: Path, made: str) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as opened:
        opened.execute(made)
    opened.close()
    with pytest.raises(CannotRead, match="no table `events`"):
        open_store(str(path))


def test_what_is_no_file_of_sqlites_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello " * 1000)
    os.mkfifo(tmp_path / "pipe")
    for name in ("text", "pipe", "."):
        with pytest.raises(CannotRead):
            open_store(f"sqlite:///{tmp_path / name}")


def test_a_store_is_told_from_a_recording_by_its_address_or_by_what_it_holds(long_file: Path, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]")
    assert is_store(str(long_file))
    assert is_store("sqlite:///a.db")
    assert is_store("postgresql+psycopg2://h/d")
    for other in (tmp_path / "a.json", tmp_path, tmp_path / "gone", "https://h/d", "a\0b", ""):
        assert not is_store(str(other))


def test_the_conversation_is_no_part_of_what_the_server_is_told() -> None:
    named = address("postgresql://u:p%20w@h:5/d?sslmode=require&conversation=a%2Fb")
    assert named.conversation == "a/b"
    assert named.url == "postgresql+psycopg://u:p%20w@h:5/d?sslmode=require"
    assert named.shown == "postgresql://u@h:5/d"
    assert named.masked("bad p w or p%20w") == "bad *** or ***"
    with pytest.raises(UsageError):
        address("redis://h")


def test_the_library_is_loaded_when_a_store_is_opened_and_not_before() -> None:
    program = """
import sys, inspector.trackerstore, inspector.storeurl
from inspector.cli.parser import COMMANDS, load_command
for name in (*COMMANDS, "open"):
    load_command(name)
import inspector.app
print([m for m in sys.modules if m.partition(".")[0] in ("sqlalchemy", "psycopg", "psycopg_binary", "sqlite3")])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, long_file: Path) -> None:
    monkeypatch.delitem(sys.modules, "inspector.storeengine", raising=False)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(CannotRead) as told:
        trackerstore.open_store(str(long_file))
    assert told.value.code == "not-installed"
    assert "skill-inspector[stores]" in (told.value.hint or "")
