"""A script as it was read: its steps in order, each a move or an expectation, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.events import Event
from inspector_core.finding import Finding, Severity
from inspector_core.source import Span

__all__ = [
    "Check", "CheckKind", "Expectation", "Mention", "MentionKind", "Move", "Pattern", "Script", "ScriptText", "Step",
    "Tap",
]  # fmt: skip

CheckKind = Literal[
    "active", "asks", "offered", "hidden", "memory",  # how things stand now
    "ran", "not_ran", "declined", "failed", "refused", "said", "not_said", "happened",  # since the last expectation
    "order", "records",
]  # fmt: skip


MentionKind = Literal["key", "tool", "response"]


class Mention(NamedTuple):
    """A name that the agent's files should have."""

    kind: MentionKind
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Pattern:
    """What one record has to look like: its event, words that it has to be about, and fields."""

    event: str
    about: str = ""
    """A value that one of its fields has: a tool, a key, a skill, a response; empty for any."""
    fields: Mapping[str, object] = field(default_factory=dict)
    metadata: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.event} {self.about}".strip()


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is expected, at the place where it is written."""

    kind: CheckKind
    span: Span
    name: str | None = None
    """The tool, key, response, text or skill it is about; `None` for none at all."""
    wanted: object = None
    """The value, the count or the reason, where one is given."""
    patterns: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Something that the customer, the model, the author or the channel does."""

    span: Span
    label: str
    """The move in a line, as the author wrote it."""
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Tap:
    """The customer taps a button of the agent's latest message: what it sends is known only when it is there."""

    span: Span
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """What has to be true at this point."""

    span: Span
    label: str
    checks: tuple[Check, ...]


Step = Move | Tap | Expectation


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation from its first memory to its last expectation."""

    name: str
    memory: Mapping[str, object]
    """What the session begins with."""
    steps: tuple[Step, ...]
    path: str = ""


@dataclass(frozen=True, slots=True)
class ScriptText:
    """What a script's text was read as."""

    script: Script
    """As far as it could be read."""
    findings: tuple[Finding, ...] = ()
    mentions: tuple[Mention, ...] = ()
    """The names in it that would be passed over in silence if nothing had them."""

    @property
    def broken(self) -> bool:
        """Something is wrong in it, so that playing it would show another conversation than the one that is meant."""
        return any(f.severity is Severity.ERROR for f in self.findings)
