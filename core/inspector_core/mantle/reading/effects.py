"""What a tool's code can be read to do: entries it gets and sets, texts it sends, results it builds (§5.3–§5.5)."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from typing import Any

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.mantle.reading.literals import Evaluation
from inspector_core.mantle.reading.names import Names
from inspector_core.mantle.reading.python import BRANCHES, PARTS, STATEMENTS, Code, Function, walk
from inspector_core.tool import UNKNOWN, MemoryUse, Outcome

__all__ = ["Effects", "ModuleEffects"]

_WORDS = ("memory", "send", "ActivateSkill")
_METHODS = frozenset(("get", "set", "send", "ToolResult", "ActivateSkill"))
_SCOPES = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
_Call, _Name, _Attribute = ast.Call, ast.Name, ast.Attribute
_new = tuple.__new__
"""Makes a named tuple in half the time that its own constructor takes."""
_NO_LINE = 1 << 62
"""Behind the last line of any file."""
_DEEPEST_CALL = 3
"""How many helpers of the same module are followed, one calling the other."""


class Effects:
    """What one function does, or one function with the helpers it calls."""

    __slots__ = ("activates", "calls", "outcomes", "reads", "sends", "writes")

    def __init__(self) -> None:
        self.reads: list[MemoryUse] = []
        self.writes: list[MemoryUse] = []
        self.sends: list[str] = []
        self.outcomes: list[Outcome] = []
        self.activates: list[str | None] = []
        """Skills that it has started next; `None` for an id that is no literal."""
        self.calls: list[str] = []
        """Helpers of the same module, by name."""

    def add(self, other: Effects) -> None:
        """Take over what a helper does."""
        self.reads += other.reads
        self.writes += other.writes
        self.sends += other.sends
        self.outcomes += other.outcomes
        self.activates += other.activates


_NONE = Effects()


class _Place(NamedTuple):
    """Where the search stands."""

    found: Effects
    parameters: frozenset[str] = frozenset()
    """Of all enclosing functions: only what is called on one of them counts as the tool's context (§5.5)."""
    function: Function | None = None
    """The outermost enclosing function."""


def _branches(parts: list[Any]) -> list[Any]:
    """Of the parts, last first, those that may hold running code."""
    if len(parts) == 1:
        return parts if parts[0].__class__ in BRANCHES else []
    return [part for part in reversed(parts) if part.__class__ in BRANCHES]


