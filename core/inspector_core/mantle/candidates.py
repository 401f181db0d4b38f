"""The tools of a skill as the engine considers them for one target, memory aside (§5.5, §5.6); worked out once."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from inspector_core.classes import dataclass
from inspector_core.finding import Finding
from inspector_core.mantle import scope
from inspector_core.mantle.engine.responses import keys_of
from inspector_core.mantle.gatelist import (
    RESERVED,
    VALIDATES,
    button_sources,
    every_gate,
    gate_list,
    named_by,
    shared_tools,
)
from inspector_core.mantle.project import Block, Gate, Project, Skill
from inspector_core.mantle.targets import Target
from inspector_core.source import Span
from inspector_core.tool import Tool, ToolKind

__all__ = ["Candidate", "called", "candidates", "led_to", "registered"]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One tool for one target. Its verdict can only change with the keys it reads, the skill's standing or the turn."""

    name: str
    """The bare name; `mcp/<server>:<tool>` or `local/<tool>` where another tool has that one."""
    kind: ToolKind
    tool: Tool | None
    """What would be run; `None` where nothing can be."""
    span: Span | None
    gate: Gate | None
    """Its entry in the target's gate list: what dispatch looks at."""
    never: str | None = None
    """The reason code for which it is never offered."""
    never_why: str = ""
    block_hides: bool = False
    note: str = ""
    """What is odd about it though it is offered."""
    masked: frozenset[str] = frozenset()
    """Keys in its condition that read as null here."""
    undeclared: tuple[str, ...] = ()
    """Keys in its condition that are declared nowhere."""
    reads: frozenset[str] = frozenset()
    """Every key on which its verdict or its texts depend."""

    @property
    def confirms(self) -> bool:
        """A call of it opens a confirmation."""
        return self.gate is not None and self.gate.confirmation is not None and self.gate.confirmation.enabled


class _Links:
    """What was worked out for one project. Holds nothing of the project itself, so that it goes when that goes."""

    __slots__ = ("called", "candidates", "led_to")

    def __init__(self) -> None:
        self.candidates: dict[tuple[str, str | None], tuple[Candidate, ...]] = {}
        self.called: frozenset[str] | None = None
        self.led_to: frozenset[str] | None = None


_LINKS: WeakKeyDictionary[Project, _Links] = WeakKeyDictionary()


def _links(project: Project) -> _Links:
    found = _LINKS.get(project)
    if found is None:
        found = _LINKS[project] = _Links()
    return found


def candidates(project: Project, skill: Skill, block: Block | None) -> tuple[Candidate, ...]:
    """Every custom tool of a skill as considered in its prose or in one of its blocks."""
    known, at = _links(project).candidates, (skill.id, block.id if block else None)
    found = known.get(at)
    if found is None:
        found = known[at] = tuple(_Linker(project, (skill, block)).every())
    return found


def registered(project: Project, skill: Skill, block: Block | None, name: str) -> Candidate | None:
    """What a call of a name reaches; `None` where no tool of the skill has it."""
    found = (c for c in candidates(project, skill, block) if c.name == name and c.tool is not None)
    return next(found, None)


def called(project: Project) -> frozenset[str]:
    """The skills that a step calls or links to, or that a precondition is resolved with, disabled or not (§2.2)."""
    links = _links(project)
    if links.called is None:
        steps = (step for skill in project.skills for block in skill.blocks for step in block.steps)
        targets = {s.target.name for s in steps if s.kind in ("call", "link") and s.target is not None}
        resolvers = {p.resolve_with.name for p in project.agent.preconditions if p.resolve_with is not None}
        links.called = frozenset(targets | resolvers)
    return links.called


def led_to(project: Project) -> frozenset[str]:
    """The skills reached without routing: called, or started by a tool's code, which never starts a disabled one."""
    links = _links(project)
    if links.led_to is None:
        tools = (*project.shared_tools, *(tool for skill in project.skills for tool in skill.tools))
        started = {name for tool in tools for name in tool.activates}
        every = (s.id for s in project.skills) if None in started else ()
        links.led_to = called(project).union(every, (name for name in started if name is not None))
    return links.led_to


def _gate_reads(project: Project, skill: Skill, gate: Gate) -> Iterator[str]:
    if gate.requires is not None:
        yield from gate.requires.keys
    if gate.confirmation is not None and gate.confirmation.enabled:
        for response in (gate.confirmation.ask, gate.confirmation.denial):
            if response is not None:
                yield from keys_of(project, skill.id, response.name)


