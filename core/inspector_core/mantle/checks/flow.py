"""Where steps lead: `next`, `call`, `link`, and the actions that the engine knows (§2.6)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.checks.places import key, value_of, word
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.project import Block, Named, Step
from inspector_core.source import Span

__all__ = ["findings"]

_ACTIONS = ("action_listen", "hangup")


def findings(scene: Scene) -> Iterator[Finding]:
    """Everything about the ways into one skill's blocks and through them."""
    if scene.skill.kind == "hybrid" and scene.whole:
        yield from _never_entered(scene)
    for block in scene.skill.blocks:
        yield from _ids(scene, block)
        for step in block.steps:
            yield from _next(scene, block, step)
            yield from _target(scene, step)


def _never_entered(scene: Scene) -> Iterator[Finding]:
    """Beside prose, a block is entered where the prose names it as `@block`, and in no other way (§2.5, §5.7)."""
    named = {reference.name for reference in scene.skill.referenced_blocks}
    for block in scene.skill.blocks:
        if block.id not in named:
            message = f"nothing enters `{block.id}`: the prose doesn't say `@block.{block.id}`"
            hint = f"write `@block.{block.id}` where the prose sends the model into it"
            yield say("inspector.block.never-entered", message, block.span, scene.skill, hint)


def _ids(scene: Scene, block: Block) -> Iterator[Finding]:
    seen: set[str] = set()
    for step in block.steps:
        if step.id in seen and step.kind != "end":
            message = f"another step of `{block.id}` is called `{step.id}` too, and one of the two is never gone to"
            yield say("inspector.flow.duplicate-step", message, _id(scene, step), scene.skill)
        seen.add(step.id)


def _id(scene: Scene, step: Step) -> Span:
    """Where the step's id is written."""
    sources = scene.known.project.sources
    name = key(sources, step.span, "id")
    return word(sources, step.span, step.id) if name is None else value_of(sources, name)


def _next(scene: Scene, block: Block, step: Step) -> Iterator[Finding]:
    branches = step.next
    if branches is None:
        return
    ids = {s.id for s in block.steps} | {"END"}
    for branch in branches:
        if branch.then not in ids and scene.whole:
            message = f"`{step.id}` leads to `{branch.then}`, which is no step of `{block.id}`"
            hint = did_you_mean(branch.then, frozenset(ids))
            yield say("mantle.validation.flow.unresolved_next", message, branch.span, scene.skill, hint)
    yield from _order(scene, step)


def _order(scene: Scene, step: Step) -> Iterator[Finding]:
    """A branch list is taken from the top: a fallback must be there, and be the last."""
    branches = step.next or ()
    if step.next == ():
        message = f"the empty `next` of `{step.id}` ends the block here"
        hint = "remove it to go on with the following step, or write `next: END`"
        place = key(scene.known.project.sources, step.span, "next") or step.span
        yield say("inspector.flow.empty-next", message, place, scene.skill, hint)
        return
    fallback = next((i for i, b in enumerate(branches) if b.condition is None), None)
    if fallback is None:
        message = f"no branch of `{step.id}` is taken when none of its conditions holds"
        place = key(scene.known.project.sources, step.span, "next") or step.span
        yield say("mantle.validation.flow.next_missing_else", message, place, scene.skill)
    elif fallback < len(branches) - 1:
        late = branches[fallback + 1]
        message = f"the way to `{late.then}` is never taken: the one to `{branches[fallback].then}` above always is"
        yield say("inspector.flow.unreachable-branch", message, late.span, scene.skill)


def _target(scene: Scene, step: Step) -> Iterator[Finding]:
    if step.target is None:
        return
    if step.kind == "action":
        yield from _action(scene, step.target)
    elif step.kind == "call":
        yield from _way(scene, step.target, "call", "mantle.validation.flow.unresolved_call")
    elif step.kind == "link":
        yield from _way(scene, step.target, "link", "mantle.validation.flow.unresolved_link")


def _action(scene: Scene, action: Named) -> Iterator[Finding]:
    if action.name.startswith("utter_") or action.name in _ACTIONS:
        return
    message = f"`{action.name}` is no action: it is not a response, nor one of `action_listen` and `hangup`"
    hint = did_you_mean(action.name, _ACTIONS) or scene.known.close_response(f"utter_{action.name}")
    if action.name in scene.tools:
        hint = f"run the tool with `execute_tool: {action.name}`"
    yield say("mantle.validation.action.unknown", message, action.span, scene.skill, hint)


def _way(scene: Scene, target: Named, word: str, unresolved: str) -> Iterator[Finding]:
    skill, name = scene.skill, target.name
    if name == skill.id:
        message = f"`{word}` names `{name}`, the skill that it is in"
        yield say("mantle.validation.skill.self_skill_not_callable", message, target.span, skill)
    elif scene.known.skill(name):
        return
    elif skill.block(name.removeprefix(f"{skill.id}__")):
        if skill.kind == "hybrid":
            message = f"`{word}` names `{name}`, a block of this skill, which only its prose can enter"
            yield say("mantle.validation.flow.internal_not_callable", message, target.span, skill)
    elif scene.whole:
        message = f"`{word}` names `{name}`, which is neither a skill nor a block of this one"
        known = (*scene.known.project.skill_by_id, *(b.id for b in skill.blocks))
        yield say(unresolved, message, target.span, skill, did_you_mean(name, known))
