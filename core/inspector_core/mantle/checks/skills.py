"""What makes a skill a skill: its id, its description, its routing, the shape of its blocks (§1, §2.2, §2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.checks.places import key, value_of
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.project import Block, Skill, Step
from inspector_core.mantle.reading.bundled import BUNDLED
from inspector_core.source import Span

__all__ = ["findings"]

_DECLINE = "default_unsupported_request_handler"
_SILENCE = "default_silence_timeout"
_NEEDED = {"default_continue_interrupted": ("interrupted_task_name", "wants_to_resume")}
"""Entries that the engine fills or reads in a skill that replaces its own (§7.2, §11)."""


def findings(scene: Scene) -> Iterator[Finding]:
    """Everything that can be said of one skill as a whole."""
    yield from _identity(scene)
    yield from _routing(scene)
    if scene.whole:
        yield from _blocks(scene)
    for block in scene.skill.blocks:
        if block.complete_when is not None:
            message = f"the `complete_when` of `{block.id}` has no effect"
            yield say("inspector.block.complete-when", message, block.span, scene.skill)
    if scene.skill.id in BUNDLED:
        yield from _replacement(scene)


def _identity(scene: Scene) -> Iterator[Finding]:
    skill = scene.skill
    if skill.id in ("project", "system"):
        code = "mantle.validation.skill.reserved_id"
        yield say(code, f"a skill can't be called `{skill.id}`: that word is the engine's", skill.span, skill)
    elif "." in skill.id:
        yield say("mantle.validation.skill.invalid_id", f"`{skill.id}` has a dot in it", skill.span, skill)
    elif not skill.id.isidentifier() and skill.fields:
        message = f"`{skill.id}` can't be written in a condition, so no gate can read this skill's memory"
        hint = f"rename the folder, to `{_identifier(skill.id)}` for instance"
        yield say("inspector.skill.unnameable", message, skill.span, skill, hint)
    if scene.whole and not (skill.description or "").strip():
        message = f"`{skill.id}` has no description, so nothing says when to start it"
        place = skill.span if skill.description is None else _blank(scene)
        yield say("mantle.validation.skill.missing_description", message, place, skill)


def _blank(scene: Scene) -> Span:
    return value_of(scene.known.project.sources, _spot(scene, "description"))


def _routing(scene: Scene) -> Iterator[Finding]:
    skill = scene.skill
    if skill.is_default and skill.id not in BUNDLED:
        message = f"`{skill.id}` can't be a default skill: only the engine's own are"
        yield say("mantle.validation.skill.is_default_not_allowed", message, _spot(scene, "is_default"), skill)


def _blocks(scene: Scene) -> Iterator[Finding]:
    """Without prose, exactly one block starts the skill, and all others are reached from it."""
    skill = scene.skill
    if skill.kind != "blocks-only":
        return
    targets = {b.id: set(_targets(skill, b)) for b in skill.blocks}
    aimed_at = set().union(*targets.values())
    entries = [b for b in skill.blocks if b.id not in aimed_at]
    if not entries:
        message = f"no block of `{skill.id}` can start it: each is called or linked by one of them"
        yield say("mantle.validation.skill.no_entry_block", message, skill.span, skill)
    elif len(entries) > 1:
        names = ", ".join(f"`{b.id}`" for b in entries)
        message = f"{names} could each start `{skill.id}`, and only one block may"
        yield say("mantle.validation.skill.multiple_entry_blocks", message, skill.span, skill)
    else:
        reached = _reached(entries[0].id, targets)
        for block in (b for b in skill.blocks if b.id not in reached):
            message = f"`{block.id}` is never reached from `{entries[0].id}`, where the skill starts"
            yield say("mantle.validation.skill.unreachable_ordered_block", message, block.span, skill)


def _targets(skill: Skill, block: Block) -> Iterator[str]:
    """Own blocks that a block calls or links, by authored id."""
    for step in block.steps:
        if step.kind in ("call", "link") and step.target:
            yield step.target.name.removeprefix(f"{skill.id}__")


def _reached(start: str, targets: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        block = waiting.pop()
        if block not in reached:
            reached.add(block)
            waiting.extend(targets.get(block, ()))
    return reached


def _replacement(scene: Scene) -> Iterator[Finding]:
    """What the engine expects of a skill that takes the place of one of its own."""
    skill = scene.skill
    if skill.id == _SILENCE and (step := _hangup(scene)):
        message = f"`{skill.id}` hangs up itself, at `{step.id}`"
        span = step.target.span if step.target else step.span
        yield say("mantle.validation.skill.silence_timeout_hangup_block", message, span, skill)
    if skill.id == _DECLINE and not skill.engine_managed and scene.whole:
        message = f"`{skill.id}` says that the engine doesn't manage it, and only the engine starts it"
        code = "mantle.validation.unsupported_request_handler.not_engine_managed"
        yield say(code, message, _spot(scene, "engine_managed"), skill)
    if skill.id == _DECLINE and not _declares(scene, "request_type"):
        message = f"`{skill.id}` doesn't declare `request_type`, which the engine fills"
        yield say("mantle.validation.unsupported_request_handler.missing_request_type", message, skill.span, skill)
    for entry in _NEEDED.get(skill.id, ()):
        if not _declares(scene, entry):
            message = f"`{skill.id}` doesn't declare `{entry}`, which the engine uses"
            yield say("inspector.skill.missing-engine-entry", message, skill.span, skill)


def _hangup(scene: Scene) -> Step | None:
    return next((s for s in scene.steps if s.kind == "action" and s.target and s.target.name == "hangup"), None)


def _declares(scene: Scene, entry: str) -> bool:
    return scene.memory_unsure or any(f.entry == entry for f in scene.skill.fields)


def _spot(scene: Scene, name: str) -> Span:
    """The key in the frontmatter, for what the skill's value doesn't place itself."""
    skill = scene.skill
    source = scene.known.project.sources.get(skill.path)
    return (source and key({skill.path: source}, source.whole(), name)) or skill.span


def _identifier(skill_id: str) -> str:
    name = "".join(c if c.isalnum() else "_" for c in skill_id)
    return name if name.isidentifier() else f"skill_{name}"
