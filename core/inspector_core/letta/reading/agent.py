"""Trees to agents: both schemas of agent files, an agent as the API returns it, and files of rules alone (§2)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.letta.project import Agent, Attached
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.rule import read_rule
from inspector_core.letta.reading.tree import UNREAD, Node
from inspector_core.letta.rules import Rule, targets

__all__ = ["agents", "holds_rules", "made"]

_RULES = ("tool_rules", "toolRules")
_AGENTS = "agents"


def holds_rules(node: Node) -> bool:
    """Whether a tree has an agent or rules in it."""
    if node.kind == "sequence":
        return bool(node.items) and all(
            i.kind == "mapping" and i.get("tool_name", "toolName", "type") is not None for i in node.items
        )
    return node.get(*_RULES, _AGENTS) is not None or (node.get("agent_type") is not None) or _wrapped(node) is not None


def agents(node: Node, name: str, findings: Findings, *, program: bool = False) -> tuple[Agent, ...]:
    """Every agent in a tree, in the order of the file."""
    if node.kind == "sequence":
        return (made(name, node, (), None, findings, program=program),)
    several = node.get(_AGENTS)
    if several is not None:
        return tuple(_newer(one, node, name, findings) for one in several.items if one.kind == "mapping")
    return (_alone(_wrapped(node) or node, name, findings, program),)


def _wrapped(node: Node) -> Node | None:
    """The agent of a file that somebody made by hand around it."""
    inner = node.get("agent")
    return inner if inner is not None and inner.kind == "mapping" else None


def made(
    name: str,
    rules: Node | None,
    tools: tuple[Attached, ...],
    about: Node | None,
    findings: Findings,
    *,
    program: bool = False,
    known: bool = False,
) -> Agent:
    """An agent of its rules and tools; where no tools are given at all, those are taken that rules name."""
    read = tuple(_rules(rules, findings, program))
    kind = about.text("agent_type", "agentType") if about is not None else None
    span = about.span if about is not None else rules.span if rules is not None else None
    assumed = not tools and not known
    if assumed:
        named = dict.fromkeys(n for rule in read for n in (rule.tool, *targets(rule)))
        tools = tuple(Attached(n) for n in named)
    return Agent(name, read, tools, assumed, kind or "", span)


def _rules(node: Node | None, findings: Findings, program: bool) -> Iterator[Rule]:
    if node is None or (node.kind == "scalar" and node.value is None):
        return
    if node.kind != "sequence":
        runs = node.value is UNREAD
        wrong = "is made while the program runs, and can't be read" if runs else "has to be a list of rules"
        findings.error("rules.unreadable", f"`tool_rules` {wrong}", node.span)
        return
    for item in node.items:
        rule = read_rule(item, findings, program=program)
        if rule is not None:
            yield rule


def _alone(node: Node, name: str, findings: Findings, program: bool) -> Agent:
    """The older schema, an agent of the API's, or rules with their tools' names."""
    tools = node.get("tools")
    found = tuple(_tools(tools, findings)) if tools is not None else ()
    ids = node.get("tool_ids")
    if not found and ids is not None and ids.items:
        message = "the tools are given by ids alone, which say nothing of their names"
        findings.note("tools.by-id", message, ids.span, "the tools that rules name are taken to be attached")
    known = tools is not None and tools.kind == "sequence"
    if known and not found and (ids is not None and ids.items):
        known = False
    called = node.text("name") or name
    return made(called, node.get(*_RULES), found, node, findings, program=program, known=known)


def _newer(node: Node, file: Node, name: str, findings: Findings) -> Agent:
    """One agent of the newer schema, whose tools stand beside it under ids of the file's own."""
    every = file.get("tools")
    listed = every.items if every is not None else ()
    by_id: dict[object, Node] = {tool.text("id"): tool for tool in listed if tool.kind == "mapping"}
    ids = node.get("tool_ids")
    chosen: list[Node] = []
    for item in ids.items if ids is not None else ():
        one = by_id.get(item.value) if isinstance(item.value, str) else None
        if one is None:
            findings.warn("tools.unknown-id", f"there is no tool `{item.value}` in the file", item.span)
        else:
            chosen.append(one)
    own = node.get("tools")
    chosen += own.items if own is not None else ()
    found = tuple(tool for one in chosen if (tool := _tool(one, findings)) is not None)
    return made(node.text("name") or name, node.get(*_RULES), found, node, findings, known=ids is not None)


def _tools(node: Node, findings: Findings) -> Iterator[Attached]:
    for item in node.items:
        tool = _tool(item, findings)
        if tool is not None:
            yield tool


def _tool(node: Node, findings: Findings) -> Attached | None:
    """A tool by its name alone, or as files hold it."""
    if isinstance(node.value, str):
        return Attached(node.value, span=node.span)
    schema = node.get("json_schema")
    name = node.text("name") or (schema.text("name") if schema is not None else None)
    if name is None:
        findings.warn("tools.unnamed", "the tool has no name", node.span)
        return None
    parameters = schema.get("parameters") if schema is not None else None
    plain = parameters.plain() if parameters is not None else None
    about = node.text("description") or (schema.text("description") if schema is not None else None) or ""
    code = node.text("source_code") or ""
    return Attached(name, about, plain if isinstance(plain, dict) else {}, node.span, code)
