"""One immutable reading of an agent with tool rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from inspector_core.classes import dataclass
from inspector_core.finding import Finding
from inspector_core.letta.rules import Rule, Rules, targets
from inspector_core.source import Source, Span

__all__ = ["Agent", "Attached", "LettaProject"]


@dataclass(frozen=True, slots=True)
class Attached:
    """A tool as the agent has it."""

    name: str
    description: str = field(default="", compare=False)
    schema: Mapping[str, object] = field(default_factory=dict, compare=False)
    """JSON schema of its arguments."""
    span: Span | None = field(default=None, compare=False)
    source_code: str = field(default="", compare=False, repr=False)
    """As the file holds it; never run."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What four ways of writing the same agent have in common: two are equal if they would be offered the same."""

    name: str
    rules: tuple[Rule, ...] = ()
    tools: tuple[Attached, ...] = ()
    assumed: bool = False
    """The file names no tools: those that its rules name are taken to be attached."""
    kind: str = field(default="", compare=False)
    """Its `agent_type`, which says which loop it ran in."""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class LettaProject:
    """What a file or folder holds: the agent, and all that was found on the way."""

    name: str
    """The file's or the folder's own name."""
    agent: Agent
    rules: Rules
    sources: Mapping[str, Source]
    findings: tuple[Finding, ...] = ()
    others: tuple[str, ...] = ()
    """Further agents in the same file."""
    path: str = ""
    """The file that the agent was read from."""
    version: str = "0.16.8"
    """The last release of the server whose rules these are; it is retired."""

    available: tuple[str, ...] = field(init=False, repr=False)
    """The attached tools' names, each once."""
    names: tuple[str, ...] = field(init=False, repr=False)
    """Attached tools, then those that only rules name."""
    tools: Mapping[str, Attached] = field(init=False, repr=False)
    """The attached tools by their names; of several with one name the first."""

    def __post_init__(self) -> None:
        tools = {tool.name: tool for tool in reversed(self.agent.tools)}
        available = tuple(dict.fromkeys(tool.name for tool in self.agent.tools))
        named = (name for rule in self.rules.rules for name in (rule.tool, *targets(rule)))
        object.__setattr__(self, "tools", tools)
        object.__setattr__(self, "available", available)
        object.__setattr__(self, "names", tuple(dict.fromkeys((*available, *named))))

    def tool(self, name: str) -> Attached | None:
        """An attached tool by its name."""
        return self.tools.get(name)
