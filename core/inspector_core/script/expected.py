"""What came of some moments, as the expectation that a saved script has of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from inspector_core.events import Record
from inspector_core.script.emit import inline, key, words
from inspector_core.script.judging import Situation, refusal
from inspector_core.script.matching import refusals, same, spoken, status
from inspector_core.session import Moment

__all__ = ["expected"]

S = TypeVar("S", bound=Situation)


def expected(before: Moment[S], since: Sequence[Moment[S]]) -> Iterator[str]:
    """The lines of an `expect:`; none where nothing came of anything."""
    records = [r for moment in since for r in moment.records]
    lines = [*_asked(since[-1]), *_calls(records), *_said(records), *_memory(before, since[-1])]
    if lines:
        yield "- expect:"
        yield from (f"    {line}" for line in lines)


def _asked(now: Moment[S]) -> Iterator[str]:
    pending = now.state.active_pending
    if pending is not None:
        yield f"asks: {words(pending.tool)}"


def _calls(records: Sequence[Record]) -> Iterator[str]:
    ran = Counter(str(r.fields.get("tool_name")) for r in records if r.ran)
    if ran:
        yield f"ran: {inline(dict(ran))}"
    declined = [str(r.fields.get("tool_name")) for r in records if status(r) == "declined"]
    declined = [tool for tool in dict.fromkeys(declined) if tool != "resolve_tool_confirmation"]
    if declined:
        yield f"declined: {inline(declined)}"
    refused = list(dict.fromkeys(refusal(r)[0] for r in refusals(records)))
    if refused:
        yield f"refused: {inline(refused)}"


def _said(records: Sequence[Record]) -> Iterator[str]:
    """The names of responses, and the words of what has none."""
    said = [str(r.metadata.get("utter_action") or r.fields.get("text", "")) for r in spoken(records)]
    told = [text for text in dict.fromkeys(said) if text]
    if told:
        yield f"said: {inline(told)}"


def _memory(before: Moment[S], now: Moment[S]) -> Iterator[str]:
    """What memory holds now that it didn't hold before; the engine's own entries go without saying."""
    was, is_now = before.state.memory, now.state.memory
    changed = {k: is_now.get(k) for k in _keys(was, is_now) if not same(was.get(k), is_now.get(k))}
    if changed:
        yield "memory:"
        yield from (f"  {key(k)}: {inline(value)}" for k, value in changed.items())


def _keys(was: Mapping[str, object], is_now: Mapping[str, object]) -> list[str]:
    return [k for k in dict.fromkeys([*was, *is_now]) if not k.startswith("system.")]
