"""The engine's own tools: which of them the model is offered, and which a call would get past (§5.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from inspector_core.mantle import scope
from inspector_core.mantle.condition.words import describe
from inspector_core.mantle.engine.standing import CANCEL, current, obstacle
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import BUILT_IN, SWITCHABLE
from inspector_core.mantle.judge import Ruling, Scene, declined, next_turn, plan
from inspector_core.mantle.project import BuiltinConstraint, Field, Project
from inspector_core.mantle.reading.bundled import COMPLETED, SATISFACTION
from inspector_core.mantle.targets import can_start
from inspector_core.proof import Proof, Truth
from inspector_core.report import Verdict

__all__ = ["built_ins", "routing"]

_YES: Final = Ruling(True, True, "offered", "offered")
_SEARCHED: Final = "knowledge was searched in this turn"
_AFTER_SEARCH: Final = frozenset({"complete", "cancel", "correct", "set_fields"})


def built_ins(here: Scene) -> tuple[Verdict, ...]:
    """The verdicts for the skill that is active, or for one that is not."""
    return tuple(_verdict(here, tool) for tool in BUILT_IN)


def routing(project: Project, state: State) -> tuple[Verdict, ...]:
    """The verdicts while no skill is active."""
    return built_ins(Scene(project, state, None, None, True, next_turn(state), None))


def _verdict(here: Scene, tool: str) -> Verdict:
    constraint = here.project.agent.constraint(tool)
    ruling, proof = _rule(here, tool, constraint), None
    completion = here.skill.completion if here.skill is not None and tool == "complete" else None
    condition = completion.condition if completion is not None else None
    if here.active and here.block is None and condition is not None:
        proof = _completion(here)
    rule = constraint.confirmation if constraint is not None and tool == CANCEL and here.active else None
    return Verdict(
        here.skill.id if here.skill else None, tool, "built-in", ruling.offered, ruling.admissible, ruling.standing,
        ruling.reason, ruling.why, constraint.span if constraint else None,
        requires=condition.text if condition else None,
        gate_span=completion.condition_span if completion else None, proof=proof,
        confirmation=plan(here, rule) if rule is not None and rule.enabled else None, active=here.active,
    )  # fmt: skip


def _rule(here: Scene, tool: str, constraint: BuiltinConstraint | None) -> Ruling:
    if not here.active:
        return Ruling(False, False, "inactive", "skill-not-active", "only offered to the skill that is active")
    if constraint is not None and not constraint.enabled and tool in SWITCHABLE:
        return _no("disabled", "`agent.yml` switches it off")
    ruling = _RULES[tool](here)
    if here.turn.trimmed and tool in _AFTER_SEARCH:
        ruling = ruling._replace(offered=False, standing="hidden", reason="after-knowledge-search", why=_SEARCHED)
    return ruling if tool == "cannot_help" else declined(here, ruling)


def _no(reason: str, why: str) -> Ruling:
    return Ruling(False, False, "hidden", reason, why)


def _activate(here: Scene) -> Ruling:
    return _YES if can_start(here.project, here.state) else _no("nothing-to-start", "no skill can be started now")


def _search(here: Scene) -> Ruling:
    return _YES if here.project.has_knowledge else _no("no-knowledge", "there are no `references/` to search")


def _cannot_help(here: Scene) -> Ruling:
    if here.turn.searched or not here.project.has_knowledge:
        return _YES
    return _no("before-knowledge-search", "knowledge has to be searched first")


def _resolve(here: Scene) -> Ruling:
    if here.pending is None:
        return _no("nothing-pending", "no confirmation waits here")
    if here.turn.paused:
        why = f"`{here.pending.tool}` has only just been asked"
        return Ruling(True, False, "offered", "paused-this-turn", why)
    return _YES


def _listen(here: Scene) -> Ruling:
    if here.turn.searched:
        return _no("after-knowledge-search", _SEARCHED)
    if here.pending is not None:
        return _no("pending-confirmation", f"`{here.pending.tool}` waits for an answer")
    step = current(here.block, here.state.top.step_id) if here.state.top is not None else None
    if step is not None and step.kind == "collect":
        return _no("collecting", f"step `{step.id}` waits for `{step.target.name if step.target else ''}`")
    return _YES


def _complete(here: Scene) -> Ruling:
    if here.skill is None:
        return _no("skill-not-active", "no skill is active")
    wraps_up = here.skill.bundled and here.skill.id in (COMPLETED, SATISFACTION)
    if here.block is not None and not wraps_up:
        return _no("inside-block", f"`{here.block.id}` is running")
    if here.pending is not None:
        why = f"`{here.pending.tool}` waits for an answer"
        return Ruling(True, False, "offered", "pending-confirmation", why)
    if wraps_up:
        return _YES._replace(why="stands for the customer's no; what the engine's own skill contains is not known")
    proof = _completion(here)
    if proof is not None and proof.truth is not Truth.HOLDS:
        return Ruling(True, False, "offered", "completion-unmet", describe(proof))
    if here.skill.completion is not None and here.skill.completion.criteria:
        return _YES._replace(why="its criteria are judged when it is called")
    return _YES


def _completion(here: Scene) -> Proof | None:
    completion = here.skill.completion if here.skill is not None else None
    condition = completion.condition if completion is not None else None
    if here.skill is None or condition is None:
        return None
    return condition.prove(scope.view(here.project, here.skill.id, here.state.memory, condition))


def _cancel(here: Scene) -> Ruling:
    if here.skill is None:
        return _no("skill-not-active", "no skill is active")
    constraint = here.project.agent.constraint(CANCEL)
    if constraint is None or constraint.confirmation is None or not constraint.confirmation.enabled:
        return _YES
    own = here.pending if here.pending is not None and here.pending.tool == CANCEL else None
    hindered = obstacle(own, own is not None, here.turn, here.skill.id, CANCEL)
    if hindered is not None:
        return Ruling(True, False, "asks", *hindered)
    return Ruling(True, True, "asks", "asks")


def _correct(here: Scene) -> Ruling:
    if here.skill is not None and scope.correctable(here.project, here.skill.id, here.state):
        return _YES
    return _no("nothing-to-correct", "nothing that the customer said is in memory")


def _set_fields(here: Scene) -> Ruling:
    if _fields(here):
        return _YES
    return _no("nothing-to-set", "no entry that the model may set is null")


def _fields(here: Scene) -> tuple[Field, ...]:
    if here.skill is None:
        return ()
    return scope.settable_fields(here.project, here.skill, here.state.memory, here.state.top)


_RULES: Mapping[str, Callable[[Scene], Ruling]] = {
    "activate": _activate, "search_knowledge": _search, "cannot_help": _cannot_help,
    "resolve_tool_confirmation": _resolve, "listen": _listen, "complete": _complete, "cancel": _cancel,
    "correct": _correct, "set_fields": _set_fields,
}  # fmt: skip
