"""Shared tools that reach no skill, and why (§5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.mantle.gatelist import RESERVED, named_by, shared_tools
from inspector_core.mantle.project import Project
from inspector_core.report import Standing, Verdict
from inspector_core.tool import Tool, ToolKind

__all__ = ["unattached"]


def unattached(project: Project) -> Iterator[Verdict]:
    """The verdicts on shared tools that no skill would be given."""
    registered = shared_tools(project)
    for tool in project.shared_tools:
        naming = [s for s in project.skills if tool.name in named_by(s)]
        if registered.get(tool.name) is not tool:
            yield _idle(tool, *_passed_over(tool))
        elif not naming:
            yield _idle(tool, "not-imported", "no skill names it")
        elif all(any(t.name == tool.name for t in s.tools) for s in naming):
            yield _idle(tool, "shadowed-by-local", f"`{naming[0].id}` has its own `{tool.name}`", "shared", "hidden")


def _passed_over(tool: Tool) -> tuple[str, str]:
    if tool.name in RESERVED:
        return "name-collision", f"`{tool.name}` is one of the engine's own names"
    if tool.name.startswith("set_"):
        return "not-imported", "the engine passes over shared tools whose names start with `set_`"
    return "name-collision", f"another shared tool is called `{tool.name}`"


def _idle(
    tool: Tool, reason: str, why: str, kind: ToolKind = "unattached", standing: Standing = "not imported"
) -> Verdict:
    return Verdict(None, tool.name, kind, False, False, standing, reason, why, tool.span)
