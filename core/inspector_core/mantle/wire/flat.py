"""The flat form of an event: what the tracker endpoints give out, and what older stores hold (§8.1)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.wire.kinds import KINDS, Malformed, completed
from inspector_core.mantle.wire.tracker import NOTHING, TrackerEvent, is_own, number, session_of

__all__ = ["from_flat", "to_flat"]

_ENVELOPE = ("event", "timestamp", "metadata")
_ONLY_IF_SET = ("mcp_server",)


def to_flat(event: TrackerEvent) -> dict[str, object] | None:
    """The flat form; `None` for our own records, which it has no place for.

    It has no place either for an event's id, its number, and the conversation's.
    """
    if is_own(event):
        return None
    if event.whole is not None and "event" in event.whole:
        return dict(event.whole)
    form: dict[str, object] = {"event": event.name, "timestamp": event.timestamp}
    metadata = dict(event.metadata)
    if event.session_id is not None:
        metadata["session_id"] = event.session_id
    if metadata:
        form["metadata"] = metadata
    for name, value in event.fields.items():
        if name not in _ENVELOPE and (value is not None or name not in _ONLY_IF_SET):
            form[name] = value
    return form


def from_flat(entry: Mapping[str, object]) -> TrackerEvent:
    """An event from its flat form; one with an unknown name is kept whole. Raises `Malformed`."""
    name, metadata = entry.get("event"), entry.get("metadata")
    if not isinstance(name, str) or not name:
        raise Malformed("`event` is no name")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise Malformed(f"`metadata` of `{name}` is no mapping")
    session, rest = session_of(metadata) if metadata else (None, NOTHING)
    fields: Mapping[str, object] = {k: v for k, v in entry.items() if k not in _ENVELOPE}
    known = name in KINDS
    if known:
        fields = completed(name, fields)
    return TrackerEvent(
        name, fields, rest, number(entry.get("timestamp")), session, whole=None if known else dict(entry)
    )
