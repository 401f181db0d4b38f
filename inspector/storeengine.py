"""The one place that knows the library through which stores are read; imported when a store is opened, not before."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    Text,
    create_engine,
    func,
    inspect,
    select,
    text,
)
from sqlalchemy.pool import NullPool

from inspector.storeurl import Address

__all__ = ["engine", "in_conversation", "lacking", "latest", "rows"]

_PATIENCE_S = 10
"""How long a server is waited for until it is reached."""
_LONGEST_MS = 60_000
"""How long one question may take it."""
_LARGEST = 64 << 20
"""Bytes of one value in a file of SQLite's; a row of the engine's has a few hundred."""

EVENTS = Table(
    "events", MetaData(), Column("id", Integer, primary_key=True), Column("sender_id", String(255)),
    Column("timestamp", Float), Column("data", Text),
)  # fmt: skip
"""Of the public table, what is read; its other columns only say again what is in `data`."""


def engine(named: Address) -> Engine:
    """What connects to a store; each time anew, and to read alone."""
    if named.path is not None:
        path = named.path
        return create_engine("sqlite+pysqlite://", creator=lambda: _open_file(path), poolclass=NullPool)
    told = {"connect_timeout": _PATIENCE_S, "client_encoding": "utf8"}  # else texts of a server without one are bytes
    return create_engine(named.url, poolclass=NullPool, hide_parameters=True, connect_args=told)


def rows(source: Engine, named: Address, question: Select[Any]) -> Sequence[tuple[Any, ...]]:
    """All answers to a question. Where somebody began to write to a file that nobody wrote to, it is asked again."""
    for _ in range(3):
        before = _is_written(named.path)
        with _reading(source) as connection:
            found = [tuple(row) for row in connection.execute(question)]
        if before == _is_written(named.path):
            break
    return found


def lacking(source: Engine) -> tuple[str, ...]:
    """Which columns of the table are not there. In a file, only a table is taken for one, and no view of another's."""
    with _reading(source) as connection:
        looked = inspect(connection)
        there = looked.has_table("events") and (
            connection.dialect.name != "sqlite" or "events" in looked.get_table_names()
        )
        known = {column["name"] for column in looked.get_columns("events")} if there else set()
    return tuple(column.name for column in EVENTS.columns if column.name not in known)


def latest(before: int | None, most: int) -> Select[Any]:
    """Conversations with their count of events, the one that went on last first; those after one by its last row."""
    last = func.max(EVENTS.c.id)
    question = select(EVENTS.c.sender_id, func.count(EVENTS.c.id), func.max(EVENTS.c.timestamp), last)
    question = question.group_by(EVENTS.c.sender_id).order_by(last.desc()).limit(most)
    return question if before is None else question.having(last < before)


def in_conversation(conversation: str, after: int, most: int) -> Select[Any]:
    """The rows of a conversation after one, in order."""
    return (
        select(EVENTS.c.id, EVENTS.c.data)
        .where(EVENTS.c.sender_id == conversation, EVENTS.c.id > after)
        .order_by(EVENTS.c.id)
        .limit(most)
    )


@contextmanager
def _reading(source: Engine) -> Iterator[Connection]:
    """A connection through which nothing can be written, whatever the user of the server may do otherwise."""
    with source.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET TRANSACTION READ ONLY"))
            connection.execute(text(f"SET LOCAL statement_timeout = {_LONGEST_MS}"))
        yield connection


def _open_file(path: str) -> sqlite3.Connection:
    """A file of SQLite's, to read alone. Who reads with a log beside the file would make one: where none is there,
    nobody writes, and the file is read as one that doesn't change."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("it is not an ordinary file")
    still = "" if _is_written(path) or not _keeps_log(path) else "&immutable=1"
    opened = sqlite3.connect(f"file:{quote(path)}?mode=ro{still}", uri=True, timeout=_PATIENCE_S)
    opened.text_factory = lambda data: data.decode("utf-8", "replace")
    opened.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
    for setting in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
        opened.execute(f"PRAGMA {setting}")
    return opened


def _is_written(path: str | None) -> bool:
    """Whether the log of a file is there, in which a writer puts what is new."""
    return path is not None and os.path.exists(f"{path}-wal")


def _keeps_log(path: str) -> bool:
    """Whether the file says of itself that what is written goes into a log first."""
    with open(path, "rb") as opened:
        return opened.read(20)[18:20] == b"\2\2"
