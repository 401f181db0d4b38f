"""Tools: their names, what they write, and every place that names one (§5.5, §9.5)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.gatelist import RESERVED, VALIDATES, every_gate
from inspector_core.mantle.project import Named, Skill
from inspector_core.mantle.scope import writable
from inspector_core.source import Span
from inspector_core.tool import MemoryUse, Tool

__all__ = ["findings", "of_project"]


def findings(scene: Scene) -> Iterator[Finding]:
    """What is wrong with one skill's tools, and with the places that name tools."""
    for tool in scene.skill.tools:
        yield from _tool(tool, scene.skill)
        yield from _validator(scene, tool)
    yield from _bypasses(scene.skill.tool_bypasses, scene.skill)
    yield from _writes(scene)
    yield from _names(scene)


def of_project(known: Known) -> Iterator[Finding]:
    """What is wrong with the shared tools, whichever skill has them."""
    for tool in known.project.shared_tools:
        yield from _tool(tool, None)
    yield from _bypasses(known.project.shared_bypasses, None)
    yield from _shared_writes(known)


def _tool(tool: Tool, skill: Skill | None) -> Iterator[Finding]:
    if tool.name in RESERVED:
        message = f"`{tool.name}` is the name of one of the engine's own tools"
        yield say("mantle.validation.tools.reserved_name", message, tool.span, skill)
    if not tool.is_async:
        message = f"`{tool.name}` is not `async`, so a call of it ends in an error"
        yield say("inspector.tool.not-async", message, tool.span, skill)
    for span in tool.risks:
        message = f"`{tool.name}` may be cut off while this runs, and then no record of the call is left"
        yield say("inspector.tool.await-before-cancel-check", message, span, skill)


def _bypasses(spans: tuple[Span, ...], skill: Skill | None) -> Iterator[Finding]:
    for span in spans:
        message = "this reaches around `context.memory`"
        yield say("mantle.validation.tools.memory_manager_bypass", message, span, skill)


def _validator(scene: Scene, tool: Tool) -> Iterator[Finding]:
    """`run_after_setting_<entry>` runs after the model set the entry, and so needs one that it can set."""
    if not tool.name.startswith(VALIDATES):
        return
    entry = tool.name.removeprefix(VALIDATES)
    field = scene.known.project.field_by_key.get(f"{scene.skill.id}.{entry}")
    settable = tuple(f.entry for f in scene.skill.fields if scene.settable(f))
    unset = field is None or not scene.settable(field)
    if unset and scene.whole and not scene.memory_unsure:
        message = f"`{tool.name}` never runs: the model can't set `{entry}`"
        hint = did_you_mean(entry, settable)
        yield say("mantle.validation.tools.invalid_memory_validation_tool", message, tool.span, scene.skill, hint)
    for use in tool.writes:
        name = use.name.removeprefix(f"{scene.skill.id}.")
        if name in settable and name != entry:
            message = f"`{tool.name}` writes `{name}`, which the model can set too, and no tool checks it then"
            code = "mantle.validation.memory_validation_tool.writes_llm_settable_field"
            yield say(code, message, use.span, scene.skill)


def _writes(scene: Scene) -> Iterator[Finding]:
    for use in scene.skill.tool_writes:
        if writable(scene.known.project, scene.skill.id, use.name) is None:
            yield from _refused(scene, use)


def _refused(scene: Scene, use: MemoryUse) -> Iterator[Finding]:
    name = use.name
    key = name if "." in name else f"{scene.skill.id}.{name}"
    reading = scene.known.reading(key, None)
    if scene.memory_unsure or reading == "unsure":
        return
    if reading == "readable":
        message = f"a tool can't write `{name}`: it is another skill's memory"
        yield say("inspector.tool.foreign-write", message, use.span, scene.skill)
        return
    hint = did_you_mean(name.rpartition(".")[2], tuple(scene.near_entries()))
    message = f"a tool writes `{name}`, which is not declared"
    yield say("mantle.validation.tools.undeclared_memory_write", message, use.span, scene.skill, hint)


def _shared_writes(known: Known) -> Iterator[Finding]:
    """A shared tool writes the memory of whichever skill runs it, so only a name that none declares is wrong."""
    for use in known.project.shared_writes:
        if "." in use.name:
            declared = known.reading(use.name, None) in ("readable", "unsure")
        else:
            declared = use.name in known.by_entry or any(p.endswith("memory.yml") for p in known.unread)
        if not declared:
            hint = did_you_mean(use.name.rpartition(".")[2], tuple(known.by_entry))
            message = f"a shared tool writes `{use.name}`, which no skill and no project memory declares"
            yield say("mantle.validation.tools.undeclared_memory_write", message, use.span, None, hint)


def _names(scene: Scene) -> Iterator[Finding]:
    """Every tool that the skill names must be one that it has; in words alone also one of the engine's."""
    for named in scene.skill.referenced_tools:
        if named.name not in RESERVED:
            yield from _unresolved(scene, named)
    for gate in every_gate(scene.skill):
        yield from _unresolved(scene, Named(gate.tool, gate.span))
    for step in scene.steps:
        if step.kind == "execute_tool" and step.target:
            yield from _unresolved(scene, step.target)


def _unresolved(scene: Scene, named: Named) -> Iterator[Finding]:
    name = named.name
    if name in scene.tools or scene.tools_unsure:
        return
    message, hint = f"`{scene.skill.id}` has no tool `{name}`", did_you_mean(name, scene.tools)
    if name in scene.known.shared:
        message, hint = f"`{name}` is a shared tool that `{scene.skill.id}` does not import", "add it to `import_tools`"
    elif name in RESERVED:
        message, hint = f"`{name}` is the engine's own tool and can't be named here", "see `orchestrator` in agent.yml"
    yield say("mantle.validation.tools.unresolved_tool", message, named.span, scene.skill, hint)
