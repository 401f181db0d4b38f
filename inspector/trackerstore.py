"""Tracker stores read directly: the public table `events` of the engine's SQL store, in SQLite or PostgreSQL.

A store is only ever read, and only the one that the author named. What its address holds of secrets is never shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from inspector.disk import reason
from inspector.errors import InspectorError
from inspector.storeurl import Address, address, is_store
from inspector_core.classes import NamedTuple, dataclass
from inspector_core.recording.entries import Entry, Fault
from inspector_core.recording.mantle import read_entries
from inspector_core.recording.recording import Recording

if TYPE_CHECKING:
    from sqlalchemy import Engine

__all__ = [
    "PAGE", "START", "CannotRead", "Conversation", "Page", "Place", "Store", "conversations", "events", "is_store",
    "open_store", "recording",
]  # fmt: skip

PAGE = 5_000
"""So many events are read at once."""
LISTED = 1_000
"""So many conversations are listed at once."""


class CannotRead(InspectorError):
    """A store can't be reached, or holds nothing that can be read as one."""


class Place(NamedTuple):
    """How far a conversation was read."""

    row: int
    """The number of the last row."""
    read: int
    """So many rows were read."""


START = Place(-1, 0)
"""Nothing of it was read yet."""


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """A store that can be read. It is connected to anew for each page, so that it is never held up."""

    address: Address
    engine: Engine = field(repr=False)

    @property
    def shown(self) -> str:
        """Its address without anything that is secret."""
        return self.address.shown

    @property
    def conversation(self) -> str | None:
        """The conversation that the address names, if it does."""
        return self.address.conversation


class Conversation(NamedTuple):
    """One conversation of a store."""

    id: str
    events: int
    ended: float | None
    """When its last event was; seconds since 1970."""
    last: int
    """The number of its last row."""


class Page(NamedTuple):
    """Some events of a conversation, and where it goes on; `None`: these were the last."""

    entries: tuple[Entry | Fault, ...]
    """Each with its place in the conversation as its line, counted from 1."""
    following: Place | None


def open_store(url: str) -> Store:
    """The store at an address, `…?conversation=ID` or not, or in a file of SQLite's; only its columns are looked at.

    Raises `UsageError` or `CannotRead`.
    """
    named = address(url)
    with _told(named):
        from inspector.storeengine import engine, lacking

        store = Store(named, engine(named))
        missing = lacking(store.engine)
    if missing:
        raise CannotRead(f"it has no table `events` with {', '.join(missing)}: `{store.shown}`", code="no-store")
    return store


def conversations(store: Store, after: Conversation | None = None, most: int = LISTED) -> tuple[Conversation, ...]:
    """The store's conversations, the one that went on last first; or those that come after one. Raises `CannotRead`."""
    with _told(store.address):
        from inspector.storeengine import latest, rows

        found = rows(store.engine, store.address, latest(after.last if after else None, most))
    return tuple(Conversation(str(name), count, ended, last) for name, count, ended, last in found)


def events(store: Store, conversation: str, at: Place = START, most: int = PAGE) -> Page:
    """The events of a conversation from a place on; none, where there is no such conversation. Raises `CannotRead`."""
    with _told(store.address):
        from inspector.storeengine import in_conversation, rows

        found = rows(store.engine, store.address, in_conversation(conversation, at.row, most))
    entries = tuple(_entry(data, at.read + n, conversation) for n, (_, data) in enumerate(found, 1))
    return Page(entries, Place(found[-1][0], at.read + len(found)) if len(found) == most else None)


def recording(store: Store, conversation: str) -> Recording:
    """A whole conversation. Raises `CannotRead`."""
    return read_entries(_all(store, conversation), f"{store.shown}?conversation={conversation}")


def _all(store: Store, conversation: str) -> Iterator[Entry | Fault]:
    place: Place | None = START
    while place is not None:
        entries, place = events(store, conversation, place)
        yield from entries


def _entry(data: object, line: int, conversation: str) -> Entry | Fault:
    """One row: JSON in a text, as the public table has it, or what a column of JSON gives."""
    if isinstance(data, Mapping):
        return Entry(data, line, conversation)
    if not isinstance(data, str | bytes):
        return Fault("its `data` is no text", line)
    try:
        return Entry(json.loads(data), line, conversation)
    except RecursionError:
        return Fault("it is nested too deep", line)
    except ValueError:
        return Fault("it can't be read as JSON", line)


@contextmanager
def _told(named: Address) -> Iterator[None]:
    """What goes wrong, in a line without secrets; and without the trace, which would tell what the line doesn't."""
    try:
        yield
    except InspectorError:
        raise
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("sqlalchemy", "psycopg"):
            raise
        told, hint = "to read tracker stores, more has to be installed", "pip install 'skill-inspector[stores]'"
        raise CannotRead(told, code="not-installed", hint=hint) from None
    except OSError as error:
        why = reason(error) if error.strerror else str(error)
        raise CannotRead(f"it can't be read: {why}: `{named.shown}`", code="unreadable") from None
    except Exception as error:
        if not type(error).__module__.startswith(("sqlalchemy", "sqlite3", "psycopg")):
            raise
        raise CannotRead(
            f"it can't be read: {named.masked(_words(error))}: `{named.shown}`", code="unreadable"
        ) from None


def _words(error: Exception) -> str:
    """The first line that the database's own library says."""
    own: object = getattr(error, "orig", None) or error
    return next((line.strip() for line in str(own).splitlines() if line.strip()), type(own).__name__)
