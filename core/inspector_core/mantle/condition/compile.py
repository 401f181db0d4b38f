"""Fast evaluation: a condition's shape becomes code once, and its keys and constants are handed to that code.

The code is generated from our own checked tree and holds nothing of the author's text: keys and constants arrive as
arguments, so conditions of the same shape share one piece of code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, NoReturn, assert_never, cast

from inspector_core.mantle.condition.prove import prove
from inspector_core.mantle.condition.tree import (
    EQUALITIES,
    ORDERINGS,
    And,
    Compare,
    Constant,
    Illegal,
    Memory,
    Node,
    Not,
    Or,
    Partial,
    inner,
    walk,
)
from inspector_core.mantle.condition.values import RAISED
from inspector_core.proof import Proof, Truth

__all__ = ["RowOf", "TruthOf", "atoms", "compiled"]

TruthOf = Callable[[Mapping[str, object]], Truth]
RowOf = Callable[[Mapping[str, object]], tuple[object, ...]]
_Make = Callable[..., tuple[TruthOf, RowOf]]

_MOST_PARTS: Final = 600
_DEEPEST: Final = 30
"""Beyond these, a condition is interpreted: Python's own compiler has limits, and nobody writes such a gate."""
_LEGAL: Final = EQUALITIES | ORDERINGS


def atoms(tree: Node) -> Iterator[Node]:
    """The parts between which `and`, `or` and `not` stand, in source order: those that a row reports."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        if isinstance(here, And | Or | Not):
            waiting.extend(reversed(inner(here)))
        else:
            yield here


def compiled(text: str, tree: Node, keys: tuple[str, ...]) -> tuple[TruthOf, RowOf]:
    """The condition's `truth` and `row`."""
    if sum(1 for _ in islice(walk(tree), _MOST_PARTS + 1)) > _MOST_PARTS or _deep(tree, _DEEPEST):
        return _interpreted(text, tree, keys)
    constants = [node.value for node in walk(tree) if isinstance(node, Constant | Partial)]
    source = _source(tree, {key: number for number, key in enumerate(keys)}, len(constants))
    return _made(source)(*keys, *constants)


def _deep(node: Node, left: int) -> bool:
    return left == 0 or any(_deep(part, left - 1) for part in inner(node))


@lru_cache(maxsize=1024)
def _made(source: str) -> _Make:
    room: dict[str, object] = {
        "__builtins__": {},
        "HOLDS": Truth.HOLDS,
        "FAILS": Truth.FAILS,
        "ERRORS": Truth.ERRORS,
        "RAISED": RAISED,
        "refuse": _refuse,
    }
    exec(compile(source, "<condition>", "exec"), room)
    return cast(_Make, room["make"])


def _refuse() -> NoReturn:
    raise TypeError


class _Expression:
    """Writes parts as Python expressions; constants are numbered as they come, so two writings number them alike."""

    __slots__ = ("constants", "read", "slots")

    def __init__(self, slots: Mapping[str, int], read: str) -> None:
        self.slots = slots
        self.read = read
        self.constants: list[object] = []

    def value(self, node: Node) -> str:
        """The part's value: `and`, `or` and `not` give true or false, as the engine's do."""
        match node:
            case Memory(key=key):
                return self.read.format(self.slots[key])
            case Constant(value=value) | Partial(value=value):
                self.constants.append(value)
                return f"c{len(self.constants) - 1}"
            case Compare():
                return self._compare(node)
            case And() | Or() | Not():
                return f"(True if {self.test(node)} else False)"
            case Illegal():
                return "refuse()"
            case _:
                assert_never(node)

    def test(self, node: Node) -> str:
        """The part where only its truthiness matters."""
        match node:
            case And(parts=parts):
                return f"({' and '.join([self.test(part) for part in parts])})"
            case Or(parts=parts):
                return f"({' or '.join([self.test(part) for part in parts])})"
            case Not(part=part):
                return f"(not {self.test(part)})"
            case _:
                return self.value(node)

    def atom(self, node: Node) -> str:
        """The truth of a part as `True` or `False`."""
        return self.value(node) if isinstance(node, Compare) else f"True if {self.value(node)} else False"

    def _compare(self, node: Compare) -> str:
        written = self.value(node.operands[0])
        for sign, operand in zip(node.operators, node.operands[1:], strict=True):
            right = self.value(operand)
            written += f" {sign} {right}" if sign in _LEGAL else " == refuse()"
        return f"({written})"


