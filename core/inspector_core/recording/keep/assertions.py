"""What happened as assertions of the engine's own tests (§8.4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from inspector_core.events import Record
from inspector_core.mantle.engine.seeds import METADATA_KEY
from inspector_core.recording.keep.marks import Marks

__all__ = ["Assertion", "assertions", "sequence"]

Assertion = Mapping[str, object]
"""One key with what is asserted."""

_SKILLS = ("skill_activated", "skill_completed", "skill_cancelled", "skill_interrupted", "skill_resumed")
_BLOCKS = tuple(f"ordered_block_{how}" for how in ("entered", "completed", "cancelled", "interrupted", "resumed"))
_MEMORY = ("memory_was_set", "memory_was_cleared")
_PLACEHOLDER = ".+"
"""What stands in a pattern for words that are another customer's own."""


def assertions(
    marked: Sequence[Record], marks: Marks, stands_in: Collection[str | int | float] = ()
) -> list[Assertion]:
    """An assertion for each event that the vocabulary has a word for.

    What was redacted is not asserted: the engine's run has other values. The model's own words are only where they
    were marked themselves, since it never says the same twice.
    """
    found: list[Assertion] = []
    for record in marked:
        made = _assertion(record, marks, stands_in)
        if made is None or made in found:
            continue
        if found and (merged := _merged(found[-1], made)) is not None:
            found[-1] = merged
        else:
            found.append(made)
    return found


def _merged(before: Assertion, after: Assertion) -> Assertion | None:
    """Writes that follow one another are entries of one list."""
    for name in _MEMORY:
        first, second = before.get(name), after.get(name)
        if isinstance(first, list) and isinstance(second, list):
            return {name: [*first, *second]}
    return None


def _assertion(record: Record, marks: Marks, stands_in: Collection[str | int | float]) -> Assertion | None:
    fields = record.fields
    match record.event:
        case name if name in _SKILLS:
            return {name: {"skill_id": fields.get("skill_id")}}
        case name if name in _BLOCKS:
            return {name: {"skill_id": fields.get("skill_id"), "block_id": fields.get("block_id")}}
        case "memory_set" | "memory_cleared":
            return _memory(record, stands_in)
        case "tool_executed":
            return {"tool_executed": _tool(record, stands_in)}
        case "bot":
            return _uttered(record, marks, stands_in)
        case _:
            return None


def _memory(record: Record, stands_in: Collection[str | int | float]) -> Assertion | None:
    """The engine's own entries are its own business."""
    name, value = str(record.fields.get("key")), record.fields.get("value")
    if name.startswith("system.") or name == METADATA_KEY:
        return None
    if record.event == "memory_cleared":
        return {"memory_was_cleared": [{"name": name}]}
    known = value is not None and not _redacted(value, stands_in)
    return {"memory_was_set": [{"name": name, **({"value": value} if known else {})}]}


def _tool(record: Record, stands_in: Collection[str | int | float]) -> dict[str, object]:
    """A call, with the arguments that are the same for every customer."""
    fields = record.fields
    server, given = fields.get("mcp_server"), fields.get("arguments")
    told: dict[str, object] = {"tool_name": fields.get("tool_name"), "source": fields.get("source") or "local"}
    if told["source"] == "mcp" and server:
        told["mcp_server"] = server
    told["is_error"] = fields.get("is_error") is True
    open_ones = (
        {k: v for k, v in given.items() if not _redacted([k, v], stands_in)} if isinstance(given, Mapping) else {}
    )
    return {**told, "arguments": open_ones} if open_ones else told


def _uttered(record: Record, marks: Marks, stands_in: Collection[str | int | float]) -> Assertion | None:
    name, text = record.metadata.get("utter_action"), record.fields.get("text")
    told: dict[str, object] = {}
    if isinstance(name, str):
        told["utter_name"] = name
    elif isinstance(text, str) and text.strip() and not (marks.everything and _is_free(record)):
        told["text_matches"] = _pattern(text.strip(), stands_in)
    else:
        return None
    data = record.fields.get("data")
    offered = data.get("buttons") if isinstance(data, Mapping) else None
    buttons = [_button(b) for b in offered if not _redacted(b, stands_in)] if isinstance(offered, list) else []
    return {"bot_uttered": {**told, "buttons": buttons} if buttons else told}


def _is_free(record: Record) -> bool:
    return record.metadata.get("mantle_response_source") in ("llm", "filler", "rephrased")


def _button(button: object) -> dict[str, object]:
    return {k: str(button[k]) for k in ("title", "payload") if k in button} if isinstance(button, Mapping) else {}


def _pattern(text: str, stands_in: Collection[str | int | float]) -> str:
    """A regular expression that the text matches, with anything in the places of what was redacted."""
    words = [re.escape(str(one)) for one in sorted(map(str, stands_in), key=len, reverse=True)]
    if not words:
        return _escaped(text)
    pieces = re.split(rf"(?<![^\W_])(?:{'|'.join(words)})(?![^\W_])", text)
    return _PLACEHOLDER.join(_escaped(piece) for piece in pieces)


def _escaped(text: str) -> str:
    return re.sub(r"[\\.^$*+?{}\[\]|()]", r"\\\g<0>", text)


def _redacted(value: object, stands_in: Collection[str | int | float], depth: int = 0) -> bool:
    """Whether there is anything in a value that stands for something private."""
    if not stands_in:
        return False
    match value:
        case None | bool():
            return False
        case str():
            return any(one in value for one in stands_in if isinstance(one, str)) or value in map(str, stands_in)
        case int() | float():
            return value in stands_in
        case Mapping():
            return depth > _DEEPEST or any(_redacted([k, v], stands_in, depth + 1) for k, v in value.items())
        case list() | tuple():
            return depth > _DEEPEST or any(_redacted(item, stands_in, depth + 1) for item in value)
        case _:
            return False


_DEEPEST = 60


def sequence(marked: Sequence[Record], marks: Marks, stands_in: Collection[str | int | float] = ()) -> list[Assertion]:
    """The same in the form in which their order is asserted: memory by its key alone, and no wording."""
    every = (_assertion(record, marks, stands_in) for record in marked)
    return [one for assertion in every if assertion is not None for one in _in_order(assertion)]


def _in_order(assertion: Assertion) -> Iterator[Assertion]:
    for name, value in assertion.items():
        if name in _MEMORY and isinstance(value, list):
            yield from ({name: entry["name"]} for entry in value)
        elif name != "bot_uttered":
            yield {name: value}
