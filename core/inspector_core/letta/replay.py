"""A recorded conversation as the events that play it again (§3): real messages, calls, and what they returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from inspector_core.events import Call, Called, CustomerSaid, Event, ModelSaid, Resolved, Stub
from inspector_core.letta.outputs import message_of
from inspector_core.letta.project import LettaProject

__all__ = ["Told", "events"]

_OUTPUT = "letta_output"
"""Where a recording keeps the packaged text of a call."""
_NEVER_RAN = ("[ToolConstraintError]", "Error: request to call tool denied")
_BESIDE = "tool_batch_id"
"""What words have in their metadata that stand beside calls, or are said by one: they end no turn."""


class Told(Protocol):
    """One event of a recording."""

    @property
    def name(self) -> str: ...

    @property
    def fields(self) -> Mapping[str, object]: ...

    @property
    def metadata(self) -> Mapping[str, object]: ...


def events(project: LettaProject, recorded: Iterable[Told]) -> tuple[tuple[int, Event], ...]:
    """Each event under the number of the recorded one it stands for.

    What older agents do before the first real message is left out: it is made up when they are created. So are calls
    that were refused or denied, which never ran. A call that needs approval today is given it, since it did run.
    """
    every = list(enumerate(recorded))
    first = next((i for i, told in every if told.name == "user"), 0)
    return tuple((i, event) for i, told in every[first:] for event in _events(project, told))


def _events(project: LettaProject, told: Told) -> Iterator[Event]:
    text = str(told.fields.get("text"))
    match told.name:
        case "user":
            yield CustomerSaid(text)
        case "bot" if _BESIDE not in told.metadata:
            yield ModelSaid(text)
        case "tool_executed":
            yield from _call(project, told)
        case _:
            pass


def _call(project: LettaProject, told: Told) -> Iterator[Event]:
    tool, given = str(told.fields.get("tool_name")), told.fields.get("arguments")
    output = told.metadata.get(_OUTPUT)
    message = message_of(output) if isinstance(output, str) else told.fields.get("result")
    if isinstance(message, str) and message.startswith(_NEVER_RAN):
        return
    failed = told.fields.get("is_error") is True
    stub = Stub(raises=str(message)) if failed else Stub(message)
    arguments = {str(k): v for k, v in given.items()} if isinstance(given, Mapping) else {}
    yield Called((Call(tool, arguments, stub),))
    if tool in project.rules.approval:
        yield Resolved(True, tool=tool)