def _skeleton(node: Node, names: Iterator[str]) -> str:
    """The `and`, `or` and `not` between atoms that go by names."""
    match node:
        case And(parts=parts):
            return f"({' and '.join([_skeleton(part, names) for part in parts])})"
        case Or(parts=parts):
            return f"({' or '.join([_skeleton(part, names) for part in parts])})"
        case Not(part=part):
            return f"(not {_skeleton(part, names)})"
        case _:
            return next(names)


class _Outcome:
    """Writes the engine's order over atoms that may have raised (`None`): whatever is reached first decides."""

    __slots__ = ("lines", "names")

    def __init__(self, names: Iterator[str]) -> None:
        self.names = names
        self.lines: list[str] = []

    def of(self, node: Node) -> str:
        match node:
            case And(parts=parts):
                return self._kept(" and ".join([self.of(part) for part in parts]))
            case Or(parts=parts):
                names = [self.of(part) for part in parts]
                stops = "".join([f"True if {name} else None if {name} is None else " for name in names[:-1]])
                return self._kept(stops + names[-1])
            case Not(part=part):
                name = self.of(part)
                return self._kept(f"None if {name} is None else not {name}")
            case _:
                return next(self.names)

    def _kept(self, expression: str) -> str:
        name = f"b{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        return name


def _source(tree: Node, slots: Mapping[str, int], constants: int) -> str:
    """The code of one shape."""
    every = list(atoms(tree))
    values = [f"v{number}" for number in slots.values()]
    truths = [f"t{number}" for number in range(len(every))]
    writer = _Expression(slots, "v{}")
    written = [writer.atom(atom) for atom in every]
    outcome = _Outcome(iter(truths))
    last = outcome.of(tree)
    row = "".join([f", {name}" for name in [*truths, *values]])
    given = ", ".join([*(f"k{n}" for n in slots.values()), *(f"c{n}" for n in range(constants))])
    lines = [
        f"def make({given}):",
        " def truth(memory):",
        "  get = memory.get",
        "  try:",
        f"   return HOLDS if {_Expression(slots, 'get(k{})').test(tree)} else FAILS",
        "  except RAISED:",
        "   return ERRORS",
        f" def careful({', '.join(values)}):",
        *_each_tried(truths, written),
        *(f"  {line}" for line in outcome.lines),
        f"  return (HOLDS if {last} else ERRORS if {last} is None else FAILS{row})",
        " def row(memory):",
        "  get = memory.get",
        *(f"  v{number} = get(k{number})" for number in slots.values()),
        "  try:",
        *(f"   {name} = {test}" for name, test in zip(truths, written, strict=True)),
        "  except RAISED:",
        f"   return careful({', '.join(values)})",
        f"  return (HOLDS if {_skeleton(tree, iter(truths))} else FAILS{row})",
        " return truth, row",
    ]
    return "\n".join(lines)


def _each_tried(truths: list[str], written: list[str]) -> Iterator[str]:
    for name, test in zip(truths, written, strict=True):
        yield f"  try: {name} = {test}"
        yield f"  except RAISED: {name} = None"


def _interpreted(text: str, tree: Node, keys: tuple[str, ...]) -> tuple[TruthOf, RowOf]:
    """The same two answers by way of the proof."""

    def truth(memory: Mapping[str, object]) -> Truth:
        return prove(text, tree, keys, memory).truth

    def row(memory: Mapping[str, object]) -> tuple[object, ...]:
        proof = prove(text, tree, keys, memory)
        return (proof.truth, *_atom_truths(proof), *[memory.get(key) for key in keys])

    return truth, row


def _atom_truths(proof: Proof) -> Iterator[bool | None]:
    waiting = [proof]
    while waiting:
        here = waiting.pop()
        if here.kind in ("and", "or", "not"):
            waiting.extend(reversed(here.children))
        else:
            yield None if here.truth is Truth.ERRORS else here.truth is Truth.HOLDS
