"""One event's passage from state to state, with an account of every ask so far that is kept from the records alone.

The rules look at nothing else. What they share with the engine's own code they could not find wrong in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.events import Call, Called, Event, Record, Resolved
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.project import Project, Skill

__all__ = ["PENDING", "Account", "Ask", "Passage", "answers", "passages", "same", "source"]

PENDING = "system.pending_tool_confirmation"
"""The entry in which the engine keeps the one confirmation that waits (§6.2)."""


class Ask(NamedTuple):
    """A confirmation as it was recorded when it opened."""

    tool: str
    skill: str
    frame: str
    arguments: object
    text: object
    """The words that ask; `None`: they are left to the model."""
    denial: object
    step: object
    """The step that opened it; `None`: the model's call did."""
    turn: int


@dataclass(frozen=True, slots=True)
class Passage:
    """One event, what it made of the state, and how the asks stood before it."""

    project: Project
    number: int
    """Which event of the conversation it is, from 0."""
    before: State
    event: Event
    after: State
    records: tuple[Record, ...]
    waiting: Ask | None
    """The ask that waited before it, whoever owns it."""
    earlier: tuple[Ask, ...]
    """Every ask before it."""
    resolved: frozenset[tuple[str, str]]
    """(skill, tool) pairs answered in the turn that was running before it."""

    @property
    def owned(self) -> bool:
        """Whether the waiting ask is the live frame's own: only then can it be answered (§6.2)."""
        top, ask = self.before.top, self.waiting
        return top is not None and ask is not None and (top.skill_id, top.frame_id) == (ask.skill, ask.frame)

    @property
    def skill(self) -> Skill | None:
        """The skill that was live before."""
        return self.project.skill_by_id.get(self.before.skill or "")

    @property
    def opened(self) -> tuple[Ask, ...]:
        """The asks that it opened."""
        return tuple(_asks(self.records, self.after.turn.number))

    @property
    def runs(self) -> tuple[Record, ...]:
        """The records of tools whose code ran."""
        return tuple(r for r in self.records if r.event == "tool_executed" and r.ran)

    @property
    def acted(self) -> bool:
        """Whether the model's move was taken at all."""
        return not any(r.event == "inspector_refused" for r in self.records)

    @property
    def only_call(self) -> Call | None:
        """The one call of a custom tool that the event is, if it is one."""
        match self.event:
            case Called(calls=(call,)):
                return call
            case _:
                return None


def source(record: Record) -> object:
    """Which part of the engine ran a tool; `None`: the model's call did."""
    return record.metadata.get("source")


def answers(event: Event) -> object:
    """The answer that an event reports to the engine: `True`, `False`, something else, or `None` where it is none."""
    match event:
        case Resolved(confirmed):
            return "?" if confirmed is None else confirmed
        case Called(calls):
            said = (c.arguments.get("confirmed", "?") for c in calls if c.tool == "resolve_tool_confirmation")
            return next(said, None)
        case _:
            return None


class Account:
    """A conversation as it goes on, with the account of its asks. Nothing is judged, so that it is fast."""

    __slots__ = ("_earlier", "_number", "_resolved", "_waiting", "project", "state")

    def __init__(self, project: Project, state: State) -> None:
        self.project, self.state = project, state
        self._number = 0
        self._waiting: Ask | None = None
        self._earlier: tuple[Ask, ...] = ()
        self._resolved: frozenset[tuple[str, str]] = frozenset()

    def play(self, event: Event) -> Passage:
        """The next event."""
        before = self.state
        self.state, records = step(self.project, before, event)
        passage = Passage(
            self.project, self._number, before, event, self.state, records, self._waiting, self._earlier, self._resolved
        )
        self._number += 1
        if self.state.turn.number != before.turn.number:
            self._resolved = frozenset()
        self._resolved |= _answered(passage)
        self._waiting = _last(self._waiting, records, self.state.turn.number)
        self._earlier = (*self._earlier, *passage.opened)
        return passage


def passages(project: Project, state: State, events: Iterable[Event]) -> Iterator[Passage]:
    """Play events one after the other."""
    account = Account(project, state)
    yield from map(account.play, events)


def _answered(passage: Passage) -> frozenset[tuple[str, str]]:
    """What was answered by this event: the tool that waited is recorded by its answer."""
    ask = passage.waiting
    if ask is None or not any(source(r) == "tool_confirmation" for r in passage.records):
        return frozenset()
    return frozenset([(ask.skill, ask.tool)])


def _asks(records: Sequence[Record], turn: int) -> Iterator[Ask]:
    for record in records:
        if record.event == "memory_set" and record.fields.get("key") == PENDING:
            ask = _ask(record.fields.get("value"), turn)
            if ask is not None:
                yield ask


def _last(waiting: Ask | None, records: Sequence[Record], turn: int) -> Ask | None:
    """What waits after some records. One that was kept with other work put off is the same ask."""
    for record in records:
        if record.fields.get("key") != PENDING:
            continue
        if record.event == "memory_cleared":
            waiting = None
        elif record.event == "memory_set":
            found = _ask(record.fields.get("value"), turn)
            waiting = waiting if waiting and found and same(waiting, found) else found
    return waiting


def same(one: Ask, other: Ask) -> bool:
    """Whether two entries are the same ask, written twice."""
    return one._replace(turn=0) == other._replace(turn=0)


def _ask(value: object, turn: int) -> Ask | None:
    if not isinstance(value, Mapping):
        return None
    return Ask(
        str(value.get("tool_name")), str(value.get("skill_id")), str(value.get("frame_id")), value.get("tool_args"),
        value.get("confirmation_ask"), value.get("utter_on_user_denial"), value.get("execute_step_id"), turn,
    )  # fmt: skip
