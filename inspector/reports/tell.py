"""Records of a conversation in words: who, in which tone, what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from inspector.pieces import Tone
from inspector_core.classes import dataclass
from inspector_core.events import Record
from inspector_core.mantle.values import as_text

__all__ = ["Told", "failure", "tell"]


@dataclass(frozen=True, slots=True)
class Told:
    """One saying or deed: who stands at the left, what at the right."""

    who: str
    text: str
    tone: Tone = "plain"


def tell(record: Record) -> Iterator[Told]:
    """What the conversation pane says of a record; nothing for the engine's bookkeeping."""
    match record.event:
        case "user":
            yield Told("customer", str(record.fields.get("text", "")), "accent")
        case "bot":
            yield _bot(record)
        case "tool_executed":
            yield from _tool(record)
        case "memory_set" | "memory_cleared" | "inspector_set" | "inspector_cleared":
            yield from _memory(record)
        case "inspector_refused":
            yield Told("refused", str(record.fields.get("message", "")), "error")
        case "inspector_note":
            reason = str(record.fields.get("reason", ""))
            tone: Tone = "error" if reason in _BREAKS else "ask" if reason.startswith(_WAITS) else "dim"
            yield Told("note", str(record.fields.get("message", "")), tone)
        case event if event.startswith(("skill_", "ordered_block_")):
            yield _skill(record)


def failure(record: Record) -> str:
    """Why a move was refused or went wrong, in a line; empty where it didn't."""
    if record.event == "inspector_refused" or record.fields.get("reason") in _BREAKS:
        return str(record.fields.get("message", ""))
    if record.event != "tool_executed":
        return ""
    result = _payload(record.fields.get("result"))
    if not isinstance(result, Mapping) or not _failed(result):
        return ""
    return f"{record.fields.get('tool_name')}: {_brief(result.get('error') or result.get('errors'))}"


_BREAKS = frozenset({"turn-failed"})
"""Remarks that something of the agent's has broken."""
_WAITS = "step-waits"
"""How the reasons of remarks begin that say why nothing goes on, though nobody is told."""


def _bot(record: Record) -> Told:
    source = record.metadata.get("mantle_response_source")
    named = record.metadata.get("utter_action")
    text = str(record.fields.get("text", ""))
    return Told("model" if source in ("llm", None) and not named else "agent", text + (f"   {named}" if named else ""))


def _skill(record: Record) -> Told:
    what = record.event.rpartition("_")[2]
    name = str(record.fields.get("skill_id", ""))
    block = record.fields.get("block_id")
    started = {"activated": "started", "entered": "entered"}.get(what, what)
    return Told("", f"── {name}{f' › {block}' if block else ''} {started} ──", "head")


def _memory(record: Record) -> Iterator[Told]:
    key = str(record.fields.get("key", ""))
    if key.startswith("system.") or key == "session_started_metadata":
        return
    value = as_text(record.fields.get("value")) if record.event.endswith("_set") else "unset"
    hand = record.event.startswith("inspector_")
    yield Told("by hand", f"{key} = {value}", "value") if hand else Told("", f"  wrote {key} = {value}", "dim")


def _tool(record: Record) -> Iterator[Told]:
    name, arguments = str(record.fields.get("tool_name", "")), record.fields.get("arguments")
    result = _payload(record.fields.get("result"))
    confirmed = record.metadata.get("source") == "tool_confirmation"
    if name in _FOLDED and not _failed(result):
        return
    given = " ".join(f"{k}={_brief(v)}" for k, v in arguments.items()) if isinstance(arguments, Mapping) else ""
    told, tone = _outcome(result, confirmed)
    call = f"{'▹' if confirmed else '▸'} {name} {given}".rstrip()
    yield Told("engine" if confirmed else "model", f"{call}  {told}".rstrip(), tone)


_FOLDED = frozenset({"activate", "resolve_tool_confirmation", "complete", "cancel"})
"""Calls of the engine's own tools whose effects are told anyway."""


def _failed(result: object) -> bool:
    return isinstance(result, Mapping) and bool(result.get("error") or result.get("errors"))


def _outcome(result: object, confirmed: bool) -> tuple[str, Tone]:
    status = result.get("status") if isinstance(result, Mapping) else None
    error = (result.get("error") or result.get("errors")) if isinstance(result, Mapping) else None
    if status == "awaiting_confirmation":
        return "waits for the customer's yes", "ask"
    if status == "declined":
        return "did not run: declined", "bad"
    if error:
        return f"→ error: {_brief(error)}", "error"
    return (f"ran → {_brief(result)}", "good") if confirmed else (f"→ {_brief(result)}", "plain")


def _payload(result: object) -> object:
    if not isinstance(result, str):
        return result
    try:
        value: object = json.loads(result)
    except (ValueError, RecursionError):
        return result
    return value


def _brief(value: object, most: int = 160) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"
