"""The confirmation's invariants, each a rule over one passage (§6.2–§6.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from inspector_core.events import CustomerSaid, Record, Resolved
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.invariants.meeting import asks_first, closed, free, gate_of, is_misfit, step_gate
from inspector_core.mantle.invariants.passage import PENDING, Passage, answers, source

__all__ = ["INVARIANTS", "Broken", "Invariant", "broken"]


class Broken(NamedTuple):
    """An invariant that a passage breaks."""

    invariant: str
    message: str


def broken(passage: Passage) -> Iterator[Broken]:
    """Every invariant that the passage breaks, with what was seen."""
    for name, invariant in INVARIANTS.items():
        for message in invariant.rule(passage):
            yield Broken(name, message)


def _confirmed_runs(passage: Passage) -> list[Record]:
    return [r for r in passage.runs if source(r) == "tool_confirmation"]


def _decline(passage: Passage) -> Iterator[str]:
    ask = passage.waiting
    if ask is not None and answers(passage.event) is False:
        yield from (f"`{r.fields['tool_name']}` ran on a no" for r in _confirmed_runs(passage))


def _no_answer(passage: Passage) -> Iterator[str]:
    yes = answers(passage.event) is True and passage.waiting is not None and passage.owned
    for record in passage.runs:
        tool = record.fields["tool_name"]
        match source(record):
            case "tool_confirmation":
                if not yes:
                    yield f"`{tool}` ran without a yes to its ask"
            case "execute_step":
                if asks_first(step_gate(passage, record)):
                    yield f"a step ran `{tool}` without asking"
            case _:
                if _same_place(passage) and asks_first(gate_of(passage, str(tool))):
                    yield f"`{tool}` ran without asking"


def _same_place(passage: Passage) -> bool:
    """Whether nothing moved the live frame before the calls ran: the gate list is the one of the state before."""
    return passage.only_call is not None


def _one_run(passage: Passage) -> Iterator[str]:
    runs = _confirmed_runs(passage)
    if len(runs) > 1:
        yield f"one yes ran {len(runs)} tools"
    if runs and passage.waiting is not None and runs[0].fields["tool_name"] != passage.waiting.tool:
        yield f"the ask was about `{passage.waiting.tool}`, and `{runs[0].fields['tool_name']}` ran"


def _counts_once(passage: Passage) -> Iterator[str]:
    """An answer that was taken ends the ask; whatever waits then was asked anew (§6.3)."""
    ask, taken = passage.waiting, any(source(r) == "tool_confirmation" for r in passage.records)
    if ask is None or not taken or is_misfit(passage, ask):
        return
    cleared = [r for r in passage.records if r.event == "memory_cleared" and r.fields.get("key") == PENDING]
    if not cleared:
        yield f"`{ask.tool}` was answered, and its ask goes on waiting"


def _asked_twice(passage: Passage) -> Iterator[str]:
    turn = passage.after.turn.number
    for ask in passage.opened:
        if ask.step is None and (ask.skill, ask.tool) in passage.resolved and turn == passage.before.turn.number:
            yield f"`{ask.tool}` was answered in this turn, and asks again in it"
    if passage.waiting is not None and passage.opened and not _gone_first(passage):
        new = passage.opened[0].tool
        if new != "cancel":
            yield f"`{new}` asks while `{passage.waiting.tool}` waits"


def _gone_first(passage: Passage) -> bool:
    """Whether the ask that waited was cleared before another one opened."""
    for record in passage.records:
        if record.fields.get("key") == PENDING:
            return record.event == "memory_cleared"
    return False


def _captured(passage: Passage) -> Iterator[str]:
    ask = passage.waiting
    for record in _confirmed_runs(passage):
        if ask is not None and record.fields["arguments"] != ask.arguments:
            yield f"`{ask.tool}` asked with {ask.arguments!r}, and ran with {record.fields['arguments']!r}"


def _digression(passage: Passage) -> Iterator[str]:
    """While its frame is on the stack, only an answer, a broken-off turn or an ask of `cancel` ends an ask."""
    ask = passage.waiting
    if ask is None or answers(passage.event) is not None:
        return
    kept = passage.after.pending
    if kept is not None and (kept.tool, kept.frame_id, kept.arguments) == (ask.tool, ask.frame, ask.arguments):
        return
    gone = all(f.frame_id != ask.frame for f in passage.after.stack)
    if not gone and not any(a.tool == "cancel" for a in passage.opened) and passage.before.turn.open is False:
        yield f"`{ask.tool}` waited for an answer, and got lost"
    elif not gone and isinstance(passage.event, CustomerSaid):
        yield f"`{ask.tool}` waited for an answer, and got lost as the customer spoke"


def _answered_elsewhere(passage: Passage) -> Iterator[str]:
    """An answer given while another frame is live is none to what waits beneath it."""
    if passage.waiting is not None and not passage.owned and answers(passage.event) is not None:
        yield from (f"an answer given to another skill ran `{r.fields['tool_name']}`" for r in _confirmed_runs(passage))
        pending = passage.after.pending
        if pending is None and any(f.frame_id == passage.waiting.frame for f in passage.after.stack):
            yield f"an answer given to another skill ended the ask of `{passage.waiting.tool}`"


def _nth(passage: Passage) -> Iterator[str]:
    """A call that meets nothing in its way asks, however often it has asked before (§6.3, a to f)."""
    call, top = passage.only_call, passage.before.top
    if call is None or top is None or not passage.acted or not passage.before.turn.open:
        return
    gate = gate_of(passage, call.tool)
    tool = passage.project.tool(top.skill_id, call.tool)
    if gate is None or tool is None or not asks_first(gate):
        return
    if not free(passage, gate, tool, call.arguments):
        yield from (
            f"`{a.tool}` asked where it must not" for a in passage.opened if a.step is None and closed(passage, gate)
        )
    elif not any(a.tool == call.tool for a in passage.opened) and not _interrupted(passage):
        often = sum(a.tool == call.tool for a in passage.earlier)
        yield f"`{call.tool}` doesn't ask, after it asked {often} times before"


def _interrupted(passage: Passage) -> bool:
    call = passage.only_call
    return call is not None and call.stub is not None and call.stub.interrupted


def _step_declined(passage: Passage) -> Iterator[str]:
    ask = passage.waiting
    if ask is None or ask.step is None or not passage.owned or not passage.acted:
        return
    if answers(passage.event) not in (True, False) or is_misfit(passage, ask) or not _taken(passage):
        return
    frame = next((f for f in passage.after.stack if f.frame_id == ask.frame), None)
    was = next((f for f in passage.before.stack if f.frame_id == ask.frame), None)
    if frame is not None and was is not None and frame.step_id == was.step_id and frame.visited == was.visited:
        yield f"`{ask.tool}` was answered, and its step `{ask.step}` is not passed"


def _taken(passage: Passage) -> bool:
    return any(source(r) == "tool_confirmation" for r in passage.records)


def _orphan(passage: Passage) -> Iterator[str]:
    pending = passage.after.pending
    if pending is not None and all(f.frame_id != pending.frame_id for f in passage.after.stack):
        yield f"`{pending.tool}` still waits, and the run that asked is gone"


def _fresh_turn(passage: Passage) -> Iterator[str]:
    if not isinstance(passage.event, CustomerSaid):
        return
    turn = passage.after.turn
    if turn.number != passage.before.turn.number + 1:
        yield "the customer spoke, and no new turn began"
    if turn.resolved:
        yield "a new turn remembers what the last one answered"
    if (turn.ask_queued or turn.paused) and not passage.opened:
        yield "a new turn takes the last one's ask for its own"


def _spoken(passage: Passage) -> Iterator[str]:
    """A named ask is heard in the turn that opened it, and ends that turn (§6.3)."""
    for ask in passage.opened:
        if isinstance(ask.text, str) and passage.after.pending is not None and not _interrupted(passage):
            if all(r.fields.get("text") != ask.text for r in passage.records if r.event == "bot"):
                yield f"`{ask.tool}` waits for an answer to an ask that nobody heard"
            if passage.after.turn.open:
                yield f"`{ask.tool}` asked, and the turn goes on"


def _denial(passage: Passage) -> Iterator[str]:
    ask = passage.waiting
    if ask is None or not passage.owned or answers(passage.event) is not False or not _taken(passage):
        return
    if not isinstance(ask.denial, str) or not isinstance(passage.event, Resolved):
        return
    spoken = render(passage.project, ask.skill, ask.denial, passage.before.memory)
    if not spoken.blank and all(r.metadata.get("utter_action") != ask.denial for r in passage.records):
        yield f"`{ask.tool}` was declined, and `{ask.denial}` is not spoken"


def _through_the_gate(passage: Passage) -> Iterator[str]:
    call = passage.only_call
    for ask in passage.opened if call is not None else ():
        gate = gate_of(passage, ask.tool)
        if ask.step is None and gate is not None and closed(passage, gate):
            yield f"`{ask.tool}` asks, and its gate is closed"


def _plain_answers(passage: Passage) -> Iterator[str]:
    answer = answers(passage.event)
    if answer is None or isinstance(answer, bool) or passage.waiting is None:
        return
    yield from (f"`{r.fields['tool_name']}` ran on the answer {answer!r}" for r in _confirmed_runs(passage))
    if passage.after.pending is None and isinstance(passage.event, Resolved):
        yield f"the answer {answer!r} ended the ask of `{passage.waiting.tool}`"


def _next_turn_only(passage: Passage) -> Iterator[str]:
    ask = passage.waiting
    if ask is not None and ask.turn == passage.before.turn.number and answers(passage.event) is not None:
        yield from (f"`{r.fields['tool_name']}` ran before the customer could answer" for r in _confirmed_runs(passage))


class Invariant(NamedTuple):
    """What has to hold, in a sentence, and the rule that tells where it does not."""

    promise: str
    rule: Callable[[Passage], Iterator[str]]


INVARIANTS: Final[Mapping[str, Invariant]] = {
    "decline-never-executes": Invariant("a tool that was declined does not run", _decline),
    "no-answer-never-executes": Invariant("a tool that asks first runs on a yes alone", _no_answer),
    "one-ask-one-execution": Invariant("a yes runs one tool, the one that asked", _one_run),
    "an-answer-counts-once": Invariant("an answer that was taken ends the ask", _counts_once),
    "never-asked-twice-in-a-turn": Invariant("no tool asks again in the turn that answered it", _asked_twice),
    "arguments-run-as-captured": Invariant("what runs on a yes is what was asked about", _captured),
    "a-digression-does-not-lose-the-ask": Invariant("what waits goes on waiting while its run is there", _digression),
    "a-digression-does-not-answer": Invariant("an answer to another skill is no answer", _answered_elsewhere),
    "the-nth-asks-like-the-first": Invariant("a call that nothing hinders asks, however often it did before", _nth),
    "a-declined-step-is-passed": Invariant("a step that was answered is passed, yes or no", _step_declined),
    "cancel-clears": Invariant("no ask outlives the run that asked", _orphan),
    "a-new-turn-begins-afresh": Invariant("the customer's word clears the flags of the turn before", _fresh_turn),
    "the-ask-is-heard": Invariant("a named ask is spoken, and ends the turn", _spoken),
    "the-denial-is-heard": Invariant("a named denial is spoken on a no", _denial),
    "only-through-an-open-gate": Invariant("a tool asks only while its gate holds", _through_the_gate),
    "only-yes-or-no-answers": Invariant("anything but true and false is no answer", _plain_answers),
    "answered-in-a-later-turn": Invariant("the turn that asks can't answer", _next_turn_only),
}
"""Each by the name under which it is reported."""
