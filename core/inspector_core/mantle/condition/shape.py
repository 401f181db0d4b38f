"""The code of a condition's shape: names of our own making, operators from our own list, nothing of the author's.

Four functions are written. `truth` short-circuits as the engine does. `row` reads all values at once and judges every
atom; where a key is missing it leaves to `loose`, and where a comparison raises, to `careful`, which tries each atom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

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
    atoms,
)

__all__ = ["loop_source", "source"]

_LEGAL: Final = EQUALITIES | ORDERINGS


def source(tree: Node, slots: Mapping[str, int], constants: int) -> str:
    """The code of a function `make(getter, every key, every constant)` that gives the condition's `truth` and `row`."""
    shape = _Shape(tree, slots, constants)
    return "\n".join(
        [
            f"def make({', '.join([*shape.keys, *shape.constants])}):",
            *shape.truth(),
            *shape.careful(),
            *shape.row(),
            " return truth, row",
        ]
    )


def loop_source(tree: Node, slots: Mapping[str, int], constants: int) -> str:
    """The code of a function `loop(values, conditions, add)` that adds each condition's outcome as 0, 1 or 2."""
    shape = _Shape(tree, slots, constants)
    return "\n".join(
        [
            "def loop(values, conditions, add):",
            f" for {_tuple([*shape.keys, *shape.constants])} in conditions:",
            "  try:",
            f"   add(0 if {_Expression(slots, 'values[k{}]').test(tree)} else 1)",
            "  except RAISED:",
            "   add(2)",
        ]
    )


class _Shape:
    """One tree's atoms, written once for all the functions that judge them."""

    def __init__(self, tree: Node, slots: Mapping[str, int], constants: int) -> None:
        self.tree = tree
        self.slots = slots
        self.keys = [f"k{number}" for number in range(len(slots))]
        self.values = [f"v{number}" for number in range(len(slots))]
        self.constants = [f"c{number}" for number in range(constants)]
        writer = _Expression(slots, "v{}")
        self.atoms = list(atoms(tree))
        self.tests = [writer.atom(atom) for atom in self.atoms]
        self.truths = [f"t{number}" for number in range(len(self.atoms))]
        self.guards = [self._guard(atom) for atom in self.atoms]

    def truth(self) -> Iterator[str]:
        yield f" def truth({_defaults('memory', [*self.keys, *self.constants])}):"
        yield "  try:"
        yield f"   return HOLDS if {_Expression(self.slots, 'memory.get(k{})').test(self.tree)} else FAILS"
        yield "  except RAISED:"
        yield "   return ERRORS"

    def careful(self) -> Iterator[str]:
        yield " def careful(values):"
        yield f"  {_tuple(self.values)} = values"
        for name, test in zip(self.truths, self.tests, strict=True):
            yield f"  try: {name} = {test}"
            yield f"  except RAISED: {name} = None"
        yield from self._outcome(frozenset(self.truths))

    def row(self) -> Iterator[str]:
        yield f" def row({_defaults('memory', [*self.keys, *self.constants])}):"
        if self.keys:
            yield "  try:"
            yield from [f"   v{number} = memory[k{number}]" for number in range(len(self.keys))]
            yield "  except MISSING:"
            yield from [f"   v{number} = memory.get(k{number})" for number in range(len(self.keys))]
        yield f"  values = {_tuple(self.values)}"
        yield "  try:"
        yield from self._known_at_once()
        for name, test, guard in zip(self.truths, self.tests, self.guards, strict=True):
            yield f"   {name} = None if {guard} else {test}" if guard else f"   {name} = {test}"
        yield "  except RAISED:"
        yield "   return careful(values)"
        yield from self._outcome(frozenset(n for n, guard in zip(self.truths, self.guards, strict=True) if guard))

    def _known_at_once(self) -> Iterator[str]:
        """Where plain atoms are joined by `and` alone, that it holds tells each of them; for `or`, that it fails."""
        parts = self.tree.parts if isinstance(self.tree, And | Or) else (self.tree,)
        wanted = not isinstance(self.tree, Or)
        truths = [_plain(part, wanted) for part in parts]
        if len(truths) != len(self.atoms):
            return
        writer = _Expression(self.slots, "v{}")
        tests = [self._sure(atom, writer, truth) for atom, truth in zip(self.atoms, truths, strict=True)]
        outcome = "HOLDS" if wanted else "FAILS"
        yield f"   if {' and '.join(tests)}: return ({outcome}, {_tuple([str(truth) for truth in truths])}, values)"

    def _sure(self, atom: Node, writer: _Expression, truth: bool) -> str:
        guard = self._guard(atom)
        test = writer.value(atom) if truth else f"not {writer.value(atom)}"
        return f"{guard.replace(' or ', ' and ').replace(' is ', ' is not ')} and {test}" if guard else test

    def _outcome(self, raised: frozenset[str]) -> Iterator[str]:
        outcome = _Outcome(iter(self.truths), raised)
        last = outcome.of(self.tree)
        for line in outcome.lines:
            yield f"  {line}"
        yield f"  return (HOLDS if {last} else ERRORS if {last} is None else FAILS, {_tuple(self.truths)}, values)"

    def _guard(self, atom: Node) -> str:
        """For one ordering: when it errors because an entry is unset."""
        match atom:
            case Compare(operators=(sign,), operands=operands) if sign in ORDERINGS:
                unset = [f"v{self.slots[side.key]} is None" for side in operands if isinstance(side, Memory)]
                return " or ".join(unset)
            case _:
                return ""


def _plain(part: Node, wanted: bool) -> bool:
    """The truth of the one atom in a part that comes out as wanted."""
    while isinstance(part, Not):
        part, wanted = part.part, not wanted
    return wanted


def _tuple(names: list[str]) -> str:
    return f"({''.join([f'{name}, ' for name in names])})"


def _defaults(first: str, names: list[str]) -> str:
    """Keys and constants as defaults of parameters: nothing is read faster."""
    return ", ".join([first, *[f"{name}={name}" for name in names]])


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
        return f"True if {self.value(node)} else False"

    def _compare(self, node: Compare) -> str:
        written = self.value(node.operands[0])
        for sign, operand in zip(node.operators, node.operands[1:], strict=True):
            right = self.value(operand)
            written += f" {sign} {right}" if sign in _LEGAL else " == refuse()"
        return f"({written})"


class _Outcome:
    """Writes the engine's order over atoms, of which some may have raised (`None`): what is reached first decides."""

    __slots__ = ("lines", "names", "raised")

    def __init__(self, names: Iterator[str], raised: frozenset[str]) -> None:
        self.names = names
        self.raised = set(raised)
        self.lines: list[str] = []

    def of(self, node: Node) -> str:
        match node:
            case And(parts=parts):
                names = [self.of(part) for part in parts]
                return self._kept(" and ".join(names), names)
            case Or(parts=parts):
                names = [self.of(part) for part in parts]
                return self._kept("".join([self._stop(name) for name in names[:-1]]) + names[-1], names)
            case Not(part=part):
                name = self.of(part)
                raised = f"None if {name} is None else " if name in self.raised else ""
                return self._kept(f"{raised}not {name}", [name])
            case _:
                return next(self.names)

    def _stop(self, name: str) -> str:
        return f"True if {name} else None if {name} is None else " if name in self.raised else f"True if {name} else "

    def _kept(self, expression: str, parts: list[str]) -> str:
        name = f"b{len(self.lines)}"
        if not self.raised.isdisjoint(parts):
            self.raised.add(name)
        self.lines.append(f"{name} = {expression}")
        return name
