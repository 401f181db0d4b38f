"""What a skill's files say of tools by name: the gate list of each target, and which tools it takes on (§5.5, §5.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from inspector_core.mantle.project import Block, Gate, Project, Skill
from inspector_core.tool import Tool

__all__ = [
    "BUILT_IN", "RESERVED", "SWITCHABLE", "VALIDATES", "button_sources", "every_gate", "gate_list", "named_by",
    "shared_tools",
]  # fmt: skip

BUILT_IN: Final = (
    "activate", "search_knowledge", "cannot_help", "resolve_tool_confirmation", "listen", "complete", "cancel",
    "correct", "set_fields",
)  # fmt: skip
"""The engine's own tools in the order in which it offers them (§5.7)."""

RESERVED: Final = frozenset({*BUILT_IN, "hangup"})
"""Names that no other tool may have."""

SWITCHABLE: Final = frozenset({"cancel", "complete", "search_knowledge", "cannot_help"})
"""The engine's own tools that an agent's `tool_constraints` can switch off."""

VALIDATES: Final = "run_after_setting_"
"""How the name of a tool begins that the engine runs after the entry of that name was set."""


def every_gate(skill: Skill) -> Iterator[Gate]:
    """What the skill and its blocks say of tools; imports, which say nothing more, left out."""
    yield from skill.gates
    for block in skill.blocks:
        yield from block.gates


def gate_list(skill: Skill, block: Block | None) -> Mapping[str, Gate]:
    """The entries that count in a target, by tool (§5.6). Of two entries for one tool the first counts."""
    if block is None:
        return _first(_skill_level(skill))
    if skill.kind == "hybrid":
        return _first(block.gates)
    return _first([*block.gates, *_skill_level(skill)])


def _skill_level(skill: Skill) -> Iterator[Gate]:
    yield from skill.gates
    for entry in skill.imports:
        yield Gate(entry.name, "import_tools", entry.span)
    for block in skill.blocks:
        yield from block.gates


def _first(gates: Iterable[Gate]) -> Mapping[str, Gate]:
    found: dict[str, Gate] = {}
    for gate in gates:
        found.setdefault(gate.tool, gate)
    return found


def named_by(skill: Skill) -> frozenset[str]:
    """The names of shared tools that a skill takes on, wherever it names them."""
    imported = {i.name for i in skill.imports if i.server is None}
    return frozenset(imported | {g.tool for g in every_gate(skill)})


def shared_tools(project: Project) -> Mapping[str, Tool]:
    """Shared tools as the engine registers them: names that start `set_` are passed over."""
    return {t.name: t for t in project.shared_tools if not t.name.startswith("set_") and t.name not in RESERVED}


def button_sources(project: Project, skill: Skill) -> Mapping[str, str]:
    """Local tools that make buttons, with the response they make them for (§1.3)."""
    local = {t.name for t in skill.tools}
    found: dict[str, str] = {}
    for response in (*skill.responses, *project.responses):
        for variant in response.variants:
            if variant.button_source is not None and variant.button_source.name in local:
                found.setdefault(variant.button_source.name, response.name)
    return found
