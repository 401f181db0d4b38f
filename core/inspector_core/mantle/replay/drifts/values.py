"""One place where today's files would have had the conversation go otherwise."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from inspector_core.proof import Proof
from inspector_core.source import Span

__all__ = ["KINDS", "Drift", "Kind"]

Kind = Literal[
    "hidden", "refused", "asks", "unasked", "offered", "ask-words", "words", "undeclared", "value", "pending", "gone"
]
"""`hidden`: the model would not be offered what it called. `refused`: a call would not be carried out. `asks`,
`unasked`: it would now, or would no longer, ask the customer first. `offered`: a tool could be had that could not then.
`ask-words`, `words`: the customer would read something else. `undeclared`, `value`: what was written is declared
nowhere, or is no value of its entry. `pending`: what the customer confirmed could no longer run. `gone`: a skill,
block, step or response is there no more."""
KINDS: tuple[Kind, ...] = get_args(Kind)


class Drift(NamedTuple):
    """What was recorded and what today's files make of it. Judged by itself: what follows from it is not played."""

    number: int
    """The event, counted from 1."""
    kind: Kind
    subject: str
    """The tool, key, response, skill, block or step it is about."""
    skill: str | None
    """The skill that was active."""
    was: str
    now: str
    code: str
    """A stable word for the reason: one of the reason codes of tools where it is about a gate."""
    proof: Proof | None = None
    """Of the gate, where it is a gate that decides."""
    span: Span | None = None
    """The place in today's files."""
