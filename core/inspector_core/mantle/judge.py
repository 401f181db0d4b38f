"""One verdict: what the engine would do with a tool in one situation, and why (§5.6, §6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Literal, assert_never

from inspector_core.classes import NamedTuple
from inspector_core.mantle import scope
from inspector_core.mantle.candidates import Candidate, called, led_to
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.condition.words import describe
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.engine.standing import obstacle, unmet
from inspector_core.mantle.engine.state import EMPTY, Frame, Pending, State, Turn
from inspector_core.mantle.project import Block, ConfirmationRule, Project, Skill
from inspector_core.mantle.reading.bundled import DECLINE
from inspector_core.mantle.targets import not_routable, start_of
from inspector_core.proof import Proof, Truth
from inspector_core.report import Plan, Standing, Verdict

__all__ = ["Ruling", "Scene", "custom", "declined", "next_turn", "plan", "scene", "standing", "waiting"]

Bar = tuple[str, str]
"""A reason code, and why in a line."""

_Case = Literal["never", "barred", "block-hides", "closed", "unmet", "searched", "open"]
_STANDINGS: dict[str, Standing] = {"engine-only": "engine only", "not-imported": "not imported"}


class Scene(NamedTuple):
    """What a skill's tools are judged in, besides their own gates."""

    project: Project
    state: State
    skill: Skill | None
    """`None`: no skill is active, and routing picks one."""
    block: Block | None
    active: bool
    turn: Turn
    """The flags that the model's next move meets."""
    pending: Pending | None
    """The confirmation that waits on what is live here."""
    barred: Bar | None = None
    """Why the skill can't be started at all."""
    unmet: Bar | None = None
    """Why another skill would have to run first."""


class Ruling(NamedTuple):
    """The heart of a verdict."""

    offered: bool
    admissible: bool
    standing: Standing
    reason: str
    why: str = ""
    told_by_proof: bool = False
    """The reason in a line is told from the proof, when it is asked for."""


def next_turn(state: State) -> Turn:
    """A closed turn's flags are gone when the model moves next."""
    return state.turn if state.turn.open else Turn(state.turn.number)


def scene(project: Project, state: State, skill: Skill, block: Block | None, active: bool) -> Scene:
    """A skill in its prose or a block: as things stand if it is the active one, else as if it had just begun there."""
    if active:
        state = _as_if(state, skill, block)
        return Scene(project, state, skill, block, True, next_turn(state), state.active_pending)
    return Scene(
        project,
        state,
        skill,
        block,
        False,
        next_turn(state),
        None,
        _barred(project, skill),
        _first(project, skill, state),
    )


def _as_if(state: State, skill: Skill, block: Block | None) -> State:
    top = state.top
    if top is not None and (top.skill_id, top.block_id) == (skill.id, block.id if block else None):
        return state
    stack = (Frame("", skill.id), *((Frame("", skill.id, block.id, "START"),) if block else ()))
    return replace(state, stack=stack)


def _barred(project: Project, skill: Skill) -> Bar | None:
    match not_routable(skill):
        case "disabled" if skill.id not in called(project):
            return "disabled", f"`{skill.id}` is disabled"
        case "skill-hidden" if skill.id not in led_to(project):
            return "skill-hidden", f"`{skill.id}` is hidden from routing, and nothing in the files leads to it"
        case "engine-managed" if not skill.is_default and skill.id not in led_to(project):
            return "engine-managed", f"`{skill.id}` is kept from routing, and nothing in the files leads to it"
        case "no-entry-block":
            return "no-entry-block", f"`{skill.id}` has no single block to start with"
        case _:
            return None


def _first(project: Project, skill: Skill, state: State) -> Bar | None:
    bound = unmet(project, skill, state.memory)
    if bound is None or bound.satisfied_when is None:
        return None
    condition = bound.satisfied_when
    proof = condition.prove(scope.view(project, None, state.memory, condition))
    first = f": `{bound.resolve_with.name}` runs first" if bound.resolve_with else ""
    return "precondition-unmet", f"precondition `{bound.name}`: {describe(proof)}{first}"


# -- custom tools --------------------------------------------------------------------------------------------------


def standing(here: Scene, tool: Candidate, truth: Truth) -> Standing:
    """The word alone, for an outcome of the tool's gate."""
    return _standing(tool, truth, _case(here, tool, truth))


def waiting(project: Project, skill: Skill) -> tuple[Scene, Scene]:
    """The scenes of a skill that isn't active, in no state: where no other has to run first, and where one has to."""
    free = Scene(project, EMPTY, skill, start_of(skill), False, EMPTY.turn, None, _barred(project, skill))
    return free, free._replace(unmet=("precondition-unmet", ""))


