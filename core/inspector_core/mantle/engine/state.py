"""A conversation's state at one moment: memory, stack, the one pending confirmation, and this turn's flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from inspector_core.classes import dataclass
from inspector_core.events import Next, Stub

__all__ = ["EMPTY", "Asked", "Frame", "FrameType", "Pending", "State", "Turn", "Write", "Writer"]

FrameType = Literal["regular", "interrupt", "call", "inline_reference", "pending"]
Writer = Literal["author", "model", "tool", "step", "engine", "seed", "customer"]


@dataclass(frozen=True, slots=True)
class Write:
    """Who wrote a key last."""

    writer: Writer
    by: str | None
    """The tool's name, where a tool wrote it; the step's id, where a step did; what a session was seeded from."""
    turn: int

    @property
    def given(self) -> bool:
        """It came from outside of any session, and so outlives them."""
        return self.writer == "author" or (self.writer == "seed" and self.by is None)


@dataclass(frozen=True, slots=True)
class Frame:
    """One running skill, or one block of it (§7.3)."""

    frame_id: str
    skill_id: str
    block_id: str | None = None
    """Authored id; `None` for the skill's own frame."""
    step_id: str | None = None
    frame_type: FrameType = "regular"
    previous_frame_type: FrameType | None = None
    visited: tuple[str, ...] = field(default=(), compare=False)
    """The steps of the block that were passed, in order; not part of the engine's own frame."""


@dataclass(frozen=True, slots=True)
class Pending:
    """The one confirmation that waits (§6.2)."""

    tool: str
    arguments: Mapping[str, object]
    """As captured when the call paused; later changes do not reach them."""
    ask: str | None
    """The rendered ask; `None`: left to the model."""
    denial_response: str | None
    skill_id: str
    frame_id: str
    turn: int
    """The turn in which it paused."""
    step_id: str | None = None
    memory: Mapping[str, object] = field(default_factory=dict)
    """Memory as it was at the pause, to say what changed since."""
    deferred: tuple[tuple[str, Next], ...] = ()
    """What tools wanted to hand over to meanwhile, each with the tool's name: an answer of either kind lets it go."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A step that collects has had its question put to the customer (§2.6)."""

    frame_id: str
    step_id: str
    key: str
    filled: bool = False
    """The entry was written after that."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The flags that live for one turn (§6.2) and are reset when the customer speaks."""

    number: int = 0
    """0 before the customer has said anything."""
    open: bool = True
    """The model may still act; closed by a reply in words, an ask, a denial, or `listen`."""
    ask_queued: bool = False
    denial_queued: bool = False
    paused: bool = False
    searched: bool = False
    """Knowledge was searched."""
    trimmed: bool = False
    """That search still cuts the list of tools short: nothing was activated since."""
    resolved: frozenset[tuple[str, str]] = frozenset()
    """(skill, tool) pairs whose confirmation was resolved in this turn."""
    replies: int = 0
    """How often the model has replied in it."""
    said: str = ""
    """The customer's words that opened it."""
    handoffs: int = 0
    """How many skills tools have handed over to in it."""
    noted: frozenset[tuple[str, str, str]] = frozenset()
    """(frame id, step, reason) of what the author was told about, so that it is told once."""


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Everything a verdict depends on besides the project; replaced, never changed."""

    memory: Mapping[str, object] = field(default_factory=dict)
    """Key to value; holds only what was written, and never `None`."""
    writes: Mapping[str, Write] = field(default_factory=dict)
    """Who wrote each key that `memory` holds."""
    stack: tuple[Frame, ...] = ()
    """Bottom first."""
    pending: Pending | None = None
    turn: Turn = Turn()
    triggers: frozenset[tuple[str, str]] = frozenset()
    """(frame id, response) of `utter … when` triggers whose condition held when last looked at."""
    frames: int = 0
    """How many frames were ever made: the source of frame ids."""
    calls: int = 0
    """How many calls the model ever made: the source of tool call ids."""
    position: int = 0
    """Which event of the record the last write was: the provenance's number (§8.1)."""
    stubs: Mapping[str, Stub] = field(default_factory=dict)
    """What tools do, by the author's word for the whole session."""
    asked: tuple[Asked, ...] = ()
    """The questions of ordered blocks that were put."""
    over: bool = False
    """The agent hung up: nothing can be said before a new session begins."""
    buttons: tuple[tuple[str, str], ...] = ()
    """(title, payload) of the buttons under the latest message of the agent's."""
    fired: frozenset[tuple[str, str]] = frozenset()
    """(frame id, response) of `utter … on: activate` triggers that were spoken."""
    recorded: int = 0
    """How many events the engine would have recorded by now."""

    @property
    def top(self) -> Frame | None:
        """The frame that is live."""
        return self.stack[-1] if self.stack else None

    @property
    def skill(self) -> str | None:
        """The active skill's id."""
        return self.stack[-1].skill_id if self.stack else None

    @property
    def target(self) -> str | None:
        """The active target: a skill id, or `skill__block`; `None` while nothing is active."""
        if not self.stack:
            return None
        top = self.stack[-1]
        return top.skill_id if top.block_id is None else f"{top.skill_id}__{top.block_id}"

    @property
    def active_pending(self) -> Pending | None:
        """The pending confirmation, if the live frame owns it (§6.2)."""
        top, pending = self.top, self.pending
        if top and pending and (top.skill_id, top.frame_id) == (pending.skill_id, pending.frame_id):
            return pending
        return None


EMPTY = State()
"""Before anything happened."""
