"""The moves that a recording tells of: what has to be played for its events to come about again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from inspector_core.classes import NamedTuple
from inspector_core.events import (
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    CustomerSaid,
    Event,
    ModelSaid,
    Next,
    Record,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.seeds import METADATA_KEY
from inspector_core.mantle.gatelist import VALIDATES
from inspector_core.mantle.wire.flags import status_of
from inspector_core.mantle.wire.rebuild import BEGINNING, advance
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.keep.calls import Seen, payload_of, reply_of
from inspector_core.recording.keep.turns import GREET

__all__ = ["Move", "inferred"]

_UNPLAYED = {
    "user_silence_timeout": "the customer's silence", "user_input_suppressed": "what was not listened to",
    "user_barge_in": "that the customer spoke over the agent",
}  # fmt: skip


class Move(NamedTuple):
    """What somebody did."""

    event: Event
    begin: int
    """How many events were recorded before it."""


def inferred(records: Sequence[Record]) -> tuple[tuple[Move, ...], tuple[str, ...]]:
    """The moves, and in words what of the conversation can't be told as moves."""
    reader = _Reader(records)
    for number, record in enumerate(records):
        reader.hear(number, record)
    reader.turn_ends()
    return tuple(reader.moves), tuple(dict.fromkeys(reader.notes))