class _Linker:
    """Works out the candidates of one target."""

    __slots__ = ("block", "gates", "imported", "known", "named", "project", "skill")

    def __init__(self, project: Project, target: Target) -> None:
        self.project = project
        self.skill, self.block = target
        self.gates = gate_list(self.skill, self.block)
        self.imported = frozenset(i.name for i in self.skill.imports)
        self.named = frozenset(g.tool for g in every_gate(self.skill))
        self.known: set[str] = set()
        """Bare names that some tool has by now."""

    def every(self) -> Iterator[Candidate]:
        yield from self._locals()
        yield from self._shared()
        yield from self._remote()
        yield from self._missing()

    def _locals(self) -> Iterator[Candidate]:
        sources = button_sources(self.project, self.skill)
        for tool in {t.name: t for t in self.skill.tools}.values():
            if tool.name in RESERVED:
                why = f"`{tool.name}` is one of the engine's own names"
                yield self._never(tool, "local", "name-collision", why, name=f"local/{tool.name}", gone=True)
                continue
            self.known.add(tool.name)
            if tool.name.startswith(VALIDATES):
                why = f"runs after `{tool.name.removeprefix(VALIDATES)}` was set"
                yield self._never(tool, "engine-only", "engine-only", why)
            elif tool.name in sources:
                yield self._never(tool, "engine-only", "engine-only", f"makes the buttons of `{sources[tool.name]}`")
            else:
                yield self._judged(tool, "local")

    def _shared(self) -> Iterator[Candidate]:
        wanted = named_by(self.skill)
        mentioned = {r.name for r in self.skill.referenced_tools}
        for tool in shared_tools(self.project).values():
            if tool.name in self.known:
                continue
            if tool.name in wanted:
                self.known.add(tool.name)
                yield self._judged(tool, "shared")
            elif tool.name in mentioned:
                why = f"`@tool.{tool.name}` is written here, but the tool is not imported"
                yield self._never(tool, "shared", "not-imported", why, gone=True)

    def _remote(self) -> Iterator[Candidate]:
        servers = {s.name for s in self.project.servers}
        for entry in self.skill.imports:
            if entry.server is None:
                continue
            tool = Tool(entry.name, "mcp", "", entry.span, server=entry.server)
            if entry.name in self.known or entry.name in RESERVED:
                why, name = f"another tool is called `{entry.name}`", f"mcp/{entry.server}:{entry.name}"
                yield self._never(tool, "mcp", "name-collision", why, name=name, gone=True)
                continue
            self.known.add(entry.name)
            if entry.server in servers:
                yield self._judged(tool, "mcp")
            else:
                why = f"`integrations.yml` lists no server `{entry.server}`"
                yield self._never(tool, "mcp", "mcp-not-listed", why, gone=True)

    def _missing(self) -> Iterator[Candidate]:
        lost = any(f.code == "mantle.validation.tools.import_failed" for f in self._findings())
        code, why = ("load-error", "a tool file can't be read") if lost else ("not-found", "no tool has this name")
        for tool in self._named():
            if tool.name not in self.known and tool.name not in RESERVED:
                self.known.add(tool.name)
                yield self._never(tool, tool.kind, code, why, gone=True)

    def _named(self) -> Iterator[Tool]:
        yield from (Tool(i.name, "shared", "", i.span) for i in self.skill.imports if i.server is None)
        yield from (Tool(g.tool, "local", "", g.span) for g in every_gate(self.skill))

    def _findings(self) -> Iterator[Finding]:
        """What is wrong in the skill's own tool files and in the shared ones."""
        yield from self.skill.findings
        yield from (f for f in self.project.findings if f.skill is None)

    def _never(
        self, tool: Tool, kind: ToolKind, code: str, why: str, *, name: str | None = None, gone: bool = False
    ) -> Candidate:
        gate = self.gates.get(tool.name) if name is None else None
        return Candidate(name or tool.name, kind, None if gone else tool, tool.span, gate, code, why)

    def _judged(self, tool: Tool, kind: ToolKind) -> Candidate:
        gate = self.gates.get(tool.name)
        keys = gate.requires.keys if gate is not None and gate.requires is not None else ()
        return Candidate(
            tool.name, kind, tool, tool.span, gate,
            block_hides=gate is None and tool.name in self.named and tool.name not in self.imported,
            note=self._note(tool.name, gate),
            masked=scope.unreadable(self.project, self.skill.id, keys),
            undeclared=tuple(k for k in keys if k not in self.project.field_by_key and not self._elsewhere(k)),
            reads=frozenset(_gate_reads(self.project, self.skill, gate)) if gate else frozenset(),
        )  # fmt: skip

    def _note(self, name: str, gate: Gate | None) -> str:
        if gate is not None or self.block is None or name not in self.imported & self.named:
            return ""
        return f"imported, and `{self.block.id}` doesn't list it under `tools:`: its gate doesn't count in this block"

    def _elsewhere(self, key: str) -> bool:
        """The engine's own entries and those of its bundled skills are declared where we can't see it."""
        owner = key.partition(".")[0]
        skill = self.project.skill_by_id.get(owner)
        return owner in ("system", "session_started_metadata") or (skill is not None and skill.bundled)
