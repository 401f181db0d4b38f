"""Skills, blocks and steps that a recording went through, and that today's files no longer have."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.mantle import scope
from inspector_core.mantle.condition.words import describe
from inspector_core.mantle.engine.standing import current, unmet
from inspector_core.mantle.project import Project, Skill
from inspector_core.mantle.replay.drifts.values import Drift
from inspector_core.mantle.replay.replay import Replay

__all__ = ["place_drift"]

_WRITES = ("memory_set", "memory_cleared")


def place_drift(replay: Replay) -> Iterator[Drift]:
    """Where the conversation went that it could not go today."""
    seen: set[tuple[str, str, str]] = set()
    for number, event in enumerate(replay.events, 1):
        skill_id = str(event.fields.get("skill_id"))
        match event.name:
            case "skill_activated":
                yield from _started(replay, number, skill_id)
            case "ordered_block_entered":
                yield from _entered(replay, number, skill_id, str(event.fields.get("block_id")))
            case "stack":
                yield from _stepped(replay, number, seen)
            case _:
                pass


def _known(project: Project, skill_id: str) -> Skill | None:
    """A skill whose inside is known: of the engine's own, only the names are."""
    skill = project.skill_by_id.get(skill_id)
    return None if skill is None or skill.bundled else skill


def _started(replay: Replay, number: int, skill_id: str) -> Iterator[Drift]:
    skill = replay.project.skill_by_id.get(skill_id)
    active = replay.rebuilt(number - 1).state.skill
    if skill is None:
        now = f"there is no skill `{skill_id}`"
        yield Drift(number, "gone", skill_id, active, "the skill was started", now, "no-skill")
    else:
        yield from _kept_waiting(replay, number, skill, active)


def _kept_waiting(replay: Replay, number: int, skill: Skill, active: str | None) -> Iterator[Drift]:
    """A precondition that does not hold, neither before the new run's resets nor after them."""
    before = number - 1
    while before > 0 and replay.events[before - 1].name in _WRITES:
        before -= 1
    project = replay.project
    bound = unmet(project, skill, replay.rebuilt(before).state.memory)
    after = replay.rebuilt(number - 1).state.memory
    if bound is None or bound.satisfied_when is None or unmet(project, skill, after) is None:
        return
    condition = bound.satisfied_when
    proof = condition.prove(scope.view(project, None, after, condition))
    now = f"precondition `{bound.name}`: {describe(proof)}"
    span = skill.precondition.span if skill.precondition is not None else bound.span
    yield Drift(number, "refused", skill.id, active, "the skill was started", now, "precondition-unmet", proof, span)


def _entered(replay: Replay, number: int, skill_id: str, block_id: str) -> Iterator[Drift]:
    skill = _known(replay.project, skill_id)
    if skill is not None and skill.block(block_id) is None:
        now = f"`{skill_id}` has no block `{block_id}`"
        yield Drift(number, "gone", block_id, skill_id, "the block was entered", now, "no-block", None, skill.span)


def _stepped(replay: Replay, number: int, seen: set[tuple[str, str, str]]) -> Iterator[Drift]:
    """Steps that the stack came to, each told of once."""
    for frame in replay.rest(number).state.stack:
        skill = _known(replay.project, frame.skill_id)
        block = skill.block(frame.block_id) if skill is not None and frame.block_id is not None else None
        step_id = frame.step_id or "START"
        if block is None or step_id in ("START", "END") or current(block, step_id) is not None:
            continue
        if any(branch.then == step_id for step in block.steps for branch in step.next or ()):
            continue  # the files lead to it all the same, which they may have done then
        mark = (frame.skill_id, block.id, step_id)
        if mark not in seen:
            seen.add(mark)
            now = f"`{block.id}` has no step `{step_id}`"
            yield Drift(
                number, "gone", step_id, frame.skill_id, "the step was come to", now, "no-step", None, block.span
            )
