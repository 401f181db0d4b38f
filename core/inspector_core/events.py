"""What happened, as facts that carry everything from outside; and the records the engine would have written of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from inspector_core.classes import dataclass

__all__ = [
    "Activated", "AuthorCleared", "AuthorSet", "Call", "Called", "Cancelled", "CannotHelp", "Completed", "Corrected",
    "CustomerSaid", "Event", "FieldsSet", "Listened", "ModelSaid", "Next", "Record", "Resolved", "Searched",
    "SessionBegan", "Stub", "Stubbed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Next:
    """One `ActivateSkill` of a tool's `ToolResult.next` (§5.4)."""

    skill: str
    block: str | None = None


@dataclass(frozen=True, slots=True)
class Stub:
    """What a tool is taken to have done, since nothing is run: the author's word for it."""

    payload: object = None
    """Its `llm_response`."""
    writes: tuple[tuple[str, object], ...] = ()
    """What it wrote through `context.memory.set`, in order: bare entries or qualified keys; `None` clears."""
    says: tuple[str, ...] = ()
    """What it sent itself."""
    raises: str | None = None
    """The text of the exception it raised instead of returning."""
    next: tuple[Next, ...] = ()
    """The skills it hands over to."""
    interrupted: bool = False
    """The customer spoke while it ran: what it had written stays, and the call itself is never recorded (§5.8)."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call in a model's reply."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    stub: Stub | None = None
    """What the tool does if it runs now; a call that pauses takes the one given with the answer. `None`: whatever it
    does for the whole session (`Stubbed`), else what its code can be read to do."""


@dataclass(frozen=True, slots=True)
class CustomerSaid:
    """The customer's message; begins a turn."""

    text: str
    button: str | None = None
    """The title of the button that was tapped, whose payload the text then is."""


@dataclass(frozen=True, slots=True)
class ModelSaid:
    """The model replied in words alone; ends the turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Listened:
    """The model called `listen`: the turn ends in silence."""


@dataclass(frozen=True, slots=True)
class Activated:
    """The model called `activate`."""

    target: str
    """A skill id, or `skill__block`."""
    fills: Mapping[str, object] = field(default_factory=dict)
    """What the model sets silently, should that lead to a question at once: it is held back for that (§6.3)."""


@dataclass(frozen=True, slots=True)
class FieldsSet:
    """The model called `set_fields`."""

    values: Mapping[str, object]
    """Bare entry to value, uncoerced."""


@dataclass(frozen=True, slots=True)
class Called:
    """The model called custom tools, in one reply."""

    calls: tuple[Call, ...]
    filler: str = ""
    """Words beside the calls: spoken before them, and no answer (§5.7)."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The model called `correct`."""

    key: str
    value: object


@dataclass(frozen=True, slots=True)
class Searched:
    """The model called `search_knowledge`; what was found is the author's word."""

    query: str
    stub: Stub = Stub()


@dataclass(frozen=True, slots=True)
class CannotHelp:
    """The model called `cannot_help`."""

    in_domain: object
    """`True` or `False`; anything else is what a model may send by mistake."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The model called `resolve_tool_confirmation`."""

    confirmed: object
    """`True` or `False`; anything else is what a model may send by mistake."""
    stub: Stub | None = None
    """What the tool does if it is run now; `None` as in a `Call`."""
    tool: str | None = None
    """The tool that the customer was asked about, so that no answer is ever taken for that to another question."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The model called `complete`."""

    criteria_met: bool = True
    """The author's answer for the judge, where the skill has criteria."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The model called `cancel`."""


@dataclass(frozen=True, slots=True)
class AuthorSet:
    """The author wrote a value by hand in the memory panel: no engine rule applies to it."""

    key: str
    value: object


@dataclass(frozen=True, slots=True)
class AuthorCleared:
    """The author unset a value by hand."""

    key: str


@dataclass(frozen=True, slots=True)
class Stubbed:
    """From now on the author's word for what a tool does, whoever runs it: a step of an ordered block, for one."""

    tool: str
    stub: Stub | None
    """`None`: again what its code can be read to do."""


@dataclass(frozen=True, slots=True)
class SessionBegan:
    """The channel opened a session: seeds are taken from its metadata, and the engine greets (§3.5, §8.3)."""

    metadata: Mapping[str, object] = field(default_factory=dict)
    greets: bool = True
    """It says `/session_start` at once, so that the agent speaks first; else the greeting comes in the first turn."""


Event = (
    SessionBegan
    | CustomerSaid
    | ModelSaid
    | Listened
    | Activated
    | FieldsSet
    | Called
    | Corrected
    | Searched
    | CannotHelp
    | Resolved
    | Completed
    | Cancelled
    | Stubbed
    | AuthorSet
    | AuthorCleared
)


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the conversation's record, under the engine's own event name (§8.1) and with its fields.

    What the engine has no event for is under `inspector_refused` (a move it would not accept, with `reason` and
    `message`), `inspector_note` (what the engine would do besides, same fields) and `inspector_set` /
    `inspector_cleared` (the author's hand in memory).
    """

    event: str
    """`user`, `bot`, `memory_set`, `memory_cleared`, `tool_executed`, `skill_activated`, …"""
    fields: Mapping[str, object] = field(default_factory=dict)
    metadata: Mapping[str, object] = field(default_factory=dict)
    ran: bool = field(default=False, compare=False)
    """A tool's code ran for it, which the engine's own event leaves open: asks and refusals look alike there (§11)."""
