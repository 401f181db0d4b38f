"""The `tool_rules=[…]` of a Python program, read from its syntax and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from inspector_core.letta.project import Agent, Attached
from inspector_core.letta.reading.agent import made
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.tree import UNREAD, Node, Unreadable
from inspector_core.source import NO_FILE, Source, Span

__all__ = ["load"]

_RULES = "tool_rules"
_DEEPEST = 60
_MOST = 100_000
"""Values made of one program, those that names repeat included."""


def load(source: Source, name: str, findings: Findings) -> tuple[Agent, ...]:
    """Every agent that the program gives rules to; a list of rules that no call takes is one too."""
    try:
        tree = ast.parse(source.text.removeprefix("\ufeff"), NO_FILE)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        message = f"it can't be read as Python: {getattr(error, 'msg', None) or error}"
        raise Unreadable(message, Span(source.path, line, 1, line, 1)) from None
    program = _Program(source, tree)
    given = tuple(program.agent(call, rules, name, findings) for call, rules in program.calls())
    if given:
        return given
    loose = program.assigned.get(_RULES)
    return (made(name, program.node(loose), (), None, findings, program=True),) if loose is not None else ()


class _Program:
    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.lines = source.text.split("\n")
        self.path, self.tree, self.made = source.path, tree, 0
        self.assigned: Mapping[str, ast.expr] = dict(_assigned(tree))

    def calls(self) -> Iterator[tuple[ast.Call, ast.expr]]:
        """The calls that are given rules, in the order of the text."""
        found = (n for n in ast.walk(self.tree) if isinstance(n, ast.Call))
        for call in sorted(found, key=lambda n: (n.lineno, n.col_offset)):
            rules = _keyword(call, _RULES)
            if rules is not None:
                yield call, rules

    def agent(self, call: ast.Call, rules: ast.expr, name: str, findings: Findings) -> Agent:
        about = self.node(call)
        tools, known = self.tools(call)
        return made(
            about.text("name") or name, self.node(rules), tools, about, findings, program=True, known=known
        )  # fmt: skip

    def tools(self, call: ast.Call) -> tuple[tuple[Attached, ...], bool]:
        """The tools by their names, and by the functions that ids in the program belong to; and whether that is all."""
        names = _keyword(call, "tools")
        ids = _keyword(call, "tool_ids")
        found: list[Attached | None] = []
        for item in self.node(names).items if names is not None else ():
            found.append(Attached(item.value, span=item.span) if isinstance(item.value, str) else None)
        listed = self.resolved(ids)
        for one in listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else ():
            found.append(self.by_id(one))
        tools = tuple(tool for tool in found if tool is not None)
        return tools, bool(found) and len(tools) == len(found)

    def by_id(self, given: ast.expr) -> Attached | None:
        """The tool behind `x.id`, where the program makes `x` of a function."""
        if not (isinstance(given, ast.Attribute) and given.attr == "id"):
            return None
        maker = self.resolved(given.value)
        function = _keyword(maker, "func") if isinstance(maker, ast.Call) else None
        return Attached(function.id, span=self.span(given)) if isinstance(function, ast.Name) else None

    def resolved(self, given: ast.expr | None) -> ast.expr | None:
        """What a name stands for, where it is given a value once."""
        for _ in range(10):
            if not isinstance(given, ast.Name) or given.id not in self.assigned:
                break
            given = self.assigned[given.id]
        return given

    def node(self, given: ast.expr, depth: int = 0) -> Node:
        """A literal, a list, an object or a call with its keywords; anything else is `UNREAD`."""
        found = self.resolved(given)
        span = self.span(given)
        self.made += 1
        match found:
            case _ if depth > _DEEPEST or self.made > _MOST:
                return Node("scalar", UNREAD, span)
            case ast.Constant(value=value):
                return Node("scalar", value, span)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return Node("scalar", -value, span)
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return Node("sequence", None, span, items=tuple(self.node(e, depth + 1) for e in elements))
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                return Node("mapping", None, span, tuple(
                    (self.node(k, depth + 1), self.node(v, depth + 1)) for k, v in pairs if k is not None
                ))  # fmt: skip
            case ast.Call(keywords=keywords, func=called):
                entries = tuple(self.entry(k, depth) for k in keywords if k.arg is not None)
                return Node("mapping", None, span, entries, called=_last_name(called))
            case _:
                return Node("scalar", UNREAD, span)

    def entry(self, given: ast.keyword, depth: int) -> tuple[Node, Node]:
        return Node("scalar", given.arg, self.span(given)), self.node(given.value, depth + 1)

    def span(self, node: ast.expr | ast.keyword) -> Span:
        end, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(self.path, node.lineno, self.column(node.lineno, node.col_offset), end, self.column(end, column))

    def column(self, line: int, offset: int) -> int:
        """Bytes of a line to characters, counted from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore")) + 1


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that are given a value exactly once in the whole program."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found.setdefault(name, []).append(value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                found.setdefault(name, []).extend((value, value))
            case _:
                pass
    return ((name, values[0]) for name, values in found.items() if len(values) == 1)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((k.value for k in call.keywords if k.arg == name), None)


def _last_name(called: ast.expr) -> str:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
