"""`agent.yml`: who the agent is, its preconditions, and what it says of the engine's own tools (§1.1, §7.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inspector_core.classes import NamedTuple
from inspector_core.finding import Finding
from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Agent, BuiltinConstraint, ConfirmationRule, Named, Precondition
from inspector_core.mantle.reading.section import Section
from inspector_core.mantle.reading.yaml import Node, load
from inspector_core.source import Source

__all__ = ["AgentText", "read_agent"]

_INVALID_FILE = "mantle.validation.config.invalid_agent_yml"
_INVALID_AGENT = "mantle.validation.config.invalid_agent_section"
_MISSING_AGENT = "mantle.validation.config.missing_agent_section"
_INVALID = "config.agent.invalid_section"

_TOP = (
    "agent", "orchestrator", "rules", "fillers", "prompts", "knowledge_answering", "skill_retrieval", "conversation",
    "tool_timeout", "voice", "session_config", "privacy",
)  # fmt: skip
_AGENT = ("id", "language", "persona", "voice")
_ORCHESTRATOR = (
    "model_group", "text_rules", "voice_rules", "max_prompt_tokens", "preconditions", "tool_constraints",
)  # fmt: skip
_CONSTRAINT = ("enabled", "invoke_when", "requires_confirmation")

_CAN_BE_DISABLED = frozenset(("cancel", "complete", "search_knowledge", "cannot_help"))
_STAY_ENABLED = frozenset(("activate", "correct", "set_fields"))


class AgentText(NamedTuple):
    """What `agent.yml` was read as."""

    agent: Agent
    model_group: Named | None = None
    """The group that the orchestrator asks for; `integrations.yml` must declare it."""
    findings: tuple[Finding, ...] = ()


def read_agent(source: Source) -> AgentText:
    """The agent, as far as the file can be read."""
    document = load(source)
    findings = [replace(f, reported_as=_INVALID_FILE) for f in document.findings]
    root = document.node or document.partial
    if root is not None and root.kind == "mapping":
        return _read(Section(root, _INVALID, findings), complete=document.partial is None)
    if root is not None and root.value is not None:
        Section(root, _INVALID_FILE, findings).refuse("`agent.yml` is no mapping", root.span, "begin with `agent:`")
    elif not findings:
        empty = Node({}, source, 0, 0, "mapping")
        return _read(Section(empty, _INVALID, findings), complete=True)
    return AgentText(Agent(), None, tuple(findings))


def _read(root: Section, complete: bool) -> AgentText:
    """Of a file that breaks off, only what is there is judged."""
    for name, span, hint in root.unknown(_TOP):
        root.warn("inspector.agent.unknown-key", f"the engine passes over `{name}`", span, hint)
    agent = _agent(root, complete)
    orchestrator = _orchestrator(root, complete)
    timeout = root.number("tool_timeout")
    if timeout is not None and timeout <= 0 and (node := root.value("tool_timeout")):
        root.refuse("`tool_timeout` must be more than 0 seconds", node.span)
    _session(root)
    agent = replace(agent, tool_timeout=timeout if timeout and timeout > 0 else 10.0)
    if orchestrator is None:
        return AgentText(agent, None, tuple(root.findings))
    agent = replace(
        agent, preconditions=tuple(_preconditions(orchestrator)), constraints=tuple(_constraints(orchestrator))
    )
    return AgentText(agent, _model_group(orchestrator, complete), tuple(root.findings))


def _agent(root: Section, complete: bool) -> Agent:
    node = root.value("agent")
    if node is None or node.kind != "mapping":
        if node is not None:
            root.refuse("`agent` is no mapping", node.span, "write `persona:` below it", _INVALID_AGENT)
        elif complete:
            start = root.node.source.span(0)
            root.refuse("there is no `agent:` section", start, "add `agent:` with a `persona:`", _MISSING_AGENT)
        return Agent()
    section = Section(node, _INVALID_AGENT, root.findings)
    for name, span, hint in section.unknown(_AGENT):
        section.warn("inspector.agent.unknown-key", f"the engine passes over `{name}`", span, hint)
    persona, language, own_id = section.text("persona"), section.text("language"), section.text("id")
    if complete:
        _persona(root, section, persona)
    return Agent(
        id=own_id.name if own_id else None,
        language=language.name if language else "en",
        persona=persona.name if persona else None,
        persona_span=persona.span if persona else None,
        rules=tuple(_rules(root)),
    )


def _rules(root: Section) -> Iterator[Named]:
    """What the agent as a whole is told, besides its persona; what isn't text is passed over."""
    every = root.value("rules")
    nodes = [*(every.items if every is not None else ())]
    orchestrator = root.value("orchestrator")
    further = orchestrator.get("text_rules") if orchestrator is not None else None
    nodes += further.items if further is not None and further.kind == "sequence" else [further] if further else []
    yield from (Named(node.value, node.span) for node in nodes if isinstance(node.value, str))


