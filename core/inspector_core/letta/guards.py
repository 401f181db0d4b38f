"""The expression of a guard: read by a closed list of nodes, evaluated by simpleeval without any function (§4)."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from functools import lru_cache

from simpleeval import EvalWithCompoundTypes, InvalidExpression

from inspector_core.classes import NamedTuple
from inspector_core.source import NO_FILE

__all__ = ["Judged", "judge", "names", "problem", "values"]

_LONGEST = 500
_NODES = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.Compare, ast.Name, ast.Load,
    ast.Constant, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.List, ast.Tuple,
)  # fmt: skip
_WORDS = frozenset({"true", "false", "null", "True", "False", "None"})
_LITERALS: Mapping[str, object] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
}  # fmt: skip


class Judged(NamedTuple):
    """Whether a guard lets its tool through, and why."""

    holds: bool
    why: str


@lru_cache(maxsize=256)
def problem(text: str) -> str | None:
    """What is wrong with an expression, in a line; `None` for one that can be evaluated."""
    if len(text) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    try:
        tree = ast.parse(text.strip(), NO_FILE, "eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "it is no expression"
    odd = next((node for node in ast.walk(tree) if not isinstance(node, _NODES)), None)
    return None if odd is None else f"`{ast.unparse(odd) if isinstance(odd, ast.expr) else text}` can't be used in it"


@lru_cache(maxsize=256)
def names(text: str) -> tuple[str, ...]:
    """The values that an expression speaks of, each once."""
    if problem(text) is not None:
        return ()
    found = (n.id for n in ast.walk(ast.parse(text.strip(), NO_FILE, "eval")) if isinstance(n, ast.Name))
    return tuple(dict.fromkeys(name for name in found if name not in _WORDS))


def values(output: str | None, last: str | None) -> dict[str, object]:
    """What a guard may speak of: the fields of the last output, and `output`, `status` and `last_tool`."""
    found = _object(output) or {}
    message = found.get("message", output)
    fields = _object(message) if isinstance(message, str) else message
    named: dict[str, object] = {str(k): v for k, v in fields.items()} if isinstance(fields, dict) else {}
    if "message" not in found:
        named |= found
    told = {"output": message, "status": found.get("status"), "last_tool": last}
    return {**named, **{key: value for key, value in told.items() if value is not None}}


def _object(text: str | None) -> dict[str, object] | None:
    try:
        found: object = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def judge(text: str, known: Mapping[str, object]) -> Judged:
    """Whether the expression holds; one that can't be evaluated, or lacks a value, is not met. Never raises."""
    wrong = problem(text)
    if wrong is not None:
        return Judged(False, f"`{text}` can't be evaluated: {wrong}")
    missing = [name for name in names(text) if name not in known]
    if missing:
        return Judged(False, f"the last output has no `{missing[0]}`, so `{text}` is not met")
    try:
        held = bool(EvalWithCompoundTypes(functions={}, names={**known, **_LITERALS}).eval(text.strip()))
    except (InvalidExpression, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        return Judged(False, f"`{text}` can't be evaluated: {error}")
    seen = ", ".join(f"`{name}` is `{known[name]}`" for name in names(text))
    return Judged(held, f"{seen or 'it'}, so `{text}` {'holds' if held else 'is not met'}")
