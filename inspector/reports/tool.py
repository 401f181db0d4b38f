"""A tool's own declaration in lines: what it says of itself, what it takes, and what its code does to memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from inspector.pieces import Line
from inspector.reports.text import blank, say
from inspector_core.tool import MemoryUse, Tool

__all__ = ["declaration"]


def declaration(tool: Tool) -> Iterator[Line]:
    """The tool as the model gets to know it, and what its code can be read to do."""
    yield blank()
    yield say(("the tool", "head"))
    if tool.description.strip():
        yield Line((("  " + " ".join(tool.description.split()), "plain"),))
    yield say(("  takes ", "dim"), ", ".join(_argument(tool, name) for name in tool.parameters) or "no arguments")
    yield from _memory("reads", tool.reads)
    yield from _memory("writes", tool.writes)
    if not tool.is_async:
        yield say(("  it is not async, so every call of it is an error", "error"))


def _argument(tool: Tool, name: str) -> str:
    properties = tool.schema.get("properties")
    schema = properties.get(name) if isinstance(properties, Mapping) else None
    kind = schema.get("type", "any") if isinstance(schema, Mapping) else "any"
    return f"{name}: {kind}" if name in tool.required else f"{name}: {kind} (optional)"


def _memory(verb: str, uses: Iterable[MemoryUse]) -> Iterator[Line]:
    names = list(dict.fromkeys(use.name for use in uses))
    if names:
        yield say((f"  {verb} ", "dim"), ", ".join(names))
