"""A question about rules in plain values, and its answer in plain values: what a program asks line by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inspector_core.finding import Finding, Severity
from inspector_core.letta.conflict import conflict
from inspector_core.letta.loops import Loop, after_call, after_text, offer, offer_given, seen, uncalled
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.rule import read_rule
from inspector_core.letta.reading.tree import tree
from inspector_core.letta.rules import Rules, targets, words
from inspector_core.letta.solver import Answer, Situation, solve
from inspector_core.source import Span

__all__ = ["INVALID", "answer", "loop_answer", "rules_of", "told"]

_NOWHERE = Span("", 1, 1, 1, 1)
INVALID: Mapping[str, object] = {
    "allowed": None, "error": "invalid_rule", "terminal": None, "continue": None, "approval": None,
    "uncalled_required": None, "force": None, "prefilled": None, "provenance": None, "children": None,
}  # fmt: skip
"""The answer where the server would refuse one of the rules."""


def rules_of(written: Iterable[object]) -> tuple[Rules, tuple[Finding, ...]]:
    """Rules of plain values, and what the server would refuse of them."""
    findings = Findings()
    found = [read_rule(tree(one, _NOWHERE), findings) for one in written]
    refused = tuple(f for f in findings.found if f.severity is Severity.ERROR)
    return Rules(rule for rule in found if rule is not None), refused


def answer(written: Iterable[object], now: Situation) -> Mapping[str, object]:
    """What the rules come to, in the order and under the names that programs read."""
    rules, refused = rules_of(written)
    if refused:
        return {**INVALID, "findings": [f.message for f in refused]}
    return told(rules, now, solve(rules, now))


def told(rules: Rules, now: Situation, found: Answer) -> Mapping[str, object]:
    """An answer in plain values; where the rules can't be asked, only what does not depend on it."""
    names = sorted({*now.available, *(name for r in rules.rules for name in (r.tool, *targets(r)))})
    broken = found.error in ("needs_output", "bad_output")
    group = conflict(found, now.available)
    return {
        "allowed": None if broken else sorted(found.allowed),
        "error": found.error,
        "terminal": {name: name in rules.terminal for name in names},
        "continue": {name: name in rules.continuing for name in names},
        "children": {name: rules.has_children(name) for name in names},
        "approval": list(rules.approval),
        "uncalled_required": sorted(uncalled(rules, now)),
        "force": found.force,
        "prefilled": None if broken else found.prefilled,
        "provenance": None if broken else found.provenance,
        "why": found.why,
        "conflict": [words(e.rule) for e in group.effects] if group else [],
    }


def loop_answer(written: Iterable[object], now: Situation) -> Mapping[str, object] | None:
    """What each loop makes of it: where it goes after the last call, after mere words, and what it offers.

    `v3_offered` is by what the rules are given; `v3_offered_real` has the output unpacked first, as every loop does.
    `None` where the server would refuse one of the rules.
    """
    rules, refused = rules_of(written)
    if refused:
        return None
    after = {
        "v2_hb0": after_call(Loop.V2, rules, now),
        "v2_hb1": after_call(Loop.V2, rules, now, heartbeat=True),
        "v3": after_call(Loop.V3, rules, now),
        "v3_violated": after_call(Loop.V3, rules, now, violated=True),
        "v3_final": after_call(Loop.V3, rules, now, final=True),
    } if now.history else {}  # fmt: skip
    decisions = {**after, "v3_text": after_text(rules, now)}
    given = offer_given(Loop.V3, rules, now)
    try:
        real = offer_given(Loop.V3, rules, now._replace(output=seen(now.output)))
    except (ValueError, RecursionError):
        real = offer(Loop.V3, rules, now)
    offers = {"v3_offered": given, "v3_offered_real": real}
    return {
        **{name: [d.goes_on, d.stop] for name, d in decisions.items()},
        **{name: o.error or sorted(o.tools) for name, o in offers.items()},
    }
