"""A function's signature as the JSON schema that the engine makes of it (§5.2)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inspector_core.mantle.reading.names import Names
from inspector_core.mantle.reading.python import Function
from inspector_core.source import NO_FILE

__all__ = ["schema_of"]

Schema = dict[str, object]

_SCALARS = {"int": "integer", "float": "number", "bool": "boolean", "str": "string"}
_LISTS = frozenset(("list", "typing.List"))
_SKIPPED = frozenset(("context", "tracker_handle"))
_DEEPEST = 20


def schema_of(function: Function, names: Names) -> Schema:
    """The schema of the arguments that the model may give."""
    properties: Schema = {}
    required: list[str] = []
    parameters = list(_parameters(function.args))
    written = [p.annotation for p, _ in parameters if p.annotation]
    written += [function.returns] if function.returns else []
    types = _Types(names, _resolve(written, names))
    for parameter, has_default in parameters:
        if parameter.arg in _SKIPPED:
            continue
        properties[parameter.arg] = types.property(parameter.annotation)
        if not has_default:
            required.append(parameter.arg)
    return {
        "type": "object", "properties": properties, "required": required, "additionalProperties": False,
        "strict": False,
    }  # fmt: skip


def _parameters(arguments: ast.arguments) -> Iterator[tuple[ast.arg, bool]]:
    """Every parameter in order, with whether it has a default; `*args` and `**kwargs` are treated as ordinary ones."""
    positional = [*arguments.posonlyargs, *arguments.args]
    first_default = len(positional) - len(arguments.defaults)
    for at, parameter in enumerate(positional):
        yield parameter, at >= first_default
    if arguments.vararg:
        yield arguments.vararg, False
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield parameter, default is not None
    if arguments.kwarg:
        yield arguments.kwarg, False


def _resolve(written: list[ast.expr], names: Names) -> bool:
    """Whether every annotation kept as text can be looked up: one that can't makes the engine look up none."""
    if "annotations" in names.futures:
        return all(_known(a, names) for a in written)
    return all(_known(a, names) for a in written if _text(a) is not None)


def _known(annotation: ast.expr, names: Names) -> bool:
    if isinstance(annotation, ast.Name):
        return names.knows(annotation.id)
    text = _text(annotation)
    if text is not None:
        inner = _parsed(text)
        return inner is not None and _text(inner) is None and _known(inner, names)
    return all(names.knows(n.id) for n in ast.walk(annotation) if isinstance(n, ast.Name))


def _text(annotation: ast.expr) -> str | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value
    return None


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), NO_FILE, "eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Types:
    """Turns annotations into property schemas, the way the engine looks at the types they name."""

    def __init__(self, names: Names, resolves: bool) -> None:
        self.names = names
        self.as_text = "annotations" in names.futures and not resolves
        self.resolves = resolves

    def property(self, annotation: ast.expr | None) -> Schema:
        """The schema of one argument; whatever the engine doesn't recognise is a string."""
        if annotation is None or self.as_text:
            return {"type": "string"}
        if isinstance(annotation, ast.Name) and annotation.id in _SCALARS and annotation.id not in self.names.bound:
            return {"type": _SCALARS[annotation.id]}
        bare = self._unwrapped(annotation, 0)
        scalar = _SCALARS.get(self._name(bare))
        if scalar:
            return {"type": scalar}
        if self._name(bare) in _LISTS:
            return {"type": "array"}
        if isinstance(bare, ast.Subscript) and self._name(bare.value) in _LISTS:
            return {"type": "array", "items": {"type": _SCALARS.get(self._name(self._seen(bare.slice)), "string")}}
        return {"type": "string"}

    def _name(self, node: ast.expr | None) -> str:
        return self.names.origin(node) if node is not None else ""

    def _unwrapped(self, node: ast.expr, depth: int) -> ast.expr | None:
        """The type inside `Optional[T]` and its like; `None` where the engine can't see one type."""
        node = self._seen(node)
        if depth > _DEEPEST:
            return None
        if isinstance(node, ast.Subscript) and self._name(node.value) == "typing.Annotated":
            first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
            return self._unwrapped(first, depth + 1)
        members = self._members(node)
        if members is None:
            return node
        inner = [m for m in members if not _is_none(m)]
        return self._unwrapped(inner[0], depth + 1) if len({ast.dump(m) for m in inner}) == 1 else None

    def _members(self, node: ast.expr) -> list[ast.expr] | None:
        """What a union written with `typing` is made of. One written `T | None` is none to the engine (§5.2)."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            sides = [self._seen(node.left), self._seen(node.right)]
            return sides if any(self._is_typing(side) for side in sides) else []
        if not isinstance(node, ast.Subscript):
            return None
        match self._name(node.value):
            case "typing.Optional":
                return [node.slice, ast.Constant(None)]
            case "typing.Union":
                return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        return None

    def _is_typing(self, node: ast.expr) -> bool:
        """Whether it is one of `typing`'s own generics, whose `|` makes one of `typing`'s own unions."""
        return isinstance(node, ast.Subscript) and self._name(node.value).startswith("typing.")

    def _seen(self, node: ast.expr) -> ast.expr:
        """A type behind a module's own alias, or behind quotes that can be looked up."""
        for _ in range(_DEEPEST):
            text, alias = _text(node), self.names.constants.get(node.id) if isinstance(node, ast.Name) else None
            inner = _parsed(text) if text is not None and self.resolves else alias
            if inner is None:
                return node
            node = inner
        return node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
