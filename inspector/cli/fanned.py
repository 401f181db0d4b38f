"""The same work on many things, in as many processes as there are cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar, cast

from inspector.errors import Exit, InspectorError

__all__ = ["Ended", "fanned"]

A = TypeVar("A")
B = TypeVar("B")

_WORK: list[Callable[[object], object]] = []
"""What the processes are to do: they are forked with it, so that nothing large goes through a pipe."""


class Ended(InspectorError):
    """A process was ended from outside, as the system does where memory runs out."""

    exit = Exit.INTERNAL


def fanned(work: Callable[[A], B], things: Sequence[A], workers: int) -> Iterator[B]:
    """The results in the order of the things. Raises `Ended`."""
    _WORK[:] = [cast(Callable[[object], object], work)]
    pool = ProcessPoolExecutor(workers, mp_context=get_context("fork"))
    try:
        yield from cast(Iterator[B], pool.map(_do, things))
    except BrokenProcessPool:
        hint = "memory may have run out: name fewer recordings at once"
        raise Ended("a process of ours was ended from outside", code="process-ended", hint=hint) from None
    finally:
        pool.shutdown(cancel_futures=True)
        _WORK.clear()


def _do(thing: object) -> object:
    return _WORK[0](thing)
