"""A conversation turn by turn, with what was recorded in each that a test may be about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from inspector_core.classes import NamedTuple
from inspector_core.events import Record
from inspector_core.recording.keep.marks import Marks

__all__ = ["GREET", "Turn", "turns"]

GREET = "/session_start"
"""What a channel says for a customer who has said nothing yet."""


class Turn(NamedTuple):
    """What happened until somebody outside spoke again. Numbers count events from 1."""

    first: int
    records: tuple[Record, ...]
    marked: tuple[Record, ...]
    said: str | None = None
    """The customer's words; `None` before the customer has said anything."""
    button: str | None = None
    """The title of the button that sent them."""


def turns(records: Sequence[Record], marks: Marks) -> Iterator[Turn]:
    """A turn begins with the customer's words, and so does one with the opening of a session."""
    starts = [i for i, record in enumerate(records) if i == 0 or _begins(records, i)]
    for start, end in pairwise([*starts, len(records)]):
        part = tuple(records[start:end])
        marked = tuple(record for number, record in enumerate(part, start + 1) if marks.has(number))
        spoke = next((record for record in part if record.event == "user"), None)
        title = spoke.metadata.get("button_title") if spoke is not None else None
        button = title if isinstance(title, str) else None
        yield Turn(start + 1, part, marked, _text(spoke) if spoke is not None else None, button)


def _begins(records: Sequence[Record], number: int) -> bool:
    """What a channel says for the customer when it opens a session still belongs to that."""
    match records[number].event:
        case "session_started":
            return True
        case "user":
            return not (_text(records[number]) == GREET and _opens(records, number))
        case _:
            return False


def _opens(records: Sequence[Record], number: int) -> bool:
    for record in reversed(records[:number]):
        if record.event in ("session_started", "user"):
            return record.event == "session_started"
    return False


def _text(record: Record) -> str:
    text = record.fields.get("text")
    return text if isinstance(text, str) else ""