class _Reader:
    """Goes through the records once; what a tool wrote and said stands before its own record (§8.3)."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.engines = any("mantle_response_source" in record.metadata for record in records)
        """The record is the engine's, which says of every message where it is from; others don't."""
        self.moves: list[Move] = []
        self.notes: list[str] = []
        self.calls: list[Seen] = []
        """The calls of the reply that is going on."""
        self.batch: object = None
        self.begin = 0
        """Where that reply began."""
        self.filler = ""
        self.writes: dict[str, list[tuple[str, object]]] = {}
        self.given: dict[str, Mapping[str, object]] = {}
        """The arguments of the calls whose tools wrote."""
        self.says: list[str] = []
        self.confirmed: Seen | None = None
        """What came of an answer, whose own record follows."""
        self.stubs: dict[str, Stub] = {}
        self.handed: set[str] = set()
        """Skills whose start is explained by a call that is still to be recorded."""
        self.at = BEGINNING
        self.number = 0

    def hear(self, number: int, record: Record) -> None:
        self.number = number
        follow = _FOLLOW.get(record.event)
        if follow is not None:
            follow(self, number, record)
        elif record.event in _UNPLAYED:
            self.notes.append(f"{_UNPLAYED[record.event]} can't be played")
        self.at = advance(self.at, TrackerEvent(record.event, record.fields, record.metadata))

    # -- turns -----------------------------------------------------------------------------------------------------

    def _started(self, number: int, record: Record) -> None:
        self.turn_ends()
        metadata: object = None
        greets = False
        for later in self.records[number + 1 :]:
            if later.event == "session_started":
                break
            if later.event == "user":
                greets = later.fields.get("text") == GREET
                break
            if later.event == "memory_set" and later.fields.get("key") == METADATA_KEY:
                metadata = later.fields.get("value")
        self.moves.append(Move(SessionBegan(metadata if isinstance(metadata, Mapping) else {}, greets), number))

    def _user(self, number: int, record: Record) -> None:
        if self.moves and not self.calls and self._greeting(record):
            return
        self.turn_ends()
        text, title = record.fields.get("text"), record.metadata.get("button_title")
        said = CustomerSaid(text if isinstance(text, str) else "", title if isinstance(title, str) else None)
        self.moves.append(Move(said, number))

    def _greeting(self, record: Record) -> bool:
        """What a channel says for the customer when it opens a session: part of that move."""
        last = next((m.event for m in reversed(self.moves) if not isinstance(m.event, Stubbed)), None)
        return isinstance(last, SessionBegan) and last.greets and record.fields.get("text") == GREET

    def turn_ends(self) -> None:
        """Nothing more comes of what was going on."""
        self._cut_short()
        self.reply_ends()
        self.writes, self.says, self.filler = {}, [], ""

    def _cut_short(self) -> None:
        """A call of which only its writes were recorded: the customer spoke before it was done (§5.8)."""
        for tool, writes in self.writes.items():
            if tool in self.given:
                self.reply_ends()
                stub = Stub(None, tuple(writes), tuple(self.says), interrupted=True)
                self.moves.append(Move(Called((Call(tool, self.given[tool], stub),)), self.number))
        self.given = {}

    def _bot(self, number: int, record: Record) -> None:
        text, source = record.fields.get("text"), record.metadata.get("mantle_response_source")
        if not isinstance(text, str) or record.metadata.get("utter_action"):
            return
        if source == "filler":
            self.reply_ends()
            self.filler, self.begin = text, number
        elif source == "llm" or (source is None and not self.engines and not self._tool_follows(number)):
            self.reply_ends()
            self.moves.append(Move(ModelSaid(text), number))
        elif source is None:
            self.says.append(text)

    def _tool_follows(self, number: int) -> bool:
        """Whether a tool's record follows in the turn: then it was the tool that spoke."""
        for later in self.records[number + 1 :]:
            if later.event in ("user", "session_started", "bot_turn_ended"):
                return False
            if later.event == "tool_executed":
                return True
        return False

    # -- memory ----------------------------------------------------------------------------------------------------

    def _written(self, number: int, record: Record) -> None:
        key, origin = record.fields.get("key"), record.metadata.get("mantle_write_provenance")
        tool = origin.get("tool") if isinstance(origin, Mapping) else None
        if isinstance(key, str) and isinstance(tool, str):
            self.writes.setdefault(tool, []).append((key, record.fields.get("value")))
            given = origin.get("arguments") if isinstance(origin, Mapping) and origin.get("tool_call_id") else None
            if isinstance(given, Mapping):
                self.given[tool] = given

    def _by_hand(self, number: int, record: Record) -> None:
        key, value = str(record.fields.get("key")), record.fields.get("value")
        self.reply_ends()
        self.moves.append(Move(AuthorCleared(key) if value is None else AuthorSet(key, value), number))

    # -- calls -----------------------------------------------------------------------------------------------------

    def _executed(self, number: int, record: Record) -> None:
        seen = self._seen(number, record)
        match record.metadata.get("source"):
            case "execute_step":
                self._by_step(seen)
            case "tool_confirmation":
                self.confirmed = seen
            case _ if seen.tool.startswith(VALIDATES):
                self._by_step(seen)
            case _:
                self._called(seen, record)

    def _seen(self, number: int, record: Record) -> Seen:
        fields = record.fields
        tool, given = str(fields.get("tool_name")), fields.get("arguments")
        says, self.says = tuple(self.says), []
        stub = Stub(payload_of(fields.get("result")), tuple(self.writes.pop(tool, ())), says)
        waits = status_of(fields.get("result")) in ("awaiting_confirmation", "declined", "cancelled")
        arguments = given if isinstance(given, Mapping) else {}
        return Seen(number, tool, arguments, None if waits else stub, fields.get("is_error") is True)

    def _by_step(self, seen: Seen) -> None:
        """A run of the engine's own: what the tool does is said before the move that led to it."""
        self.reply_ends()
        if seen.stub is None or self.stubs.get(seen.tool) == seen.stub:
            return
        at = len(self.moves)
        while at and isinstance(self.moves[at - 1].event, AuthorSet | AuthorCleared):
            at -= 1
        at = max(0, at - 1)
        begin = self.moves[at].begin if self.moves else 0
        first = at
        while first and isinstance(self.moves[first - 1].event, Stubbed):
            first -= 1
        if any(isinstance(m.event, Stubbed) and m.event.tool == seen.tool for m in self.moves[first:at]):
            self.notes.append(f"`{seen.tool}` ran twice in a row with different results, of which the first is kept")
            return
        self.moves.insert(at, Move(Stubbed(seen.tool, seen.stub), begin))
        self.stubs[seen.tool] = seen.stub

    def _called(self, seen: Seen, record: Record) -> None:
        batch = record.metadata.get("tool_batch_id") or record.metadata.get("tool_call_id")
        if self.calls and (batch is None or batch != self.batch):
            self.reply_ends()
        if seen.tool == "resolve_tool_confirmation" and self.confirmed is not None:
            seen = seen._replace(stub=self.confirmed.stub, about=self.confirmed.tool)
            self.confirmed = None
        if not self.calls and not self.filler:
            self.begin = seen.number
        self.calls.append(seen)
        self.batch = batch

    def reply_ends(self) -> None:
        """The reply that was going on is whole."""
        if self.calls:
            self.moves.append(Move(reply_of(self.calls, self.filler), self.begin))
            self.calls, self.filler, self.batch = [], "", None

    def _activated(self, number: int, record: Record) -> None:
        """A skill that begins behind the calls of a reply, by none of the engine's own: a tool handed over to it."""
        skill, top = record.fields.get("skill_id"), self.at.state.top
        ours = all(seen.hands_over for seen in self.calls) and any(seen.stub is not None for seen in self.calls)
        if not ours or not isinstance(skill, str) or skill.startswith("default_") or self._is_started(number, skill):
            return
        if any(frame.skill_id == skill for frame in self.at.state.stack):
            return  # it had waited for its precondition
        if top is not None and top.block_id is not None:
            self.notes.append(f"`{skill}` was begun by a tool or by a step, which the events don't tell apart")
            return
        place = next(i for i in reversed(range(len(self.calls))) if self.calls[i].stub is not None)
        seen, entered = self.calls[place], self.records[number + 1 : number + 2]
        block = next((r.fields.get("block_id") for r in entered if r.event == "ordered_block_entered"), None)
        if seen.stub is not None:
            to = Next(skill, block if isinstance(block, str) else None)
            self.calls[place] = seen._replace(stub=replace(seen.stub, next=(*seen.stub.next, to)))

    def _is_started(self, number: int, skill: str) -> bool:
        """Whether the model's own `activate`, whose record follows, begins it (§8.3)."""
        for later in self.records[number + 1 :]:
            if later.event in ("user", "session_started"):
                return False
            if later.event == "tool_executed":
                given = later.fields.get("arguments")
                target = str(given.get("target_id")) if isinstance(given, Mapping) else ""
                return later.fields.get("tool_name") == "activate" and target.partition("__")[0] == skill
        return False


_FOLLOW: Mapping[str, Callable[[_Reader, int, Record], None]] = {
    "session_started": _Reader._started, "user": _Reader._user, "bot": _Reader._bot,
    "memory_set": _Reader._written, "memory_cleared": _Reader._written,
    "inspector_set": _Reader._by_hand, "inspector_cleared": _Reader._by_hand,
    "tool_executed": _Reader._executed, "skill_activated": _Reader._activated,
}  # fmt: skip
