"""One conversation of a tracker store, opened like a file."""

from __future__ import annotations

from inspector.errors import UsageError
from inspector.recordings import Opened
from inspector.trackerstore import Conversation, Store, conversations, open_store, recording
from inspector_core.finding import did_you_mean

__all__ = ["open_stored"]

_NAMED = 5


def open_stored(url: str, named: str | None = None) -> Opened:
    """The conversation that is named, by itself or in the address, or the only one there is.

    Raises `UsageError`, which names those that there are, or `CannotRead`.
    """
    store = open_store(url)
    name = named or store.conversation or _only(store)
    found = recording(store, name)
    if not found.sessions and not found.findings:
        raise UsageError(f"there is no conversation `{name}` in `{store.shown}`", code="no-conversation",
                         hint=did_you_mean(name, [one.id for one in conversations(store)]))  # fmt: skip
    return Opened(f"{store.shown}?conversation={name}", found)


def _only(store: Store) -> str:
    there = conversations(store)
    if len(there) == 1:
        return there[0].id
    if not there:
        raise UsageError(f"there are no conversations in `{store.shown}`", code="no-conversation")
    raise UsageError(f"there are several conversations in `{store.shown}`", code="several-conversations",
                     hint=f"name one with `--conversation`: {_latest(there)}")  # fmt: skip


def _latest(there: tuple[Conversation, ...]) -> str:
    more = len(there) - _NAMED
    return ", ".join(one.id for one in there[:_NAMED]) + (f" and {more} more" if more > 0 else "")
