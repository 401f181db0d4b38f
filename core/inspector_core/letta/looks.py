"""What single rules, or two of them, can be seen to do wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from inspector_core.finding import Finding, Severity
from inspector_core.letta.project import LettaProject
from inspector_core.letta.returns import returns
from inspector_core.letta.rules import (
    Children,
    Conditional,
    MaxCount,
    Parent,
    RequiresApproval,
    Rule,
    Rules,
    kind,
    words,
)
from inspector_core.source import Span

__all__ = ["looks"]

_BOOLEANS = {"true": "True", "false": "False"}


def looks(project: LettaProject) -> Iterator[Finding]:
    """All of it, rule by rule."""
    for rule in project.rules.rules:
        match rule:
            case Parent():
                yield from _parent(rule)
            case Conditional():
                yield from _keys(project, rule)
            case MaxCount(tool=tool, limit=limit) if limit < 1:
                yield _warn("count-zero", f"`{tool}` may never be called: its most is {limit}", rule.span)
            case RequiresApproval():
                yield from _approval(project.rules, rule)
            case _:
                pass
    yield from _two_parents(project.rules)
    yield from _duplicates(project.rules)


def _warn(what: str, message: str, span: Span | None, hint: str | None = None) -> Finding:
    return Finding(f"letta.{what}", Severity.WARNING, message, span or Span("", 1, 1, 1, 1), hint)


def _parent(rule: Parent) -> Iterator[Finding]:
    if rule.tool in rule.children:
        message = f"`{rule.tool}` is its own child, and so hidden until it was called"
        yield _warn("parent-hides-itself", message, rule.span)


def _two_parents(rules: Rules) -> Iterator[Finding]:
    for number, rule in enumerate(rules.parents):
        for other in rules.parents[:number]:
            shared = [c for c in dict.fromkeys(rule.children) if c in other.children]
            if shared and rule.tool != other.tool:
                names = ", ".join(f"`{c}`" for c in shared)
                message = (
                    f"{names} can't be called right after `{rule.tool}` nor right after `{other.tool}`: "
                    "each rule hides what the other demands"
                )
                hint = "use `constrain_child_tools` for one of them, which hides nothing"
                yield _warn("two-parents", message, rule.span, hint)


def _keys(project: LettaProject, rule: Conditional) -> Iterator[Finding]:
    held = project.tool(rule.tool)
    given = returns(held.source_code, rule.tool) if held is not None and held.source_code else None
    keys = {str(key) for key, _ in rule.mapping if isinstance(key, str)}
    for key, _ in rule.mapping:
        if not isinstance(key, str):
            message = f"saving turns the key `{key}` of `{rule.tool}` into text, which is compared exactly"
            yield _warn("key-becomes-text", message, rule.span, f'write it as text: `"{key}"`')
        elif given is not None and key not in given:
            told = ", ".join(f"`{text}`" for text in sorted(given))
            message = f"`{rule.tool}` never returns `{key}`: its code returns {told}"
            yield _warn("key-never-returned", message, rule.span)
        elif given is None and _BOOLEANS.get(key, key) not in keys:
            message = f"the key `{key}` of `{rule.tool}` does not match `{_BOOLEANS[key]}`, which Python tools return"
            yield _warn("key-one-spelling", message, rule.span, f"write `{_BOOLEANS[key]}`, or both")


def _approval(rules: Rules, rule: RequiresApproval) -> Iterator[Finding]:
    """Approval for what other rules can forbid."""
    by = next((r for r in rules.rules if _can_forbid(r, rule.tool)), None)
    if by is not None:
        message = f"{words(by)} can forbid `{rule.tool}`, and the server's loops ask for its approval all the same"
        span = rule.span or Span("", 1, 1, 1, 1)
        yield Finding("letta.approval-forbidden", Severity.INFO, message, span)


def _can_forbid(rule: Rule, tool: str) -> bool:
    match rule:
        case Parent(children=children):
            return tool in children
        case MaxCount(tool=counted):
            return counted == tool
        case Children(children=children):
            return tool not in children
        case _:
            return False


def _duplicates(rules: Rules) -> Iterator[Finding]:
    seen: dict[Hashable, Rule] = {}
    for rule in rules.rules:
        first = seen.setdefault(_identity(rule), rule)
        if first is not rule:
            message = f"{words(rule)} is the same rule as an earlier one, and a save drops it"
            yield _warn("duplicate", message, rule.span)


def _identity(rule: Rule) -> Hashable:
    """What the server compares rules by as it saves them (§1.1)."""
    match rule:
        case Children(tool=tool, children=children) | Parent(tool=tool, children=children):
            return kind(rule), tool, tuple(sorted(children))
        case Conditional(tool=tool, mapping=mapping, default=default, require=require):
            return kind(rule), tool, frozenset((str(k), v) for k, v in mapping), default, require
        case MaxCount(tool=tool, limit=limit):
            return kind(rule), tool, limit
        case _:
            return kind(rule), rule.tool
