"""What messages of other makers tell, in parts that all of them have; and what the engine would have recorded of it.

What was said and called is told, and nothing of memory: nothing of it is guessed.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import assert_never

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.payload import as_json
from inspector_core.mantle.wire.kinds import completed
from inspector_core.mantle.wire.tracker import NOTHING, TrackerEvent
from inspector_core.recording.entries import Fault
from inspector_core.recording.sessions import Recorded

__all__ = ["Asked", "Message", "Other", "Part", "Returned", "Said", "Telling", "told", "words"]


class Said(NamedTuple):
    """Words of the customer's or of the agent's."""

    who: str
    """`user` or `bot`."""
    text: str


class Asked(NamedTuple):
    """A call of the model's."""

    call: str
    """Its id; empty where there is none."""
    tool: str
    arguments: object
    """A mapping, its JSON text, or whatever else a model has sent."""
    server: str | None = None


class Returned(NamedTuple):
    """What came back of a call."""

    call: str
    tool: str
    """Its name, where it says it."""
    text: str | None
    failed: bool = False
    metadata: Mapping[str, object] = NOTHING


class Other(NamedTuple):
    """Anything else: kept as it is."""

    kind: str
    entry: object
    text: str = ""


Part = Said | Asked | Returned | Other


class Message(NamedTuple):
    """One message, and where it stands."""

    parts: tuple[Part, ...]
    line: int
    original: object
    at: float | None = None
    """Seconds since 1970."""


class Telling(NamedTuple):
    """A conversation as events, and what is odd in it."""

    events: tuple[Recorded, ...]
    odd: tuple[Fault, ...] = ()


def told(messages: Iterable[Message], form: str, conversation: str | None = None) -> Telling:
    """What was said and called, in order; a call stands where its result came.

    `form` is what the names of events begin with that only this form has.
    """
    teller = _Teller(form, conversation)
    for message in messages:
        teller.hear(message)
    return teller.told()


class _Open(NamedTuple):
    """A call whose result has not come yet."""

    asked: Asked
    message: Message
    batch: str
    place: int
    """Where it stands among the events, should none come."""


