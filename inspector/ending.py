"""The ways to end that come from outside: a signal, or a terminal that was closed."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Final

__all__ = ["on_signals"]

PATIENCE_S: Final = 2.0
"""What leaving the terminal as it was may take. Of a terminal that is gone nobody takes what is written to it, so that
the last frame would be waited for without end."""


def on_signals(leave: Callable[[], object]) -> None:
    """End when told to, with the terminal as it was found; and end all the same where that can't be."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(ending, _end, leave, 128 + ending)


def _end(leave: Callable[[], object], code: int) -> None:
    last = threading.Timer(PATIENCE_S, os._exit, (code,))
    last.daemon = True
    last.start()
    leave()
