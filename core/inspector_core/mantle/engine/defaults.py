"""The engine's own skills, each of which an agent may replace by one of its own (§1, §7.2).

What the bundled ones contain is the engine's. Played of them is what is known from outside: that they start, what they
ask for, and how they end; what they would say is told in a note.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.speech import end_turn
from inspector_core.mantle.engine.stack import begin, drop, frames_of, remove, resume, suspend
from inspector_core.mantle.project import Skill
from inspector_core.mantle.reading import bundled
from inspector_core.mantle.reading.bundled import COMPLETED, CONTINUE, DECLINE, SATISFACTION, SESSION_START
from inspector_core.mantle.targets import start_of

__all__ = [
    "CONTINUE", "DECLINE", "SESSION_START", "WRAP_UPS", "answered", "ask", "clear", "decided", "declined", "declining",
    "dismiss", "offer", "rest", "start", "wrap_up",
]  # fmt: skip

WRAP_UPS: Final = frozenset({COMPLETED, CONTINUE, SATISFACTION})
"""Give way to any skill of the agent's that is to start."""
ENDED_BY_WORD: Final = frozenset({COMPLETED, SATISFACTION})
"""Of the bundled ones, those that `complete` ends."""
WANTS: Final = f"{CONTINUE}.wants_to_resume"
TASK: Final = f"{CONTINUE}.interrupted_task_name"

_ASKS: Final = {
    COMPLETED: "the engine asks, in words of its own, whether there is anything else it can do",
    SATISFACTION: "the engine asks, in words of its own, how satisfied the customer is",
    CONTINUE: "the engine asks, in words of its own, whether to go on with what was interrupted",
}


def start(play: Play, skill_id: str, given: Mapping[str, object] | None = None, interrupts: str | None = None) -> bool:
    """Begin a default skill on top of the stack; whether the agent has it."""
    skill = play.project.skill_by_id.get(skill_id)
    if skill is None:
        return False
    begin(play, skill, start_of(skill), "regular", given=given, interrupts=interrupts)
    return True


def wrap_up(play: Play) -> None:
    """Nothing is left to do after a skill of the agent's was done."""
    start(play, COMPLETED)


def rest(play: Play, skill: Skill) -> bool:
    """After a bundled wrap-up that was answered with a no: asked last is how it was; whether that is left."""
    return skill.id == COMPLETED and not frames_of(play, SATISFACTION) and start(play, SATISFACTION)


def offer(play: Play) -> None:
    """What was interrupted is on top again: the customer is asked whether to go on with it."""
    top, skill = play.top, play.skill
    if top is None:
        return
    name = skill.name if skill is not None and skill.name else top.skill_id
    if frames_of(play, CONTINUE) or not start(play, CONTINUE, {TASK: name}):
        resume(play, top.skill_id)


def decided(play: Play) -> bool:
    """The customer was asked whether to go on: on, never again, or no answer, which asks again.

    Whether what waited is gone, so that what lies beneath it has its turn.
    """
    top, wants = play.top, play.memory.get(WANTS)
    if top is None or top.frame_type != "interrupt":
        return True
    if wants is None:
        offer(play)
    elif wants:
        resume(play, top.skill_id)
    else:
        while play.top is not None and play.top.frame_type == "interrupt":
            dismiss(play, play.top.skill_id)
        play.record_stack()
        return True
    return False


def clear(play: Play) -> bool:
    """A wrap-up that is active is cancelled before anything else is begun; whether one was."""
    active = play.skill_id
    if active is None or active not in WRAP_UPS:
        return False
    dismiss(play, active)
    return True


def dismiss(play: Play, skill_id: str) -> None:
    """Cancel one run with all its blocks; what lies beneath is not looked at."""
    own = frames_of(play, skill_id)
    remove(play, skill_id)
    for frame in reversed(own):
        if frame.block_id is not None:
            drop(play, frame)
    top = own[-1]
    step = top.step_id if top.block_id is not None else "autonomous"
    play.record("skill_cancelled", skill_id=top.skill_id, step_id=step)


def declining(play: Play) -> bool:
    """Whether a request is being declined, which leaves the model nothing but words and `cannot_help`."""
    return play.skill_id == DECLINE


def declined(play: Play) -> bool:
    """Whether what the model has just said is how the bundled skill declines: it is done with that."""
    skill = play.skill
    return skill is not None and skill.id == DECLINE and skill.bundled


def answered(play: Play) -> bool:
    """An answer from knowledge came between: what was under way is set aside and offered anew; whether it was."""
    skill = play.skill
    if skill is None or skill.is_default or play.pending is not None or CONTINUE not in play.project.skill_by_id:
        return False
    own = frames_of(play, skill.id)
    if next((f for f in own if f.block_id is None), own[-1]).frame_type != "regular":
        return False
    suspend(play)
    offer(play)
    return True


def ask(play: Play, skill: Skill) -> bool:
    """A bundled skill has its say; whether it is done. Where it asks the customer, it does so once, and waits."""
    match skill.id:
        case bundled.CONTINUE if play.memory.get(WANTS) is not None:
            return True
        case bundled.DECLINE:
            play.note_once("", "default-decline", "the engine has the model say that it can't help with this")
            return False
        case bundled.SESSION_START:
            play.note("default-session-start", "the engine's own greeting, if it has one, is spoken here")
            return True
        case _:
            top = play.stack[-1]
            if skill.id in _ASKS and not top.visited:
                play.stack = (*play.stack[:-1], replace(top, visited=("START",)))
                reason = skill.id.replace("_", "-")
                play.note(reason, _ASKS[skill.id])
                end_turn(play)
            return False
