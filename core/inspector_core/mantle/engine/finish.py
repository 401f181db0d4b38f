"""Skills that end, and what goes on beneath them (§7.1, §7.2)."""

from __future__ import annotations

from inspector_core.mantle import scope
from inspector_core.mantle.engine import defaults
from inspector_core.mantle.engine.payload import Answer, done, failed
from inspector_core.mantle.engine.play import Broken, Play
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.stack import drop, frames_of, promote, put_back, remove, resume
from inspector_core.mantle.engine.standing import unmet
from inspector_core.mantle.engine.state import Frame
from inspector_core.mantle.project import Skill
from inspector_core.proof import Truth

__all__ = ["after", "cancel", "complete", "end", "finish", "settle"]

_UNMET = "utter_precondition_unmet"


def complete(play: Play, criteria_met: bool) -> Answer:
    """The model says that the skill is done; the engine has the last word."""
    skill = play.skill
    if skill is None:
        return failed("no skill is active")
    if play.waits:
        return failed("a confirmation waits: resolve it first")
    if skill.bundled and skill.id in defaults.ENDED_BY_WORD:
        _say_no(play, skill)
        return done("complete")
    if play.block is not None:
        return failed("an ordered block is running: only prose can be completed")
    problem = _incomplete(play, skill, criteria_met)
    if problem is not None:
        return failed(problem)
    finish(play, skill)
    return done("complete")


def _say_no(play: Play, skill: Skill) -> None:
    """`complete` stands for the customer's no to a bundled wrap-up, whose own way of hearing it is not known."""
    top = play.stack[-1]
    play.record("ordered_block_completed", skill_id=skill.id, block_id=top.block_id, step_id="END")
    end(play, skill)
    if not defaults.rest(play, skill):
        after(play, skill)


def _incomplete(play: Play, skill: Skill, criteria_met: bool) -> str | None:
    completion = skill.completion
    if completion is None:
        return None
    if completion.condition is not None and _truth(play, skill) is not Truth.HOLDS:
        return f"`{skill.id}` isn't done: its `complete_when` condition doesn't hold"
    if completion.criteria and not criteria_met:
        return f"`{skill.id}` isn't done: its criteria aren't met"
    return None


def settle(play: Play) -> bool:
    """A skill in prose whose condition holds, and that has no criteria to judge, completes by itself; whether it did.

    A condition that can't be evaluated breaks the turn.
    """
    skill, top = play.skill, play.top
    if skill is None or top is None or top.block_id is not None or not _by_itself(skill):
        return False
    truth = _truth(play, skill)
    if truth is Truth.ERRORS:
        raise Broken(f"`complete_when` of `{skill.id}` can't be evaluated")
    if truth is Truth.HOLDS:
        finish(play, skill)
    return truth is Truth.HOLDS


def _by_itself(skill: Skill) -> bool:
    completion = skill.completion
    return completion is not None and completion.condition is not None and not completion.criteria


def _truth(play: Play, skill: Skill) -> Truth:
    condition = skill.completion.condition if skill.completion else None
    if condition is None:
        return Truth.HOLDS
    return condition.truth(scope.view(play.project, skill.id, play.memory, condition))


def finish(play: Play, skill: Skill) -> None:
    """A skill is done, and what waited for that has its turn."""
    end(play, skill)
    after(play, skill)


def end(play: Play, skill: Skill) -> None:
    """A skill is done; the blocks of it that were set aside are cancelled with that."""
    for frame in frames_of(play, skill.id):
        if frame.frame_type == "inline_reference":
            drop(play, frame)
    remove(play, skill.id)
    play.record("skill_completed", skill_id=skill.id)
    play.record_stack()


def cancel(play: Play) -> None:
    """Drop the active skill, and each that had called it, up to and with the first that nobody called."""
    while play.stack:
        called = _called(play)
        defaults.dismiss(play, play.stack[-1].skill_id)
        if not called:
            break
    play.record_stack()
    after(play, None)


def _called(play: Play) -> bool:
    own = frames_of(play, play.stack[-1].skill_id)
    return next((f for f in own if f.block_id is None), own[-1]).frame_type == "call"


def after(play: Play, ended: Skill | None) -> None:
    """What the end of one run means for the one beneath it; one that merely waited for it goes on by itself.

    `ended`: the skill that completed, if one did.
    """
    top = play.top
    if ended is not None and ended.id == defaults.CONTINUE:
        _decided(play)
    elif top is None:
        if ended is not None and not ended.is_default:
            defaults.wrap_up(play)
    elif top.frame_type == "interrupt":
        if ended is not None and ended.id == defaults.DECLINE:
            resume(play, top.skill_id)
        else:
            defaults.offer(play)
    elif top.frame_type == "pending":
        _after_resolver(play, top, ended)
    elif top.frame_type == "inline_reference":
        play.stack = (*play.stack[:-1], put_back(top))
        play.record_stack()


def _decided(play: Play) -> None:
    """What lies beneath runs that were dismissed goes on; where nothing does, there is nothing left to do."""
    waited = play.top is not None and play.top.frame_type == "interrupt"
    if defaults.decided(play):
        if play.top is not None:
            after(play, None)
        elif waited:
            defaults.wrap_up(play)


def _after_resolver(play: Play, top: Frame, ended: Skill | None) -> None:
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
    after(play, ended)
