"""A tool as its code declares it, read and never run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.source import Span

__all__ = ["UNKNOWN", "MemoryUse", "Outcome", "Tool", "ToolKind", "Unknown"]

ToolKind = Literal["local", "shared", "mcp", "built-in", "engine-only", "unattached"]
"""`local`: the skill's own. `shared`: from `tools/`, attached by name. `mcp`: imported from a server. `built-in`: the
engine's. `engine-only`: run by the engine and never offered (memory validation, button sources). `unattached`: a
shared tool that no skill names."""


class Unknown:
    """A value that reading the code can't tell."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


class MemoryUse(NamedTuple):
    """A place in a tool's code that reads or writes an entry by a literal name."""

    name: str
    """As written: a bare entry or a qualified key."""
    span: Span
    value: object = UNKNOWN
    """For a write: the literal written, else `UNKNOWN`."""


class Outcome(NamedTuple):
    """A result the code can be read to return: one `ToolResult(...)` it builds."""

    payload: object
    """The `llm_response` as plain JSON values; parts that aren't literals are `UNKNOWN`."""
    span: Span
    partial: bool = False
    """The payload has keys besides those shown, which only running the code would tell."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One callable the model may be offered. Schema rules: the engine's §5.2."""

    name: str
    """The registry key: for Python the module-level name, for MCP the bare remote name."""
    kind: ToolKind
    description: str
    span: Span
    """Where it is defined, or for MCP where it is imported."""
    schema: Mapping[str, object] = field(default_factory=dict)
    """JSON schema of the arguments; empty for MCP tools whose server was not asked."""
    is_async: bool = True
    server: str | None = None
    """For MCP: the server's name."""
    reads: tuple[MemoryUse, ...] = ()
    writes: tuple[MemoryUse, ...] = ()
    sends: tuple[str, ...] = ()
    """Literal texts it sends itself while running."""
    outcomes: tuple[Outcome, ...] = ()
    activates: tuple[str | None, ...] = ()
    """The skills its code can be read to start, by their ids; `None` for one that only running the code would tell."""
    risks: tuple[Span, ...] = ()
    """Calls it awaits that sound irreversible, before it first looks whether it was cancelled (§5.8)."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments, in the order of its signature."""
        properties = self.schema.get("properties")
        return tuple(properties) if isinstance(properties, Mapping) else ()

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the arguments that have no default."""
        names = self.schema.get("required")
        return tuple(str(n) for n in names) if isinstance(names, (list, tuple)) else ()
