"""The prompt of one state: paragraphs, memory, tools, and what routing lists while no skill runs (§2.3, §3.4, §5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from inspector_core.mantle import scope
from inspector_core.mantle.condition.words import describe
from inspector_core.mantle.engine.state import Frame, State
from inspector_core.mantle.gates import judge, report
from inspector_core.mantle.project import Block, Field, Paragraph, Project, Skill
from inspector_core.mantle.prompt.fill import fill, line_text
from inspector_core.mantle.prompt.parts import Candidate, MemoryLine, Offer, Passage, Prompt
from inspector_core.mantle.prompt.schemas import built_in
from inspector_core.mantle.prompt.steps import entered, remark, step_passages
from inspector_core.mantle.targets import not_routable
from inspector_core.proof import Truth
from inspector_core.report import Verdict

__all__ = ["as_if", "prompt"]

_ORDER: Final = {"built-in": 0, "shared": 1, "local": 2, "mcp": 3}
"""The engine's own tools first, then the others as the engine comes by them (§5.5, §5.7)."""

Groups = tuple[tuple[Literal["own", "project", "others"], tuple[Field, ...]], ...]

_LEFT_OUT: Final = {
    "disabled": "it is disabled",
    "skill-hidden": "it is hidden from routing",
    "engine-managed": "the engine alone starts it",
    "no-entry-block": "it has no single block to start with",
}


def prompt(project: Project, state: State) -> Prompt:
    """What the model would be given next, with memory and stack as they are."""
    top = state.top
    skill = project.skill_by_id.get(top.skill_id) if top is not None else None
    block = skill.block(top.block_id) if skill is not None and top is not None and top.block_id is not None else None
    return Prompt(
        target=state.target,
        agent=tuple(_agent(project)),
        passages=tuple(_passages(project, state, skill, block)),
        step=top.step_id if top is not None and block is not None else None,
        remark=_remark(state, skill, block),
        catalogue=tuple(_catalogue(project)) if top is None else (),
        memory=tuple(_memory(project, state, skill)),
        pending=state.active_pending,
        tools=tuple(_tools(project, state)),
    )


def as_if(project: Project, state: State, skill_id: str | None, block_id: str | None = None) -> State:
    """The same memory with a skill, or one of its blocks, as though it had only just been started; or with none."""
    skill = project.skill_by_id.get(skill_id or "")
    if skill is None:
        return replace(state, stack=())
    block = skill.block(block_id or "")
    frames = (Frame("", skill.id), *((Frame("", skill.id, block.id, entered(block)),) if block is not None else ()))
    return replace(state, stack=frames)


def _remark(state: State, skill: Skill | None, block: Block | None) -> str:
    if skill is None:
        return ""
    if skill.bundled:
        return f"`{skill.id}` is the engine's own: its words are not known"
    if block is not None and state.top is not None:
        return remark(block, state.top.step_id)
    return "" if skill.paragraphs else f"`{skill.id}` has no prose: its blocks have the instructions"


# -- text ----------------------------------------------------------------------------------------------------------


def _agent(project: Project) -> Iterator[Passage]:
    agent = project.agent
    if agent.persona:
        yield Passage("persona", agent.persona, agent.persona, agent.persona_span)
    yield from (Passage("rule", rule.name, rule.name, rule.span) for rule in agent.rules)


def _passages(project: Project, state: State, skill: Skill | None, block: Block | None) -> Iterator[Passage]:
    if skill is None or state.top is None:
        return
    if block is not None:
        yield from step_passages(project, state, skill, block, state.top.step_id)
    else:
        yield from (_paragraph(project, state, skill, p) for p in skill.paragraphs)


def _paragraph(project: Project, state: State, skill: Skill, paragraph: Paragraph) -> Passage:
    """A paragraph with the verdict of its condition; one that can't be evaluated is kept back (§4.3)."""
    text, filled = fill(project, skill.id, paragraph.text, state.memory)
    made = Passage("prose", text, paragraph.text, paragraph.span, filled=filled)
    condition = paragraph.condition
    if condition is None:
        return made
    seen = scope.view(project, skill.id, state.memory, condition)
    truth = condition.truth(seen)
    shown = truth is Truth.HOLDS
    return made._replace(
        shown=shown, why="" if shown else describe(condition.prove(seen)), truth=truth,
        condition=condition.text, condition_span=paragraph.condition_span,
    )  # fmt: skip


def _catalogue(project: Project) -> Iterator[Candidate]:
    for skill in project.skills:
        bar = not_routable(skill)
        if skill.bundled and bar is not None:
            continue
        why = _LEFT_OUT.get(bar, bar) if bar is not None else ""
        described = " ".join((skill.description or "").split())
        yield Candidate(skill.id, skill.name, described, skill.span, bar is None, why)


# -- memory --------------------------------------------------------------------------------------------------------


def _memory(project: Project, state: State, skill: Skill | None) -> Iterator[MemoryLine]:
    """What may be read here: the skill's own, the project's, and what other skills have made public (§3.4)."""
    known = project.field_by_key
    own = skill.fields if skill is not None else ()
    groups: Groups = (("own", own), ("project", project.fields), ("others", tuple(_others(project, state, skill))))
    for group, fields in groups:
        for field in fields:
            if known.get(field.key) is field:
                yield MemoryLine(field, line_text(field, state.memory), group)


def _others(project: Project, state: State, skill: Skill | None) -> Iterator[Field]:
    """Other skills' public entries that hold something: the many that do not are not gone through."""
    for key in sorted(state.memory):
        field = project.field_by_key.get(key)
        if field is not None and field.scope == "public" and (skill is None or field.owner != skill.id):
            yield field


# -- tools ---------------------------------------------------------------------------------------------------------


def _tools(project: Project, state: State) -> Iterator[Offer]:
    """The tools in the order in which the engine offers them."""
    top = state.top
    if top is None:
        verdicts = report(project, state).of(None)
    else:
        verdicts = judge(project, state, top.skill_id, top.block_id, active=True)
    offered = [v for v in verdicts if v.offered]
    for verdict in sorted(offered, key=lambda v: _ORDER.get(v.kind, len(_ORDER))):
        yield _offer(project, state, verdict)


def _offer(project: Project, state: State, verdict: Verdict) -> Offer:
    if verdict.kind == "built-in":
        return Offer(verdict.tool, verdict.kind, "", built_in(project, state, verdict.tool), verdict)
    tool = project.tool(verdict.skill, verdict.tool)
    known = tool is not None and tool.kind != "mcp"
    return Offer(
        verdict.tool, verdict.kind, tool.description if tool is not None else "",
        tool.schema if tool is not None and known else None, verdict,
    )  # fmt: skip
