"""`skill.md`, read as the engine reads it; whatever is broken, the rest is read as it is meant (§2)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.condition import Condition
from inspector_core.mantle.project import Block, Completion, Gate, Import, Named, Paragraph, Trigger
from inspector_core.mantle.reading.blocks import blocks
from inspector_core.mantle.reading.body import paragraphs, split
from inspector_core.mantle.reading.fences import strays
from inspector_core.mantle.reading.metadata import Metadata, read_metadata
from inspector_core.mantle.reading.notes import Notes
from inspector_core.mantle.reading.references import check_block_references, references
from inspector_core.mantle.reading.tokens import TokenKind
from inspector_core.mantle.reading.words import quoted
from inspector_core.source import Source, Span

__all__ = ["SkillText", "read_skill_md"]


class SkillText(NamedTuple):
    """What one `skill.md` says: the fields of a skill that come from this file, and what is wrong with it."""

    span: Span
    """Where it begins."""
    name: str | None
    description: str | None
    hidden: bool
    disabled: bool
    always_include_in_prompt: bool
    is_default: bool | None
    """As the next one: `None` where the file does not say, so that a replaced bundled skill's own word stands."""
    engine_managed: bool | None
    precondition: Named | None
    completion: Completion | None
    gates: tuple[Gate, ...]
    imports: tuple[Import, ...]
    triggers: tuple[Trigger, ...]
    legacy_requires: Condition | None
    """A skill-level `requires`, which older engines read."""
    legacy_requires_span: Span | None
    paragraphs: tuple[Paragraph, ...]
    blocks: tuple[Block, ...]
    referenced_skills: tuple[Named, ...]
    referenced_blocks: tuple[Named, ...]
    referenced_tools: tuple[Named, ...]
    referenced_memory: tuple[Named, ...]
    findings: tuple[Finding, ...]
    broken: bool
    """The engine would refuse the file."""


class _Body(NamedTuple):
    """What stands below the frontmatter."""

    paragraphs: tuple[Paragraph, ...]
    blocks: tuple[Block, ...]
    references: Mapping[TokenKind, list[Named]]


def read_skill_md(skill_id: str, source: Source, version: str = "3.21") -> SkillText:
    """Read one file; never raises. Each mistake gives one finding."""
    notes = Notes(skill_id, version)
    front = read_metadata(source, notes)
    body = _body(source, front, notes)
    _check_targets(skill_id, body.blocks, notes)
    _check_shape(source, front, body, notes)
    return SkillText(
        span=source.span(0),
        name=front.name,
        description=front.description,
        hidden=front.hidden,
        disabled=front.disabled,
        always_include_in_prompt=front.always_include_in_prompt,
        is_default=front.routing.is_default,
        engine_managed=front.routing.engine_managed,
        precondition=front.precondition,
        completion=front.completion,
        gates=front.gates,
        imports=front.imports,
        triggers=front.triggers,
        legacy_requires=front.legacy_requires,
        legacy_requires_span=front.legacy_requires_span,
        paragraphs=body.paragraphs,
        blocks=body.blocks,
        referenced_skills=tuple(body.references["skill"]),
        referenced_blocks=tuple(body.references["block"]),
        referenced_tools=tuple(body.references["tool"]),
        referenced_memory=tuple(body.references["memory"]),
        findings=notes.findings(),
        broken=notes.is_broken(),
    )


def _body(source: Source, front: Metadata, notes: Notes) -> _Body:
    stretches, fences = split(source.text, front.body, front.body_end)
    places = [place for prose in stretches for place in paragraphs(source, prose, notes)]
    found = blocks(source, fences, notes)
    named = references(source, places, found)
    lost = [stray for prose in stretches if prose.colons for stray in strays(source, prose)]
    check_block_references(named["block"], found, lost, notes)
    return _Body(tuple(place.paragraph for place in places), found, named)


def _check_shape(source: Source, front: Metadata, body: _Body, notes: Notes) -> None:
    """There is something to do, and what completes prose has prose to complete."""
    if body.paragraphs:
        return
    if not body.blocks:
        if not front.guessed:
            message, hint = "nothing follows the frontmatter", "say below it what the skill does"
            notes.error("skill.markdown.missing_instructions", message, source.span(0, 0), hint)
        return
    done = front.completion
    if front.completion_key and done and (isinstance(done.condition, Condition) or done.criteria):
        message = "`complete_when` has no prose to complete: this skill has only blocks"
        hint = "let a block reach `END` instead"
        notes.error("skill.complete_when.requires_prose", message, front.completion_key, hint)


def _check_targets(skill_id: str, blocks: tuple[Block, ...], notes: Notes) -> None:
    """`call` and `link` name a whole skill or an own block, never the compiled id of another skill's."""
    own = {f"{skill_id}__{block.id}" for block in blocks}
    for step in (step for block in blocks for step in block.steps if step.kind in ("call", "link")):
        target = step.target
        if target is None or "__" not in target.name or target.name in own or target.name == skill_id:
            continue
        skill, _, block = target.name.partition("__")
        if target.name.startswith(f"{skill_id}__"):
            block = target.name.removeprefix(f"{skill_id}__")
            message = f"this skill has no block {quoted(block)}"
            hint = did_you_mean(target.name, frozenset(own))
        else:
            message = f"{quoted(target.name)} is a block of another skill, which can't be entered from here"
            hint = f"name the skill as a whole: {quoted(skill)}"
        notes.error("skill.markdown.invalid_step_target", message, target.span, hint)
