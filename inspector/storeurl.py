"""Where a tracker store is: a file of SQLite's, or an address; and what of it may be shown."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import field
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from inspector.errors import UsageError
from inspector_core.classes import dataclass

__all__ = ["Address", "address", "is_store"]

_SQLITE, _POSTGRES = ("sqlite",), ("postgresql", "postgres")
_MAGIC = b"SQLite format 3\0"
_CONVERSATION = "conversation"
_MASK = "***"


@dataclass(frozen=True, slots=True)
class Address:
    """A store as it was named."""

    shown: str
    """Without its password, and without its options, which may hold one."""
    path: str | None
    """The file of SQLite's; `None`: it is a server."""
    url: str = field(repr=False)
    """The server's address, with all that is needed to get in."""
    conversation: str | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def masked(self, words: str) -> str:
        """What somebody else has to say of it, without what is secret."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            words = words.replace(secret, _MASK)
        return words


def is_store(text: str) -> bool:
    """Whether a store is meant: an address of one, or a file that says of itself that it is one of SQLite's."""
    scheme, mark, _ = text.partition("://")
    if mark:
        return scheme.lower().partition("+")[0] in (*_SQLITE, *_POSTGRES)
    return _is_sqlite(text)


def _is_sqlite(path: str) -> bool:
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as opened:
            return opened.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False


def address(text: str) -> Address:
    """What a text names. Raises `UsageError`, which doesn't repeat what it can't take apart."""
    scheme, mark, _ = text.partition("://")
    kind = scheme.lower().partition("+")[0]
    if not mark:
        return Address(text, text, "")
    if kind not in (*_SQLITE, *_POSTGRES):
        raise UsageError("only stores in SQLite and PostgreSQL can be read", code="unknown-store",
                         hint="such as `sqlite:///tracker.db`, `postgresql://user@host/database`")  # fmt: skip
    try:
        parts = urlsplit(text)
        secrets, port = tuple(_secrets(parts)), parts.port
    except ValueError:
        raise UsageError(f"the address `{kind}://…` can't be read", code="bad-store") from None
    options = parse_qsl(parts.query, keep_blank_values=True)
    conversation = next((value for name, value in options if name == _CONVERSATION), None)
    if kind in _SQLITE:
        return _file(parts, conversation)
    host = f"{parts.hostname or ''}{f':{port}' if port else ''}"
    user = f"{unquote(parts.username)}@" if parts.username else ""
    query = urlencode([(name, value) for name, value in options if name != _CONVERSATION])
    url = urlunsplit(("postgresql+psycopg", parts.netloc, parts.path, query, ""))
    return Address(f"postgresql://{user}{host}{parts.path}", None, url, conversation, secrets)


def _file(parts: SplitResult, conversation: str | None) -> Address:
    """`sqlite:///a.db` is `a.db` here, and `sqlite:////a.db` is `/a.db`."""
    path = unquote(parts.path[1:])
    if parts.netloc or not path:
        raise UsageError("the address names no file", code="bad-store", hint="such as `sqlite:///tracker.db`")
    return Address(f"sqlite:///{path}", path, "", conversation)


def _secrets(parts: SplitResult) -> Iterable[str]:
    """The password as it is written and as it is meant, and the values of all options that may hold one."""
    found = [parts.password or ""]
    for name, value in parse_qsl(parts.query):
        if "pass" in name.lower() or "secret" in name.lower():
            found.append(value)
    return {word for one in found if one for word in (one, unquote(one))}
