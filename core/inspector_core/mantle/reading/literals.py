"""What an expression comes to where it is built from literals: worked out by hand, within bounds, never run."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from typing import Any

from inspector_core.tool import UNKNOWN, Unknown

__all__ = ["Evaluation"]

_DEEPEST = 40
_MOST_NODES = 2_000
_LONGEST_TEXT = 20_000
_Constant = ast.Constant
_PLAIN_FORMAT = re.compile(r"(?:[^%]|%[srd%])*")

Value = Any
"""A plain value, a frozenset, or `UNKNOWN`."""


class Evaluation:
    """Works out one expression; a budget bounds all that it visits, however often names lead to the same place."""

    def __init__(self, lookup: Callable[[str], ast.expr | None]) -> None:
        self.lookup = lookup
        """What a name was set to, where it was set once."""
        self.partial = False
        """A mapping took in keys that can't be told."""
        self._left = _MOST_NODES
        self._depth = 0

    def json(self, node: ast.expr) -> object:
        """The value as JSON would hold it; parts that can't be told are `UNKNOWN`."""
        return _json(self.value(node))

    def value(self, node: ast.expr) -> Value:
        """The value as Python holds it, or `UNKNOWN`."""
        self._left -= 1
        if self._left < 0 or self._depth >= _DEEPEST:
            return UNKNOWN
        if isinstance(node, _Constant):
            return node.value
        work = _WORK.get(type(node))
        if work is None:
            return UNKNOWN
        self._depth += 1
        try:
            return work(self, node)
        finally:
            self._depth -= 1

    def _name(self, node: ast.Name) -> Value:
        constant = self.lookup(node.id)
        if constant is None or _is_empty(constant):
            return UNKNOWN
        return self.value(constant)

    def _list(self, node: ast.List | ast.Tuple) -> Value:
        values: list[Value] = []
        for element in node.elts:
            if not isinstance(element, ast.Starred):
                values.append(_json(self.value(element)))
                continue
            inner = self.value(element.value)
            if not isinstance(inner, list):
                return UNKNOWN
            values += inner
        return values

    def _set(self, node: ast.Set) -> Value:
        return _frozen([self.value(e) for e in node.elts])

    def _dict(self, node: ast.Dict) -> Value:
        found: dict[str, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self._spread(found, value)
                continue
            known = self.value(key)
            name = known if isinstance(known, str) else _key(known)
            if name is None:
                self.partial = True
            else:
                found[name] = _json(self.value(value))
        return found

    def _spread(self, into: dict[str, Value], node: ast.expr) -> None:
        inner = self.value(node)
        if isinstance(inner, dict):
            into.update(inner)
        else:
            self.partial = True

    def _joined(self, node: ast.JoinedStr) -> Value:
        return _joined([self.value(part) for part in node.values])

    def _formatted(self, node: ast.FormattedValue) -> Value:
        value = UNKNOWN if node.conversion != -1 or node.format_spec else self.value(node.value)
        return value if isinstance(value, str) else UNKNOWN

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        match node.op:
            case ast.Add() if isinstance(left, str) and isinstance(right, str):
                return _joined([left, right])
            case ast.Add() if isinstance(left, list) and isinstance(right, list):
                return left + right
            case ast.Mod() if isinstance(left, str):
                return _percent(left, right)
        return UNKNOWN

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        match node.op:
            case ast.USub() if type(value) in (int, float):
                return -value
            case ast.Not() if not isinstance(value, Unknown):
                return not value
        return UNKNOWN

    def _subscript(self, node: ast.Subscript) -> Value:
        holder, key = self.value(node.value), self.value(node.slice)
        if isinstance(holder, dict) and isinstance(key, str):
            return holder.get(key, UNKNOWN)
        if isinstance(holder, (list, str)) and type(key) is int and -len(holder) <= key < len(holder):
            return holder[key]
        return UNKNOWN

    def _call(self, node: ast.Call) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "dict" and not node.args:
            return self._keywords(node)
        work = _CALLS.get(name)
        if work is None or node.keywords or len(node.args) != 1:
            return UNKNOWN
        value = self.value(node.args[0])
        sized = isinstance(value, (list, dict, frozenset, str)) and (name == "len" or len(value) <= _MOST_NODES)
        return work(value) if sized else UNKNOWN

    def _keywords(self, node: ast.Call) -> Value:
        found: dict[str, Value] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                self._spread(found, keyword.value)
            else:
                found[keyword.arg] = _json(self.value(keyword.value))
        return found


def _is_empty(node: ast.expr) -> bool:
    """Whether it is an empty collection, which a module writes to fill it later."""
    match node:
        case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.Set(elts=[]):
            return True
        case ast.Call(func=ast.Name(id="list" | "dict" | "set"), args=[], keywords=[]):
            return True
    return False


def _json(value: Value) -> Value:
    """A value JSON can hold, or `UNKNOWN`; lists and mappings are checked when they are made."""
    if value is None or isinstance(value, (str, bool, list, dict)):
        return value
    if isinstance(value, int):
        return value if _digits(value) else UNKNOWN
    return value if isinstance(value, float) and math.isfinite(value) else UNKNOWN


def _key(value: Value) -> str | None:
    match value:
        case str():
            return value
        case True:
            return "true"
        case False:
            return "false"
        case None:
            return "null"
        case int():
            return _digits(value)
    return None


def _digits(value: int) -> str | None:
    return str(value) if value.bit_length() < 4_000 else None


def _frozen(values: list[Value]) -> Value:
    simple = all(v is None or isinstance(v, (str, int, float, bool)) for v in values)
    return frozenset(values) if simple else UNKNOWN


def _joined(parts: list[Value]) -> Value:
    if not all(isinstance(p, str) for p in parts) or sum(map(len, parts)) > _LONGEST_TEXT:
        return UNKNOWN
    return "".join(parts)


def _percent(form: str, value: Value) -> Value:
    """Plain `%s`, `%d` and `%r` of texts and numbers only: a width could fill the memory."""
    values = value if isinstance(value, list) else [value]
    plain = all(isinstance(v, str) or (isinstance(v, int) and _digits(v)) for v in values)
    if not plain or not _PLAIN_FORMAT.fullmatch(form) or form.count("%") > 100:
        return UNKNOWN
    if len(form) + sum(len(str(v)) for v in values) > _LONGEST_TEXT:
        return UNKNOWN
    try:
        return form % tuple(values)
    except (TypeError, ValueError):
        return UNKNOWN


def _sorted(value: Value) -> Value:
    try:
        return sorted(value)
    except TypeError:
        return UNKNOWN


def _listed(value: Value) -> Value:
    return UNKNOWN if isinstance(value, frozenset) else list(value)


_CALLS: dict[str, Callable[[Value], Value]] = {
    "len": len,
    "sorted": _sorted,
    "list": _listed,
    "tuple": _listed,
    "set": lambda value: _frozen(list(value)),
    "frozenset": lambda value: _frozen(list(value)),
    "dict": lambda value: value if isinstance(value, dict) else UNKNOWN,
}

_WORK: dict[type[ast.expr], Callable[[Evaluation, Any], Value]] = {
    ast.Name: Evaluation._name,
    ast.List: Evaluation._list,
    ast.Tuple: Evaluation._list,
    ast.Set: Evaluation._set,
    ast.Dict: Evaluation._dict,
    ast.JoinedStr: Evaluation._joined,
    ast.FormattedValue: Evaluation._formatted,
    ast.BinOp: Evaluation._binary,
    ast.UnaryOp: Evaluation._unary,
    ast.Subscript: Evaluation._subscript,
    ast.Call: Evaluation._call,
}