class ModuleEffects:
    """The effects of every function in a module, found in one pass that skips lines without a telling word."""

    def __init__(self, code: Code, names: Names) -> None:
        self._code = code
        self._names = names
        self._results = {n for n, o in names.origins.items() if o.endswith(".ToolResult")} or {"ToolResult"}
        self._starts = {n for n, o in names.origins.items() if o.endswith(".ActivateSkill")} or {"ActivateSkill"}
        self._all: dict[int, Effects] = {}
        """By the identity of the outermost function; under 0 what stands outside of any."""
        self._search()

    @property
    def writes(self) -> Iterator[MemoryUse]:
        return (w for effects in self._all.values() for w in effects.writes)

    def of(self, function: Function) -> Effects:
        """A function's own effects, then those of the helpers it calls."""
        own = self._all.get(id(function), _NONE)
        if not own.calls:
            return own
        total, seen, level = Effects(), {id(function)}, [function]
        for _ in range(_DEEPEST_CALL):
            following: list[Function] = []
            for each in level:
                own = self._all.get(id(each), _NONE)
                total.add(own)
                following += self._helpers(own, seen)
            level = following
        return total

    def _helpers(self, effects: Effects, seen: set[int]) -> Iterator[Function]:
        for name in effects.calls:
            helper = self._names.functions.get(name)
            if helper is not None and id(helper) not in seen:
                seen.add(id(helper))
                yield helper

    def _search(self) -> None:
        """Follow the code in the order in which it is written, past the statements without a telling word."""
        helpers = {n for n, f in self._names.functions.items() if not f.decorator_list}
        lines = [*self._code.lines_with([*_WORDS, *self._results, *self._starts, *helpers]), _NO_LINE]
        place = _Place(Effects())
        self._all[0] = place.found
        stack: list[Any] = [self._code.tree]
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is _Place:
                place = node
                continue
            if kind in STATEMENTS and lines[bisect_left(lines, node.lineno)] > node.end_lineno:
                continue
            if kind is _Call:
                self._call(node, place)
            elif kind in _SCOPES:
                stack.append(place)
                place = self._inside(node, place)
            for name in PARTS[kind]:
                part = getattr(node, name)
                if part.__class__ in BRANCHES:
                    stack.append(part)
                elif part and part.__class__ is list:
                    stack += _branches(part)

    def _inside(self, scope: Function | ast.Lambda, place: _Place) -> _Place:
        found, function = place.found, place.function
        if function is None and not isinstance(scope, ast.Lambda):
            function, found = scope, Effects()
            self._all[id(scope)] = found
        names = _names_in(scope.args)
        return _new(_Place, (found, names | place.parameters if place.parameters else names, function))

    def _call(self, call: ast.Call, place: _Place) -> None:
        called = call.func
        if isinstance(called, _Name):
            if called.id in self._results:
                self._outcome(call, place)
            elif called.id in self._starts:
                self._start(call, place)
            elif called.id in self._names.functions:
                place.found.calls.append(called.id)
        elif isinstance(called, _Attribute) and called.attr in _METHODS:
            self._method(call, called, place)

    def _method(self, call: ast.Call, called: ast.Attribute, place: _Place) -> None:
        holder = called.value
        match called.attr:
            case "get" | "set":
                if isinstance(holder, _Attribute) and holder.attr == "memory" and _is_one(holder.value, place):
                    self._memory(call, called.attr, place)
            case "send":
                if _is_one(holder, place):
                    self._send(call, place)
            case "ToolResult":
                self._outcome(call, place)
            case _:
                self._start(call, place)

    def _memory(self, call: ast.Call, verb: str, place: _Place) -> None:
        name = _argument(call, 0, "entry")
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            return
        span = self._code.span(name)
        if verb == "get":
            place.found.reads.append(_new(MemoryUse, (name.value, span, UNKNOWN)))
            return
        value = _argument(call, 1, "value")
        written = UNKNOWN if value is None else self._evaluation(place).json(value)
        place.found.writes.append(_new(MemoryUse, (name.value, span, written)))

    def _send(self, call: ast.Call, place: _Place) -> None:
        node = _argument(call, 0, "text")
        text = UNKNOWN if node is None else self._evaluation(place).value(node)
        if isinstance(text, str):
            place.found.sends.append(text)

    def _start(self, call: ast.Call, place: _Place) -> None:
        node = _argument(call, 0, "skill_id")
        skill = None if node is None else self._evaluation(place).value(node)
        place.found.activates.append(skill if isinstance(skill, str) else None)

    def _outcome(self, call: ast.Call, place: _Place) -> None:
        evaluation = self._evaluation(place)
        node = _argument(call, 0, "llm_response")
        payload: object = None
        if _is_spread(call):
            payload = UNKNOWN
        elif node is not None:
            payload = evaluation.json(self._told(node, place))
        place.found.outcomes.append(_new(Outcome, (payload, self._code.span(call), evaluation.partial)))

    def _told(self, node: ast.expr, place: _Place) -> ast.expr:
        """For a variable that is set once and used only here: what it was set to."""
        if isinstance(node, ast.Name) and place.function is not None:
            seen = self._sightings(place.function, node.id)
            if seen.value is not None and seen.bindings == seen.uses == 1:
                return seen.value
        return node

    def _evaluation(self, place: _Place) -> Evaluation:
        return Evaluation(partial(self._constant, place.function))

    def _constant(self, function: Function | None, name: str) -> ast.expr | None:
        """What a name of the module was set to, unless the function has one of its own by that name."""
        value = self._names.constants.get(name)
        if value is None or function is None:
            return value
        return None if self._sightings(function, name).bindings else value

    def _sightings(self, function: Function, name: str) -> _Sightings:
        """How often a function binds and uses a name, and what it sets it to."""
        seen = _Sightings(bindings=int(name in _names_in(function.args)))
        for node in walk(function, self._code.lines_with([name])):
            seen.look(node, name)
        return seen


@dataclass(slots=True)
class _Sightings:
    """What was seen of one name in one function."""

    bindings: int = 0
    uses: int = 0
    value: ast.expr | None = None

    def look(self, node: ast.AST, name: str) -> None:
        match node:
            case ast.Name(id=id_):
                if id_ == name:
                    self.uses += isinstance(node.ctx, ast.Load)
                    self.bindings += not isinstance(node.ctx, ast.Load)
            case ast.Assign(targets=[ast.Name(id=id_)], value=value) if id_ == name:
                self.value = value
            case ast.AnnAssign(target=ast.Name(id=id_), value=value) if id_ == name:
                self.value = value


def _names_in(arguments: ast.arguments) -> frozenset[str]:
    every = arguments.args + arguments.posonlyargs + arguments.kwonlyargs
    every += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return frozenset([a.arg for a in every])


def _is_one(node: ast.expr, place: _Place) -> bool:
    """Whether it is one of the parameters."""
    return isinstance(node, _Name) and node.id in place.parameters


def _is_spread(call: ast.Call) -> bool:
    """Whether arguments come out of a list or a mapping, so that it can't be seen which they are."""
    for keyword in call.keywords:
        if keyword.arg is None:
            return True
    return any([isinstance(argument, ast.Starred) for argument in call.args]) if call.args else False


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """An argument by its place or its name."""
    if len(call.args) > position:
        return call.args[position]
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return None
