"""Tool files: every `@tool` function with its schema and its effects, read from the syntax tree (§5.1–§5.5)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from inspector_core.classes import dataclass
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.reading.bypasses import bypasses
from inspector_core.mantle.reading.cancelling import AWAITS, risky_awaits
from inspector_core.mantle.reading.effects import ModuleEffects
from inspector_core.mantle.reading.literals import Evaluation
from inspector_core.mantle.reading.names import names_of, statements
from inspector_core.mantle.reading.python import Code, Function, import_failed, parse
from inspector_core.mantle.reading.signatures import schema_of
from inspector_core.source import Source, Span
from inspector_core.tool import MemoryUse, Tool, ToolKind

__all__ = ["ImportedName", "ToolsText", "read_tools"]

_HOME = "rasa.mantle.tools"
_LEGACY_HOME = "rasa.calm_v2"
_IMPORT_LINE = "from rasa.mantle.tools.decorator import tool"


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name taken from another module: a tool of this file too, if it is one there."""

    name: str
    """As this module knows it; `*` for everything."""
    module: str
    original: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ToolsText:
    """What one Python file of the agent was read as."""

    entries: Mapping[str, Tool | ImportedName] = field(default_factory=dict)
    """By the names they are bound to, in the order of the first binding; `from x import *` stands under `x.*`."""
    findings: tuple[Finding, ...] = ()
    writes: tuple[MemoryUse, ...] = ()
    """Every literal memory write in the file, whether or not a tool reaches it."""
    bypasses: tuple[Span, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Those defined in this very file."""
        return tuple(e for e in self.entries.values() if isinstance(e, Tool))

    @property
    def imported(self) -> tuple[ImportedName, ...]:
        return tuple(e for e in self.entries.values() if isinstance(e, ImportedName))


def read_tools(source: Source, kind: ToolKind) -> ToolsText:
    """A file's tools, as importing it would register them; never imports it, never raises."""
    if not source.text.strip():
        return ToolsText()
    code = parse(source)
    if isinstance(code, Finding):
        return ToolsText(findings=(code,))
    try:
        return _Reader(code, kind).read()
    except RecursionError:
        message = "this file's tools can't be shown: it is nested too deeply to be read"
        return ToolsText(findings=(Finding("inspector.tools.too-deep", Severity.WARNING, message, source.span(0)),))


class _Reader:
    """Follows the statements of one module in the order in which they bind names."""

    def __init__(self, code: Code, kind: ToolKind) -> None:
        self.code = code
        self.kind: ToolKind = kind
        self.names = names_of(code.tree)
        self.effects = ModuleEffects(code, self.names)
        self.waits = code.lines_with(AWAITS)
        self.entries: dict[str, Tool | ImportedName] = {}
        self.findings: list[Finding] = []

    def read(self) -> ToolsText:
        for statement in statements(self.code.tree.body):
            self._bind(statement)
        self.findings += _legacy(self.code)
        return ToolsText(
            self.entries, tuple(self.findings), tuple(self.effects.writes),
            tuple(bypasses(self.code)),
        )  # fmt: skip

    def _bind(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._enter(name, self._decorated(statement))
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        self._enter(target.id, self._assigned(target, value))
            case ast.ClassDef(name=name):
                self._enter(name, None)
            case ast.ImportFrom(module=str() as module, level=0) if not module.startswith(("rasa.", "__future__")):
                for alias in statement.names:
                    self._imported(statement, alias, module)

    def _enter(self, name: str, entry: Tool | ImportedName | None) -> None:
        """The last binding of a name counts, in the place of the first."""
        if entry is None:
            self.entries.pop(name, None)
        else:
            self.entries[name] = entry

    def _imported(self, statement: ast.ImportFrom, alias: ast.alias, module: str) -> None:
        span = self.code.span(statement)
        name = alias.asname or alias.name
        key = f"{module}.*" if name == "*" else name
        self._enter(key, ImportedName(name, module, alias.name, span))

    def _assigned(self, target: ast.Name, value: ast.expr) -> Tool | ImportedName | None:
        """`alias = other_tool` registers the tool once more; `name = tool(…)(function)` is the decorator too."""
        match value:
            case ast.Name(id=other):
                entry = self.entries.get(other)
                return replace(entry, name=target.id, span=self.code.span(target)) if entry else None
            case ast.Call(func=ast.Call() as decorator, args=[ast.Name(id=name)]) if self._is_tool(decorator.func):
                function = self.names.functions.get(name)
                return self._tool(function, decorator, target.id, self.code.span(target)) if function else None
        return None

    def _decorated(self, function: Function) -> Tool | None:
        for decorator in function.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            if self._is_tool(target):
                return self._tool(function, decorator, function.name, self.code.name_span(function))
        return None

    def _is_tool(self, decorator: ast.expr) -> bool:
        origin = self.names.origin(decorator)
        if origin == "tool":
            return not self.names.knows("tool") or any(s.startswith((_HOME, _LEGACY_HOME)) for s in self.names.stars)
        return origin.endswith(".tool") and origin.startswith((_HOME, _LEGACY_HOME))

    def _tool(self, function: Function, decorator: ast.expr, name: str, span: Span) -> Tool:
        effects = self.effects.of(function)
        return Tool(
            name, self.kind, self._description(function, decorator), span, schema_of(function, self.names),
            is_async=isinstance(function, ast.AsyncFunctionDef), reads=tuple(effects.reads),
            writes=tuple(effects.writes), sends=tuple(effects.sends), outcomes=tuple(effects.outcomes),
            activates=tuple(effects.activates), risks=tuple(risky_awaits(self.code, function, self.waits)),
        )  # fmt: skip

    def _description(self, function: Function, decorator: ast.expr) -> str:
        """The decorator's argument; the function's name where it is empty."""
        self.findings += self._misuse(decorator)
        if not isinstance(decorator, ast.Call) or (decorator.args and not decorator.keywords):
            return function.name
        node = next((k.value for k in decorator.keywords if k.arg in ("description", None)), None)
        if node is None:
            return function.name
        value = Evaluation(self.names.constants.get).value(node)
        if isinstance(value, str):
            return value or function.name
        message = f"the description of `{function.name}` is put together while the file is imported, so it isn't shown"
        span = self.code.span(node)
        self.findings.append(Finding("inspector.tools.unreadable-description", Severity.INFO, message, span))
        return ""

    def _misuse(self, decorator: ast.expr) -> Iterator[Finding]:
        span = self.code.span(decorator)
        hint = 'write `@tool(description="…")`'
        if not self.names.knows("tool") and self.names.origin(_called(decorator)) == "tool":
            yield import_failed(span, "this file can't be imported: `tool` is not defined", f"add `{_IMPORT_LINE}`")
        if not isinstance(decorator, ast.Call):
            yield import_failed(span, "this file can't be imported: `@tool` needs its description in brackets", hint)
        elif decorator.args:
            yield import_failed(span, "this file can't be imported: `@tool` takes its description by name only", hint)
        elif not decorator.keywords:
            message = "this tool has no description, so the model gets its name alone"
            yield Finding("inspector.tools.no-description", Severity.WARNING, message, span, hint)


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _legacy(code: Code) -> Iterator[Finding]:
    """Imports from the module that an older engine had; those tried in `try` may fail."""
    for statement in code.tree.body:
        match statement:
            case ast.ImportFrom(module=str() as module, level=0):
                modules = [module]
            case ast.Import():
                modules = [a.name for a in statement.names]
            case _:
                continue
        if any(m == _LEGACY_HOME or m.startswith(f"{_LEGACY_HOME}.") for m in modules):
            span = code.word_span(statement, _LEGACY_HOME)
            yield Finding(
                "inspector.tools.legacy-import", Severity.ERROR, f"`{_LEGACY_HOME}` is no part of engine 3.21", span,
                f"import from `{_HOME}`", reported_as="mantle.validation.tools.import_failed",
            )  # fmt: skip
