"""Rules that were asked for and are no longer there: a save, an export or a server may drop some without a word."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, Severity
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import kind, wire, words
from inspector_core.source import Span

__all__ = ["lost"]


def lost(before: LettaProject, after: LettaProject) -> Iterator[Finding]:
    """The rules of `before` that `after` lacks, compared as they are saved, each with what is there instead."""
    kept = [wire(rule) for rule in after.rules.rules]
    place = after.agent.span or Span(after.path, 1, 1, 1, 1)
    for rule in before.rules.rules:
        if wire(rule) not in kept:
            alike = [words(r) for r in after.rules.own.get(rule.tool, ()) if kind(r) == kind(rule)]
            was = f"`{words(rule)}` of {rule.span or before.path} is not among the rules"
            hint = f"there is {' and '.join(f'`{one}`' for one in alike)} instead" if alike else None
            yield Finding("letta.rule-lost", Severity.ERROR, was, place, hint)
