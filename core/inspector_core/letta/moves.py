"""What can be done next under tool rules, for a menu: call, answer an approval, say something."""

from __future__ import annotations

from typing import Literal

from inspector_core.classes import dataclass
from inspector_core.events import Call, Called, Event, ModelSaid, Resolved
from inspector_core.letta.bearing import bearings, blocking
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import Conditional, words
from inspector_core.letta.solver import solve
from inspector_core.letta.state import State, situation

__all__ = ["Move", "MoveKind", "available", "outputs"]

MoveKind = Literal["say", "yes", "no", "call", "reply"]


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that can be done next."""

    kind: MoveKind
    label: str
    name: str = ""
    detail: str = ""
    event: Event | None = None
    """The event itself, where nothing has to be filled in first."""
    accepted: bool = True
    """It keeps the rules."""


def available(project: LettaProject, state: State) -> tuple[Move, ...]:
    """Every legal next move, then the calls that would be refused, with the rule that does it."""
    if state.pending is not None:
        tool, broken = state.pending.tool, "; ".join(state.pending.broken)
        detail = f"breaks {broken}" if broken else ""
        return (
            Move("yes", f"approve {tool}", tool, detail, Resolved(True, tool=tool), not broken),
            Move("no", f"deny {tool}", tool, detail, Resolved(False, tool=tool)),
        )
    said = Move("say", "say something as the customer")
    if not state.turn.open:
        return (said,)
    now = situation(state, project.available)
    answer = solve(project.rules, now)
    calls = []
    for tool in project.available:
        found = blocking(bearings(project.rules, now, answer, tool)) if tool not in answer.allowed else ()
        detail = "; ".join(dict.fromkeys(words(b.rule) for b in found))
        given = answer.prefilled.get(tool, {})
        calls.append(Move("call", f"call {tool}", tool, detail, Called((Call(tool, dict(given)),)), not found))
    calls.sort(key=lambda m: not m.accepted)
    return (said, *calls, Move("reply", "reply in words", event=ModelSaid("…")))


def outputs(project: LettaProject, tool: str) -> tuple[object, ...]:
    """The outputs that rules on a tool tell apart, to pick from."""
    keys = (
        key
        for rule in project.rules.after.get(tool, ())
        if isinstance(rule, Conditional)
        for key, _ in rule.mapping
    )  # fmt: skip
    return tuple(dict.fromkeys(keys))
