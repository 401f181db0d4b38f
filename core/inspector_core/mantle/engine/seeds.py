"""What a session knows from its channel before anyone has said a word (§3.5, §8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from inspector_core.mantle.engine.memory import engine_entry, put
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.project import Field
from inspector_core.mantle.values import mistyped

__all__ = ["METADATA_KEY", "seed"]

METADATA_KEY: Final = "session_started_metadata"
"""Where the engine keeps what the channel sent."""


def seed(play: Play, metadata: Mapping[str, object]) -> None:
    """Keep the metadata, then fill the project's entries that are marked `seed` from it, where the types match.

    A channel that sent none leaves no trace.
    """
    if not metadata:
        return
    engine_entry(play, METADATA_KEY, dict(metadata))
    for field in play.project.fields:
        value = _found(field, metadata)
        if field.seed and value is not None and play.memory.get(field.key) is None and not mistyped(field, value):
            put(play, field.key, value, "seed", METADATA_KEY)


def _found(field: Field, metadata: Mapping[str, object]) -> object:
    """What is sent under the entry's name, at the top or under `extra`."""
    extra = metadata.get("extra")
    value = metadata.get(field.entry)
    return extra.get(field.entry) if value is None and isinstance(extra, Mapping) else value
