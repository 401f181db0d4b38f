"""What an event makes of a conversation under tool rules (§1.5), and the records of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.events import (
    Call,
    Called,
    CustomerSaid,
    Event,
    Listened,
    ModelSaid,
    Record,
    Resolved,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.letta.bearing import bearings, blocking
from inspector_core.letta.loops import DEFECTS, Decision, Defect, Loop, after_call, after_text, offer
from inspector_core.letta.outputs import packaged
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import words
from inspector_core.letta.solver import Situation, solve
from inspector_core.letta.state import MAX_STEPS, Pending, State, Turn, situation

__all__ = ["Way", "step"]

Stepped = tuple[State, tuple[Record, ...]]
_REFUSED: Final = "[ToolConstraintError]"
"""How the refusal begins that the model reads; a call answered so is not counted."""


class Way(NamedTuple):
    """Whose behaviour is played."""

    loop: Loop = Loop.SOLVER
    forgets: bool = False
    """An answer to an approval begins a new request, with no calls in it, as on the server."""


def step(way: Way, project: LettaProject, state: State, event: Event) -> Stepped:
    """The next state; every event is legal in every state."""
    match event:
        case CustomerSaid(text):
            return _said(state, text)
        case ModelSaid(text):
            return _answered(project, state, text)
        case Called(calls, filler):
            return _called(way, project, state, calls, filler)
        case Resolved(confirmed, stub, tool):
            return _resolved(way, project, state, confirmed, stub, tool)
        case Stubbed(tool, stub):
            rest = {name: held for name, held in state.stubs.items() if name != tool}
            return replace(state, stubs=rest if stub is None else {**rest, tool: stub}), ()
        case SessionBegan():
            return state, ()
        case Listened():
            return _over(state, Decision(False, "end_turn", "the model says nothing")), (_note("end_turn", "silence"),)
        case _:
            name = type(event).__name__
            return state, (_refused("not-here", f"tool rules know no `{name}`"),)


# -- the records -------------------------------------------------------------------------------------------------------


def _refused(reason: str, message: str, tool: str | None = None) -> Record:
    named = {} if tool is None else {"tool_name": tool}
    return Record("inspector_refused", {"reason": reason, "message": message, **named})


def _note(reason: str, message: str) -> Record:
    return Record("inspector_note", {"reason": reason, "message": message})


def _executed(call: Call, arguments: Mapping[str, object], result: str, wrong: str | None, ran: bool) -> Record:
    fields = {
        "tool_name": call.tool, "arguments": dict(arguments), "result": result, "is_error": wrong is not None,
        "error_message": wrong,
    }  # fmt: skip
    return Record("tool_executed", fields, ran=ran)


# -- turns -------------------------------------------------------------------------------------------------------------


def _said(state: State, text: str) -> Stepped:
    if state.pending is not None:
        message = f"`{state.pending.tool}` waits for an answer: the server takes no message before (409)"
        return state, (_refused("approval-pending", message, state.pending.tool),)
    turn = Turn(state.turn.number + 1)
    return replace(state, history=(), output=None, turn=turn), (Record("user", {"text": text}),)


def _over(state: State, decision: Decision) -> State:
    return replace(state, turn=state.turn._replace(open=False, stop=decision.stop))


def _answered(project: LettaProject, state: State, text: str) -> Stepped:
    closed = _closed(state)
    if closed is not None:
        return state, (closed,)
    said = Record("bot", {"text": text})
    turn = state.turn._replace(steps=state.turn.steps + 1)
    state = replace(state, turn=turn)
    decision = after_text(project.rules, situation(state, project.available))
    if decision.goes_on and turn.steps < MAX_STEPS:
        return state, (said, _note("required-before-exit", decision.why))
    return _over(state, decision), (said,)


def _closed(state: State, tool: str | None = None) -> Record | None:
    """Why the model can't do anything now; nothing where it can."""
    if state.pending is not None:
        return _refused("approval-pending", f"`{state.pending.tool}` waits for an answer", tool)
    if not state.turn.open:
        return _refused("turn-over", f"the turn is over ({state.turn.stop or 'no reason given'})", tool)
    return None


# -- calls -------------------------------------------------------------------------------------------------------------


def _called(way: Way, project: LettaProject, state: State, calls: Sequence[Call], filler: str) -> Stepped:
    """One reply's calls, each judged by what those before it have made of the state."""
    records: list[Record] = [Record("bot", {"text": filler})] if filler else []
    if len(calls) > 1 and project.rules.rules and len(project.rules.approval) < len(project.rules.rules):
        dropped = ", ".join(f"`{c.tool}`" for c in calls[1:])
        records.append(_note("one-at-a-time", f"with tool rules only the first call counts: {dropped} dropped"))
        calls = calls[:1]
    if _closed(state) is None:
        state = replace(state, turn=state.turn._replace(steps=state.turn.steps + 1))
    for call in calls:
        closed = _closed(state, call.tool)
        if closed is not None:
            records.append(closed)
            continue
        state, told = _one(way, project, state, call)
        records += told
    return state, tuple(records)


