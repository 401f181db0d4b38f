"""Which tools may be called now (§1.3): one answer, and for every tool the rules that bear on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.letta import guards
from inspector_core.letta.outputs import Fault, route
from inspector_core.letta.rules import Children, Conditional, Guard, MaxCount, Rule, Rules

__all__ = ["Answer", "Effect", "Error", "Situation", "Verb", "solve"]

Error = Literal["empty", "needs_output", "bad_output"]
Verb = Literal["begins", "narrows", "demands", "hides", "routes", "ends its count", "guards"]
"""What a rule does to the list. `demands`: right after a parent; `hides`: at any other time."""


class Situation(NamedTuple):
    """What the rules look at."""

    history: tuple[str, ...] = ()
    """The calls of this request, oldest first."""
    available: tuple[str, ...] = ()
    output: object = None
    """The last call's packaged output; a text, but for what the loops pass by mistake."""

    @property
    def last(self) -> str | None:
        return self.history[-1] if self.history else None


@dataclass(frozen=True, slots=True)
class Effect:
    """What one rule does to the list now: `only` these are left, or those in `hidden` are taken out."""

    rule: Rule
    verb: Verb
    only: frozenset[str] | None
    hidden: frozenset[str]
    why: str
    """Why it bears now, in a line."""

    def lets(self, tool: str) -> bool:
        """Whether the tool may be called as far as this rule goes."""
        return tool in self.only if self.only is not None else tool not in self.hidden


class Answer(NamedTuple):
    """What the rules come to in a situation."""

    allowed: tuple[str, ...]
    """In the rules' order at the beginning, else in that of the tools."""
    error: Error | None
    effects: tuple[Effect, ...]
    """The rules that bear now, in the order in which they are asked."""
    beginning: bool
    """Only `run_first` rules were asked."""
    force: bool
    """Some tool has to be called."""
    prefilled: Mapping[str, Mapping[str, object]]
    provenance: Mapping[str, str]
    """Tool to the rule that gave it its last prefilled argument."""
    broken: Rule | None = None
    """For `needs_output` and `bad_output`: the rule that could not be answered."""
    why: str = ""
    """For an error: how it came about."""


def solve(rules: Rules, now: Situation) -> Answer:
    """The answer; total."""
    if not now.history and rules.first:
        return _beginning(rules, now)
    force = now.last in rules.forcing
    effects: list[Effect] = []
    for found in _effects(rules, now):
        if not isinstance(found, Effect):
            broken, fault, why = found
            return Answer((), fault, tuple(effects), False, force, {}, {}, broken, why)
        effects.append(found)
    allowed = _left(effects, now.available)
    prefilled, provenance = _following(rules, now, frozenset(allowed))
    why = "" if allowed else "no tool is left" if effects else "no tool is attached"
    return Answer(
        allowed, None if allowed else "empty", tuple(effects), False, force, prefilled, provenance, why=why
    )  # fmt: skip


def _left(effects: Sequence[Effect], available: Sequence[str]) -> tuple[str, ...]:
    left = dict.fromkeys(available)
    only = [e.only for e in effects if e.only is not None]
    hidden: set[str] = set().union(*(e.hidden for e in effects))
    kept = frozenset(left).intersection(*only) - hidden
    return tuple(left) if len(kept) == len(left) else tuple(tool for tool in left if tool in kept)


# -- the beginning -----------------------------------------------------------------------------------------------------


def _beginning(rules: Rules, now: Situation) -> Answer:
    """Any of the tools to run first, attached or not; no other rule is asked."""
    allowed = tuple(r.tool for r in rules.first)
    only = frozenset(allowed)
    effects = tuple(Effect(r, "begins", only, frozenset(), "nothing was called yet") for r in rules.first)
    prefilled: dict[str, dict[str, object]] = {}
    provenance: dict[str, str] = {}
    for rule in rules.first:
        if rule.args and rule.tool in now.available:
            prefilled.setdefault(rule.tool, {}).update(rule.args)
            provenance[rule.tool] = f"InitToolRule({rule.tool})"
    return Answer(allowed, None, effects, True, True, prefilled, provenance)


# -- afterwards --------------------------------------------------------------------------------------------------------

_Broken = tuple[Rule, Fault, str]


def _effects(rules: Rules, now: Situation) -> Iterator[Effect | _Broken]:
    """The rules that bear, in their order: on what follows, on counts, on parents, and our own guards."""
    last = now.last
    if last is not None:
        for rule in rules.after.get(last, ()):
            match rule:
                case Children(children=children):
                    yield Effect(rule, "narrows", frozenset(children), frozenset(), f"`{last}` was called last")
                case Conditional():
                    yield from _routed(rule, now.output)
    counts = Counter(now.history) if rules.limits else Counter()
    for limit in rules.limits:
        if counts[limit.tool] >= limit.limit:
            yield _counted(limit, counts[limit.tool])
    for parent in rules.parents:
        if parent.tool == last:
            why = f"`{last}` was called last, and only its children may follow"
            yield Effect(parent, "demands", frozenset(parent.children), frozenset(), why)
        else:
            yield Effect(parent, "hides", None, frozenset(parent.children), f"`{parent.tool}` was not called last")
    if rules.guards:
        yield from _guarded(rules.guards, now)


def _routed(rule: Conditional, output: object) -> Iterator[Effect | _Broken]:
    found = route(rule, output)
    if found.fault is not None:
        yield rule, found.fault, found.why
    elif found.nothing or found.child is not None:
        only = frozenset() if found.child is None else frozenset({found.child})
        yield Effect(rule, "routes", only, frozenset(), found.why)


def _counted(rule: MaxCount, times: int) -> Effect:
    called = "not called yet" if not times else "called once" if times == 1 else f"called {times} times"
    return Effect(rule, "ends its count", None, frozenset({rule.tool}), f"{called}, and {rule.limit} is the most")


def _guarded(rules: Sequence[Guard], now: Situation) -> Iterator[Effect]:
    known = guards.values(now.output if isinstance(now.output, str) else None, now.last)
    for rule in rules:
        judged = guards.judge(rule.when, known)
        if not judged.holds:
            yield Effect(rule, "guards", None, frozenset({rule.tool}), judged.why)


def _following(
    rules: Rules, now: Situation, allowed: frozenset[str]
) -> tuple[Mapping[str, Mapping[str, object]], Mapping[str, str]]:
    """The arguments that children get: within a rule the later node counts, across rules keys are merged."""
    prefilled: dict[str, dict[str, object]] = {}
    provenance: dict[str, str] = {}
    for rule in rules.after.get(now.last or "", ()) if now.history else ():
        if isinstance(rule, Children):
            for name, args in {n.name: n.args for n in rule.nodes if n.args}.items():
                if name in allowed:
                    prefilled.setdefault(name, {}).update(args)
                    provenance[name] = f"ChildToolRule({rule.tool}->{name})"
    return prefilled, provenance
