"""Skills that end, and what goes on beneath them (§7.1, §7.2)."""

from __future__ import annotations

from dataclasses import replace

from inspector_core.mantle import scope
from inspector_core.mantle.engine.payload import Answer, done, failed
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.stack import frames_of, promote, put_back, remove, resume
from inspector_core.mantle.engine.standing import unmet
from inspector_core.mantle.engine.state import Frame
from inspector_core.mantle.project import Skill
from inspector_core.proof import Truth

__all__ = ["cancel", "complete", "settle"]

_UNMET = "utter_precondition_unmet"


def complete(play: Play, criteria_met: bool) -> Answer:
    """The model says that the skill is done; the engine has the last word."""
    skill = play.skill
    if skill is None:
        return failed("no skill is active")
    if play.waits:
        return failed("a confirmation waits: resolve it first")
    if play.block is not None:
        return failed("an ordered block is running: only prose can be completed")
    problem = _incomplete(play, skill, criteria_met)
    if problem is not None:
        return failed(problem)
    _finish(play, skill)
    return done("complete")


def _incomplete(play: Play, skill: Skill, criteria_met: bool) -> str | None:
    completion = skill.completion
    if completion is None:
        return None
    if completion.condition is not None and _truth(play, skill) is not Truth.HOLDS:
        return f"`{skill.id}` isn't done: its `complete_when` condition doesn't hold"
    if completion.criteria and not criteria_met:
        return f"`{skill.id}` isn't done: its criteria aren't met"
    return None


def settle(play: Play) -> None:
    """Between two moves: a skill whose condition holds, and that has no criteria to judge, completes by itself."""
    while play.turn.open:
        skill, top = play.skill, play.top
        if skill is None or top is None or top.block_id is not None or not _by_itself(skill):
            return
        truth = _truth(play, skill)
        if truth is Truth.ERRORS:
            message = f"`complete_when` of `{skill.id}` can't be evaluated: the engine breaks off the turn here"
            play.note("turn-failed", message)
            play.turn = replace(play.turn, open=False)
        if truth is not Truth.HOLDS:
            return
        _finish(play, skill)


def _by_itself(skill: Skill) -> bool:
    completion = skill.completion
    return completion is not None and completion.condition is not None and not completion.criteria


def _truth(play: Play, skill: Skill) -> Truth:
    condition = skill.completion.condition if skill.completion else None
    if condition is None:
        return Truth.HOLDS
    return condition.truth(scope.view(play.project, skill.id, play.memory, condition))


def _finish(play: Play, skill: Skill) -> None:
    for frame in frames_of(play, skill.id):
        if frame.frame_type == "inline_reference":
            _block_cancelled(play, frame)
    remove(play, skill.id)
    play.record("skill_completed", skill_id=skill.id)
    play.record_stack()
    if play.top is None and not skill.bundled:
        play.note("default-completed", "the engine would go on with `default_completed` now")
    _beneath(play)


def cancel(play: Play) -> None:
    """Drop the active skill, and each that had called it, up to and with the first that nobody called."""
    while play.stack:
        skill_id = play.stack[-1].skill_id
        own = frames_of(play, skill_id)
        remove(play, skill_id)
        _record_cancelled(play, own)
        if all(f.frame_type != "call" for f in own):
            break
    play.record_stack()
    _beneath(play)


def _record_cancelled(play: Play, own: tuple[Frame, ...]) -> None:
    blocks = [f for f in own if f.block_id is not None]
    for frame in reversed(blocks):
        _block_cancelled(play, frame)
    top = own[-1]
    step = top.step_id if top.block_id is not None else "autonomous"
    play.record("skill_cancelled", skill_id=top.skill_id, step_id=step)


def _block_cancelled(play: Play, frame: Frame) -> None:
    play.record("ordered_block_cancelled", skill_id=frame.skill_id, block_id=frame.block_id, step_id=frame.step_id)


def _beneath(play: Play) -> None:
    """What the end of one run means for the one beneath it; one that merely waited for it goes on by itself."""
    top = play.top
    if top is None:
        return
    match top.frame_type:
        case "interrupt":
            asks = f"the engine would first ask whether to go on with `{top.skill_id}`"
            play.note("resume", f"{asks}, through `default_continue_interrupted`")
            resume(play, top.skill_id)
        case "pending":
            _after_resolver(play, top)
        case "inline_reference":
            play.stack = (*play.stack[:-1], put_back(top))
            play.record_stack()
        case "regular" | "call":
            return


def _after_resolver(play: Play, top: Frame) -> None:
    """The run that waited for its precondition starts, or is dropped."""
    skill = play.skill
    bound = unmet(play.project, skill, play.memory) if skill is not None else None
    if skill is not None and bound is None:
        promote(play, skill)
        return
    remove(play, top.skill_id)
    play.record_stack()
    if bound is not None and bound.unmet_utterance:
        play.speak(render(play.project, None, _UNMET, play.memory))
    _beneath(play)