def _one(way: Way, project: LettaProject, state: State, call: Call) -> Stepped:
    now = situation(state, project.available)
    offered = offer(way.loop, project.rules, now)
    if offered.error is not None and (way.loop is not Loop.SOLVER or offered.error != "empty"):
        why = solve(project.rules, now).why or "the loop can't take the last output"
        record = _refused(offered.error.replace("_", "-"), f"the run fails before any call: {why}", call.tool)
        return _over(state, Decision(False, "error", why)), (record,)
    broken = _broken(project, now, call.tool) if call.tool not in offered.tools else ()
    asks = call.tool in project.rules.asking and call.tool in now.available
    if asks and (way.loop is not Loop.SOLVER or not broken):
        return _asked(state, call, broken)
    if broken:
        return _violated(way, project, state, call, offered.tools, broken)
    notes = tuple(_note(d.value, DEFECTS[d]) for d in offered.defects)
    state, records = _run(way, project, state, call)
    return state, (*notes, *records)


def _broken(project: LettaProject, now: Situation, tool: str) -> tuple[str, ...]:
    """The rules that a call breaks, in words."""
    if tool not in now.available:
        return (f"`{tool}` is not attached",)
    answer = solve(project.rules, now)
    found = blocking(bearings(project.rules, now, answer, tool))
    return tuple(dict.fromkeys(f"{words(b.rule)}: {b.why}" for b in found)) or ("the loop does not offer it",)


def _asked(state: State, call: Call, broken: tuple[str, ...]) -> Stepped:
    """A person is asked; whether the call keeps the rules is looked at only by us."""
    record = _executed(call, call.arguments, '{"status": "awaiting_confirmation"}', None, False)
    state = replace(state, pending=Pending(call, broken))
    if not broken:
        return state, (record,)
    return state, (record, _note("rule-broken", f"`{call.tool}` is not allowed now: {'; '.join(broken)}"))


def _violated(
    way: Way, project: LettaProject, state: State, call: Call, offered: Sequence[str], broken: tuple[str, ...]
) -> Stepped:
    """Refused, and not counted; the model reads why and goes on."""
    may = ", ".join(offered) or "none"
    message = f"{_REFUSED} {call.tool} can't be called now. Callable: {may}. {'; '.join(broken)}"
    record = _executed(call, call.arguments, packaged(message, failed=True), message, False)
    decision = after_call(
        way.loop, project.rules, situation(state, project.available), violated=True, final=_final(state)
    )
    return _going(state, decision, (record,))


def _final(state: State) -> bool:
    return state.turn.steps >= MAX_STEPS


def _run(way: Way, project: LettaProject, state: State, call: Call) -> Stepped:
    answer = solve(project.rules, situation(state, project.available))
    given = answer.prefilled.get(call.tool, {}) if way.loop in (Loop.SOLVER, Loop.V3) else {}
    arguments = {**call.arguments, **given}
    stub = call.stub or state.stubs.get(call.tool) or Stub()
    wrong = stub.raises
    output = packaged(_message(stub.payload) if wrong is None else wrong, wrong is not None)
    state = replace(state, history=(*state.history, call.tool), output=output)
    record = _executed(call, arguments, output, wrong, True)
    heartbeat = call.arguments.get("request_heartbeat") is True
    now = situation(state, project.available)
    decision = after_call(way.loop, project.rules, now, heartbeat=heartbeat, final=_final(state))
    says = tuple(Record("bot", {"text": text}) for text in stub.says)
    return _going(state, decision, (record, *says))


def _message(payload: object) -> object:
    """What a tool returns, as its server keeps it: the text of it, unless it is an object."""
    return payload if isinstance(payload, (str, Mapping, list, tuple)) else str(payload)


def _going(state: State, decision: Decision, records: tuple[Record, ...]) -> Stepped:
    if decision.goes_on:
        return state, records
    return _over(state, decision), (*records, _note(decision.stop or "turn-over", decision.why))


# -- approvals ---------------------------------------------------------------------------------------------------------


def _resolved(
    way: Way, project: LettaProject, state: State, confirmed: object, stub: Stub | None, tool: str | None
) -> Stepped:
    pending = state.pending
    if pending is None or (tool is not None and tool != pending.tool):
        waits = f"`{pending.tool}` waits" if pending is not None else "nothing waits"
        return state, (_refused("no-approval", f"{waits} for an answer, and not `{tool or 'this'}`", tool),)
    call = pending.call if stub is None else replace(pending.call, stub=stub)
    state = replace(state, pending=None)
    if way.forgets:
        state = replace(state, history=(), output=None)
    if confirmed is not True:
        message = f"`{call.tool}` was denied"
        record = _executed(call, call.arguments, '{"status": "declined"}', None, False)
        return state, (record, _note("denied", message))
    state, records = _run(way, project, state, call)
    if pending.broken:
        text = DEFECTS[Defect.APPROVAL_HIDES_VIOLATION]
        records = (_note(Defect.APPROVAL_HIDES_VIOLATION.value, f"{text}: {'; '.join(pending.broken)}"), *records)
    return state, records
