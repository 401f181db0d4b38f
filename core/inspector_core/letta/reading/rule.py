"""One written rule to its value: what the server refuses is found, and read all the same where it is clear (§1.1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from inspector_core.finding import did_you_mean
from inspector_core.letta import guards
from inspector_core.letta.reading.fields import Fields
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.tree import UNREAD, Node
from inspector_core.letta.rules import (
    Children,
    Conditional,
    ContinueLoop,
    ExitLoop,
    Guard,
    MaxCount,
    Parent,
    RequiredBeforeExit,
    RequiresApproval,
    Rule,
    RunFirst,
    wire,
)
from inspector_core.source import Span

__all__ = ["CLASSES", "read_rule"]

CLASSES: Mapping[str, str] = {
    "InitToolRule": "run_first",
    "ToolRule": "constrain_child_tools",
    "ChildToolRule": "constrain_child_tools",
    "ParentToolRule": "parent_last_tool",
    "ConditionalToolRule": "conditional",
    "MaxCountPerStepToolRule": "max_count_per_step",
    "TerminalToolRule": "exit_loop",
    "ContinueToolRule": "continue_loop",
    "RequiredBeforeExitToolRule": "required_before_exit",
    "RequiresApprovalToolRule": "requires_approval",
}
"""The classes of the clients, whose names old files also have for `type`."""

_OLD: Mapping[str, str] = {**CLASSES, "require_parent_tools": "parent_last_tool"}
_NEW_NAMES: Mapping[str, str] = {
    "toolName": "tool_name", "childOutputMapping": "child_output_mapping", "defaultChild": "default_child",
    "requireOutputMapping": "require_output_mapping", "maxCountLimit": "max_count_limit",
    "childArgNodes": "child_arg_nodes", "promptTemplate": "prompt_template",
}  # fmt: skip
"""The names that the 0.x client for TypeScript has for fields."""
_COMMON = frozenset({"type", "tool_name", "prompt_template"})
_SIMPLE: Mapping[str, Callable[[str], Rule]] = {
    "exit_loop": ExitLoop,
    "continue_loop": ContinueLoop,
    "required_before_exit": RequiredBeforeExit,
    "requires_approval": RequiresApproval,
}
_FIELDS: Mapping[str, frozenset[str]] = {
    "run_first": frozenset({"args"}),
    "constrain_child_tools": frozenset({"children", "child_arg_nodes"}),
    "parent_last_tool": frozenset({"children"}),
    "conditional": frozenset({"child_output_mapping", "default_child", "require_output_mapping"}),
    "max_count_per_step": frozenset({"max_count_limit"}),
    **dict.fromkeys(_SIMPLE, frozenset[str]()),
    "guard": frozenset({"when"}),
}


def read_rule(node: Node, findings: Findings, *, program: bool = False) -> Rule | None:
    """The rule; `None` where too little is left of it. In a program the clients' own names are in order."""
    return _Reading(node, findings, program).rule()


