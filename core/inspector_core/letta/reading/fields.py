"""The fields of a written rule, taken as the server takes them (§1.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from inspector_core.finding import did_you_mean
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.tree import UNREAD, Node
from inspector_core.letta.rules import Node as ArgNode
from inspector_core.source import Span

__all__ = ["Fields"]

_TRUE, _FALSE = frozenset({"true", "t", "yes", "y", "on", "1"}), frozenset({"false", "f", "no", "n", "off", "0"})


class Fields:
    """A rule's fields by their present names, and what is found wrong with them."""

    def __init__(self, node: Node, findings: Findings) -> None:
        self.node, self.findings = node, findings
        self.fields: dict[str, Node] = {}
        self.kind = ""

    def error(self, what: str, message: str, span: Span, hint: str | None = None) -> None:
        self.findings.error(what, message, span, hint)

    def wrong(self, name: str, node: Node, what: str) -> None:
        if node.value is UNREAD:
            self.error("rule.unreadable", f"`{name}` is made while the program runs, and can't be read", node.span)
        else:
            self.error("rule.field-wrong", f"`{name}` has to be {what}", node.span)

    def lost(self, name: str, form: Mapping[str, object]) -> None:
        """A field that the kind can't do without, as old exports have dropped some."""
        nearest = json.dumps(form, ensure_ascii=False)
        message = f"the {self.kind} rule has no `{name}`: it was never there, or an old export has lost it"
        self.error("rule.field-missing", message, self.node.span, f"such as {nearest}")

    def children(self, tool: str) -> tuple[str, ...] | None:
        node = self.fields.get("children")
        if node is None:
            self.lost("children", {"type": self.kind, "tool_name": tool, "children": ["…"]})
            return None
        names = [item.value for item in node.items if isinstance(item.value, str)]
        if node.kind != "sequence" or len(names) != len(node.items):
            one = node.value if isinstance(node.value, str) else None
            what = f'a list of tools: `["{one}"]`' if one else "a list of tools' names"
            self.wrong("children", next((i for i in node.items if i.value is UNREAD), node), what)
            return (one,) if one else None
        return tuple(names)

    def arguments(self, name: str, node: Node | None) -> Mapping[str, object] | None:
        if node is None or (node.kind == "scalar" and node.value is None):
            return None
        if node.kind != "mapping":
            self.wrong(name, node, "an object of arguments, or null")
            return None
        found = node.plain()
        return found if isinstance(found, dict) else None

    def nodes(self, children: tuple[str, ...]) -> tuple[ArgNode, ...]:
        node = self.fields.get("child_arg_nodes")
        if node is None or (node.kind == "scalar" and node.value is None):
            return ()
        if node.kind != "sequence":
            self.wrong("child_arg_nodes", node, "a list of objects with a `name` and `args`")
            return ()
        return tuple(found for item in node.items if (found := self.node_of(item, children)) is not None)

    def node_of(self, item: Node, children: tuple[str, ...]) -> ArgNode | None:
        name = item.text("name")
        if name is None:
            self.wrong("child_arg_nodes", item, "a list of objects with a `name`")
            return None
        if name not in children:
            hint = did_you_mean(name, list(children))
            self.error("rule.node-no-child", f"`{name}` gets arguments, and is no child", item.span, hint)
            return None
        return ArgNode(name, self.arguments("args", item.get("args")))

    def limit(self, tool: str) -> int | None:
        node = self.fields.get("max_count_limit")
        if node is None:
            self.lost("max_count_limit", {"type": self.kind, "tool_name": tool, "max_count_limit": 1})
            return None
        value = node.value
        try:
            if isinstance(value, (int, str)) or (isinstance(value, float) and value.is_integer()):
                return int(value)
        except ValueError:
            pass
        self.wrong("max_count_limit", node, "a whole number")
        return None

    def flag(self, name: str) -> bool:
        node = self.fields.get(name)
        if node is None:
            return False
        value = node.value
        word = str(int(value) if isinstance(value, float) and value.is_integer() else value).lower()
        if node.kind == "scalar" and word in _TRUE | _FALSE:
            return word in _TRUE
        self.wrong(name, node, "true or false")
        return False
