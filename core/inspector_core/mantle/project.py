"""One immutable reading of a Mantle agent's folder. Section numbers refer to the engine's rules as we know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Literal

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.finding import Finding
from inspector_core.mantle.condition import Condition
from inspector_core.source import Source, Span
from inspector_core.tool import MemoryUse, Tool

__all__ = [
    "Agent",
    "Block",
    "Branch",
    "BuiltinConstraint",
    "Button",
    "Completion",
    "ConfirmationRule",
    "Field",
    "Gate",
    "Import",
    "Named",
    "Paragraph",
    "Precondition",
    "Project",
    "Response",
    "Scope",
    "Server",
    "Skill",
    "Step",
    "StepKind",
    "Trigger",
    "Variant",
]  # fmt: skip

Scope = Literal["public", "private", "project"]
StepKind = Literal[
    "end", "route", "action", "autonomous", "collect", "execute_tool", "set_memory", "call", "link", "invalid"
]


class Named(NamedTuple):
    """A name the author wrote, and where: a reference to a response, tool, skill, block or key."""

    name: str
    span: Span


class ConfirmationRule(NamedTuple):
    """`requires_confirmation` as compiled: a rule that is not `enabled` opens no confirmation (§2.2)."""

    enabled: bool
    ask: Named | None
    """`utter_for_confirmation`; `None`: the model asks in its own words."""
    denial: Named | None
    """`utter_on_user_denial`."""
    span: Span


class Gate(NamedTuple):
    """One entry of a gate list: a tool named in `tool_constraints`, in `import_tools` or in a block's `tools`."""

    tool: str
    """The bare name: for `mcp/banking:get_balance` it is `get_balance`."""
    origin: Literal["tool_constraints", "import_tools", "block"]
    span: Span
    """The tool's name where it is written."""
    requires: Condition | None = None
    requires_span: Span | None = None
    confirmation: ConfirmationRule | None = None
    on_success: Named | None = None
    on_failure: Named | None = None
    block: str | None = None
    """For `origin == "block"`: the block's authored id."""


class Import(NamedTuple):
    """An entry of `import_tools`."""

    name: str
    """The bare tool name."""
    server: str | None
    """For `mcp/<server>:<tool>`: the server."""
    span: Span


class Paragraph(NamedTuple):
    """A prose paragraph (§2.3). `condition` is `None` for one that always shows."""

    text: str
    span: Span
    condition: Condition | None = None
    condition_span: Span | None = None


class Branch(NamedTuple):
    """One item of a step's `next`. Without a condition it always matches."""

    condition: Condition | None
    then: str
    span: Span
    condition_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an ordered block (§2.6), its kind inferred as the engine does."""

    id: str
    kind: StepKind
    span: Span
    next: tuple[Branch, ...] | None = None
    """`None`: omitted, falls through. `()`: written as an empty list, which completes the block."""
    target: Named | None = None
    """The response or action, collected entry, tool, or skill/block that the kind is about."""
    instructions: str | None = None
    instructions_span: Span | None = None
    complete_when: Condition | None = None
    complete_when_span: Span | None = None
    optional: bool = False
    utterance: Named | None = None
    description: str | None = None
    ask_before_filling: bool = False
    parameters: Mapping[str, object] = field(default_factory=dict)
    """`execute_tool`: arguments as written."""
    writes: Mapping[str, object] = field(default_factory=dict)
    """`set_memory`: key or bare entry to literal."""


class Block(NamedTuple):
    """An ordered block: its steps and its own gate list."""

    id: str
    """The authored id; the engine's target id is `<skill>__<block>`."""
    span: Span
    steps: tuple[Step, ...]
    gates: tuple[Gate, ...]
    complete_when: str | None = None
    """Stored and shown; the engine does not act on it."""


class Completion(NamedTuple):
    """Skill-level `complete_when` (§7.2)."""

    condition: Condition | None
    criteria: tuple[str, ...]
    span: Span
    condition_span: Span | None = None


