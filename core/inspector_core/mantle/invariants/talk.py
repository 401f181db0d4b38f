"""Conversations made up for a project: they open its own gates, call what asks, and then do everything but wait.

The same chance makes the same conversation. What comes next is chosen by what the state allows, so that most of it gets
somewhere; every third move is one that nobody should make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from inspector_core.analysis.opens import openers
from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    Completed,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Resolved,
    Stub,
)
from inspector_core.mantle.candidates import Candidate, candidates
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Block, Field, Project, Skill
from inspector_core.mantle.scope import settable_fields
from inspector_core.mantle.stubs import sample, sample_arguments
from inspector_core.mantle.targets import binding, compiled, start_of

__all__ = ["Chance", "Talk"]

T = TypeVar("T")

_ODD: Final[tuple[object, ...]] = (None, True, False, 0, -1, "", "yes", [], {"error": "no"}, 3.5)
_PAYLOADS: Final[tuple[object, ...]] = ({"ok": True}, None, {"error": "it broke"}, {"ok": False}, "done")


class Chance(Protocol):
    """Where chance comes from: outside. A `random.Random` of a known seed makes the same conversation every time."""

    def random(self) -> float: ...

    def choice(self, seq: Sequence[T], /) -> T: ...


class Talk:
    """Chooses what happens next in one conversation."""

    __slots__ = ("_gated", "_project", "_random", "_skills")

    def __init__(self, project: Project, chance: Chance) -> None:
        self._project, self._random = project, chance
        self._skills = [s for s in project.skills if not s.bundled and not s.broken]
        self._gated = [(s, b, c) for s in self._skills for b in (None, *s.blocks) for c in _asking(project, s, b)]

    def next(self, state: State) -> Iterator[Event]:
        """A few events that belong together."""
        if not state.turn.open:
            yield CustomerSaid("go on")
        pending = state.pending
        if pending is not None and state.active_pending is not None:
            yield from self._while_waiting(state, pending.tool, pending.arguments)
        elif pending is not None and self._random.random() < 0.5:
            yield from self._return(state)
        elif self._gated and self._random.random() < 0.6:
            yield from self._ask(state)
        else:
            yield from self._anything(state)

    # -- what belongs together -----------------------------------------------------------------------------------

    def _ask(self, state: State) -> Iterator[Event]:
        """Get to a tool that asks, open what closes it, and call it."""
        here = [g for g in self._gated if state.skill == g[0].id]
        skill, block, tool = self._random.choice(here if here and self._random.random() < 0.7 else self._gated)
        bound = binding(self._project, skill)
        if bound is not None and bound.satisfied_when is not None and self._random.random() < 0.8:
            yield from self._opened(bound.satisfied_when, state)
        if state.skill != skill.id:
            yield Activated(skill.id)
        if block is not None and block is not start_of(skill):
            yield Activated(compiled(skill, block))
        gate = tool.gate
        if gate is not None and gate.requires is not None and self._random.random() < 0.9:
            yield from self._opened(gate.requires, state)
        yield Called((self._call(tool),))

    def _while_waiting(self, state: State, tool: str, arguments: Mapping[str, object]) -> Iterator[Event]:
        choice = self._random.random()
        if choice < 0.45:
            if self._random.random() < 0.85:
                yield CustomerSaid("yes" if choice < 0.25 else "no")
            yield Resolved(choice < 0.25, self._stub())
        elif choice < 0.55:
            yield CustomerSaid("what does it cost?")
            yield ModelSaid("nothing")
        elif choice < 0.65 and len(self._skills) > 1:
            yield CustomerSaid("something else")
            yield Activated(self._random.choice(self._skills).id)
        elif choice < 0.72:
            yield CustomerSaid("again")
            yield Called((Call(tool, self._varied(arguments), self._stub()),))
        elif choice < 0.78:
            yield Resolved(self._random.choice(_ODD), self._stub())
        elif choice < 0.84:
            yield CustomerSaid("leave it")
            yield Cancelled()
        else:
            yield from self._anything(state)

    def _return(self, state: State) -> Iterator[Event]:
        """End what lies above the ask, or answer it from there."""
        yield CustomerSaid("back")
        yield self._one_of(Cancelled(), Completed(), Resolved(True, self._stub()), Resolved(False, self._stub()))
        if state.pending is not None and self._random.random() < 0.5:
            yield Activated(state.pending.skill_id)

    def _anything(self, state: State) -> Iterator[Event]:
        skill = self._project.skill_by_id.get(state.skill or "")
        makers = (self._start, self._memory, self._words, self._end, self._calls, self._calls, self._fields)
        yield self._random.choice(makers)(state, skill)

    # -- one event -----------------------------------------------------------------------------------------------

    def _start(self, state: State, skill: Skill | None) -> Event:
        chosen = self._random.choice(self._skills) if self._skills else None
        if chosen is None:
            return Activated("nothing")
        blocks = [compiled(chosen, b) for b in chosen.blocks]
        return Activated(self._random.choice([chosen.id, chosen.id, *blocks]))

    def _memory(self, state: State, skill: Skill | None) -> Event:
        fields = list(self._project.field_by_key.values())
        if not fields:
            return AuthorSet("nothing.here", True)
        field = self._random.choice(fields)
        return AuthorCleared(field.key) if self._random.random() < 0.3 else AuthorSet(field.key, self._value(field))

    def _words(self, state: State, skill: Skill | None) -> Event:
        return self._one_of(CustomerSaid("hm"), CustomerSaid("yes"), ModelSaid("well"), Listened())

    def _end(self, state: State, skill: Skill | None) -> Event:
        return self._one_of(Completed(self._random.random() < 0.5), Cancelled(), Resolved(True), Resolved(False))

    def _calls(self, state: State, skill: Skill | None) -> Event:
        """One or two calls of tools that are there, in one reply."""
        top = state.top
        if skill is None or top is None:
            return Called((Call("nothing"),))
        block = skill.block(top.block_id) if top.block_id is not None else None
        tools = [c for c in candidates(self._project, skill, block) if c.tool is not None]
        if not tools:
            return Called((Call("nothing"),))
        return Called(tuple(self._call(self._random.choice(tools)) for _ in range(self._random.choice([1, 1, 1, 2]))))

    def _fields(self, state: State, skill: Skill | None) -> Event:
        fields = settable_fields(self._project, skill, state.memory, state.top) if skill is not None else ()
        if not fields:
            return FieldsSet({"nothing": 1})
        field = self._random.choice(fields)
        return FieldsSet({field.entry: self._value(field)})

    def _one_of(self, *events: Event) -> Event:
        return self._random.choice(events)

    # -- values --------------------------------------------------------------------------------------------------

    def _opened(self, condition: Condition, state: State) -> Iterator[Event]:
        found = openers(condition, state.memory, self._project.field_by_key.get)
        for change in self._random.choice(found).changes if found else ():
            yield AuthorCleared(change.key) if change.value is None else AuthorSet(change.key, change.value)

    def _call(self, tool: Candidate) -> Call:
        arguments = sample_arguments(tool.tool) if tool.tool is not None else {}
        odd = self._random.random() < 0.1
        return Call(tool.name, self._varied(arguments) if odd else arguments, self._stub())

    def _varied(self, arguments: Mapping[str, object]) -> dict[str, object]:
        return {name: self._random.choice([value, value, *_ODD]) for name, value in arguments.items()}

    def _stub(self) -> Stub | None:
        if self._random.random() < 0.4:
            return None
        raises = "it broke" if self._random.random() < 0.1 else None
        return Stub(self._random.choice(_PAYLOADS), raises=raises, interrupted=self._random.random() < 0.05)

    def _value(self, field: Field) -> object:
        return sample(field) if self._random.random() < 0.6 else self._random.choice(_ODD)


def _asking(project: Project, skill: Skill, block: Block | None) -> Iterator[Candidate]:
    return (c for c in candidates(project, skill, block) if c.confirms and c.tool is not None and c.never is None)
