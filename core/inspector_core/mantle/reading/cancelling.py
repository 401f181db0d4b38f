"""Where a tool can be cut off in the middle of something that can't be taken back (§5.8).

The customer may speak while a tool waits: the engine then cancels it at its `await`, and no record of the call is left.
Read from the names alone: an await of what sounds like a change outside, before the first look at
`context.is_cancelled`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from inspector_core.mantle.reading.python import Code, Function, walk
from inspector_core.source import Span

__all__ = ["AWAITS", "risky_awaits"]

AWAITS = ("await", "async with", "is_cancelled")
"""Only lines with one of these words can matter."""

_CHANGES = frozenset((
    "add", "approve", "assign", "book", "buy", "cancel", "charge", "close", "commit", "create", "debit", "delete",
    "deposit", "dispatch", "enqueue", "execute", "insert", "issue", "order", "pay", "payment", "patch", "place", "post",
    "publish", "purchase", "put", "refund", "register", "remove", "reserve", "save", "send", "ship", "submit",
    "transfer", "update", "upload", "withdraw", "write",
))  # fmt: skip
_LOOKS = frozenset((
    "can", "check", "count", "describe", "estimate", "exists", "fetch", "find", "get", "has", "head", "is", "list",
    "load", "lookup", "preview", "query", "quote", "read", "search", "select", "show", "validate", "verify", "wait",
))  # fmt: skip
"""A name that begins so only looks at something, whatever it goes on with: `get_order`."""
_CHANGING_METHODS = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_THREADS = frozenset(("to_thread", "run_in_executor"))
"""They call what they are given."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def risky_awaits(code: Code, function: Function, lines: list[int]) -> Iterator[Span]:
    """The calls that a function awaits at that risk, in the order in which they are written.

    `lines` are those of the file that have one of `AWAITS`.
    """
    if not lines:
        return
    own = _contexts(function.args)
    seen: set[int] = set()
    for node in walk(function, lines):
        match node:
            case ast.Attribute(attr="is_cancelled"):
                return
            case ast.Await(value=value):
                waited: list[ast.expr] = [value]
            case ast.AsyncWith(items=items):
                waited = [item.context_expr for item in items]
            case _:
                continue
        for call in _calls(waited):
            if id(call) not in seen and _changes(call, own):
                seen.add(id(call))
                yield code.span(call.func)


def _contexts(arguments: ast.arguments) -> frozenset[str]:
    """The parameters that stand for the conversation; what is sent through them is the engine's to drop."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return frozenset(a.arg for a in every if a.arg == "context" or _last(a.annotation) == "ToolContext")


def _calls(waited: list[ast.expr]) -> Iterator[ast.Call]:
    for value in waited:
        yield from (node for node in ast.walk(value) if isinstance(node, ast.Call))


def _changes(call: ast.Call, contexts: frozenset[str]) -> bool:
    """Whether a call sounds as if it changed something outside."""
    if _root(call.func) in contexts:
        return False
    name = _last(call.func)
    if name in _THREADS:
        return any(_sounds(_last(argument)) for argument in call.args)
    first = next((a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)), "")
    if name == "request":
        return first.upper() in _CHANGING_METHODS
    return _sounds(name) and not first.lstrip().upper().startswith("SELECT")


def _sounds(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    return bool(words) and words[0] not in _LOOKS and not _CHANGES.isdisjoint(words)


def _last(node: ast.expr | None) -> str:
    """The last part of a name: `post` of `session.post`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Constant(value=str() as text):
            return text.rpartition(".")[2]
        case _:
            return ""


def _root(node: ast.expr) -> str:
    """The first part of a name: `session` of `session.post`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
