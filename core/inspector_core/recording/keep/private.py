"""The values of a conversation that are private by where they stand: in a `pii` entry, or under a secret's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

from inspector_core.classes import NamedTuple
from inspector_core.events import (
    AuthorSet,
    Call,
    Called,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Record,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.coerce import SETS, setting
from inspector_core.mantle.project import Project
from inspector_core.recording.keep.calls import payload_of
from inspector_core.recording.keep.conversation import Conversation
from inspector_core.recording.keep.secrets import is_secret_name

__all__ = ["Private", "private_values"]

Scalar = str | int | float
_DEEPEST = 60
_LONGEST = 30
_FLAGS = frozenset({"true", "false", "yes", "no", "null", "none"})
"""Words that say as little as a flag does."""


class Private(NamedTuple):
    """One value, and the name that its placeholder has."""

    label: str
    value: Scalar


def private_values(conversation: Conversation, project: Project | None) -> tuple[Private, ...]:
    """Every private value, wherever in the conversation it stood, in order; those of `pii` entries need the project."""
    fields = project.field_by_key.values() if project is not None else ()
    entries = {name: field.entry for field in fields if field.pii for name in (field.key, field.entry)}
    found = _Found(entries)
    for key, value in conversation.memory.items():
        found.named(key, value)
    for move in conversation.moves:
        found.move(move.event)
    for record in conversation.records:
        found.record(record)
    return tuple(found.values)


class _Found:
    """Gathers them; a value is told once."""

    def __init__(self, entries: Mapping[str, str]) -> None:
        self.entries = entries
        self.values: dict[Private, None] = {}

    def named(self, name: str, value: object, depth: int = 0) -> None:
        """A value under a name, and all that is within it."""
        label = self.entries.get(name) or (_label(name) if is_secret_name(name) else None)
        if label is not None:
            self.values.update(dict.fromkeys(Private(label, leaf) for leaf in _leaves(value)))
        else:
            self.within(value, depth)

    def within(self, value: object, depth: int = 0) -> None:
        if depth > _DEEPEST:
            return
        match value:
            case Mapping():
                for name, item in value.items():
                    self.named(str(name), item, depth + 1)
            case list() | tuple():
                for item in value:
                    self.within(item, depth + 1)
            case _:
                return

    def stub(self, stub: Stub | None) -> None:
        if stub is not None:
            self.within(stub.payload)
            for name, value in stub.writes:
                self.named(name, value)

    def calls(self, calls: Iterable[Call]) -> None:
        for call in calls:
            self.within(call.arguments)
            self.stub(call.stub)

    def move(self, event: Event) -> None:
        match event:
            case CustomerSaid(text):
                self.said(text)
            case AuthorSet(name, value) | Corrected(name, value):
                self.named(name, value)
            case FieldsSet(values) | SessionBegan(values):
                self.within(values)
            case Called(calls):
                self.calls(calls)
            case Resolved(_, stub) | Searched(_, stub) | Stubbed(_, stub):
                self.stub(stub)
            case _:
                return

    def said(self, text: str) -> None:
        """A button that writes memory has the value in what it sends (§3.7)."""
        asked = setting(text) if text.startswith(SETS) else None
        if asked is not None:
            self.named(asked.key, asked.text)

    def record(self, record: Record) -> None:
        fields = record.fields
        match record.event:
            case "memory_set" | "inspector_set":
                self.named(str(fields.get("key")), fields.get("value"))
            case "user":
                self.said(str(fields.get("text")))
            case "tool_executed":
                self.within(fields.get("arguments"))
                self.within(payload_of(fields.get("result")))
            case _:
                return


def _label(name: str) -> str:
    return re.sub(r"\W+", "_", name.rpartition(".")[2])[-_LONGEST:]


def _leaves(value: object, depth: int = 0) -> Iterator[Scalar]:
    """The texts and numbers in a value: flags say nothing by which they could be found elsewhere."""
    match value:
        case bool():
            return
        case str() if value.strip().casefold() not in _FLAGS and any(char.isalnum() for char in value):
            yield value.strip()
        case int():
            yield value
        case float() if isfinite(value):
            yield value
        case Mapping() if depth < _DEEPEST:
            for item in value.values():
                yield from _leaves(item, depth + 1)
        case list() | tuple() if depth < _DEEPEST:
            for item in value:
                yield from _leaves(item, depth + 1)
        case _:
            return
