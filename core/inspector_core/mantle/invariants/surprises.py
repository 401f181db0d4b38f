"""What the engine does rightly and an author does not expect: where it showed, and what can be done about it (§11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from inspector_core.classes import NamedTuple
from inspector_core.mantle.invariants.meeting import gate_of, holds
from inspector_core.mantle.invariants.passage import Passage, answers, source

__all__ = ["SURPRISES", "Surprise", "surprises"]


class Surprise(NamedTuple):
    """One behaviour of the engine, seen with one tool."""

    code: str
    skill: str
    tool: str
    message: str

    @property
    def advice(self) -> str:
        """What the author can do."""
        return SURPRISES[self.code]


SURPRISES: Final[Mapping[str, str]] = {
    "gate-not-rechecked": "look at the condition once more in the tool's code: a yes may come too late",
    "captured-arguments": "have the tool read what may still change from memory, instead of taking it as an argument",
    "another-ask-blocks": "let the customer answer or drop the first ask before the second skill gets to its own",
    "answered-this-turn": "nothing to do: the customer has to speak before the same tool can ask again",
    "declined-step-is-skipped": "lead back to the step with `next` and a condition, if a no may be taken back",
    "failed-step-goes-on": "branch on what the tool wrote to memory: an error payload alone doesn't hold the step",
    "step-waits": "give the block a way past the step, or tell the model in its instructions what is missing",
    "ask-in-the-models-words": "name an `utter_for_confirmation`: it is asked word for word, and the turn ends",
    "invalid-arguments-keep-waiting": "let the tool's parameters take what was captured, or let the customer say no",
    "no-gate-in-this-block": "list the tool under the block's `tools:` with its `requires` and `requires_confirmation`",
}
"""By code: what an author can do about it."""


def surprises(passage: Passage) -> Iterator[Surprise]:
    """What is surprising about one passage."""
    yield from _late_yes(passage)
    yield from _blocked(passage)
    yield from _steps(passage)
    yield from _open_ask(passage)
    yield from _ungated(passage)


def _late_yes(passage: Passage) -> Iterator[Surprise]:
    ask = passage.waiting
    if ask is None or answers(passage.event) is not True or not passage.owned:
        return
    ran = any(source(r) == "tool_confirmation" for r in passage.runs)
    gate = gate_of(passage, ask.tool)
    if ran and gate is not None and not holds(passage.project, ask.skill, gate, passage.before.memory):
        yield Surprise(
            "gate-not-rechecked",
            ask.skill,
            ask.tool,
            f"`{ask.tool}` runs on a yes though its gate has closed since it asked",
        )
    if not ran and passage.after.pending is not None and passage.acted and ask.turn != passage.before.turn.number:
        yield Surprise(
            "invalid-arguments-keep-waiting",
            ask.skill,
            ask.tool,
            f"`{ask.tool}` can't run with what it asked about, and goes on waiting",
        )
    if ran and _changed(passage):
        yield Surprise(
            "captured-arguments",
            ask.skill,
            ask.tool,
            f"`{ask.tool}` runs with what it asked about, though memory holds another value by now",
        )


def _changed(passage: Passage) -> bool:
    """Whether memory held an argument's value at the ask, and holds another one now."""
    pending = passage.before.pending
    if pending is None:
        return False
    for name, value in pending.arguments.items():
        key = f"{pending.skill_id}.{name}"
        if pending.memory.get(key) == value is not None and passage.before.memory.get(key) != value:
            return True
    return False


def _blocked(passage: Passage) -> Iterator[Surprise]:
    call = passage.only_call
    gate = gate_of(passage, call.tool) if call is not None else None
    if call is None or gate is None or gate.confirmation is None or not gate.confirmation.enabled or passage.opened:
        return
    skill = passage.before.skill or ""
    if (
        not passage.acted
        or not passage.before.turn.open
        or not holds(passage.project, skill, gate, passage.before.memory)
    ):
        return
    waiting = passage.waiting
    if waiting is not None and waiting.skill != skill:
        message = f"`{call.tool}` can't ask while `{waiting.tool}` of `{waiting.skill}` waits for its answer"
        yield Surprise("another-ask-blocks", skill, call.tool, message)
    elif waiting is None and (skill, call.tool) in passage.resolved:
        yield Surprise(
            "answered-this-turn", skill, call.tool, f"`{call.tool}` can't ask again in the turn that answered it"
        )


def _steps(passage: Passage) -> Iterator[Surprise]:
    ask = passage.waiting
    if ask is not None and ask.step is not None and answers(passage.event) is False and passage.owned:
        for _ in [r for r in passage.records if source(r) == "tool_confirmation"][:1]:
            yield Surprise(
                "declined-step-is-skipped",
                ask.skill,
                ask.tool,
                f"the step `{ask.step}` is passed on a no, and `{ask.tool}` isn't asked about again",
            )
    for record in passage.records:
        tool, skill = str(record.fields.get("tool_name")), str(record.metadata.get("skill_id"))
        if record.ran and source(record) == "execute_step" and record.fields.get("is_error"):
            yield Surprise(
                "failed-step-goes-on", skill, tool, f"the step that runs `{tool}` is passed though it failed"
            )
        if record.event == "inspector_note" and str(record.fields.get("reason", "")).startswith("step-waits"):
            yield Surprise("step-waits", passage.after.skill or "", "", str(record.fields.get("message")))


def _open_ask(passage: Passage) -> Iterator[Surprise]:
    for ask in passage.opened:
        if ask.text is None:
            yield Surprise(
                "ask-in-the-models-words",
                ask.skill,
                ask.tool,
                f"`{ask.tool}` has no words of its own to ask with: the model finds some, and may go on first",
            )


def _ungated(passage: Passage) -> Iterator[Surprise]:
    """In a block of a skill with prose, what only the skill's own list gates runs without its gate (§5.6)."""
    call, skill = passage.only_call, passage.skill
    if call is None or skill is None or passage.before.target == skill.id:
        return
    own = next((g for g in skill.gates if g.tool == call.tool), None)
    if own is None or gate_of(passage, call.tool) is not None:
        return
    if any(r.fields["tool_name"] == call.tool for r in passage.runs):
        yield Surprise(
            "no-gate-in-this-block",
            skill.id,
            call.tool,
            f"`{call.tool}` runs in `{passage.before.target}` without its gate: the block doesn't list it",
        )
