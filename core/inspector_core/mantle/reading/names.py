"""What a module's own names stand for: imports, functions, constants and aliases, in the order they are bound."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import field

from inspector_core.classes import dataclass
from inspector_core.mantle.reading.python import Function

__all__ = ["Names", "names_of", "statements"]

_BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__spec__"}


@dataclass(frozen=True, slots=True)
class Names:
    """The bindings of one module that hold when it has been imported."""

    origins: dict[str, str] = field(default_factory=dict)
    """Local name to the dotted name it was imported as."""
    stars: list[str] = field(default_factory=list)
    """Modules that everything was imported from."""
    functions: dict[str, Function] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    """Names set exactly once, to what."""
    bound: set[str] = field(default_factory=set)
    """Every name bound at run time."""
    futures: set[str] = field(default_factory=set)

    def origin(self, node: ast.expr) -> str:
        """The dotted name that a name or a chain of attributes stands for; empty for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self.origins.get(node.id, node.id), *reversed(parts)])

    def knows(self, name: str) -> bool:
        """Whether using the name at run time finds something."""
        return name in self.bound or name in _BUILTINS or bool(self.stars)


def names_of(tree: ast.Module) -> Names:
    """Every binding of a module, a later one taking the place of an earlier one."""
    names = Names()
    for statement in statements(tree.body):
        _bind(names, statement)
    return names


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run on import, those inside `if`, `try` and `with` included.

    The handlers of a `try` come before its body, so that the body's bindings count.
    """
    for statement in body:
        match statement:
            case ast.If():
                yield from _branches(statement)
            case ast.Try():
                for handler in statement.handlers:
                    yield from statements(handler.body)
                yield from statements([*statement.body, *statement.orelse, *statement.finalbody])
            case ast.With() | ast.For() | ast.While():
                yield statement
                yield from statements(statement.body)
            case _:
                yield statement


def _branches(statement: ast.If) -> Iterator[ast.stmt]:
    match statement.test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            pass
        case ast.Compare(left=ast.Name(id="__name__")):
            pass
        case _:
            yield from statements(statement.body)
    yield from statements(statement.orelse)


def _bind(names: Names, statement: ast.stmt) -> None:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            _fresh(names, statement.name)
            names.functions[statement.name] = statement
        case ast.ClassDef():
            _fresh(names, statement.name)
        case ast.Import():
            _import(names, statement)
        case ast.ImportFrom():
            _import_from(names, statement)
        case ast.Assign():
            for written in statement.targets:
                _assign(names, written, statement.value)
        case ast.AnnAssign(value=ast.expr() as value):
            _assign(names, statement.target, value)
        case _:
            for target in _targets(statement):
                _assign(names, target, None)


def _targets(statement: ast.stmt) -> list[ast.expr | None]:
    """What a statement sets to something that reading can't tell."""
    match statement:
        case ast.AugAssign() | ast.For():
            return [statement.target]
        case ast.With():
            return [item.optional_vars for item in statement.items]
    return []


def _fresh(names: Names, name: str) -> None:
    names.bound.add(name)
    names.constants.pop(name, None)
    names.origins.pop(name, None)
    names.functions.pop(name, None)


def _import(names: Names, statement: ast.Import) -> None:
    for alias in statement.names:
        local = alias.asname or alias.name.partition(".")[0]
        _fresh(names, local)
        names.origins[local] = alias.name if alias.asname else local


def _import_from(names: Names, statement: ast.ImportFrom) -> None:
    module = "." * statement.level + (statement.module or "")
    for alias in statement.names:
        if alias.name == "*":
            names.stars.append(module)
            continue
        _fresh(names, alias.asname or alias.name)
        if module == "__future__":
            names.futures.add(alias.name)
        names.origins[alias.asname or alias.name] = f"{module}.{alias.name}"


def _assign(names: Names, target: ast.expr | None, value: ast.expr | None) -> None:
    match target:
        case ast.Name(id=name):
            again = name in names.bound
            _fresh(names, name)
            if value is not None and not again:
                names.constants[name] = value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                _assign(names, part, None)
        case ast.Starred(value=rest):
            _assign(names, rest, None)
