"""What a condition is: its text, what it reads, and whether the engine accepts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from inspector_core.classes import dataclass
from inspector_core.mantle.condition import compile as compiling
from inspector_core.mantle.condition.grow import Grown, grow
from inspector_core.mantle.condition.pattern import pattern
from inspector_core.mantle.condition.prove import prove
from inspector_core.mantle.condition.tree import Node
from inspector_core.proof import Proof, Truth

if TYPE_CHECKING:
    from inspector_core.mantle.condition.problem import Problem

__all__ = ["Condition", "parse"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, equal by its text. Reading a folder parses none: all there is to it is made on first use."""

    text: str
    accepted: bool = field(init=False, compare=False, repr=False)
    """What the engine's syntax check says at train (§4.1)."""
    keys: tuple[str, ...] = field(init=False, compare=False, repr=False)
    """The keys it names, in order of appearance, each once; those inside refused parts too (§4.4)."""
    tree: Node = field(init=False, compare=False, repr=False)
    truth: Callable[[Mapping[str, object]], Truth] = field(init=False, compare=False, repr=False)
    """The outcome over a flat memory of what may be read, in the engine's order; unset and `None` are the same."""
    row: Callable[[Mapping[str, object]], compiling.Row] = field(init=False, compare=False, repr=False)
    """The outcome; each atom's truth (`None`: it errors), whether reached or not; and the value of each key."""
    pattern: str | None = field(init=False, compare=False, repr=False)
    """A condition of the same shape with numbered keys; `None` where this one is not accepted."""
    problem: Problem | None = field(init=False, compare=False, repr=False)
    """Why it is not accepted, with what to write instead; `None` where it is."""

    def prove(self, memory: Mapping[str, object]) -> Proof:
        """Why it comes out as it does."""
        return prove(self.text, self.tree, self.keys, memory)

    if not TYPE_CHECKING:  # to a type checker, an attribute that is not declared above must stay a mistake

        def __getattr__(self, name: str) -> object:
            """Makes what is made on first use; afterwards the slot is filled and this is never asked."""
            match name:
                case "tree" | "keys" | "accepted":
                    made = grow(self.text)._asdict()
                case "pattern":
                    made = {name: pattern(self.text, self.tree, self.keys) if self.accepted else None}
                case "truth" | "row":
                    grown = Grown(self.tree, self.keys, self.accepted)
                    both = compiling.compiled(self.text, grown, self.pattern)
                    made = dict(zip(("truth", "row"), both, strict=True))
                case "problem":
                    from inspector_core.mantle.condition.problem import problem_of

                    made = {name: problem_of(self.text, self.tree, self.accepted)}
                case _:
                    raise AttributeError(name)
            for slot, value in made.items():
                object.__setattr__(self, slot, value)
            return made[name]

    def __reduce__(self) -> tuple[Callable[[str], Condition], tuple[str]]:
        return parse, (self.text,)


@lru_cache(maxsize=16384)
def parse(text: str) -> Condition:
    """The condition of a text; whatever the text is, this answers and never raises."""
    return Condition(text)
