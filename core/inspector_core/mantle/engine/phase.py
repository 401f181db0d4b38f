"""What the engine does by itself between the customer's words, the model's replies and its own asks (§2.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from inspector_core.mantle.engine import defaults
from inspector_core.mantle.engine.blocks import END, complete_block, follow, holds
from inspector_core.mantle.engine.finish import settle
from inspector_core.mantle.engine.memory import step_writes
from inspector_core.mantle.engine.play import Broken, Play
from inspector_core.mantle.engine.speech import speak
from inspector_core.mantle.engine.standing import current
from inspector_core.mantle.engine.steps.action import act
from inspector_core.mantle.engine.steps.collect import collect
from inspector_core.mantle.engine.steps.jump import call, link
from inspector_core.mantle.engine.steps.tool import execute
from inspector_core.mantle.project import Block, Step, StepKind

__all__ = ["MOST", "go_on"]

MOST: Final = 50
"""So many steps are passed before the model has a say again."""
_ROUNDS: Final = 100
"""Skills that complete and begin anew without passing a step end here."""


def go_on(play: Play) -> None:
    """Speak what waits, complete what is done, and play ordered blocks until somebody else has to act."""
    play.advances = 0
    for _ in range(_ROUNDS):
        speak(play)
        if not play.turn.open:
            return
        if play.advances >= MOST:
            break
        if not settle(play) and not _block(play):
            return
    play.note("step-limit", f"{MOST} steps were passed without an end: the model goes on from here")


def _block(play: Play) -> bool:
    """Whether the live block went on by itself."""
    top, skill, block = play.top, play.skill, play.block
    if top is None or top.block_id is None:
        return False
    if skill is not None and skill.bundled:
        if defaults.ask(play, skill):
            complete_block(play, END)
            return True
        return False
    if block is None:
        play.note_once("", "block-missing", f"`{top.skill_id}` has no block `{top.block_id}`: the model goes on")
        return False
    step = current(block, top.step_id)
    if step is not None:
        return _KINDS[step.kind](play, block, step)
    if top.step_id == END or not block.steps:
        complete_block(play, END)
        return True
    play.note_once(top.step_id or "", "step-unknown", f"`{block.id}` has no step `{top.step_id}`: the model goes on")
    return False


def _set_memory(play: Play, block: Block, step: Step) -> bool:
    problem = step_writes(play, step)
    if problem is not None:
        raise Broken(f"step `{step.id}` can't write: {problem}")
    follow(play, block, step)
    return True


def _autonomous(play: Play, block: Block, step: Step) -> bool:
    """The model has the step until its condition holds; without one it never ends by itself."""
    done = step.complete_when is not None and holds(play, step.complete_when, f"`complete_when` of step `{step.id}`")
    if done:
        follow(play, block, step)
    return done


def _route(play: Play, block: Block, step: Step) -> bool:
    follow(play, block, step)
    return True


def _end(play: Play, block: Block, step: Step) -> bool:
    complete_block(play, END)
    return True


def _invalid(play: Play, block: Block, step: Step) -> bool:
    play.note_once(step.id, "step-invalid", f"step `{step.id}` does nothing the engine knows: the model goes on")
    return False


_KINDS: Final[Mapping[StepKind, Callable[[Play, Block, Step], bool]]] = {
    "end": _end, "route": _route, "action": act, "execute_tool": execute, "set_memory": _set_memory,
    "collect": collect, "autonomous": _autonomous, "call": call, "link": link, "invalid": _invalid,
}  # fmt: skip
"""Whether a step was passed; where not, it waits for the customer or for the model."""
