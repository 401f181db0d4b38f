"""The confirmation a tool's call opens, and what the customer's answer makes of it (§6.2, §6.3).

One confirmation waits at most, in the whole conversation. A declined tool never runs, and neither does one that was
never answered: the only way from here to `run` leads through `confirmed is True`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from inspector_core.events import Stub
from inspector_core.mantle.candidates import Candidate, registered
from inspector_core.mantle.engine.blocks import pass_by
from inspector_core.mantle.engine.finish import cancel
from inspector_core.mantle.engine.memory import clear_pending, keep_pending
from inspector_core.mantle.engine.payload import Answer, answered, failed
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.responses import Spoken, render
from inspector_core.mantle.engine.run import invalid, run
from inspector_core.mantle.engine.standing import CANCEL, current, obstacle
from inspector_core.mantle.engine.state import Pending
from inspector_core.mantle.engine.steps.entry import entry
from inspector_core.mantle.project import ConfirmationRule

__all__ = ["pause", "pause_cancel", "resolve"]

_SOURCE = "tool_confirmation"


def pause(play: Play, found: Candidate, arguments: Mapping[str, object], *, step_id: str | None = None) -> Answer:
    """Try to open a tool's confirmation: checks a to f. The call itself never runs here."""
    gate, tool, skill_id = found.gate, found.tool, play.skill_id or ""
    rule = gate.confirmation if gate is not None else None
    if rule is None or tool is None:
        return failed(f"`{found.name}` has no confirmation to open")
    hindered = obstacle(play.pending, play.waits, play.turn, skill_id, found.name, by_step=step_id is not None)
    if hindered is not None:
        return failed(hindered[1])
    return invalid(tool, arguments) or _open(play, found.name, arguments, rule, step_id)


def pause_cancel(play: Play, rule: ConfirmationRule) -> Answer:
    """Try to open the confirmation of `cancel`, which takes the place of whatever else waits."""
    own = play.pending if play.pending is not None and play.waits and play.pending.tool == CANCEL else None
    hindered = obstacle(own, play.waits, play.turn, play.skill_id or "", CANCEL)
    return failed(hindered[1]) if hindered is not None else _open(play, CANCEL, {}, rule)


def _open(
    play: Play, tool: str, arguments: Mapping[str, object], rule: ConfirmationRule, step_id: str | None = None
) -> Answer:
    ask = render(play.project, play.skill_id, rule.ask.name, play.memory) if rule.ask is not None else None
    if ask is not None and ask.blank:
        return failed(f"`{ask.name}` would ask the customer nothing: it has no text now")
    top = play.top
    if top is None:
        return failed("no skill is active")
    keep_pending(play, Pending(
        tool, dict(arguments), ask.text if ask is not None else None, rule.denial.name if rule.denial else None,
        top.skill_id, top.frame_id, play.turn.number, step_id, memory=dict(play.memory),
    ))  # fmt: skip
    play.closing = ask
    play.turn = replace(play.turn, paused=True, ask_queued=ask is not None)
    message = ask.text if ask is not None else f"ask the customer whether `{tool}` shall go ahead"
    return answered({"status": "awaiting_confirmation", "message": message})


def resolve(play: Play, confirmed: object, stub: Stub | None) -> Answer:
    """The customer's answer as the model reports it; only a plain `True` runs anything."""
    pending = play.pending
    if pending is None or not play.waits:
        return failed("no confirmation waits here")
    if play.turn.paused:
        return failed(f"`{pending.tool}` has only just been asked: wait for the customer's answer")
    if confirmed is True:
        return _confirmed(play, pending, stub)
    if confirmed is False:
        return _declined(play, pending)
    return failed("`confirmed` has to be true or false")


def _confirmed(play: Play, pending: Pending, stub: Stub | None) -> Answer:
    """Run with the arguments captured at the pause; the gate is not looked at again."""
    if pending.tool == CANCEL:
        return _cancelled(play, pending)
    skill = play.skill
    if pending.step_id is not None:
        found = entry(play, pending.tool)
    else:
        found = registered(play.project, skill, play.block, pending.tool) if skill is not None else None
    if found is None or found.tool is None:
        clear_pending(play)
        return _recorded(play, pending, failed(f"there is no tool `{pending.tool}` any more"))
    problem = invalid(found.tool, pending.arguments)
    if problem is not None:
        return _recorded(play, pending, problem)
    clear_pending(play)
    _mark(play, pending)
    answer = run(play, found.tool, found.gate, pending.arguments, stub, _SOURCE)
    _go_on(play, pending)
    return answer


def _cancelled(play: Play, pending: Pending) -> Answer:
    clear_pending(play)
    _mark(play, pending)
    cancel(play)
    return _recorded(play, pending, answered({"status": "cancelled"}))


def _declined(play: Play, pending: Pending) -> Answer:
    clear_pending(play)
    _mark(play, pending)
    message = f"the customer declined: `{pending.tool}` did not run"
    answer = _recorded(play, pending, answered({"status": "declined", "message": message}))
    denial = _denial(play, pending)
    if denial is not None:
        play.closing = denial
        play.turn = replace(play.turn, denial_queued=True)
    _go_on(play, pending)
    return answer


def _go_on(play: Play, pending: Pending) -> None:
    """Answered is answered: the step that asked is passed, yes or no, and what was put off meanwhile may go on."""
    top, block = play.top, play.block
    if pending.step_id is not None and top is not None and block is not None and top.step_id == pending.step_id:
        step = current(block, top.step_id)
        if step is not None:
            pass_by(play, block, step)
    play.handoffs += pending.deferred


def _denial(play: Play, pending: Pending) -> Spoken | None:
    """What is said to a no; `None` where nothing is named or it would be blank."""
    if pending.denial_response is None:
        return None
    spoken = render(play.project, pending.skill_id, pending.denial_response, play.memory)
    return None if spoken.blank else spoken


def _recorded(play: Play, pending: Pending, answer: Answer) -> Answer:
    play.executed(pending.tool, pending.arguments, answer, source=_SOURCE)
    return answer


def _mark(play: Play, pending: Pending) -> None:
    play.turn = replace(play.turn, resolved=play.turn.resolved | {(pending.skill_id, pending.tool)})