class Trigger(NamedTuple):
    """An entry of `utter`: a response spoken verbatim on activation, or when a condition turns true."""

    response: Named
    on_activate: bool
    when: Condition | None
    when_span: Span | None = None


class Field(NamedTuple):
    """One declared memory entry (§3.2)."""

    key: str
    """`<skill>.<entry>` or `project.<entry>`."""
    scope: Scope
    type: str
    span: Span
    description: str | None = None
    enum_values: tuple[object, ...] = ()
    llm_settable: bool = False
    initial_value: object = None
    pii: bool = False
    seed: bool = False

    @property
    def entry(self) -> str:
        """The bare name."""
        return self.key.partition(".")[2]

    @property
    def owner(self) -> str:
        """The skill's id, or `project`."""
        return self.key.partition(".")[0]


class Button(NamedTuple):
    """What the customer can press under a variant, and what that sends."""

    title: str
    payload: str
    span: Span


class Variant(NamedTuple):
    """One wording of a response (§1.3)."""

    text: str | None
    span: Span
    condition: Condition | None = None
    condition_span: Span | None = None
    buttons: tuple[Button, ...] = ()
    button_source: Named | None = None
    """The local tool that makes the buttons; such a tool is never offered."""
    rephrase: bool = False
    text_span: Span | None = None


class Response(NamedTuple):
    """What the agent says word for word, in its variants."""

    name: str
    variants: tuple[Variant, ...]
    span: Span
    owner: str | None
    """The skill whose file it is in; `None` for the project's own file."""


class Precondition(NamedTuple):
    """A binding of `orchestrator.preconditions` (§7.1)."""

    name: str
    satisfied_when: Condition | None
    resolve_with: Named | None
    unmet_utterance: bool
    span: Span


class BuiltinConstraint(NamedTuple):
    """An entry of `orchestrator.tool_constraints`: what the agent says of one of the engine's own tools."""

    tool: str
    enabled: bool
    span: Span
    confirmation: ConfirmationRule | None = None
    """Only on `cancel`."""


@dataclass(frozen=True, slots=True)
class Agent:
    """`agent.yml`, as far as gates, confirmations and conversations read it."""

    id: str | None = None
    language: str = "en"
    persona: str | None = None
    tool_timeout: float = 10.0
    preconditions: tuple[Precondition, ...] = ()
    constraints: tuple[BuiltinConstraint, ...] = ()
    persona_span: Span | None = None
    rules: tuple[Named, ...] = ()
    """`rules`, and the orchestrator's `text_rules`, each with its place."""

    def constraint(self, tool: str) -> BuiltinConstraint | None:
        """What is said of a built-in tool, if anything is."""
        return next((c for c in self.constraints if c.tool == tool), None)


class Server(NamedTuple):
    """A declared MCP server. It is listed, never contacted."""

    name: str
    url: str | None
    span: Span


