"""Letta's records as parts: those of its interface, and those in its agent files.

Each tells one thing. What the model thinks is not said to anyone, and much that is filed as the customer's is not.
Tool rules are kept as they are, in an event of the agent's own that each conversation of a file begins with.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from inspector_core.mantle.engine.payload import as_json
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.chat import Talk, moment
from inspector_core.recording.entries import Entry
from inspector_core.recording.openai import mappings, text_of
from inspector_core.recording.placed import line_of
from inspector_core.recording.told import Asked, Message, Other, Part, Returned, Said, words

__all__ = ["AGENT", "OUTPUT", "RULES", "agents", "record", "records", "rules_of", "talk"]

AGENT = "letta.agent"
"""The event that holds an agent without its messages."""
OUTPUT = "letta_output"
"""Where a call's metadata keeps the packaged text that tool rules look at."""
RULES = "tool_rules"
_SPEAKS = "send_message"
"""The tool through which older agents speak; what stands beside its calls are thoughts."""
_SAYS_ALL = "letta_v1_agent"
"""The kind of agent that has thoughts of their own kind, so that its words are words."""
_TEXTS = ("reasoning", "summary", "hidden_reasoning", "internal_monologue", "message", "detail")


def rules_of(events: tuple[TrackerEvent, ...]) -> tuple[Mapping[str, object], ...]:
    """The tool rules that a recorded conversation ran under, as they were written."""
    entries = [event.fields.get("entry") for event in events if event.name == AGENT]
    return tuple(rule for entry in mappings(entries) for rule in mappings(entry.get(RULES)))


# -- the interface -----------------------------------------------------------------------------------------------------


def records(found: Iterator[Entry] | list[Entry]) -> list[tuple[object, int]]:
    """The records in a file: lines, a list, or a page of them under a name."""
    every: list[tuple[object, int]] = []
    for entry in found:
        value = entry.value
        inner = value.get("messages", value.get("data")) if isinstance(value, Mapping) else value
        if isinstance(inner, list) and not (isinstance(value, Mapping) and "message_type" in value):
            every += [(one, line_of(one, entry.line)) for one in inner]
        else:
            every.append((value, line_of(value, entry.line)))
    return every


def record(value: object, line: int) -> Message:
    """One record of the interface."""
    if not isinstance(value, Mapping):
        return Message((Other("entry", value),), line, value)
    return Message(tuple(_record(value)), line, value, moment(value.get("date")))


def _record(value: Mapping[str, object]) -> Iterator[Part]:
    content = words(value.get("content")) or ""
    match value.get("message_type"):
        case "user_message":
            yield _from_user(content, value)
        case "assistant_message" if content:
            yield Said("bot", content)
        case "tool_call_message" | "function_call":
            yield from (_asked(call) for call in _each(value, "tool_calls", "tool_call", "function_call"))
        case "approval_request_message":
            yield from (_asked(call) for call in _each(value, "tool_calls", "tool_call"))
            yield _request(value, _each(value, "tool_calls", "tool_call"))
        case "tool_return_message":
            yield from (_returned(one) for one in _each(value, "tool_returns") or [value])
        case "approval_response_message":
            yield from (_returned(one) for one in _each(value, "approvals") if "tool_return" in one)
            yield _decision(value)
        case kind:
            text = next((t for name in _TEXTS if (t := text_of(value, name))), content)
            yield Other(kind if isinstance(kind, str) and kind else "entry", value, text)


def _request(value: Mapping[str, object], calls: list[Mapping[str, object]]) -> Other:
    """Calls that wait until somebody has decided."""
    return Other("approval_request", value, ", ".join(_asked(call).tool for call in calls))


def _decision(value: Mapping[str, object]) -> Other:
    """What was decided on each call; older records say it of one alone."""
    decided = [one for one in mappings(value.get("approvals")) if "approve" in one]
    told = []
    for one in decided or ([value] if isinstance(value.get("approve"), bool) else []):
        why = text_of(one, "reason") or text_of(one, "denial_reason")
        told.append(f"{'approved' if one.get('approve') is True else 'denied'}{f': {why}' if why else ''}")
    return Other("approval_response", value, ", ".join(told))


def _from_user(text: str, entry: object) -> Part:
    """A message of the customer's, or what the server files under that role to wake the agent."""
    try:
        found: object = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(kind := found.get("type"), str):
        return Said("user", text) if text else Other("user_message", entry)
    said = found.get("message")
    return Said("user", said) if kind == "user_message" and isinstance(said, str) else Other(kind, entry, text)


def _asked(call: Mapping[str, object]) -> Asked:
    held = call.get("function")
    named = held if isinstance(held, Mapping) else call
    return Asked(text_of(call, "tool_call_id") or text_of(call, "id"), text_of(named, "name"), named.get("arguments"))


