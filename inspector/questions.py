"""What the customer is being asked: a confirmation, or whether to go on with what was interrupted (§6.2, §7.2)."""

from __future__ import annotations

from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.pending import closed_since
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.moves import Move, offer
from inspector_core.mantle.project import Project
from inspector_core.report import Report

__all__ = ["Question", "question"]


class Question(NamedTuple):
    """A question that waits for a yes or a no."""

    kind: Literal["confirmation", "resume"]
    title: str
    asked: str
    """The words in which it is asked; empty where they are left to the model."""
    details: str
    note: str
    """Where it stands, for the frame."""
    yes: str
    """What a yes comes to."""
    no: str
    warnings: tuple[str, ...] = ()
    moves: tuple[Move, Move] | None = None
    """The model's moves that pass on a yes, and a no; for a confirmation that is `Resolved`."""


def question(project: Project, state: State, report: Report) -> Question | None:
    """The one that waits now: whether to go on with something comes first, since it is on top."""
    offered = tuple(offer(project, state))
    if len(offered) == 2:
        name = offered[0].name
        return Question(
            "resume", f"go on with {name}?", "", f"{name} was interrupted", "",
            f"{name} goes on where it was", f"{name} and all that waits is cancelled", (), (offered[0], offered[1]),
        )  # fmt: skip
    return _confirmation(state, report)


def _confirmation(state: State, report: Report) -> Question | None:
    pending = state.pending
    if pending is None:
        return None
    given = "  ".join(f"{name}={value!r}" for name, value in pending.arguments.items())
    warnings = []
    if state.active_pending is None:
        warnings.append(f"{pending.skill_id} is not on top: the answer waits until it is again")
    if closed_since(report, pending):
        warnings.append("the gate has closed since: a yes still runs it, the engine does not look again")
    return Question(
        "confirmation", f"{pending.tool} asks", pending.ask or "", given or "no arguments",
        f"asked in turn {pending.turn}", f"{pending.tool} runs once", "nothing runs", tuple(warnings),
    )  # fmt: skip
