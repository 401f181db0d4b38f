"""A step that runs a tool, whether or not the model would be offered it (§6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate
from inspector_core.mantle.engine.blocks import follow
from inspector_core.mantle.engine.confirm import pause
from inspector_core.mantle.engine.fill import fill_silently
from inspector_core.mantle.engine.handoff import start as start_handoffs
from inspector_core.mantle.engine.memory import clear_pending
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.run import invalid, run
from inspector_core.mantle.engine.speech import end_turn, speak
from inspector_core.mantle.engine.standing import CANCEL
from inspector_core.mantle.engine.steps.entry import arguments, entry
from inspector_core.mantle.project import Block, Step
from inspector_core.proof import Truth

__all__ = ["execute"]

_SOURCE: Final = "execute_step"
_WAITS: Final = "the step waits without a word, and the model goes on"


def execute(play: Play, block: Block, step: Step) -> bool:
    """Whether the block went on; where it did not, nothing is recorded, so that the author is told why."""
    name = step.target.name if step.target is not None else ""
    if _asked(play, step):
        return False
    found = entry(play, name)
    if found is None or found.tool is None:
        play.note_once(step.id, "step-tool-missing", f"step `{step.id}` runs `{name}`, and there is no such tool here")
        return False
    if not _open(play, found):
        play.note_once(step.id, "step-waits-gate", f"the gate of `{name}` is closed: {_WAITS}")
        return False
    given = arguments(play, step.parameters)
    problem = invalid(found.tool, given)
    if problem is not None:
        message = f"the arguments of step `{step.id}` don't fit `{name}` ({problem.error}): {_WAITS}"
        play.note_once(step.id, "step-waits-arguments", message)
        return False
    if found.confirms:
        return _confirm(play, step, found, given)
    run(play, found.tool, found.gate, given, None, _SOURCE)
    speak(play)
    follow(play, block, step)
    start_handoffs(play)
    return True


def _asked(play: Play, step: Step) -> bool:
    """Whether the customer is being asked already, about this step or about cancelling."""
    pending = play.pending
    return pending is not None and play.waits and (pending.tool == CANCEL or pending.step_id == step.id)


def _open(play: Play, found: Candidate) -> bool:
    requires = found.gate.requires if found.gate is not None else None
    return requires is None or requires.truth(scope.visible(play.memory, requires, found.masked)) is Truth.HOLDS


def _confirm(play: Play, step: Step, found: Candidate, given: Mapping[str, object]) -> bool:
    """Ask the customer; a refusal to ask is told to the customer, too, in its own words.

    Not while cancelling is asked about, wherever that waits: then the model goes on (§6.4).
    """
    if play.pending is not None and play.pending.tool == CANCEL:
        message = (
            f"`{play.pending.skill_id}` waits for an answer about `{CANCEL}`: step `{step.id}` can't ask, and waits"
        )
        play.note_once(step.id, "step-waits-cancel", message)
        return False
    answer = pause(play, found, given, step_id=step.id)
    server = found.tool.server if found.tool is not None else None
    play.executed(found.name, given, answer, server, _SOURCE)
    if answer.error is not None:
        play.say(answer.error)
        end_turn(play)
    elif play.closing is not None and play.fills:
        return _held(play)
    speak(play)
    return False


def _held(play: Play) -> bool:
    """The ask is dropped before anybody heard it, and the step pauses again when the model has filled in."""
    play.closing = None
    clear_pending(play)
    play.turn = replace(play.turn, paused=False, ask_queued=False)
    return fill_silently(play)
