"""Which tools may be called now (§1.3): one answer, and for every tool the rules that bear on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.letta import guards
from inspector_core.letta.outputs import Fault, route
from inspector_core.letta.rules import Children, Conditional, Effect, Guard, Rule, Rules

__all__ = ["Answer", "Error", "Situation", "solve"]

Error = Literal["empty", "needs_output", "bad_output"]


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
    for found in _changing(rules, now):
        if not isinstance(found, Effect):
            return Answer((), found.fault, tuple(effects), False, force, {}, {}, found.rule, found.why)
        effects.append(found)
    hides = rules.hides if now.last not in rules.parented else tuple(_parents(rules, now.last))
    hidden = rules.hidden if hides is rules.hides else _hidden(hides)
    guarded = tuple(_guarded(rules.guards, now)) if rules.guards else ()
    bearing = (*effects, *hides, *guarded)
    allowed = _left(effects if hides is rules.hides else bearing, hidden | _hidden((*effects, *guarded)), now.available)
    prefilled, provenance = _following(rules, now, frozenset(allowed)) if now.last in rules.after else ({}, {})
    why = "" if allowed else "no tool is left" if bearing else "no tool is attached"
    return Answer(allowed, None if allowed else "empty", bearing, False, force, prefilled, provenance, why=why)


def _hidden(effects: Iterable[Effect]) -> frozenset[str]:
    return frozenset[str]().union(*(e.hidden for e in effects))


def _left(effects: Sequence[Effect], hidden: frozenset[str], available: Sequence[str]) -> tuple[str, ...]:
    """The attached tools that every rule leaves, in their own order."""
    only = [e.only for e in effects if e.only is not None]
    kept = frozenset(available).intersection(*only) - hidden
    return tuple(dict.fromkeys(tool for tool in available if tool in kept))


# -- the beginning -----------------------------------------------------------------------------------------------------


def _beginning(rules: Rules, now: Situation) -> Answer:
    """Any of the tools to run first, attached or not; no other rule is asked."""
    allowed = tuple(r.tool for r in rules.first)
    only = frozenset(allowed)
    effects = tuple(Effect(r, "begins", "nothing was called yet", only) for r in rules.first)
    prefilled: dict[str, dict[str, object]] = {}
    provenance: dict[str, str] = {}
    for rule in rules.first:
        if rule.args and rule.tool in now.available:
            prefilled.setdefault(rule.tool, {}).update(rule.args)
            provenance[rule.tool] = f"InitToolRule({rule.tool})"
    return Answer(allowed, None, effects, True, True, prefilled, provenance)


# -- afterwards --------------------------------------------------------------------------------------------------------


class _Broken(NamedTuple):
    """A rule that can't be answered, which ends the asking."""

    rule: Rule
    fault: Fault
    why: str


def _changing(rules: Rules, now: Situation) -> Iterator[Effect | _Broken]:
    """The rules that depend on what was called: on what follows it, and on counts."""
    last = now.last
    for rule in rules.after.get(last, ()) if last is not None else ():
        match rule:
            case Children(children=children):
                yield Effect(rule, "narrows", f"`{last}` was called last", frozenset(children))
            case Conditional():
                yield from _routed(rule, now.output)
    counts = Counter(now.history) if rules.limits else Counter()
    for limit in rules.limits:
        times = counts[limit.tool]
        if times >= limit.limit:
            called = "not called yet" if not times else "called once" if times == 1 else f"called {times} times"
            why = f"{called}, and {limit.limit} is the most"
            yield Effect(limit, "ends its count", why, hidden=frozenset({limit.tool}))


def _parents(rules: Rules, last: str | None) -> Iterator[Effect]:
    """Parents, where one was called last."""
    for rule, hiding in zip(rules.parents, rules.hides, strict=True):
        why = f"`{last}` was called last, and only its children may follow"
        yield Effect(rule, "demands", why, frozenset(rule.children)) if rule.tool == last else hiding


def _routed(rule: Conditional, output: object) -> Iterator[Effect | _Broken]:
    found = route(rule, output)
    if found.fault is not None:
        yield _Broken(rule, found.fault, found.why)
    elif found.nothing or found.child is not None:
        only = frozenset() if found.child is None else frozenset({found.child})
        yield Effect(rule, "routes", found.why, only)


def _guarded(rules: Sequence[Guard], now: Situation) -> Iterator[Effect]:
    known = guards.values(now.output if isinstance(now.output, str) else None, now.last)
    for rule in rules:
        judged = guards.judge(rule.when, known)
        if not judged.holds:
            yield Effect(rule, "guards", judged.why, hidden=frozenset({rule.tool}))


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