def _returned(one: Mapping[str, object]) -> Returned:
    """What a call returned; rules look at it in the form in which it was stored."""
    text, failed = words(one.get("tool_return")), one.get("status") == "error"
    output = as_json({"status": "Failed" if failed else "OK", "message": text})
    return Returned(text_of(one, "tool_call_id"), "", text, failed, {OUTPUT: output})


def _each(value: Mapping[str, object], many: str, *single: str) -> list[Mapping[str, object]]:
    """The newer list, or else the older single one."""
    found = value.get(many)
    return mappings(found) if isinstance(found, list) else mappings([value.get(name) for name in single])


# -- agent files -------------------------------------------------------------------------------------------------------


def agents(value: object, line: int) -> Iterator[Talk]:
    """Each agent's conversation in a file of either schema; some files are JSON within a text of JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return
    if not isinstance(value, Mapping):
        return
    inner = value.get("agents", [value.get("agent")] if isinstance(value.get("agent"), Mapping) else None)
    tools = value.get("tools")
    for agent in mappings(inner) if inner is not None else [value]:
        messages = agent.get("messages")
        rest = {key: held for key, held in agent.items() if key != "messages"}
        if agent is not value and isinstance(tools, list):
            rest["tools"] = tools
        about = Other("agent", rest, f"{len(mappings(agent.get(RULES)))} tool rules")
        yield Talk(
            text_of(agent, "name") or text_of(agent, "id") or None, messages if isinstance(messages, list) else [],
            line_of(agent, line), before=about,
        )  # fmt: skip


def talk(found: Talk) -> Iterator[Message]:
    """An agent's messages, taken apart; the agent itself comes first."""
    about = found.before
    agent = about.entry if isinstance(about, Other) else None
    thinks = not isinstance(agent, Mapping) or agent.get("agent_type") != _SAYS_ALL
    if about is not None:
        yield Message((about,), found.line, agent)
    for value in found.messages:
        line = line_of(value, found.line)
        if isinstance(value, Mapping):
            yield Message(tuple(_message(value, thinks)), line, value, moment(value.get("created_at")))
        else:
            yield Message((Other("entry", value),), line, value)


def _message(value: Mapping[str, object], thinks: bool) -> Iterator[Part]:
    text = words(value.get("content")) or ""
    match value.get("role"):
        case "user":
            yield _from_user(text, value)
        case "assistant":
            yield from _assistant(value, text, thinks)
        case "tool":
            yield from _stored(value, text)
        case "approval":
            yield from (_unpacked(one, words(one.get("func_response"))) for one in mappings(value.get("approvals"))
                        if "func_response" in one)  # fmt: skip
            calls = mappings(value.get("tool_calls"))
            yield from (_asked(call) for call in calls)
            yield _request(value, calls) if calls else _decision(value)
        case role:
            yield Other(role if isinstance(role, str) and role else "entry", value, text)


def _assistant(value: Mapping[str, object], text: str, thinks: bool) -> Iterator[Part]:
    """A reply; with `thinks`, the words beside its calls are thoughts."""
    asked = [_asked(call) for call in mappings(value.get("tool_calls"))]
    if text:
        yield Other("reasoning", value, text) if asked and thinks else Said("bot", text)
    for call in asked:
        said = _spoken(call)
        if said:
            yield Said("bot", said)
        yield call
    if not text and not asked:
        yield Other("assistant", value)


def _spoken(call: Asked) -> str | None:
    """What an older agent says: it is a call, and words to the customer as well."""
    if call.tool != _SPEAKS or not isinstance(call.arguments, str):
        return None
    try:
        found: object = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return None
    said = found.get("message") if isinstance(found, dict) else None
    return said if isinstance(said, str) else None


def _stored(value: Mapping[str, object], text: str) -> Iterator[Part]:
    """What calls returned: one in the message itself, or several beside it."""
    several = [one for one in mappings(value.get("tool_returns")) if text_of(one, "tool_call_id")]
    if several:
        for one in several:
            packed = words(one.get("func_response"))
            yield _unpacked(one, packed if packed is not None else text)
        return
    status = next(iter(mappings(value.get("tool_returns"))), {})
    yield _unpacked({"status": status.get("status"), "tool_call_id": value.get("tool_call_id")}, text)


def _unpacked(one: Mapping[str, object], packed: str | None) -> Returned:
    """A stored result: the message in it is what the tool said, and its status whether it failed."""
    try:
        found: object = json.loads(packed or "")
    except (ValueError, RecursionError):
        found = None
    text, status = packed, one.get("status")
    if isinstance(found, dict) and "status" in found and "message" in found:
        text, status = words(found["message"]), status or found["status"]
    failed = status in ("error", "Failed")
    return Returned(text_of(one, "tool_call_id"), "", text, failed, {OUTPUT: packed or ""})
