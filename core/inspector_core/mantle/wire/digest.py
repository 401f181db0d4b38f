"""Which files a session was played over, in one word."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from inspector_core.source import Source

__all__ = ["digest"]


def digest(sources: Mapping[str, Source]) -> str:
    """The same for the same texts under the same names, and for no others."""
    whole = blake2b(digest_size=16)
    for path in sorted(sources):
        for part in (path, sources[path].text):
            data = part.encode("utf-8", "surrogatepass")
            whole.update(len(data).to_bytes(8, "big"))
            whole.update(data)
    return whole.hexdigest()
