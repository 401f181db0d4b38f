"""What stands in the way of a start or of a confirmation now: the two questions that judging shares with playing."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle import scope
from inspector_core.mantle.engine.state import Pending, Turn
from inspector_core.mantle.project import Block, Precondition, Project, Skill, Step
from inspector_core.mantle.targets import binding
from inspector_core.proof import Truth

__all__ = ["CANCEL", "current", "obstacle", "unmet"]

CANCEL = "cancel"
"""The one built-in tool that an agent can put behind a confirmation."""

Obstacle = tuple[str, str]
"""Why no confirmation can be opened now: a reason code, and the engine's refusal in our words."""


def unmet(project: Project, skill: Skill, memory: Mapping[str, object]) -> Precondition | None:
    """The precondition that keeps a skill from starting now; one that can't be evaluated does too (§7.1)."""
    bound = binding(project, skill)
    if bound is None or bound.satisfied_when is None:
        return None
    condition = bound.satisfied_when
    seen = scope.view(project, None, memory, condition)
    return None if condition.truth(seen) is Truth.HOLDS else bound


def current(block: Block | None, step_id: str | None) -> Step | None:
    """The step of an id; of two with the same one the first."""
    if block is None:
        return None
    if step_id in (None, "START"):
        return block.steps[0] if block.steps else None
    return next((s for s in block.steps if s.id == step_id), None)


def obstacle(
    pending: Pending | None, own: bool, turn: Turn, skill_id: str, tool: str, *, by_step: bool = False
) -> Obstacle | None:
    """What keeps a tool from opening its confirmation: checks a to c, in the engine's order."""
    if pending is not None and own and pending.tool == tool:
        return "pending-confirmation", "it waits for the customer's answer: resolve that first"
    if not by_step and (skill_id, tool) in turn.resolved:
        return "resolved-this-turn", f"the confirmation of `{tool}` was answered in this turn already"
    if pending is not None:
        return "pending-confirmation", f"another confirmation waits, of `{pending.tool}`"
    if turn.ask_queued or turn.denial_queued:
        return "pending-confirmation", "another confirmation is under way in this turn"
    return None
