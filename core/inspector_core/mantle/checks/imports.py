"""`import_tools`: shared tools and tools of servers (§5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, did_you_mean
from inspector_core.mantle.checks.known import Scene
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.gatelist import RESERVED
from inspector_core.mantle.project import Import

__all__ = ["findings"]


def findings(scene: Scene) -> Iterator[Finding]:
    """What is wrong with each import of one skill; the first reason that applies."""
    seen: set[str] = set()
    for item in scene.skill.imports:
        reason = _reason(scene, item, seen)
        seen.add(item.name)
        if reason is not None:
            message, hint = reason
            yield say("skill.import_tools.invalid_shared_tool", message, item.span, scene.skill, hint)


def _reason(scene: Scene, item: Import, seen: set[str]) -> tuple[str, str] | None:
    name = item.name
    if name in RESERVED:
        return f"`{name}` is the engine's own tool and can't be imported", "remove it: the engine offers it itself"
    if name in seen:
        return f"two imports are called `{name}`", "keep one of them"
    if name in scene.local:
        return _local(item)
    return _shared(scene, item) if item.server is None else _remote(scene, item, item.server)


def _local(item: Import) -> tuple[str, str]:
    if item.server is not None:
        return f"`{item.name}` of `{item.server}` has the name of a tool of this skill", "rename the skill's own tool"
    return f"`{item.name}` is a tool of this skill, which it has without importing", "remove the import"


def _shared(scene: Scene, item: Import) -> tuple[str, str] | None:
    known = scene.known
    if item.name in known.shared or known.shared_unsure:
        return None
    if not known.shared:
        return f"`{item.name}` can't be imported: there are no shared tools", "add it to a file in `tools/`"
    hint = did_you_mean(item.name, tuple(known.shared)) or "add it to a file in `tools/`"
    return f"`{item.name}` is no shared tool", hint


def _remote(scene: Scene, item: Import, server: str) -> tuple[str, str] | None:
    known = scene.known
    names = tuple(s.name for s in known.project.servers)
    if server not in names and not known.servers_unsure:
        hint = did_you_mean(server, names) or "add it to `mcp_servers` in integrations.yml"
        return f"`{server}` is no server of integrations.yml", hint
    if item.name in known.shared:
        return f"`{item.name}` of `{server}` has the name of a shared tool", "rename the shared tool"
    return None
