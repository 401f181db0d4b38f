"""Conversations with confirmations, against the state machine written down row by row (§6.1–§6.3, §6.5, §6.6)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    Call,
    Called,
    Completed,
    CustomerSaid,
    Event,
    ModelSaid,
    Record,
    Resolved,
    Stub,
)
from inspector_core.mantle.project import Gate, Project
from tests.core import handmade
from tests.core.handmade import Played, asks, local, project, says, skill

PENDING = "system.pending_tool_confirmation"
SKILLS = ("pay", "ship")
Told = tuple[object, ...]


@dataclass(frozen=True)
class Gated:
    """A tool as the plain rules know it; each takes one integer `n`."""

    name: str
    opens: str | None
    """The entry that has to be truthy."""
    confirms: bool
    ask: str | None
    denial: str | None
    success: str | None
    failure: str | None


TEXTS = {
    "utter_ask": "Shall I?",
    "utter_no": "As you wish.",
    "utter_ok": "Done.",
    "utter_bad": "Sorry.",
    "utter_nil": " ",
}


def text_of(response: str) -> str:
    return TEXTS.get(response, response)


@dataclass
class Pending:
    tool: Gated
    arguments: dict[str, object]
    frame: int


@dataclass
class Machine:
    """The engine by the book: what each move leaves in the record."""

    tools: dict[str, list[Gated]]
    memory: dict[str, object] = field(default_factory=dict)
    frames: list[tuple[str, int]] = field(default_factory=list)
    made: int = 0
    pending: Pending | None = None
    open: bool = False
    paused: bool = False
    resolved: set[tuple[str, str]] = field(default_factory=set)
    queue: list[str] = field(default_factory=list)
    closing: str | None = None

    @property
    def waits(self) -> Pending | None:
        return self.pending if self.pending and self.frames and self.frames[-1][1] == self.pending.frame else None

    def play(self, event: Event) -> list[Told]:
        return [*self._moved(event), *(self._spoken() if not isinstance(event, CustomerSaid | ModelSaid) else ())]

    def _moved(self, event: Event) -> Iterator[Told]:
        match event:
            case CustomerSaid(text):
                self.open, self.paused, self.resolved = True, False, set()
                yield "user", text
            case ModelSaid(text):
                self.open = False
                yield from (("bot", text), ("bot_turn_ended",))
            case Activated(target):
                yield from self._activated(target)
            case Completed():
                yield from self._completed()
            case Called(calls):
                for call in calls:
                    yield from self._called(call)
            case Resolved(confirmed, stub):
                yield from self._resolved(confirmed, stub)

    def _spoken(self) -> Iterator[Told]:
        """Queued responses first, and then the ask or the denial, which ends the turn."""
        yield from (("bot", text_of(name)) for name in self.queue if text_of(name).strip())
        self.queue = []
        if self.closing is not None:
            yield from (("bot", self.closing), ("bot_turn_ended",))
            self.closing, self.open = None, False

    def _activated(self, target: str) -> Iterator[Told]:
        if target not in {name for name, _ in self.frames}:
            self.made += 1
            self.frames.append((target, self.made))
            yield "skill_activated", target
        yield "activate", "ok"

    def _completed(self) -> Iterator[Told]:
        if self.waits:
            yield "complete", "error"
            return
        yield "skill_completed", self.frames.pop()[0]
        yield "complete", "ok"

    def _called(self, call: Call) -> Iterator[Told]:
        skill_id, frame = self.frames[-1]
        tool = next((t for t in self.tools[skill_id] if t.name == call.tool), None)
        if tool is None or (tool.opens and not self.memory.get(tool.opens)):
            yield call.tool, "error"
        elif tool.confirms:
            yield from self._paused(tool, dict(call.arguments), skill_id, frame)
        elif not fits(call.arguments.get("n")):
            yield call.tool, "invalid"
        else:
            yield from self._ran(tool, call.stub)

    def _paused(self, tool: Gated, arguments: dict[str, object], skill_id: str, frame: int) -> Iterator[Told]:
        same = self.waits is not None and self.waits.tool is tool
        if same or (skill_id, tool.name) in self.resolved or self.pending or self.closing is not None:
            yield tool.name, "error"
        elif not fits(arguments.get("n")):
            yield tool.name, "invalid"
        elif tool.ask and not text_of(tool.ask).strip():
            yield tool.name, "error"
        else:
            self.pending, self.paused = Pending(tool, arguments, frame), True
            self.closing = text_of(tool.ask) if tool.ask else None
            yield "memory_set", PENDING
            yield tool.name, "awaiting_confirmation"

    def _resolved(self, confirmed: object, stub: Stub) -> Iterator[Told]:
        waiting = self.waits
        if waiting is None or self.paused or not isinstance(confirmed, bool):
            yield "resolve_tool_confirmation", "error"
            return
        self.pending = None
        self.resolved.add((self.frames[-1][0], waiting.tool.name))
        yield "memory_cleared", PENDING
        if confirmed:
            yield from self._ran(waiting.tool, stub)
            yield "resolve_tool_confirmation", outcome(stub)
            return
        yield waiting.tool.name, "declined"
        yield "resolve_tool_confirmation", "declined"
        denial = text_of(waiting.tool.denial) if waiting.tool.denial else ""
        self.closing = denial if denial.strip() else None

    def _ran(self, tool: Gated, stub: Stub) -> Iterator[Told]:
        for key, value in stub.writes:
            self.memory[key] = value
            yield "memory_set", key
        yield tool.name, outcome(stub)
        spoken = tool.failure if outcome(stub) == "error" else tool.success
        self.queue += [spoken] if spoken else []


def fits(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def outcome(stub: Stub) -> str:
    payload = stub.payload
    failed = isinstance(payload, dict) and bool(payload.get("error") or payload.get("errors"))
    return "error" if failed or stub.raises is not None else "ok"


# -- the same, as our engine has it --------------------------------------------------------------------------------


def told(record: Record) -> Told | None:
    fields = record.fields
    match record.event:
        case "user" | "bot":
            return record.event, fields["text"]
        case "memory_set" | "memory_cleared":
            return record.event, fields["key"]
        case "skill_activated" | "skill_completed":
            return record.event, fields["skill_id"]
        case "tool_executed":
            return fields["tool_name"], _kind(fields)
        case "bot_turn_ended":
            return (record.event,)
        case _:
            return None


def _kind(fields: object) -> str:
    assert isinstance(fields, dict)
    try:
        payload = json.loads(fields["result"])
    except ValueError:
        payload = None
    if isinstance(payload, dict) and payload.get("code") == "invalid_arguments":
        return "invalid"
    if isinstance(payload, dict) and "status" in payload:
        return str(payload["status"])
    return "error" if fields["is_error"] else "ok"


def agent(tools: dict[str, list[Gated]]) -> Project:
    def gate(tool: Gated) -> Gate:
        rule = asks(tool.ask, tool.denial) if tool.confirms else None
        requires = f"session.{tool.opens}" if tool.opens else None
        return handmade.gate(tool.name, requires, rule, success=tool.success, failure=tool.failure)

    skills = [
        skill(
            id_, tools=[local(t.name, n="integer") for t in own], gates=[gate(t) for t in own],
            fields=[handmade.field(f"{id_}.ok")], mentions=[other for other in SKILLS if other != id_],
        )
        for id_, own in tools.items()
    ]  # fmt: skip
    return project(*skills, responses=tuple(says(name, text) for name, text in TEXTS.items()))


def made(random: Random, id_: str) -> list[Gated]:
    def maybe(*names: str) -> str | None:
        return random.choice((None, *names))

    return [
        Gated(
            f"{id_}_{n}", maybe(f"{id_}.ok"), random.random() < 0.7, maybe("utter_ask", "utter_nil", "utter_none"),
            maybe("utter_no", "utter_nil"), maybe("utter_ok"), maybe("utter_bad"),
        )
        for n in "abc"
    ]  # fmt: skip


def stub(random: Random, skill_id: str) -> Stub:
    payload = random.choice((None, {"ok": False}, {"error": ""}, {"error": "x"}, {"errors": ["x"]}))
    writes = ((f"{skill_id}.ok", random.choice((True, False))),) if random.random() < 0.5 else ()
    return Stub(payload, writes, raises="boom" if random.random() < 0.1 else None)


def call(random: Random, machine: Machine) -> Call:
    skill_id = machine.frames[-1][0]
    names = [f"{random.choice((skill_id, skill_id, skill_id, *SKILLS))}_{n}" for n in "abcd"]
    return Call(random.choice(names), {"n": random.choice((1, 2, 3, "x", True))}, stub(random, skill_id))


def move(random: Random, machine: Machine) -> Event:
    if not machine.open:
        return CustomerSaid("hm")
    if not machine.frames:
        return Activated(random.choice(SKILLS))
    kinds = ["call"] * 4 + ["say", "activate"] + ["resolve"] * (5 if machine.waits else 1)
    kinds += ["complete"] * (len(machine.frames) > 1 or machine.waits is not None)
    match random.choice(kinds):
        case "call":
            return Called(tuple(call(random, machine) for _ in range(random.choice((1, 1, 2, 3)))))
        case "say":
            return ModelSaid("Well.")
        case "activate":
            return Activated(random.choice(SKILLS))
        case "complete":
            return Completed()
        case _:
            return Resolved(random.choice((True, True, False, False, None, "yes")), stub(random, machine.frames[-1][0]))


@given(st.randoms(use_true_random=False))
def test_a_conversation_leaves_what_the_state_machine_says(random: Random) -> None:
    tools = {id_: made(random, id_) for id_ in SKILLS}
    machine, play = Machine(tools), Played(agent(tools))
    for _ in range(19):  # a longer turn would be ended by the engine
        event = move(random, machine)
        play(event)
        left = [short for record in play.last if (short := told(record)) is not None]
        resets = [t for t in left if isinstance(event, Activated) and t[0] in ("memory_set", "memory_cleared")]
        for _, key in resets:
            machine.memory.pop(str(key), None)
        assert [t for t in left if t not in resets] == machine.play(event), event
        assert (play.state.pending is not None) is (machine.pending is not None)
