"""Every tool's verdict in one state: the value that panels, shell, replay and checks all read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING, Literal

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.proof import Proof
from inspector_core.source import Span
from inspector_core.tool import ToolKind

__all__ = ["Change", "OnDemand", "Plan", "Report", "Standing", "Verdict", "changes", "compared"]

Standing = Literal["offered", "hidden", "asks", "error", "inactive", "not imported", "engine only"]
"""The word on the screen. `asks`: offered, and a call opens a confirmation. `error`: its gate can't be evaluated."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The confirmation that a call would open."""

    ask_response: str | None
    """The response that asks; `None`: the model is told to ask in its own words."""
    ask_text: str | None
    """That response rendered with today's memory; `None` where it is left to the model or would render blank."""
    denial_response: str | None
    denial_text: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the engine would do with one tool now. *Offered* and *admissible* are two questions (§5.6, §6.1)."""

    skill: str | None
    """The skill it is judged for; `None` for a tool of no skill."""
    tool: str
    kind: ToolKind
    offered: bool
    """It would be in the list that the model gets."""
    admissible: bool
    """A call of it would get past the gate now, to its confirmation or its run, offered or not."""
    standing: Standing
    reason: str
    """A stable code: `offered`, `gate-false`, `gate-error`, … (docs/reasons.md lists them all)."""
    why: str
    """The reason in a line, in the author's words: `selected_card_id is unset`. Empty where there is none."""
    span: Span | None
    """Where the tool is defined or imported."""
    requires: str | None = None
    """The gate's condition as written; `None`: no condition."""
    gate_span: Span | None = None
    """Where that condition is written."""
    proof: Proof | None = None
    confirmation: Plan | None = None
    on_success: str | None = None
    on_failure: str | None = None
    active: bool = True
    """Its skill is the active one. Tools of another skill are judged as if that one had just been started."""
    explain: Callable[[], tuple[Proof, str]] | None = field(default=None, repr=False, compare=False)
    """Makes `proof` and `why` when one of them is first asked for: most of a large agent's never are."""

    def __post_init__(self) -> None:
        if self.explain is not None and self.proof is None:
            object.__delattr__(self, "proof")
            if not self.why and not self.offered:
                object.__delattr__(self, "why")

    if not TYPE_CHECKING:  # to a type checker, an attribute that is not declared above must stay a mistake

        def __getattr__(self, name: str) -> object:
            """Makes what is made on first use; afterwards the slots are filled and this is never asked."""
            if name not in ("proof", "why") or self.explain is None:
                raise AttributeError(name)
            proof, why = self.explain()
            object.__setattr__(self, "proof", proof)
            object.__setattr__(self, "why", why)
            return proof if name == "proof" else why

    @property
    def id(self) -> tuple[str | None, str]:
        return self.skill, self.tool


class OnDemand(Mapping[str | None, tuple[Verdict, ...]]):
    """Verdicts by skill that are worked out when they are asked for; the standings can be had without them."""

    __slots__ = ()

    @abstractmethod
    def standings(self, skill: str | None) -> Mapping[str, Standing]:
        """Tool to standing for one skill; empty for one that is not listed."""


class Change(NamedTuple):
    """A tool whose standing is another one than before; `None` on the side where it didn't exist."""

    skill: str | None
    tool: str
    before: Standing | None
    after: Standing | None

    def __str__(self) -> str:
        return f"{self.tool}: {self.before or 'new'} → {self.after or 'gone'}"


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """All verdicts in a state, in the order of the author's files; compared by identity."""

    by_skill: Mapping[str | None, tuple[Verdict, ...]]
    """The verdicts judged for each skill; under `None` those of tools that belong to no skill."""
    target: str | None
    """The active target: a skill id, or `skill__block`; `None` while no skill is active."""
    key: object = field(default_factory=object, repr=False)
    """Stands for this report where holding on to it would keep all earlier ones alive."""
    origin: object = None
    """The key of the report it was made from, if it was made from one."""
    moved: tuple[Change, ...] = ()
    """What stands otherwise than in that report."""

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """All of them, skill by skill."""
        return chain.from_iterable(self.by_skill.values())

    def of(self, skill: str | None) -> tuple[Verdict, ...]:
        """The verdicts judged for one skill."""
        return self.by_skill.get(skill, ())

    def standings(self, skill: str | None) -> Mapping[str, Standing]:
        """Each tool's standing for one skill: all that a count or a comparison needs, and cheaper than the verdicts."""
        if isinstance(self.by_skill, OnDemand):
            return self.by_skill.standings(skill)
        return {v.tool: v.standing for v in self.of(skill)}

    def find(self, tool: str, skill: str | None = None) -> Verdict | None:
        """The verdict on a tool by name; with a skill, the one judged for it."""
        verdicts = self.verdicts if skill is None else iter(self.of(skill))
        return next((v for v in verdicts if v.tool == tool), None)


def changes(before: Report, after: Report) -> tuple[Change, ...]:
    """What differs between two reports, tool by tool, in the later one's order; gone tools last."""
    if after.origin is before.key:
        return after.moved
    skills = dict.fromkeys([*after.by_skill, *before.by_skill])
    return tuple(c for skill in skills for c in compared(skill, before.standings(skill), after.standings(skill)))


def compared(skill: str | None, was: Mapping[str, Standing], now: Mapping[str, Standing]) -> Iterator[Change]:
    """What differs for one skill between two lists of how its tools stand."""
    for tool in now if was.keys() == now.keys() else dict.fromkeys([*now, *was]):
        if was.get(tool) != now.get(tool):
            yield Change(skill, tool, was.get(tool), now.get(tool))