def custom(here: Scene, tool: Candidate) -> Verdict:
    """The verdict on one of a skill's own, shared or imported tools."""
    gate = tool.gate
    requires = gate.requires if gate is not None else None
    truth, explain = Truth.HOLDS, None
    asked = plan(here, gate.confirmation) if gate and gate.confirmation and gate.confirmation.enabled else None
    if requires is not None:
        truth = requires.truth(scope.visible(here.state.memory, requires, tool.masked))
    ruling = declined(here, _rule(here, tool, truth, asked))
    if requires is not None:
        explain = partial(_explained, requires, _seen(here, requires, tool), ruling, tool)
    return Verdict(
        here.skill.id if here.skill else None, tool.name, tool.kind, ruling.offered, ruling.admissible,
        ruling.standing, ruling.reason, ruling.why, tool.span,
        requires.text if requires is not None else None,
        gate.requires_span if gate else None,
        None,
        asked,
        gate.on_success.name if gate and gate.on_success else None,
        gate.on_failure.name if gate and gate.on_failure else None,
        here.active,
        explain,
    )  # fmt: skip


def _seen(here: Scene, requires: Condition, tool: Candidate) -> Mapping[str, object]:
    """What the gate sees, apart: a verdict that is kept must not keep the whole memory of its moment."""
    memory = here.state.memory
    return {key: memory[key] for key in requires.keys if key in memory and key not in tool.masked}


def _explained(requires: Condition, seen: Mapping[str, object], ruling: Ruling, tool: Candidate) -> tuple[Proof, str]:
    """The proof, and the reason in a line, which for a closed gate is told from the proof."""
    proof = requires.prove(seen)
    return proof, _why_closed(tool, proof) if ruling.told_by_proof else ruling.why


def declined(here: Scene, ruling: Ruling) -> Ruling:
    """While a request is being declined, what would be accepted otherwise is answered with an error (§5.7)."""
    if not here.active or not ruling.admissible or here.skill is None or here.skill.id != DECLINE:
        return ruling
    return ruling._replace(admissible=False, reason="declining", why="a request is being declined")


def _case(here: Scene, tool: Candidate, truth: Truth) -> _Case:
    """What decides, in the engine's order: what the tool is, whether its skill can run, its gate, then the moment."""
    if tool.never is not None:
        return "never"
    if here.barred is not None:
        return "barred"
    if tool.block_hides:
        return "block-hides"
    if truth is not Truth.HOLDS:
        return "closed"
    if here.unmet is not None:
        return "unmet"
    return "searched" if here.active and here.turn.trimmed else "open"


def _standing(tool: Candidate, truth: Truth, case: _Case) -> Standing:
    match case:
        case "never":
            return _STANDINGS.get(tool.never or "", "hidden")
        case "barred" | "unmet":
            return "inactive"
        case "closed":
            return "error" if truth is Truth.ERRORS else "hidden"
        case "block-hides" | "searched":
            return "hidden"
        case "open":
            return "asks" if tool.confirms else "offered"
        case _:
            assert_never(case)


def _rule(here: Scene, tool: Candidate, truth: Truth, asked: Plan | None) -> Ruling:
    case = _case(here, tool, truth)
    word = _standing(tool, truth, case)
    hindered = _hindered(here, tool, asked) if asked is not None else None
    match case:
        case "never":
            return Ruling(False, False, word, tool.never or "", tool.never_why)
        case "barred" | "unmet":
            return Ruling(False, False, word, *(here.barred or here.unmet or ("", "")))
        case "block-hides":
            return Ruling(False, True, word, case, _hides(here, tool))
        case "closed":
            return Ruling(False, False, word, _closed(tool, truth), told_by_proof=True)
        case "searched":
            why = "knowledge was searched in this turn"
            return Ruling(False, hindered is None, word, "after-knowledge-search", why)
        case "open":
            return Ruling(True, hindered is None, word, *(hindered or (word, tool.note)))
        case _:
            assert_never(case)


def _hides(here: Scene, tool: Candidate) -> str:
    block = here.block.id if here.block else ""
    return f"`{block}` is active and doesn't list `{tool.name}` under `tools:`; a call would run without its gate"


def _closed(tool: Candidate, truth: Truth) -> str:
    """The code for a gate that does not hold."""
    if tool.undeclared:
        return "unknown-key"
    if tool.masked:
        return "unreadable-key"
    return "gate-error" if truth is Truth.ERRORS else "gate-false"


def _why_closed(tool: Candidate, proof: Proof) -> str:
    why = describe(proof)
    if tool.undeclared:
        return f"{why}; `{tool.undeclared[0]}` is declared nowhere"
    return f"{why}; `{min(tool.masked)}` can't be read here" if tool.masked else why


def _hindered(here: Scene, tool: Candidate, asked: Plan) -> Bar | None:
    """Why a call would not come to its confirmation."""
    skill_id = here.skill.id if here.skill else ""
    found = obstacle(here.state.pending, here.pending is not None, here.turn, skill_id, tool.name)
    if found is None and asked.ask_response is not None and asked.ask_text is None:
        return "blank-ask", f"`{asked.ask_response}` has no text now, so it can't ask"
    return found


def plan(here: Scene, rule: ConfirmationRule) -> Plan:
    """The confirmation that a call would open, in today's words."""
    return Plan(
        rule.ask.name if rule.ask else None, _text(here, rule.ask.name) if rule.ask else None,
        rule.denial.name if rule.denial else None, _text(here, rule.denial.name) if rule.denial else None,
    )  # fmt: skip


def _text(here: Scene, name: str) -> str | None:
    spoken = render(here.project, here.skill.id if here.skill else None, name, here.state.memory)
    return None if spoken.blank else spoken.text