def _persona(root: Section, section: Section, persona: Named | None) -> None:
    key, value = root.node.key("agent"), section.value("persona")
    place = persona.span if persona else key.span if key else section.node.span
    if (persona is None and value is None) or (persona is not None and not persona.name.strip()):
        message = "the persona is blank" if persona else "the agent has no persona"
        section.refuse(message, place, "say in `persona:` who the agent is", "config.agent.missing_persona")


def _orchestrator(root: Section, complete: bool) -> Section | None:
    section = root.section("orchestrator")
    if section is None:
        if complete and root.value("orchestrator") is None:
            start, advice = root.node.source.span(0), "add `orchestrator:` with a `model_group:`"
            root.refuse("there is no `orchestrator:` section", start, advice, "config.agent.missing_orchestrator")
        return None
    for name, span, hint in section.unknown(_ORCHESTRATOR):
        section.refuse(f"`{name}` is no key of the orchestrator", span, hint)
    return section


def _model_group(orchestrator: Section, complete: bool) -> Named | None:
    if complete and orchestrator.value("model_group") is None:
        hint = "add `model_group:` with the id of one in `integrations.yml`"
        place = orchestrator.node.source.span(orchestrator.node.start)
        orchestrator.refuse("the orchestrator names no model group", place, hint)
    return orchestrator.text("model_group")


def _session(root: Section) -> None:
    node = root.value("session_config")
    if node is None:
        return
    if node.kind != "mapping":
        root.refuse("`session_config` is no mapping", node.span, code="config.session.invalid_section")
        return
    section = Section(node, "config.session.invalid_expiration_time", root.findings)
    minutes = section.number("session_expiration_time")
    if minutes is not None and minutes < 0 and (place := section.value("session_expiration_time")):
        section.refuse("a session can't expire after less than 0 minutes", place.span)


def _preconditions(orchestrator: Section) -> Iterator[Precondition]:
    section = orchestrator.section("preconditions")
    for name, binding in section.sections() if section else ():
        condition = binding.text("satisfied_when")
        yield Precondition(
            name.name, parse(condition.name) if condition else None, binding.text("resolve_with"),
            binding.flag("unmet_utterance", True), name.span,
        )  # fmt: skip


def _constraints(orchestrator: Section) -> Iterator[BuiltinConstraint]:
    section = orchestrator.section("tool_constraints")
    for tool, options in section.sections() if section else ():
        _check_constraint(tool, options)
        rule = options.section("requires_confirmation")
        confirmation = _confirmation(rule) if rule and tool.name == "cancel" else None
        yield BuiltinConstraint(tool.name, options.flag("enabled", True), tool.span, confirmation)


def _check_constraint(tool: Named, options: Section) -> None:
    if tool.name not in _CAN_BE_DISABLED | _STAY_ENABLED:
        advice = "only the engine's own tools go here; a skill's tools go into its `tool_constraints`"
        options.refuse(f"`{tool.name}` can't be named here", tool.span, advice)
    for name, span, hint in options.unknown(_CONSTRAINT):
        options.refuse(f"`{name}` is no option of a tool here", span, hint)
    if tool.name in _STAY_ENABLED and not options.flag("enabled", True):
        options.warn("inspector.agent.cannot-disable", f"`{tool.name}` can't be disabled", tool.span)
    rule = options.value("requires_confirmation")
    if rule is not None and tool.name != "cancel":
        options.refuse(f"only `cancel` can ask for a confirmation, not `{tool.name}`", rule.span)


def _confirmation(rule: Section) -> ConfirmationRule:
    ask, denial = rule.text("utter_for_confirmation"), rule.text("utter_on_user_denial")
    return ConfirmationRule(rule.flag("enabled", False), ask, denial, rule.node.span)
