"""What rules do together that their author may not have meant: some by looking, the rest by trying out every way."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, Severity, did_you_mean, in_order
from inspector_core.letta.conflict import conflict
from inspector_core.letta.explore import MOST_STATES, Explored, Reached, explore
from inspector_core.letta.looks import looks
from inspector_core.letta.outputs import message_of
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import Conditional, RequiredBeforeExit, Rule, RunFirst, kind, targets, words
from inspector_core.source import Span

__all__ = ["check"]


def check(project: LettaProject, most: int = MOST_STATES) -> tuple[Finding, ...]:
    """Everything: what reading found, what single rules do, and what all of them together lead to."""
    found = [*project.findings, *looks(project), *_attached(project)]
    if project.rules.rules and project.available:
        found += _explored(project, explore(project.rules, project.available, most))
    return in_order(found)


def _finding(what: str, severity: Severity, message: str, span: Span | None, hint: str | None = None) -> Finding:
    return Finding(f"letta.{what}", severity, message, span or Span("", 1, 1, 1, 1), hint)


def _attached(project: LettaProject) -> Iterator[Finding]:
    """Rules on tools that the agent does not have."""
    available = project.available
    seen: set[str] = set()
    for rule in project.rules.rules:
        for name in (rule.tool, *targets(rule)):
            if name and name not in available and name not in seen:
                seen.add(name)
                hint = did_you_mean(name, list(available))
                message = f"`{name}` is not attached, and {kind(rule)} names it"
                yield _finding("tool-not-attached", Severity.WARNING, message, rule.span, hint)
    first = project.rules.first
    if first and not any(r.tool in available for r in first):
        names = ", ".join(f"`{r.tool}`" for r in first)
        message = f"only {names} may begin, and not one is attached: the loops then offer nothing"
        yield _finding("first-not-attached", Severity.ERROR, message, first[0].span)


# -- together ----------------------------------------------------------------------------------------------------------


def _explored(project: LettaProject, found: Explored) -> Iterator[Finding]:
    yield from _dead_ends(project, found)
    yield from _endless(project, found)
    yield from _required_late(project, found)
    if not found.exact:
        message = f"only the nearest {len(found.states):,} situations were looked at"
        yield _finding("not-all-explored", Severity.INFO, message, project.agent.span)
        return
    yield from _unreachable(project, found)
    yield from _one_way(project, found)


def _path(project: LettaProject, state: Reached) -> str:
    """How one gets there, in words; with the last output, where it decides."""
    if not state.now.history:
        return "before anything is called"
    decides = any(isinstance(r, Conditional) for r in project.rules.after.get(state.now.history[-1], ()))
    output = f" returned `{message_of(str(state.now.output))}`" if decides else ""
    return f"after {' → '.join(state.now.history)}{output}"


def _dead_ends(project: LettaProject, found: Explored) -> Iterator[Finding]:
    """The nearest dead end of each group of rules that makes one."""
    seen: set[tuple[str, ...]] = set()
    for state in found.dead_ends():
        group = conflict(state.answer, state.now.available)
        effects = group.effects if group is not None else ()
        rules = tuple(words(e.rule) for e in effects)
        if rules not in seen:
            seen.add(rules)
            message = f"{_path(project, state)} nothing may be called: {' and '.join(rules)}"
            span = effects[-1].rule.span if effects else project.agent.span
            hint = "the loops then offer every tool; widen one of these rules, or end the turn before"
            yield _finding("dead-end", Severity.WARNING, message, span, hint)


def _endless(project: LettaProject, found: Explored) -> Iterator[Finding]:
    state = next(found.endless(), None)
    if state is not None:
        message = f"{_path(project, state)} the model must go on calling, and no call ends the turn"
        hint = "give one of these tools an `exit_loop` rule, or let something else follow"
        rules = [r for r in project.rules.rules if r.tool == state.now.last]
        yield _finding("endless", Severity.WARNING, message, rules[0].span if rules else project.agent.span, hint)


def _required_late(project: LettaProject, found: Explored) -> Iterator[Finding]:
    """Ends that don't end, since something required is still uncalled."""
    seen: set[str] = set()
    for state in found.states:
        last = state.now.last
        if last in project.rules.terminal and not state.over and last not in seen:
            seen.add(last)
            missing = [t for t in project.rules.required if t in project.available and t not in state.now.history]
            names = ", ".join(f"`{t}`" for t in dict.fromkeys(missing))
            message = f"{_path(project, state)} the turn does not end: {names} must be called first"
            rule = next(r for r in project.rules.rules if r.tool == last and kind(r) == "exit_loop")
            hint = f"let `{last}` follow only where {names} was called"
            yield _finding("required-after-exit", Severity.WARNING, message, rule.span, hint)


def _unreachable(project: LettaProject, found: Explored) -> Iterator[Finding]:
    for tool in project.available:
        if tool not in found.allowed:
            about = project.rules.about(tool)
            required = next((r for r in about if isinstance(r, RequiredBeforeExit)), None)
            if required is not None:
                message = f"`{tool}` must be called before the turn ends, and the rules never let it be called"
                yield _finding("required-unreachable", Severity.WARNING, message, required.span)
            else:
                yield _finding(
                    "tool-unreachable", Severity.WARNING, f"`{tool}` can never be called", _place(project, tool)
                )


def _place(project: LettaProject, tool: str) -> Span | None:
    about: list[Rule] = [r for r in project.rules.about(tool) if not isinstance(r, RunFirst)]
    held = project.tool(tool)
    return about[0].span if about else held.span if held is not None else project.agent.span


def _one_way(project: LettaProject, found: Explored) -> Iterator[Finding]:
    """Rules that leave the model no choice at all."""
    going = [s for s in found.states if not s.over]
    if len(going) > 1 and all(len(set(s.answer.allowed)) == 1 for s in going):
        message = "at every step a single tool may be called: this is a pipeline, and the model chooses nothing"
        yield _finding("one-way", Severity.INFO, message, project.agent.span)
