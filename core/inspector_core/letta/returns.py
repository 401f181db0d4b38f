"""What a tool's code can be read to return, where every return is a plain value; nothing is run."""

from __future__ import annotations

import ast

from inspector_core.source import NO_FILE

__all__ = ["returns"]


def returns(code: str, name: str) -> frozenset[str] | None:
    """The texts that the server would keep of it; `None` where reading can't tell them all."""
    try:
        tree = ast.parse(code, NO_FILE)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = [n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    function = next((f for f in functions if f.name == name), None)
    if function is None:
        return None
    given = [node.value for node in _own(function) if isinstance(node, ast.Return)]
    texts = [_texts(value) for value in given]
    if given and all(texts):
        return frozenset(text for found in texts for text in found)
    boolean = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    return frozenset({"True", "False"}) if boolean else None


def _own(function: ast.AST) -> list[ast.AST]:
    """Its statements without those of functions inside of it."""
    found: list[ast.AST] = []
    left = list(ast.iter_child_nodes(function))
    while left:
        node = left.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            left += ast.iter_child_nodes(node)
    return found


def _texts(value: ast.expr | None) -> frozenset[str]:
    """The texts that a value may be; none where only running would tell."""
    match value:
        case None:
            return frozenset({"None"})
        case ast.Constant(value=held):
            return frozenset({str(held)})
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return frozenset({"True", "False"})
        case ast.IfExp(body=body, orelse=other):
            first, second = _texts(body), _texts(other)
            return first | second if first and second else frozenset()
        case _:
            return frozenset()
