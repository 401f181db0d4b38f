"""The envelope of an event: what stores, brokers and the engine's own downloads hold (§8.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from inspector_core.mantle.engine.payload import as_json
from inspector_core.mantle.wire.flat import from_flat, to_flat
from inspector_core.mantle.wire.kinds import KINDS, Malformed, enveloped, opened
from inspector_core.mantle.wire.tracker import NOTHING, TrackerEvent, is_own, number, session_of

__all__ = ["from_entry", "from_envelope", "sealed", "to_envelope", "to_stored"]

_OUTSIDE = frozenset({
    "conversation_id", "timestamp", "event_id", "sequence", "session_id", "user_id", "metadata",
    "deployment_environment",
})  # fmt: skip


def to_envelope(event: TrackerEvent) -> dict[str, object] | None:
    """The envelope; `None` for what has none: our own records, and flat events of unknown names."""
    if event.name in KINDS:
        return sealed(event, event.name, enveloped(event.name, event.fields))
    if event.whole is not None and "event" not in event.whole:
        return dict(event.whole)
    return None


def to_stored(event: TrackerEvent) -> dict[str, object] | None:
    """As a store keeps it: in its envelope, or flat where there is none (§8.2); `None` for our own records."""
    return None if is_own(event) else to_envelope(event) or to_flat(event)


def sealed(event: TrackerEvent, name: str, payload: object) -> dict[str, object]:
    """The envelope's outside with one payload in it."""
    return {
        "conversation_id": event.conversation_id, "timestamp": event.timestamp, "event_id": event.event_id,
        "sequence": event.sequence, "session_id": event.session_id, "user_id": event.user_id,
        "metadata": as_json(dict(event.metadata)) if event.metadata else None,
        "deployment_environment": event.deployment_environment, name: payload,
    }  # fmt: skip


def from_entry(entry: object) -> TrackerEvent:
    """An event in either form: flat where there is an `event` key, else an envelope (§8.2). Raises `Malformed`."""
    if not isinstance(entry, Mapping):
        raise Malformed("it is no mapping")
    return from_flat(entry) if "event" in entry else from_envelope(entry)


def from_envelope(entry: Mapping[str, object]) -> TrackerEvent:
    """An event from its envelope; one with an unknown payload is kept whole. Raises `Malformed`."""
    name, payload = _payload(entry)
    session, metadata = session_of(_metadata(name, entry.get("metadata")))
    known = name in KINDS
    return TrackerEvent(
        name, opened(name, payload) if known else payload, metadata, number(entry.get("timestamp")),
        _text(entry, "session_id") or session, _text(entry, "event_id"), _count(entry.get("sequence")),
        _text(entry, "conversation_id"), _text(entry, "user_id"), _text(entry, "deployment_environment"),
        None if known else dict(entry),
    )  # fmt: skip


def _payload(entry: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    """The one payload; beside a known one, what a newer engine has added to the outside is no payload."""
    held = {k: v for k, v in entry.items() if k not in _OUTSIDE and isinstance(v, Mapping)}
    if len(held) > 1:
        held = {k: v for k, v in held.items() if k in KINDS}
    if len(held) != 1:
        raise Malformed("it has neither an `event` nor exactly one payload")
    return held.popitem()


def _metadata(name: str, text: object) -> Mapping[str, object]:
    if text is None or text == "":
        return NOTHING
    try:
        found: object = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError) as error:
        raise Malformed(f"`metadata` of `{name}` can't be read as JSON") from error
    if found is None:
        return NOTHING
    if not isinstance(found, Mapping):
        raise Malformed(f"`metadata` of `{name}` is no mapping")
    return found


def _text(entry: Mapping[str, object], name: str) -> str | None:
    found = entry.get(name)
    return found if isinstance(found, str) else None


def _count(value: object) -> int | None:
    """A whole number; ProtoJSON writes large ones as texts."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    found = number(value)
    return int(found) if found is not None and found == int(found) else None