@dataclass(frozen=True, eq=False)
class Skill:
    """One skill's folder as read; compared by identity, so an unchanged folder keeps its skills."""

    id: str
    path: str
    """`skills/<id>/skill.md`."""
    span: Span
    """Where it begins; for a bundled skill an empty span in its (absent) file."""
    name: str | None = None
    description: str | None = None
    hidden: bool = False
    disabled: bool = False
    always_include_in_prompt: bool = False
    is_default: bool = False
    engine_managed: bool = False
    bundled: bool = False
    """One of the engine's own, known by its facts alone."""
    broken: bool = False
    """The engine would refuse it at train; what could be read is here all the same."""
    precondition: Named | None = None
    legacy_requires: Condition | None = None
    """A skill-level `requires`, which older engines read and this one refuses (§2.2)."""
    legacy_requires_span: Span | None = None
    completion: Completion | None = None
    gates: tuple[Gate, ...] = ()
    """`tool_constraints`, in order."""
    imports: tuple[Import, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    blocks: tuple[Block, ...] = ()
    referenced_skills: tuple[Named, ...] = ()
    """`@skill.<id>` in prose."""
    referenced_blocks: tuple[Named, ...] = ()
    referenced_tools: tuple[Named, ...] = ()
    """`@tool.<name>` in prose and step instructions."""
    referenced_memory: tuple[Named, ...] = ()
    """`@memory.<ns>.<entry>` in prose and step instructions; the name is `<ns>.<entry>`."""
    fields: tuple[Field, ...] = ()
    """Public, then private, in file order."""
    responses: tuple[Response, ...] = ()
    tools: tuple[Tool, ...] = ()
    """Local tools, in the order the engine overlays them."""
    tool_writes: tuple[MemoryUse, ...] = ()
    """Every literal memory write in its tool files, whether or not a tool reaches it (§5.5)."""
    tool_bypasses: tuple[Span, ...] = ()
    """Where its tool files reach past the view of memory that tools are given (§5.5)."""
    findings: tuple[Finding, ...] = ()

    @property
    def kind(self) -> Literal["prose", "hybrid", "blocks-only"]:
        """Which of the three shapes it has (§2.5)."""
        if not self.blocks:
            return "prose"
        return "hybrid" if self.paragraphs else "blocks-only"

    def block(self, block_id: str) -> Block | None:
        """A block by its authored id."""
        return next((b for b in self.blocks if b.id == block_id), None)

    @cached_property
    def validators(self) -> frozenset[str]:
        """Names of memory-validation tools: `run_after_setting_<entry>`, run by the engine only."""
        return frozenset(t.name for t in self.tools if t.name.startswith("run_after_setting_"))


@dataclass(frozen=True, eq=False)
class Project:
    """Everything read of one folder; a reload makes a new one, and unchanged files keep their values."""

    name: str
    version: str
    """The engine version judged by, such as `3.21`."""
    agent: Agent
    skills: tuple[Skill, ...]
    """The author's, sorted by directory, then the bundled ones that none of them replaces."""
    fields: tuple[Field, ...]
    """Project memory, in file order."""
    responses: tuple[Response, ...]
    """The root file's own responses."""
    shared_tools: tuple[Tool, ...]
    servers: tuple[Server, ...]
    sources: Mapping[str, Source]
    findings: tuple[Finding, ...]
    """All of them, the skills' too, in order."""
    has_knowledge: bool = False
    """There are `references/` to search, so the engine packages an index."""
    shared_writes: tuple[MemoryUse, ...] = ()
    """Every literal memory write in the shared tool files."""
    shared_bypasses: tuple[Span, ...] = ()
    """Where the shared tool files reach past the view of memory that tools are given."""
    parts: Mapping[str, object] = field(default_factory=dict, repr=False)
    """What each file was read as, by path: a later reading takes over whatever did not change."""

    @cached_property
    def skill_by_id(self) -> Mapping[str, Skill]:
        return {s.id: s for s in self.skills}

    @cached_property
    def own_skills(self) -> tuple[Skill, ...]:
        """The author's skills, without the engine's bundled ones."""
        return tuple(s for s in self.skills if not s.bundled)

    def tool(self, skill_id: str | None, name: str) -> Tool | None:
        """A tool as a skill knows it: its own, a shared one, or an import, of which only name and server are known."""
        skill = self.skill_by_id.get(skill_id or "")
        declared = (*(skill.tools if skill else ()), *self.shared_tools)
        found = next((t for t in declared if t.name == name), None)
        if found is not None or skill is None:
            return found
        remote = next((i for i in skill.imports if i.name == name and i.server), None)
        return Tool(name, "mcp", "", remote.span, server=remote.server) if remote else None

    @cached_property
    def field_by_key(self) -> Mapping[str, Field]:
        """Every declared entry of every skill and of the project."""
        every = [f for s in self.skills for f in s.fields]
        return {f.key: f for f in [*every, *self.fields]}

    @cached_property
    def response_by_name(self) -> Mapping[str, Response]:
        """The one flat namespace: skills in order, the root file last and winning (§1.3)."""
        every = [r for s in self.skills for r in s.responses]
        return {r.name: r for r in [*every, *self.responses]}
