"""Small projects put together from the values themselves, so that a test shows all it depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inspector_core.events import Event, Record
from inspector_core.mantle.condition import parse
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.project import (
    Agent,
    Block,
    BuiltinConstraint,
    Completion,
    ConfirmationRule,
    Field,
    Gate,
    Import,
    Named,
    Paragraph,
    Precondition,
    Project,
    Response,
    Scope,
    Server,
    Skill,
    Step,
    Trigger,
    Variant,
)
from inspector_core.source import Span
from inspector_core.tool import Tool

HERE = Span("skills/x/skill.md", 1, 1, 1, 2)


def named(name: str) -> Named:
    return Named(name, HERE)


def asks(ask: str | None = None, denial: str | None = None, *, enabled: bool = True) -> ConfirmationRule:
    return ConfirmationRule(enabled, named(ask) if ask else None, named(denial) if denial else None, HERE)


def gate(
    tool: str, requires: str | None = None, confirmation: ConfirmationRule | None = None, *,
    success: str | None = None, failure: str | None = None, block: str | None = None,
) -> Gate:  # fmt: skip
    return Gate(
        tool, "block" if block else "tool_constraints", HERE, parse(requires) if requires else None,
        HERE if requires else None, confirmation, named(success) if success else None,
        named(failure) if failure else None, block,
    )  # fmt: skip


def local(name: str, /, *, is_async: bool = True, **parameters: str) -> Tool:
    """A tool with parameters of the given JSON types, all of them required."""
    schema = {
        "type": "object", "properties": {p: {"type": t} for p, t in parameters.items()},
        "required": list(parameters), "additionalProperties": False,
    }  # fmt: skip
    return Tool(name, "local", name, HERE, schema, is_async)


def shared(name: str) -> Tool:
    return Tool(name, "shared", name, HERE)


def imported(name: str, server: str | None = None) -> Import:
    return Import(name, server, HERE)


def field(
    key: str, type: str = "any", scope: Scope = "public", *, settable: bool = False, initial: object = None
) -> Field:
    scope = "project" if key.startswith("project.") else scope
    return Field(key, scope, type, HERE, llm_settable=settable, initial_value=initial)


def says(name: str, *texts: str | tuple[str, str], owner: str | None = None) -> Response:
    """A response; a pair is a text with its condition."""
    variants = [
        Variant(t, HERE) if isinstance(t, str) else Variant(t[0], HERE, condition=parse(t[1])) for t in texts
    ]  # fmt: skip
    return Response(name, tuple(variants), HERE, owner)


def trigger(response: str, when: str | None = None) -> Trigger:
    return Trigger(named(response), when is None, parse(when) if when else None)


def done_when(condition: str | None, *criteria: str) -> Completion:
    return Completion(parse(condition) if condition else None, criteria, HERE)


IDLE = Step("talk", "autonomous", HERE, instructions="Talk.")
"""A step that never ends by itself."""


def block(id: str, *gates: Gate, steps: Sequence[Step] = (IDLE,)) -> Block:
    return Block(id, HERE, tuple(steps), gates)


def skill(
    id: str, *, prose: str = "Help the customer.", tools: Sequence[Tool] = (), gates: Sequence[Gate] = (),
    imports: Sequence[Import] = (), blocks: Sequence[Block] = (), fields: Sequence[Field] = (),
    responses: Sequence[Response] = (), triggers: Sequence[Trigger] = (), completion: Completion | None = None,
    hidden: bool = False, disabled: bool = False, precondition: str | None = None,
    mentions: Sequence[str] = (), enters: Sequence[str] = (), uses: Sequence[str] = (),
) -> Skill:  # fmt: skip
    return Skill(
        id, f"skills/{id}/skill.md", HERE, hidden=hidden, disabled=disabled, tools=tuple(tools), gates=tuple(gates),
        imports=tuple(imports), blocks=tuple(blocks), fields=tuple(fields), responses=tuple(responses),
        triggers=tuple(triggers), completion=completion, precondition=named(precondition) if precondition else None,
        paragraphs=(Paragraph(prose, HERE),) if prose else (),
        referenced_skills=tuple(map(named, mentions)), referenced_blocks=tuple(map(named, enters)),
        referenced_tools=tuple(map(named, uses)),
    )  # fmt: skip


def needs(name: str, satisfied_when: str, resolve_with: str, *, utter: bool = True) -> Precondition:
    return Precondition(name, parse(satisfied_when), named(resolve_with), utter, HERE)


def rule(tool: str, *, enabled: bool = True, confirmation: ConfirmationRule | None = None) -> BuiltinConstraint:
    return BuiltinConstraint(tool, enabled, HERE, confirmation)


def project(
    *skills: Skill, fields: Sequence[Field] = (), responses: Sequence[Response] = (), tools: Sequence[Tool] = (),
    servers: Sequence[str] = (), preconditions: Sequence[Precondition] = (), rules: Sequence[BuiltinConstraint] = (),
    knowledge: bool = False,
) -> Project:  # fmt: skip
    return Project(
        "agent", "3.21", Agent(preconditions=tuple(preconditions), constraints=tuple(rules)), skills, tuple(fields),
        tuple(responses), tuple(tools), tuple(Server(s, None, HERE) for s in servers), {}, (), knowledge,
    )  # fmt: skip


class Played:
    """A conversation played over a project: its state now, and its record from the start."""

    def __init__(self, project: Project, memory: Mapping[str, object] | None = None) -> None:
        self.project = project
        self.state: State = start(memory or {})
        self.records: list[Record] = []
        self.last: tuple[Record, ...] = ()
        """What the latest event left."""

    def __call__(self, *events: Event) -> Played:
        for event in events:
            self.state, self.last = step(self.project, self.state, event)
            self.records += self.last
        return self

    @property
    def told(self) -> list[str]:
        """The latest event's records, each in a few words."""
        return [_brief(record) for record in self.last]

    @property
    def ran(self) -> list[str]:
        """Custom tools that really ran, in order, over the whole conversation."""
        return [str(r.fields["tool_name"]) for r in self.records if _is_run(r)]


BUILT_IN = {
    "activate", "set_fields", "resolve_tool_confirmation", "complete", "cancel", "listen", "correct", "cannot_help",
    "search_knowledge",
}  # fmt: skip


def _is_run(record: Record) -> bool:
    if record.event != "tool_executed" or record.fields["tool_name"] in BUILT_IN:
        return False
    return not record.fields["is_error"] and '"status"' not in str(record.fields["result"])


def _brief(record: Record) -> str:
    fields = record.fields
    match record.event:
        case "bot" | "user":
            return f"{record.event} {fields['text']}"
        case "tool_executed":
            source = f" by {record.metadata['source']}" if "source" in record.metadata else ""
            return f"{fields['tool_name']}{source} {'error' if fields['is_error'] else fields['result']}"
        case "memory_set" | "inspector_set":
            value = "…" if str(fields["key"]).startswith("system.") else repr(fields["value"])
            return f"{record.event} {fields['key']} {value}"
        case "memory_cleared" | "inspector_cleared":
            return f"{record.event} {fields['key']}"
        case "inspector_note" | "inspector_refused":
            return f"{record.event} {fields['reason']}"
        case event:
            what = (fields.get(name) for name in ("block_id", "skill_id", "name", "label"))
            return " ".join([event, *(str(w) for w in what if w)][:2])
