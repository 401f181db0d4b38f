"""How far a long command has come: a bar on stderr, where that is a terminal, gone when it is done."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from inspector.cli.output import say

__all__ = ["progress"]

T = TypeVar("T")
_WIDTH = 30


def progress(found: Iterable[T], count: int, what: str) -> Iterator[T]:
    """The same values, with a bar that grows as they come."""
    if count < 2 or not sys.stderr.isatty():
        yield from found
        return
    done = 0
    try:
        for one in found:
            done += 1
            full = _WIDTH * done // count
            say(f"\r{'━' * full}{' ' * (_WIDTH - full)} {done}/{count} {what}")
            yield one
    finally:
        say("\r\x1b[K")