class _Teller:
    """One conversation as it is gathered."""

    def __init__(self, form: str, conversation: str | None) -> None:
        self.form = form
        self.conversation = conversation
        self.events: list[Recorded | None] = []
        self.open: dict[int, _Open] = {}
        """By the place among the events."""
        self.waiting: dict[tuple[str, str], deque[int]] = {}
        """The places of open calls by their id, by their tool, and of all; of some the results have come since."""
        self.odd: list[Fault] = []
        self.reply = 0
        """How many replies of the model's there have been in this turn."""

    def hear(self, message: Message) -> None:
        calls = [part for part in message.parts if isinstance(part, Asked)]
        batch = f"{self.reply}-{calls[0].call}" if calls else None
        for part in message.parts:
            match part:
                case Said(who, text):
                    self._say(who, text, message, batch)
                case Asked():
                    self._ask(part, message, batch or "")
                case Returned():
                    self._return(part, message)
                case Other(kind, entry, text):
                    fields = {"text": text, "entry": entry} if text else {"entry": entry}
                    self._add(f"{self.form}.{kind}", fields, {}, message)
                case _:
                    assert_never(part)
        self.reply += batch is not None

    def _say(self, who: str, text: str, message: Message, batch: str | None) -> None:
        """Words beside calls are filler, others an answer (§5.7)."""
        if who == "user":
            self.reply = 0
            self._add("user", completed("user", {"text": text}), {}, message)
            return
        metadata: dict[str, object] = {"mantle_response_source": "llm" if batch is None else "filler"}
        if batch is not None:
            metadata["tool_batch_id"] = batch
        self._add("bot", completed("bot", {"text": text}), metadata, message)

    def _ask(self, asked: Asked, message: Message, batch: str) -> None:
        place = len(self.events)
        self.open[place] = _Open(asked, message, batch, place)
        self.events.append(None)
        for key in (("id", asked.call), ("tool", asked.tool), ("any", "")):
            self.waiting.setdefault(key, deque()).append(place)

    def _return(self, result: Returned, message: Message) -> None:
        asked = self._asked(result)
        if asked is None:
            self.odd.append(Fault(f"a result of {_named(result.tool, result.call)} has no call", message.line))
            entry = {"tool_call_id": result.call, "tool_name": result.tool, "result": result.text}
            self._add(f"{self.form}.result", {"text": result.text or "", "entry": entry}, {}, message)
            return
        event = self._executed(asked, result, message.at)
        self.events.append(Recorded(event, message.line, (asked.message.original, message.original)))

    def _asked(self, result: Returned) -> _Open | None:
        """The call that a result belongs to: the first open one of its id; without an id, of its name."""
        key = ("id", result.call) if result.call else ("tool", result.tool) if result.tool else ("any", "")
        places = self.waiting.get(key, deque())
        while places:
            found = self.open.pop(places.popleft(), None)
            if found is not None:
                return found
        return None

    def _executed(self, call: _Open, result: Returned | None, at: float | None) -> TrackerEvent:
        asked = call.asked
        arguments = self._arguments(call)
        metadata: dict[str, object] = {"tool_call_id": asked.call, "tool_batch_id": call.batch}
        if not asked.call:
            del metadata["tool_call_id"]
        if arguments is None:
            metadata["arguments"] = asked.arguments
        if result is None:
            metadata["result"] = "none recorded"
        failed = result is not None and result.failed
        fields = completed("tool_executed", {
            "tool_name": asked.tool, "arguments": arguments or {}, "source": "mcp" if asked.server else "local",
            "result": result.text if result else None, "is_error": failed, "mcp_server": asked.server,
            "error_message": result.text if result and failed else None,
        })  # fmt: skip
        metadata = {**metadata, **(result.metadata if result else {})}
        return TrackerEvent("tool_executed", fields, metadata, at, conversation_id=self.conversation)

    def _arguments(self, call: _Open) -> Mapping[str, object] | None:
        found = _object(call.asked.arguments)
        if found is None:
            name = call.asked.tool
            self.odd.append(Fault(f"what `{name}` was called with can't be read as JSON", call.message.line))
        return found

    def _add(self, name: str, fields: Mapping[str, object], metadata: Mapping[str, object], message: Message) -> None:
        event = TrackerEvent(name, fields, metadata, message.at, conversation_id=self.conversation)
        self.events.append(Recorded(event, message.line, (message.original,)))

    def told(self) -> Telling:
        """All of it; a call without a result stands where it was made."""
        for place, call in self.open.items():
            name = _named(call.asked.tool, call.asked.call)
            self.odd.append(Fault(f"the call of {name} has no result", call.message.line))
            event = self._executed(call, None, call.message.at)
            self.events[place] = Recorded(event, call.message.line, (call.message.original,))
        self.odd.sort(key=lambda fault: fault.line)
        return Telling(tuple(one for one in self.events if one is not None), tuple(self.odd))


def _named(tool: str, call: str) -> str:
    return f"`{tool or call}`" if tool or call else "a tool without a name"


def _object(arguments: object) -> Mapping[str, object] | None:
    """Arguments as a mapping; no text at all stands for none. `None` where a model has sent something else."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            return None
    return {} if arguments is None else arguments if isinstance(arguments, Mapping) else None


def words(content: object) -> str | None:
    """What a result says, as one text: its words where it has nothing else, or else its JSON."""
    if content is None or isinstance(content, str):
        return content
    parts = [_words(part) for part in content] if isinstance(content, list) else [None]
    if None not in parts:
        return "\n".join(part for part in parts if part)
    return as_json(content)


def _words(part: object) -> str | None:
    if isinstance(part, str):
        return part
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else None
