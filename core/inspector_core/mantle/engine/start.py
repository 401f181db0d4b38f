"""The state in which a session begins."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.engine.lineage import Memory
from inspector_core.mantle.engine.state import State, Write

__all__ = ["start"]


def start(memory: Mapping[str, object]) -> State:
    """A new session's state: nothing runs, and the given values are in memory; a null is no value."""
    values = {key: value for key, value in memory.items() if value is not None}
    return State(Memory(values), {key: Write("seed", None, 0) for key in values})
