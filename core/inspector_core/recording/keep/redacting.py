"""A conversation without what is private in it, in its moves and in its records alike."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import assert_never

from inspector_core.classes import NamedTuple
from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Record,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.project import Project
from inspector_core.recording.keep.conversation import Conversation
from inspector_core.recording.keep.private import private_values
from inspector_core.recording.keep.redactor import Redaction, Redactor

__all__ = ["Redacted", "redacted"]

ModelMove = ModelSaid | Listened | Activated | FieldsSet | Called | Corrected | Searched | CannotHelp | Resolved


class Redacted(NamedTuple):
    """A conversation, and what was taken out of it."""

    conversation: Conversation
    redactions: tuple[Redaction, ...]
    stands_in: frozenset[str | int | float]
    """What was written for private values: it means nothing outside of this conversation."""
    name: str = ""
    """The test's name, which may be a customer's number."""


def redacted(
    conversation: Conversation, project: Project | None, shown: Collection[str] = (), name: str = ""
) -> Redacted:
    """Everything private replaced, but for what the author wants to be shown: `email 1`, or `email` for all of them."""
    veil = Redactor(private_values(conversation, project), shown)
    memory = {key: veil.value(value, f"memory at the start, `{key}`") for key, value in conversation.memory.items()}
    records = tuple(_record(veil, number, record) for number, record in enumerate(conversation.records, 1))
    veil.quiet = True
    moves = tuple(m._replace(event=_move(veil, f"event {m.begin + 1}", m.event)) for m in conversation.moves)
    found = conversation._replace(memory=memory, records=records, moves=moves)
    called = veil.text(name, "the test's name")
    return Redacted(found, veil.redactions(), veil.stands_in, called)


def _record(veil: Redactor, number: int, record: Record) -> Record:
    """What is written of a record; names stay, since a test could not speak of anything without them."""
    fields = dict(record.fields)
    place = f"event {number}"
    match record.event:
        case "user":
            fields["text"] = _text(veil, fields.get("text"), f"{place}: what the customer says")
            title = record.metadata.get("button_title")
            named = {"button_title": veil.text(title, f"{place}: a button")} if isinstance(title, str) else {}
            return replace(record, fields=fields, metadata={**record.metadata, **named})
        case "bot":
            fields["text"] = _text(veil, fields.get("text"), f"{place}: what the agent says")
            fields["data"] = veil.value(fields.get("data"), f"{place}: a button")
        case "memory_set" | "inspector_set":
            fields["value"] = veil.value(fields.get("value"), f"{place}: memory, `{fields.get('key')}`")
        case "tool_executed":
            fields |= _executed(veil, f"{place}: `{fields.get('tool_name')}`", fields)
        case "inspector_refused" | "inspector_note":
            fields["message"] = _text(veil, fields.get("message"), f"{place}: a remark")
        case _:
            pass
    return replace(record, fields=fields)


def _executed(veil: Redactor, place: str, fields: Mapping[str, object]) -> dict[str, object]:
    result = fields.get("result")
    return {
        "arguments": veil.value(fields.get("arguments"), f"{place}, arguments"),
        "result": veil.json(result, f"{place}, result") if isinstance(result, str) else veil.value(result, place),
        "error_message": _text(veil, fields.get("error_message"), f"{place}, its error"),
    }


def _text(veil: Redactor, text: object, place: str) -> object:
    return veil.text(text, place) if isinstance(text, str) else text


def _values(veil: Redactor, values: Mapping[str, object], place: str) -> dict[str, object]:
    """A mapping whose keys are names of entries."""
    return {key: veil.value(value, place) for key, value in values.items()}


def _given(veil: Redactor, values: Mapping[str, object], place: str) -> Mapping[str, object]:
    """Arguments, of which a model may make up the names as well."""
    found = veil.value(values, place)
    return found if isinstance(found, dict) else {}


def _move(veil: Redactor, place: str, event: Event) -> Event:
    match event:
        case CustomerSaid(text, button):
            return CustomerSaid(veil.text(text, place), veil.text(button, place) if button is not None else None)
        case AuthorSet(key, value):
            return AuthorSet(key, veil.value(value, place))
        case Stubbed(tool, stub):
            return Stubbed(tool, _stub(veil, stub, f"{place}: what `{tool}` does"))
        case SessionBegan(metadata):
            return replace(event, metadata=_values(veil, metadata, f"{place}: what the channel sends"))
        case AuthorCleared() | Completed() | Cancelled():
            return event
        case _:
            return _models(veil, place, event)


def _models(veil: Redactor, place: str, event: ModelMove) -> Event:
    match event:
        case ModelSaid(text):
            return ModelSaid(veil.text(text, place))
        case Called(calls, filler):
            return Called(tuple(_call(veil, place, call) for call in calls), veil.text(filler, place))
        case Resolved(confirmed, stub, tool):
            return Resolved(veil.value(confirmed, place), _stub(veil, stub, place), tool)
        case Searched(query, stub):
            return Searched(veil.text(query, place), _stub(veil, stub, place) or Stub())
        case FieldsSet(values):
            return FieldsSet(_given(veil, values, place))
        case Corrected(key, value):
            return Corrected(key, veil.value(value, place))
        case CannotHelp(in_domain):
            return CannotHelp(veil.value(in_domain, place))
        case Activated(target, fills):
            return Activated(target, _values(veil, fills, place))
        case Listened():
            return event
        case _:
            assert_never(event)


def _call(veil: Redactor, place: str, call: Call) -> Call:
    return Call(call.tool, _given(veil, call.arguments, place), _stub(veil, call.stub, place))


def _stub(veil: Redactor, stub: Stub | None, place: str) -> Stub | None:
    if stub is None:
        return None
    return replace(
        stub, payload=_payload(veil, stub.payload, place), says=tuple(veil.text(text, place) for text in stub.says),
        writes=tuple((name, veil.value(value, place)) for name, value in stub.writes),
        raises=veil.text(stub.raises, place) if stub.raises is not None else None,
    )  # fmt: skip


def _payload(veil: Redactor, payload: object, place: str) -> object:
    return veil.json(payload, place) if isinstance(payload, str) else veil.value(payload, place)
