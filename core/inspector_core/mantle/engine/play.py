"""One event being played: the state as it becomes, and what has been recorded so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from inspector_core.events import Next, Record, Stub
from inspector_core.mantle.engine.lineage import Memory
from inspector_core.mantle.engine.payload import Answer, as_json
from inspector_core.mantle.engine.responses import Spoken
from inspector_core.mantle.engine.state import Frame, FrameType, State, Turn, Write, Writer
from inspector_core.mantle.project import Block, Project, Skill
from inspector_core.mantle.stubs import default_stub
from inspector_core.mantle.wire.frames import shown
from inspector_core.mantle.wire.patch import make
from inspector_core.tool import Tool

__all__ = ["PENDING_KEY", "Broken", "Cut", "Play"]

PENDING_KEY = "system.pending_tool_confirmation"
"""Where the engine keeps the confirmation that waits (§6.2)."""


class Broken(Exception):
    """The engine raises here, and the turn fails with it (§4.3); the text says at what."""


class Cut(Exception):
    """The customer spoke while a tool ran: the turn is dropped where it is (§5.8)."""


class Play:
    """The one value of the engine that changes; it lives for a single step, and nobody outside sees it."""

    __slots__ = (
        "_keys", "_memory", "_stacked", "_writes", "advances", "asked", "batch", "buttons", "call_id", "calls",
        "closing", "fills", "fired", "handoffs", "made", "over", "pending", "position", "project", "queue", "records",
        "stack", "start", "stubs", "triggers", "turn",
    )  # fmt: skip

    def __init__(self, project: Project, state: State) -> None:
        self.project = project
        self.start = state
        self.stack = state.stack
        self.pending = state.pending
        self.turn = state.turn
        self.triggers = state.triggers
        self.made, self.calls, self.position = state.frames, state.calls, state.position
        self.stubs, self.buttons, self.fired = state.stubs, state.buttons, state.fired
        self.asked, self.over = state.asked, state.over
        self.handoffs: list[tuple[str, Next]] = []
        """What tools of this reply hand over to, each with the tool's name."""
        self.fills: Mapping[str, object] = {}
        """What the model would set before the first question."""
        self.advances = 0
        """How many steps of ordered blocks were passed since somebody else last had a say."""
        self.call_id: str | None = None
        """The call of the model's that is being played; none while the engine does something of its own accord."""
        self.batch = ""
        self.records: list[Record] = []
        self.queue: list[str] = []
        """Responses to be spoken after the calls of this reply."""
        self.closing: Spoken | None = None
        """The ask or denial that ends the turn after them."""
        self._keys: set[str] = set()
        self._memory: Memory | None = None
        self._writes: dict[str, Write] = {}
        self._stacked = state.stack

    def state(self) -> State:
        """The state that all this came to."""
        if self._memory is None:
            memory, writes = self.start.memory, self.start.writes
        else:
            self._memory.settle(frozenset(self._keys))
            memory, writes = self._memory, self._writes
        return State(
            memory, writes, self.stack, self.pending, self.turn, self.triggers, self.made, self.calls, self.position,
            self.stubs, self.asked, self.over, self.buttons, self.fired, self.recorded,
        )  # fmt: skip

    @property
    def recorded(self) -> int:
        """How many events the engine would have recorded by now; of a recording, at least as many as its last write."""
        own = sum([not record.event.startswith("inspector_") for record in self.records])
        return max(self.start.recorded, self.start.position + 1 if self.start.position else 0) + own

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def memory(self) -> Mapping[str, object]:
        return self.start.memory if self._memory is None else self._memory

    @property
    def writes(self) -> Mapping[str, Write]:
        return self.start.writes if self._memory is None else self._writes

    @property
    def top(self) -> Frame | None:
        return self.stack[-1] if self.stack else None

    @property
    def skill(self) -> Skill | None:
        """The active skill."""
        return self.project.skill_by_id.get(self.stack[-1].skill_id) if self.stack else None

    @property
    def skill_id(self) -> str | None:
        return self.stack[-1].skill_id if self.stack else None

    @property
    def block(self) -> Block | None:
        """The ordered block that is running."""
        skill, top = self.skill, self.top
        return skill.block(top.block_id) if skill is not None and top is not None and top.block_id else None

    @property
    def waits(self) -> bool:
        """Whether the pending confirmation is the live frame's own (§6.2)."""
        top, pending = self.top, self.pending
        return bool(top and pending and (top.skill_id, top.frame_id) == (pending.skill_id, pending.frame_id))

    def stub(self, tool: Tool, given: Stub | None = None) -> Stub:
        """What a tool does if it runs now: as the event says, else as the session says, else as its code reads."""
        return given or self.stubs.get(tool.name) or default_stub(self.project, self.skill_id, tool)

    # -- recording -----------------------------------------------------------------------------------------------

    def record(self, event: str, /, **fields: object) -> None:
        """Something the engine has an event for, with nothing in its metadata."""
        self.records.append(Record(event, fields))

    def note(self, reason: str, message: str) -> None:
        """Something the author should know that the engine would not record."""
        self.record("inspector_note", reason=reason, message=message)

    def note_once(self, step: str, reason: str, message: str) -> None:
        """A note about the step where the live frame stands, told once a turn."""
        mark = (self.stack[-1].frame_id if self.stack else "", step, reason)
        if mark not in self.turn.noted:
            self.turn = replace(self.turn, noted=self.turn.noted | {mark})
            self.note(reason, message)

    def refuse(self, reason: str, message: str) -> None:
        """A move that can't be made; nothing else comes of it."""
        self.record("inspector_refused", reason=reason, message=message)

    def say(self, text: str, buttons: list[dict[str, str]] | None = None, **metadata: object) -> None:
        """Something the customer reads."""
        data = {"buttons": buttons} if buttons else {}
        self.buttons = tuple((b["title"], b["payload"]) for b in buttons or ())
        self.records.append(Record("bot", {"text": text, "data": data}, metadata))

    def speak(self, spoken: Spoken) -> None:
        """A named response, word for word."""
        source = "rephrased" if spoken.rephrase else "verbatim"
        buttons = [{"title": b.title, "payload": b.payload} for b in spoken.buttons]
        self.say(spoken.text, buttons, mantle_response_source=source, utter_action=spoken.name)

    def executed(
        self, tool: str, arguments: Mapping[str, object], answer: Answer, server: str | None = None,
        source: str | None = None, *, ran: bool = False,
    ) -> None:  # fmt: skip
        """The one record of a call: `source`, which part of the engine made it; `ran`, whether the tool's code ran."""
        fields: dict[str, object] = {
            "tool_name": tool, "arguments": arguments, "source": "mcp" if server else "local", "result": answer.text,
            "is_error": answer.error is not None, "error_message": answer.error,
        }  # fmt: skip
        if server:
            fields["mcp_server"] = server
        metadata: dict[str, object] = {"source": source} if source else {}
        if source is None and self.call_id is not None:
            metadata |= {"tool_call_id": self.call_id, "tool_batch_id": self.batch}
        metadata["skill_id"] = self.skill_id
        if server and source is None:
            metadata["mcp_server"] = server
        self.records.append(Record("tool_executed", fields, metadata, ran))

    def record_stack(self) -> None:
        """The stack, where it is another than when it was last recorded."""
        if self.stack != self._stacked:
            update = make([shown(f) for f in self._stacked], [shown(f) for f in self.stack])
            self._stacked = self.stack
            self.record("stack", update=as_json(update))

    # -- the model's calls ---------------------------------------------------------------------------------------

    def reply_begins(self) -> None:
        """One more reply of the model's in this turn; its calls are a batch, named after the first (§8.1)."""
        self.turn = replace(self.turn, replies=self.turn.replies + 1)
        self.batch = f"{self.turn.replies - 1}-call_{self.calls + 1}"

    def call_begins(self) -> None:
        """The next call of the reply; what is written and recorded until it ends is its doing."""
        self.calls += 1
        self.call_id = f"call_{self.calls}"

    # -- changing ------------------------------------------------------------------------------------------------

    def write(self, key: str, value: object, writer: Writer, by: str | None = None) -> None:
        """Put a value into memory, or take it out with `None`; no rule is looked at and nothing is recorded."""
        self.store(key, value, Write(writer, by, self.turn.number))

    def forget(self) -> None:
        """A new session: nothing runs or waits, and memory keeps only what it was given from outside."""
        for key, write in tuple(self.writes.items()):
            if not write.given:
                self.store(key, None, None)
        self.stack, self._stacked, self.pending, self.asked, self.over = (), (), None, (), False
        self.triggers = self.fired = frozenset()
        self.buttons, self.turn = (), Turn(self.turn.number)

    def store(self, key: str, value: object, write: Write | None) -> None:
        """Put a value into memory as if by an earlier write."""
        if self._memory is None:
            self._memory, self._writes = Memory(self.start.memory, self.start.memory), dict(self.start.writes)
        self._keys.add(key)
        if self.asked:
            self.asked = tuple(replace(a, filled=True) if a.key == key else a for a in self.asked)
        if value is None or write is None:
            self._memory.pop(key, None)
            self._writes.pop(key, None)
        else:
            self._memory[key] = value
            self._writes[key] = write

    def frame(self, skill: Skill, block: Block | None = None, frame_type: FrameType = "regular") -> Frame:
        """A new frame, not on the stack yet."""
        self.made += 1
        step = (block.steps[0].id if block.steps else "") or "START" if block is not None else None
        return Frame(f"f{self.made}", skill.id, block.id if block else None, step, frame_type)
