"""A session as chat messages: what was said and called, in the form of either maker; the rest is counted as lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.payload import as_json
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.sessions import Session

__all__ = ["anthropic_talk", "openai_talk"]

Object = dict[str, object]

_CARRIED = ("tool_call_id", "tool_batch_id", "mantle_response_source", "agent_message_type", "result")
"""Metadata that the messages themselves tell."""
_SPOKEN = {"user": "user", "bot": "assistant"}
_BLOCKS = {
    "anthropic.thinking": "assistant", "anthropic.redacted_thinking": "assistant", "anthropic.image": "user",
    "anthropic.document": "user",
}  # fmt: skip
"""Blocks that are written again as they were read, and in whose message."""


class _Call(NamedTuple):
    id: str
    event: TrackerEvent

    @property
    def tool(self) -> str:
        return str(self.event.fields.get("tool_name") or "")

    @property
    def arguments(self) -> object:
        return self.event.metadata.get("arguments", self.event.fields.get("arguments") or {})

    @property
    def answered(self) -> bool:
        return self.event.metadata.get("result") != "none recorded"

    @property
    def result(self) -> str:
        found = self.event.fields.get("result")
        return found if isinstance(found, str) else "" if found is None else as_json(found)


class _Reply(NamedTuple):
    """What the model sent at once: words, calls, or both."""

    text: str
    calls: tuple[_Call, ...]


class _Kept(NamedTuple):
    """A message or a block that only this form has, as it was read."""

    kind: str
    """Its event's name."""
    entry: Mapping[str, object]


Piece = str | _Reply | _Kept
"""What the customer said, what the model sent, or what is kept."""


def openai_talk(session: Session, lost: Counter[str]) -> Object:
    """`{"messages": […]}` with `tool_calls`, and `tool` messages with what came back."""
    messages: list[Object] = []
    for piece in _pieces(session, ("openai", "tau-bench"), lost):
        match piece:
            case str():
                messages.append({"role": "user", "content": piece})
            case _Reply(text, calls):
                messages += _openai(text, calls)
                lost["whether a call failed"] += sum(bool(c.event.fields.get("is_error")) for c in calls)
            case _Kept(kind, entry) if "role" in entry:
                messages.append(dict(entry))
            case _Kept(kind, _):
                lost[f"`{kind}` events"] += 1
    return _named(session, {"messages": messages})


def _openai(text: str, calls: Sequence[_Call]) -> Iterator[Object]:
    reply: Object = {"role": "assistant", "content": text or None}
    if calls:
        reply["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.tool, "arguments": _as_text(c.arguments)}}
            for c in calls
        ]
    yield reply
    for call in calls:
        if call.answered:
            yield {"role": "tool", "tool_call_id": call.id, "content": call.result}


def _as_text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else as_json(arguments)


def anthropic_talk(session: Session, lost: Counter[str]) -> Object:
    """`{"messages": […]}` with blocks: `tool_use` in a reply, and `tool_result` in what follows it."""
    messages: list[Object] = []
    thought = False
    for piece in _pieces(session, ("anthropic",), lost):
        match piece:
            case str():
                _add(messages, "user", [{"type": "text", "text": piece}])
            case _Reply():
                _add(messages, "assistant", list(_blocks(piece)), joins=thought)
                _add(messages, "user", list(_results(piece)))
            case _Kept(kind, entry) if kind in _BLOCKS:
                _add(messages, _BLOCKS[kind], [dict(entry)], joins=thought or _BLOCKS[kind] == "user")
            case _Kept(kind, _):
                lost[f"`{kind}` events"] += 1
        thought = isinstance(piece, _Kept) and _BLOCKS.get(piece.kind) == "assistant"
    return _named(session, {"messages": messages})


def _blocks(reply: _Reply) -> Iterator[Object]:
    if reply.text:
        yield {"type": "text", "text": reply.text}
    for call in reply.calls:
        given = call.arguments
        if isinstance(given, str):
            given = {"arguments": given}
        yield {"type": "tool_use", "id": call.id, "name": call.tool, "input": given}


def _results(reply: _Reply) -> Iterator[Object]:
    for call in reply.calls:
        if call.answered:
            failed: Object = {"is_error": True} if call.event.fields.get("is_error") else {}
            yield {"type": "tool_result", "tool_use_id": call.id, "content": call.result, **failed}


def _add(messages: list[Object], role: str, blocks: list[Object], joins: bool = False) -> None:
    """Add a message; or its blocks to the last one, where that is of the same role and they go together."""
    last = messages[-1] if messages and joins and messages[-1]["role"] == role else None
    content = last["content"] if last is not None else None
    if isinstance(content, list):
        content += blocks
    elif blocks:
        messages.append({"role": role, "content": blocks})


def _named(session: Session, talk: Object) -> Object:
    return talk if session.conversation_id is None else {"id": session.conversation_id, **talk}


# -- from events to pieces ---------------------------------------------------------------------------------------------


def _pieces(session: Session, forms: tuple[str, ...], lost: Counter[str]) -> Iterator[Piece]:
    """What a chat can tell, in order; calls of one reply are together, with the words beside them."""
    told = [one.event for one in session.events if _can_tell(one.event, forms, lost)]
    calls = 0
    for (kind, _), group in groupby(enumerate(told), lambda pair: _reply_of(*pair)):
        events = [event for _, event in group]
        first = events[0]
        if kind == "reply":
            made = [event for event in events if event.name == "tool_executed"]
            said = "\n".join(_words(event) for event in events if event.name == "bot")
            yield _Reply(said, tuple(_call(event, calls + number) for number, event in enumerate(made, 1)))
            calls += len(made)
        elif first.name == "user":
            yield _words(first)
        elif isinstance(entry := first.fields.get("entry"), Mapping):
            yield _Kept(first.name, entry)


def _words(event: TrackerEvent) -> str:
    text = event.fields.get("text")
    return text if isinstance(text, str) else ""


def _reply_of(place: int, event: TrackerEvent) -> tuple[str, object]:
    """What the events of one reply have in common; anything else stands alone."""
    if event.name not in ("bot", "tool_executed"):
        return "other", place
    return "reply", event.metadata.get("tool_batch_id", place)


def _call(event: TrackerEvent, number: int) -> _Call:
    held = event.metadata.get("tool_call_id")
    return _Call(held if isinstance(held, str) and held else f"call_{number}", event)


def _can_tell(event: TrackerEvent, forms: tuple[str, ...], lost: Counter[str]) -> bool:
    """Whether a chat has a place for an event; what it has none for is counted, down to times and buttons."""
    if event.name in _SPOKEN and event.fields.get("text"):
        lost["buttons and other data of messages"] += bool(event.fields.get("data"))
    elif event.name == "tool_executed":
        lost["which call a step or an answer made run"] += "source" in event.metadata
    elif event.name.partition(".")[0] not in forms or not isinstance(event.fields.get("entry"), Mapping):
        lost[f"`{event.name}` events"] += 1
        return False
    lost["times of events"] += event.timestamp is not None
    lost["metadata of events"] += any(key not in _CARRIED for key in event.metadata)
    return True
