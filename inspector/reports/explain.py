"""Why a tool stands as it stands, as a person would tell it: the panel draws these lines and the shell prints them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from inspector.pieces import GLYPHS, Line, Piece, standing_tone
from inspector.reports.proof import proof_lines
from inspector.reports.text import blank, say
from inspector.reports.tool import declaration
from inspector.reports.values import shown
from inspector_core.analysis.opens import Opening, openers
from inspector_core.classes import dataclass
from inspector_core.finding import did_you_mean
from inspector_core.mantle import scope
from inspector_core.mantle.condition import Condition, parse
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Field, Project
from inspector_core.mantle.reasons import REASONS
from inspector_core.mantle.uses import Use, UseKind, writers
from inspector_core.proof import Proof, Truth
from inspector_core.report import Plan, Verdict
from inspector_core.source import Span

__all__ = ["WRITES", "Key", "explain", "gate_of", "keys_of", "proof_of", "ways"]

WRITES: Mapping[UseKind, str] = {
    "model": "the model, by `set_fields`",
    "collect": "the model, when step `{name}` of `{skill}` asks",
    "tool": "the tool `{name}` of `{skill}`",
    "step": "step `{name}` of `{skill}`",
    "button": "the customer, by a button of `{name}`",
    "seed": "whoever starts the session",
    "initial": "its initial value, when `{skill}` is activated",
}
"""Who may write an entry, in words."""

_PLAIN = frozenset({"offered", "asks", "gate-false"})
"""Reasons that the verdict and the tree say already."""


@dataclass(frozen=True, slots=True)
class Key:
    """An entry that a gate reads."""

    key: str
    value: object
    declared: bool
    readable: bool
    writers: tuple[Use, ...]


def explain(project: Project, state: State, verdict: Verdict) -> tuple[Line, ...]:
    """Verdict, gate, what would open it, who may write what it reads, and what a call would ask and say."""
    return tuple(_lines(project, state, verdict))


def ways(project: Project, state: State, verdict: Verdict) -> tuple[Opening, ...]:
    """What would open the gate, the smallest change first; nothing where it is open."""
    gate, reader = gate_of(project, verdict)
    proof = proof_of(project, state, verdict)
    if gate is None or proof is None or proof.truth is Truth.HOLDS:
        return ()
    memory = scope.view(project, reader, state.memory, gate)
    found = openers(gate, memory, lambda key: _field(project, reader, key))
    return tuple(w for w in found if all(scope.readable(project, reader, c.key) for c in w.changes))


def gate_of(project: Project, verdict: Verdict) -> tuple[Condition | None, str | None]:
    """The condition that decides, and the skill it reads as: the tool's gate, or its skill's precondition (§7.1)."""
    if verdict.reason == "precondition-unmet":
        skill = project.skill_by_id.get(verdict.skill or "")
        name = skill.precondition.name if skill and skill.precondition else None
        bound = next((p for p in project.agent.preconditions if p.name == name), None)
        return (bound.satisfied_when if bound else None), None
    return (parse(verdict.requires) if verdict.requires is not None else None), verdict.skill


def proof_of(project: Project, state: State, verdict: Verdict) -> Proof | None:
    """The proof of the condition that decides."""
    if verdict.reason != "precondition-unmet":
        return verdict.proof
    gate, reader = gate_of(project, verdict)
    return gate.prove(scope.view(project, reader, state.memory, gate)) if gate else None


def _field(project: Project, skill: str | None, key: str) -> Field | None:
    return project.field_by_key.get(key) if scope.readable(project, skill, key) else None


def keys_of(project: Project, state: State, verdict: Verdict) -> tuple[Key, ...]:
    """The entries that the gate reads, with who may write each."""
    gate, reader = gate_of(project, verdict)
    return tuple(_key(project, state, reader, key) for key in (gate.keys if gate else ()))


def _key(project: Project, state: State, skill: str | None, key: str) -> Key:
    readable = scope.readable(project, skill, key)
    value = state.memory.get(key) if readable else None
    return Key(key, value, key in project.field_by_key, readable, writers(project, key))


def _lines(project: Project, state: State, verdict: Verdict) -> Iterator[Line]:
    yield from _verdict(verdict)
    proof = proof_of(project, state, verdict)
    if proof is not None:
        yield blank()
        yield from proof_lines(proof)
        yield from _opening(project, state, verdict)
        yield from _writing(project, state, verdict)
    yield from _calling(verdict)
    tool = project.tool(verdict.skill, verdict.tool)
    if tool is not None and tool.kind != "mcp":
        yield from declaration(tool)


def _verdict(verdict: Verdict) -> Iterator[Line]:
    tone = standing_tone(verdict.standing)
    place = verdict.gate_span or verdict.span
    head = f"{GLYPHS[verdict.standing]} {verdict.standing}"
    yield Line(((head, tone), (f": {verdict.why}" if verdict.why else "", "plain")), _place(place), place)
    reason = REASONS.get(verdict.reason)
    if reason and verdict.reason not in _PLAIN:
        yield Line(((reason, "dim"),), wraps=True)
    if verdict.requires and verdict.proof is None:
        yield say(("requires ", "dim"), " ".join(verdict.requires.split()))


def _place(span: Span | None) -> Piece | None:
    return None if span is None else (str(span), "dim")


def _opening(project: Project, state: State, verdict: Verdict) -> Iterator[Line]:
    proof = proof_of(project, state, verdict)
    if proof is None or proof.truth is Truth.HOLDS:
        return
    found = ways(project, state, verdict)
    yield blank()
    yield say(("would open it", "head") if found else ("no value of what it reads opens it", "error"))
    for way in found:
        for change in way.changes:
            joint = "  " if change is way.changes[0] else "    and "
            told = f"{_short(change.key, verdict.skill)} = {change.words}"
            yield Line(((joint, "dim"), (told, "value")), key=change.key)


def _short(key: str, skill: str | None) -> str:
    """A key as its own skill calls it."""
    return key.removeprefix(f"{skill}.")


def _writing(project: Project, state: State, verdict: Verdict) -> Iterator[Line]:
    keys = keys_of(project, state, verdict)
    if keys:
        yield blank()
        yield say(("who may write it" if len(keys) == 1 else "who may write them", "head"))
    for key in keys:
        yield Line(
            (("  ", "plain"), (_short(key.key, verdict.skill), "plain")), (shown(key.value), "value"), key=key.key
        )
        yield from _writers(key, [k for k in project.field_by_key if scope.readable(project, verdict.skill, k)])


def _writers(key: Key, known: Sequence[str]) -> Iterator[Line]:
    if not key.declared:
        close = did_you_mean(key.key, list(known))
        yield say((f"    no file declares it, so it is always unset{'; ' + close if close else ''}", "error"))
    elif not key.readable:
        yield say(("    it is private to another skill, so it reads as unset here", "error"))
    for use in key.writers:
        told = WRITES.get(use.kind, use.kind).format(name=use.name, skill=use.skill)
        yield Line((("    ", "plain"), (told, "dim")), _place(use.span), use.span)
    if key.declared and not key.writers:
        yield say(("    nothing in the files writes it", "ask"))


def _calling(verdict: Verdict) -> Iterator[Line]:
    spoken = [*_asking(verdict.confirmation)]
    for outcome, response in (("on success", verdict.on_success), ("on failure", verdict.on_failure)):
        if response:
            spoken.append(say((f"  {outcome}: ", "dim"), response))
    if spoken:
        yield blank()
        yield say(("a call of it", "head"))
        yield from spoken


def _asking(plan: Plan | None) -> Iterator[Line]:
    if plan is None:
        return
    if plan.ask_response is None:
        yield say(("  asks the customer: ", "dim"), ("in the model's own words", "ask"))
    else:
        yield say(
            ("  asks the customer: ", "dim"), (plan.ask_text or "nothing", "ask"), (f"  {plan.ask_response}", "dim")
        )
    if plan.denial_response is None:
        yield say(("  on no: ", "dim"), "the model goes on")
    else:
        yield say(("  on no: ", "dim"), plan.denial_text or "nothing", (f"  {plan.denial_response}", "dim"))
