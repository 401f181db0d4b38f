"""The calls of the engine's own tools, judged by what today's files let them do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from inspector_core.mantle import scope
from inspector_core.mantle.condition.words import describe
from inspector_core.mantle.engine.standing import CANCEL
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import SWITCHABLE
from inspector_core.mantle.replay.drifts.recorded import Recorded
from inspector_core.mantle.replay.drifts.values import Drift
from inspector_core.mantle.replay.replay import Replay
from inspector_core.mantle.targets import find_target, not_routable
from inspector_core.proof import Truth
from inspector_core.source import Span

__all__ = ["builtin_drift"]

_DONE = "it was carried out"


def builtin_drift(replay: Replay, call: Recorded) -> Iterator[Drift]:
    """What would be otherwise with one call of the engine's own; a refusal then is none of today's matters."""
    judge = _JUDGES.get(call.tool)
    if call.who != "model" or call.outcome not in ("ran", "asked") or judge is None:
        return
    state, project = replay.rebuilt(call.start).state, replay.project
    constraint = project.agent.constraint(call.tool)
    if constraint is not None and not constraint.enabled and call.tool in SWITCHABLE:
        now = "`agent.yml` switches it off"
        yield Drift(call.number, "refused", call.tool, state.skill, _DONE, now, "disabled", None, constraint.span)
    elif _done(replay, call):
        yield from judge(replay, call, state)


def _done(replay: Replay, call: Recorded) -> bool:
    """Not merely answered, as the start of what runs already is."""
    result = replay.events[call.number - 1].fields.get("result")
    return call.tool not in ("activate", "set_fields", "complete") or result == f"{call.tool}: done"


def _activate(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    target = call.arguments.get("target_id")
    found = find_target(replay.project, target) if isinstance(target, str) else None
    if found is None:
        return
    skill = found[0]
    code = not_routable(skill)
    if code is not None and not _under_way(replay, call, skill.id):
        now = f"`{skill.id}` can't be started: {_NOT[code]}"
        yield Drift(call.number, "hidden", skill.id, state.skill, "it was started", now, code, None, skill.span)


def _under_way(replay: Replay, call: Recorded, skill_id: str) -> bool:
    """Whether the skill was on the stack before the call put it there, which is what the last update before it does."""
    events = range(call.start, call.number)
    latest = max((n for n in events if n and replay.events[n - 1].name == "stack"), default=call.number)
    return any(frame.skill_id == skill_id for n in events if n < latest for frame in replay.rest(n).state.stack)


_NOT: Mapping[str, str] = {
    "disabled": "it is disabled", "skill-hidden": "it is hidden from routing",
    "engine-managed": "it is kept from routing", "no-entry-block": "it has no single block to start with",
}  # fmt: skip


def _set_fields(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    skill = replay.project.skill_by_id.get(state.skill or "")
    if skill is None:
        return
    settable = {field.entry for field in scope.settable(skill)}
    declared = {field.entry: field for field in skill.fields}
    for entry in call.arguments:
        if entry in declared and entry not in settable and isinstance(entry, str):
            now, span = f"the model may not set `{entry}`", declared[entry].span
            yield Drift(call.number, "refused", f"{skill.id}.{entry}", skill.id, "the model set it", now,
                        "not-settable", None, span)  # fmt: skip


def _complete(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    skill = replay.project.skill_by_id.get(state.skill or "")
    completion = skill.completion if skill is not None else None
    condition = completion.condition if completion is not None else None
    begun = replay.events[call.start]
    if skill is None or completion is None or condition is None or begun.fields.get("skill_id") != skill.id:
        return  # what it completed can't be told
    proof = condition.prove(scope.view(replay.project, skill.id, state.memory, condition))
    if proof.truth is not Truth.HOLDS:
        yield Drift(call.number, "refused", "complete", skill.id, "the skill was completed", describe(proof),
                    "completion-unmet", proof, completion.condition_span)  # fmt: skip


def _cancel(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    constraint = replay.project.agent.constraint(CANCEL)
    rule = constraint.confirmation if constraint is not None else None
    asks = rule is not None and rule.enabled
    span: Span | None = constraint.span if constraint is not None else None
    if call.outcome == "asked" and not asks:
        yield Drift(call.number, "unasked", CANCEL, state.skill, "the customer was asked first",
                    "it is carried out without a question", "no-confirmation", None, span)  # fmt: skip
    elif call.outcome == "ran" and asks:
        yield Drift(call.number, "asks", CANCEL, state.skill, "it was carried out without a question",
                    "the customer is asked first", "asks", None, span)  # fmt: skip


def _search(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    if not replay.project.has_knowledge:
        yield Drift(call.number, "refused", call.tool, state.skill, _DONE, "there are no `references/` to search",
                    "no-knowledge")  # fmt: skip


def _nothing(replay: Replay, call: Recorded, state: State) -> Iterator[Drift]:
    return iter(())


_JUDGES: Mapping[str, Callable[[Replay, Recorded, State], Iterator[Drift]]] = {
    "activate": _activate, "set_fields": _set_fields, "complete": _complete, "cancel": _cancel,
    "search_knowledge": _search, "cannot_help": _nothing,
}  # fmt: skip