class _Reading(Fields):
    def __init__(self, node: Node, findings: Findings, program: bool) -> None:
        super().__init__(node, findings)
        self.program = program

    def rule(self) -> Rule | None:
        if self.node.kind != "mapping":
            what = "is made while the program runs, and can't be read" if self.node.value is UNREAD else "is no object"
            self.error("rule.unreadable", f"the rule {what}", self.node.span)
            return None
        for key, value in self.node.entries:
            self.fields[self.field(key)] = value
        kind = self.kind_of()
        if kind is None:
            return None
        self.kind = kind
        tool = self.tool()
        self.unknown_fields()
        if tool is None:
            return None
        made = self.made(tool)
        return None if made is None else _placed(made, self.node.span)

    def field(self, key: Node) -> str:
        name = str(key.value)
        new = _NEW_NAMES.get(name)
        if new is not None and not self.program:
            self.error("rule.old-field", f"`{name}` is what the 0.x client called it", key.span, f"write `{new}`")
        return new or name

    def kind_of(self) -> str | None:
        """The kind, by its present name."""
        given = self.fields.get("type")
        called = CLASSES.get(self.node.called or "")
        if given is None and called is not None:
            return called
        if given is None:
            guess = self.guess()
            hint = f'add `"type": "{guess}"`' if guess else f"one of {', '.join(sorted(set(_OLD.values())))}"
            self.error("rule.type-missing", "the rule has no `type`", self.node.span, hint)
            return guess
        name = given.value
        if isinstance(name, str) and name in _FIELDS:
            if name == "guard":
                self.guard_refused(given.span)
            return name
        return self.old_kind(name, given.span)

    def old_kind(self, name: object, span: Span) -> str | None:
        old = _OLD.get(name) if isinstance(name, str) else None
        if old is not None:
            self.error("rule.old-type", f"`{name}` is no `type` that the server takes", span, f"write `{old}`")
            return old
        near = did_you_mean(str(name), [*_FIELDS, *_OLD])
        self.error("rule.type-unknown", f"there is no kind of rule `{name}`", span, near or "see the nine kinds")
        return None

    def guess(self) -> str | None:
        """The kind that the fields belong to, where they belong to one alone."""
        own = self.fields.keys() - _COMMON
        fits = [kind for kind, fields in _FIELDS.items() if own and own <= fields]
        return fits[0] if len(fits) == 1 else None

    def tool(self) -> str | None:
        node = self.fields.get("tool_name")
        if node is None:
            self.error("rule.field-missing", f"the {self.kind} rule has no `tool_name`", self.node.span)
        elif not isinstance(node.value, str):
            self.wrong("tool_name", node, "a tool's name")
        else:
            return node.value
        return None

    def unknown_fields(self) -> None:
        sketch = self.kind == "conditional" and "child_output_mapping" not in self.fields
        for key, _ in self.node.entries:
            name = self.fieldname(key)
            if name not in _COMMON | _FIELDS[self.kind] and not (sketch and name == "condition"):
                hint = did_you_mean(name, sorted(_FIELDS[self.kind])) or "leave it out"
                self.error("rule.field-unknown", f"a {self.kind} rule has no field `{name}`", key.span, hint)
        template = self.fields.get("prompt_template")
        if template is not None and template.value is not None and not isinstance(template.value, str):
            self.wrong("prompt_template", template, "a text")

    def fieldname(self, key: Node) -> str:
        return _NEW_NAMES.get(str(key.value), str(key.value))

    def made(self, tool: str) -> Rule | None:
        match self.kind:
            case "run_first":
                return RunFirst(tool, self.arguments("args", self.fields.get("args")))
            case "constrain_child_tools":
                children = self.children(tool)
                return None if children is None else Children(tool, children, self.nodes(children))
            case "parent_last_tool":
                children = self.children(tool)
                return None if children is None else Parent(tool, children)
            case "conditional":
                return self.conditional(tool)
            case "max_count_per_step":
                limit = self.limit(tool)
                return None if limit is None else MaxCount(tool, limit)
            case "guard":
                return self.guard(tool, "when")
            case simple:
                return _SIMPLE[simple](tool)

    # -- conditional ---------------------------------------------------------------------------------------------------

    def conditional(self, tool: str) -> Rule | None:
        node = self.fields.get("child_output_mapping")
        default = self.fields.get("default_child")
        if default is not None and default.value is not None and not isinstance(default.value, str):
            self.wrong("default_child", default, "a tool's name, or null")
            default = None
        require = self.flag("require_output_mapping")
        if node is None and "condition" in self.fields:
            self.guard_refused(self.fields["condition"].span)
            return self.guard(tool, "condition")
        if node is None:
            self.lost(
                "child_output_mapping", {"type": self.kind, "tool_name": tool, "child_output_mapping": {"True": "…"}}
            )
            return None
        mapping = self.mapping(node)
        named = default.value if default is not None and isinstance(default.value, str) else None
        return None if mapping is None else Conditional(tool, mapping, named, require)

    def mapping(self, node: Node) -> tuple[tuple[object, str], ...] | None:
        """Outputs to tools: an object, or pairs where keys are no texts."""
        pairs = node.entries if node.kind == "mapping" else tuple(_pair(item) for item in node.items)
        found = [(key.value, value.value) for key, value in filter(None, pairs)]
        if not found or len(found) != len(pairs):
            self.wrong("child_output_mapping", node, "an object of at least one output and the tool that follows it")
            return None
        for _, value in filter(None, pairs):
            if not isinstance(value.value, str):
                self.wrong("child_output_mapping", value, "an object whose values are tools' names")
        kept = {(type(key), key): tool for key, tool in found if isinstance(tool, str)}
        return tuple((key, tool) for (_, key), tool in kept.items()) or None

    def guard(self, tool: str, field: str) -> Rule | None:
        node = self.fields.get(field)
        if node is None or not isinstance(node.value, str):
            if node is None:
                self.lost(field, {"type": self.kind, "tool_name": tool, field: "confidence < 0.5"})
            else:
                self.wrong(field, node, "an expression over the last output, such as `confidence < 0.5`")
            return None
        wrong = guards.problem(node.value)
        if wrong is not None:
            self.error("rule.guard-wrong", f"`{node.value}` can't be evaluated: {wrong}", node.span)
        return Guard(tool, node.value)

    def guard_refused(self, span: Span) -> None:
        """The sketch of an official page, which no version ever took (§4)."""
        tool = self.fields.get("tool_name")
        name = str(tool.value) if tool is not None else "TOOL"
        rewrite = Conditional("PREVIOUS", (("low", name),))
        form = json.dumps({k: v for k, v in wire(rewrite).items() if v}, ensure_ascii=False)
        self.error(
            "rule.guard-refused", f"the server refuses this: whether `{name}` may be called is read here only", span,
            f"let the tool before it return `low` or `high`, and write {form} with that tool's name",
        )  # fmt: skip


def _pair(item: Node) -> tuple[Node, Node] | None:
    return (item.items[0], item.items[1]) if len(item.items) == 2 else None


def _placed(rule: Rule, span: Span) -> Rule:
    from dataclasses import replace

    return replace(rule, span=span)
