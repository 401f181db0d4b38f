"""Records of a played conversation as events of the engine: with a time, an id and a place in their session (§8.1).

Nothing here looks at a clock or draws lots: times come from outside, and ids follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b

from inspector_core.events import Record
from inspector_core.mantle.wire.kinds import KINDS, completed
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["Stamps", "event_id", "following", "stamped"]


@dataclass(frozen=True, slots=True)
class Stamps:
    """What the next event's stamp depends on; replaced, never changed."""

    conversation_id: str
    session_id: str
    started_at: float
    """Seconds since 1970."""
    step: float = 0.001
    """Seconds between two events of one move, and between two moves where no time is given."""
    channel: str = "inspector"
    sequence: int = 0
    """The next event's number."""
    latest: float | None = None
    """When the latest event was: no later one is earlier."""
    heard: float | None = None
    """When the customer's latest message was."""


def stamped(
    records: Iterable[Record], stamps: Stamps, at: float | None = None
) -> tuple[tuple[TrackerEvent, ...], Stamps]:
    """The records of one move as events, and the stamps for the next; `at` is when the move was made."""
    events: list[TrackerEvent] = []
    for record in records:
        event, stamps = _one(record, stamps, at)
        events.append(event)
        at = None
    return tuple(events), stamps


def following(events: Iterable[TrackerEvent], stamps: Stamps) -> Stamps:
    """The stamps for what comes after events that were read again: in the same session, and later than all of them."""
    for event in events:
        time = stamps.latest if event.timestamp is None else event.timestamp
        stamps = replace(
            stamps,
            conversation_id=event.conversation_id or stamps.conversation_id,
            session_id=event.session_id or stamps.session_id,
            sequence=stamps.sequence + 1 if event.sequence is None else max(stamps.sequence, event.sequence + 1),
            latest=time if stamps.latest is None or time is None else max(time, stamps.latest),
            heard=time if event.name == "user" or stamps.heard is None else stamps.heard,
        )
    return stamps


def event_id(timestamp: float, sequence: int, *scope: str) -> str:
    """An id in the form of a UUIDv7, which sorts by time; the same event has it every time."""
    moment = max(0, int(timestamp * 1000)) & 0xFFFF_FFFF_FFFF
    seed = "\x1f".join((*scope, str(sequence))).encode("utf-8", "surrogatepass")
    chance = int.from_bytes(blake2b(seed, digest_size=8).digest(), "big") & 0x3FFF_FFFF_FFFF_FFFF
    value = f"{(moment << 80) | (7 << 76) | ((sequence & 0xFFF) << 64) | (2 << 62) | chance:032x}"
    return f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]}"


def _one(record: Record, stamps: Stamps, at: float | None) -> tuple[TrackerEvent, Stamps]:
    time = _time(stamps, at)
    identity = event_id(time, stamps.sequence, stamps.conversation_id, stamps.session_id)
    heard = time if record.event == "user" or stamps.heard is None else stamps.heard
    fields, metadata = _fields(record, stamps, identity), record.metadata
    if record.event == "skill_activated":
        metadata = {"triggering_user_message_timestamp": heard, **metadata}
    event = TrackerEvent(
        record.event, fields, metadata, time, stamps.session_id, identity, stamps.sequence, stamps.conversation_id
    )
    return event, replace(stamps, sequence=stamps.sequence + 1, latest=time, heard=heard)


def _time(stamps: Stamps, at: float | None) -> float:
    """Later than what came before, even where the clock went back."""
    if stamps.latest is None:
        return stamps.started_at if at is None else at
    following = round(stamps.latest + stamps.step, 6)  # the clock's own grain: sums of floats are longer
    return following if at is None else max(at, following)


def _fields(record: Record, stamps: Stamps, identity: str) -> Mapping[str, object]:
    """All the fields of its kind; the customer's message has what a channel gives along with it."""
    if record.event not in KINDS:
        return record.fields
    if record.event != "user":
        return completed(record.event, record.fields)
    message = identity.replace("-", "")
    text = record.fields.get("text")
    heard: dict[str, object] = {
        "parse_data": {
            "intent": {"name": None, "confidence": 0.0}, "entities": [], "text": text, "message_id": message,
            "metadata": dict(record.metadata), "commands": [],
        },
        "input_channel": stamps.channel, "message_id": message,
    }  # fmt: skip
    return completed(record.event, {**heard, **record.fields})
