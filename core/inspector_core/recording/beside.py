"""Two recordings side by side: turn by turn, the events that say the same in both next to each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest

from inspector_core.classes import NamedTuple
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["Beside", "Pair", "side_by_side"]

_VOLATILE = frozenset({"parse_data", "message_id", "anonymized_at", "input_channel", "session_id", "event_id"})
"""What differs between any two recordings, whatever was said in them."""
_CLOSE = 200
"""Of longer turns the events are compared in their order alone: finding what was put in between takes too long."""


class Pair(NamedTuple):
    """An event of each side that stand next to each other; `None` where one side has none. Events count from 1."""

    left: int | None
    right: int | None
    same: bool


class Beside(NamedTuple):
    """Both recordings, and where they part."""

    pairs: tuple[Pair, ...]
    differences: tuple[int, ...]
    """The places in `pairs` at which they differ."""

    @property
    def first(self) -> Pair | None:
        """The first difference; none where both say the same."""
        return self.pairs[self.differences[0]] if self.differences else None

    def left(self, place: int) -> int:
        """The event of the left side at a place; where it has none there, the one before; 0 before the first."""
        return next((pair.left for pair in reversed(self.pairs[: place + 1]) if pair.left is not None), 0)


def side_by_side(left: Sequence[TrackerEvent], right: Sequence[TrackerEvent]) -> Beside:
    """The two next to each other. Ids, times and frames differ always, and are not looked at."""
    pairs = tuple(_pairs(_turns(left), _turns(right)))
    return Beside(pairs, tuple(place for place, pair in enumerate(pairs) if not pair.same))


class _Turn(NamedTuple):
    first: int
    """The number of its first event."""
    keys: tuple[object, ...]


def _turns(events: Sequence[TrackerEvent]) -> list[_Turn]:
    starts = [0, *(place for place, event in enumerate(events) if event.name == "user" and place), len(events)]
    return [_Turn(a + 1, tuple(map(_key, events[a:b]))) for a, b in pairwise(starts)]


def _pairs(left: list[_Turn], right: list[_Turn]) -> Iterator[Pair]:
    nothing = _Turn(0, ())
    for one, other in zip_longest(left, right, fillvalue=nothing):
        if one.keys == other.keys:
            yield from (Pair(one.first + n, other.first + n, True) for n in range(len(one.keys)))
        else:
            yield from _aligned(one, other)


def _aligned(one: _Turn, other: _Turn) -> Iterator[Pair]:
    if max(len(one.keys), len(other.keys)) > _CLOSE:
        yield from _in_order(one, other, range(len(one.keys)), range(len(other.keys)))
        return
    for kind, a, b, c, d in SequenceMatcher(None, one.keys, other.keys, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (
                Pair(one.first + n, other.first + m, True) for n, m in zip(range(a, b), range(c, d), strict=True)
            )
        else:
            yield from _in_order(one, other, range(a, b), range(c, d))


def _in_order(one: _Turn, other: _Turn, lefts: range, rights: range) -> Iterator[Pair]:
    for n, m in zip_longest(lefts, rights):
        same = n is not None and m is not None and one.keys[n] == other.keys[m]
        yield Pair(None if n is None else one.first + n, None if m is None else other.first + m, same)


def _key(event: TrackerEvent) -> object:
    """What an event says, apart from what is made up anew each time."""
    fields, name = event.fields, event.name
    match name:
        case "user":
            return name, str(fields.get("text"))
        case "bot":
            return name, str(fields.get("text")), str(event.metadata.get("utter_action"))
        case "stack" | "slot" | "session_started":
            return name
        case "memory_set" if str(fields.get("key")).startswith("system."):
            return name, str(fields.get("key"))
        case _:
            return name, _told(fields)


def _told(fields: Mapping[str, object]) -> str:
    return repr(sorted((key, value) for key, value in fields.items() if key not in _VOLATILE))
