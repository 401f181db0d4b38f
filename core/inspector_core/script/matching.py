"""Records against what they are expected to look like."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from inspector_core.events import Record
from inspector_core.script.values import Pattern

__all__ = ["brief", "in_order", "matches", "mentions", "payload", "ran", "refusals", "same", "spoken", "status"]

OURS = "inspector_"
"""How the events begin that the engine has no name for."""
_RESOLVE = "resolve_tool_confirmation"


def matches(pattern: Pattern, record: Record) -> bool:
    """Whether a record is of that event, about that, and has those fields."""
    return (
        pattern.event == record.event
        and (not pattern.about or mentions(record, pattern.about))
        and all(_field(record, name, wanted) for name, wanted in pattern.fields.items())
        and all(same(record.metadata.get(name), wanted) for name, wanted in pattern.metadata.items())
    )


def mentions(record: Record, words: str) -> bool:
    """Whether the words are what one of its fields holds, or the name of its response, or a part of what was said."""
    if words in (record.metadata.get("utter_action"), *record.fields.values()):
        return True
    return record.event in ("user", "bot") and words in str(record.fields.get("text", ""))


def _field(record: Record, name: str, wanted: object) -> bool:
    """A field's value; where it is JSON text, as `result` is, what the text stands for does as well."""
    value = record.fields.get(name)
    return same(value, wanted) or (
        isinstance(value, str) and not isinstance(wanted, str) and same(_read(value), wanted)
    )


def same(value: object, wanted: object) -> bool:
    """Equal as JSON values are: `true` is not `1`; what is nested too deep to be compared is not the same."""
    try:
        return value is wanted or _same(value, wanted)
    except RecursionError:
        return False


def _same(value: object, wanted: object) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        return value.keys() == wanted.keys() and all(_same(value[k], wanted[k]) for k in wanted)
    if isinstance(value, (list, tuple)) and isinstance(wanted, (list, tuple)):
        return len(value) == len(wanted) and all(_same(a, b) for a, b in zip(value, wanted, strict=True))
    return value == wanted


def in_order(patterns: Sequence[Pattern], records: Sequence[Record]) -> Pattern | None:
    """The first pattern that no record matches behind those of the patterns before it; `None` if all are there."""
    rest = iter(records)
    return next((p for p in patterns if not any(matches(p, record) for record in rest)), None)


def spoken(records: Sequence[Record]) -> list[Record]:
    """What the customer got to read."""
    return [r for r in records if r.event == "bot"]


def ran(records: Sequence[Record], tool: str) -> int:
    """How often a tool really ran."""
    return sum(r.ran and r.fields.get("tool_name") == tool for r in records)


def status(record: Record) -> object:
    """What a call came to instead of a run: `awaiting_confirmation`, `declined`, `cancelled`; else `None`."""
    result = payload(record)
    return result.get("status") if isinstance(result, Mapping) and not record.ran else None


def refusals(records: Sequence[Record]) -> list[Record]:
    """The moves that were not carried out: they can't be made, or are answered with an error, and nothing runs.

    An answer that is passed on has the result of what it was about (§6.6), which is told once.
    """
    found = [r for r in records if r.event == f"{OURS}refused" or _is_error(r)]
    passed_on = [r.fields.get("result") for r in records if r.metadata.get("source") == "tool_confirmation"]
    return [r for r in found if r.fields.get("tool_name") != _RESOLVE or r.fields.get("result") not in passed_on]


def _is_error(record: Record) -> bool:
    return record.event == "tool_executed" and record.fields.get("is_error") is True and not record.ran


def payload(record: Record) -> object:
    """The result of a call as a value."""
    result = record.fields.get("result")
    return _read(result) if isinstance(result, str) else result


def _read(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def brief(record: Record) -> str:
    """A record in two or three words, as `order` and `records` take it."""
    about = next((record.fields[f] for f in _ABOUT if record.fields.get(f)), "")
    named = record.metadata.get("utter_action") or about
    return f"{record.event} {named}".strip()


_ABOUT = ("tool_name", "key", "block_id", "skill_id", "text", "name", "label")
