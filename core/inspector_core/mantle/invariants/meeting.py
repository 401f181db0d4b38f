"""What a call meets on its way to an ask, told from the files and the account of earlier asks (§6.3, §6.4)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.events import Record
from inspector_core.mantle import scope
from inspector_core.mantle.candidates import registered
from inspector_core.mantle.engine.arguments import misfit
from inspector_core.mantle.engine.responses import render
from inspector_core.mantle.gatelist import gate_list
from inspector_core.mantle.invariants.passage import Ask, Passage
from inspector_core.mantle.project import Gate, Project
from inspector_core.mantle.reading.bundled import DECLINE
from inspector_core.proof import Truth
from inspector_core.tool import Tool

__all__ = ["asks_first", "closed", "free", "gate_of", "holds", "is_misfit", "step_gate"]


def gate_of(passage: Passage, tool: str) -> Gate | None:
    """The gate that a model's call of a tool meets (§5.6)."""
    skill, top = passage.skill, passage.before.top
    if skill is None or top is None:
        return None
    block = skill.block(top.block_id) if top.block_id is not None else None
    return gate_list(skill, block).get(tool)


def holds(project: Project, skill_id: str, gate: Gate, memory: Mapping[str, object]) -> bool:
    """Whether a gate lets a call through with a memory; one that can't be evaluated does not (§4.3)."""
    if gate.requires is None:
        return True
    return gate.requires.truth(scope.view(project, skill_id, memory, gate.requires)) is Truth.HOLDS


def asks_first(gate: Gate | None) -> bool:
    return gate is not None and gate.confirmation is not None and gate.confirmation.enabled


def step_gate(passage: Passage, record: Record) -> Gate | None:
    """The gate that a step's run meets: the skill's own entry first, whatever the block says (§6.4)."""
    skill = passage.project.skill_by_id.get(str(record.metadata.get("skill_id")))
    tool = record.fields.get("tool_name")
    if skill is None:
        return None
    own = next((g for g in skill.gates if g.tool == tool), None)
    return own or next((g for b in skill.blocks for g in b.gates if g.tool == tool), None)


def is_misfit(passage: Passage, ask: Ask) -> bool:
    """Arguments that don't fit any more leave the ask as it is (§6.3)."""
    tool = passage.project.tool(ask.skill, ask.tool)
    return tool is not None and isinstance(ask.arguments, Mapping) and misfit(tool.schema, ask.arguments) is not None


def closed(passage: Passage, gate: Gate) -> bool:
    return not holds(passage.project, passage.before.skill or "", gate, passage.before.memory)


def free(passage: Passage, gate: Gate, tool: Tool, arguments: Mapping[str, object]) -> bool:
    """Whether checks a to f find nothing in the way of an ask, told from the account of earlier asks."""
    skill_id = passage.before.skill or ""
    before = passage.before
    if closed(passage, gate) or passage.waiting is not None or (skill_id, tool.name) in passage.resolved:
        return False
    if before.turn.ask_queued or before.turn.denial_queued or misfit(tool.schema, arguments) is not None:
        return False
    ask = gate.confirmation.ask if gate.confirmation is not None else None
    if ask is not None and render(passage.project, skill_id, ask.name, before.memory).blank:
        return False
    return _reaches(passage, tool)


def _reaches(passage: Passage, tool: Tool) -> bool:
    """Whether a call gets to its gate at all: not while the decline handler runs, nor for tools of the engine alone."""
    skill, top = passage.skill, passage.before.top
    if skill is None or top is None or skill.id == DECLINE:
        return False
    block = skill.block(top.block_id) if top.block_id is not None else None
    found = registered(passage.project, skill, block, tool.name)
    return found is not None and found.never is None
