"""Responses and confirmations that tools and triggers name (§2.2, §6.2, §6.5)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding
from inspector_core.mantle.checks.known import Known, Scene
from inspector_core.mantle.checks.say import say
from inspector_core.mantle.gatelist import every_gate
from inspector_core.mantle.project import ConfirmationRule, Named, Skill

__all__ = ["findings", "of_project"]

_ASK = "mantle.validation.tool_constraint.unknown_requires_confirmation_response"
_OUTCOME = "mantle.validation.tool_constraint.unknown_on_success_or_failure"


def findings(scene: Scene) -> Iterator[Finding]:
    """What is wrong with the responses and confirmations that one skill names in its frontmatter and blocks."""
    skill, known = scene.skill, scene.known
    for gate in every_gate(skill):
        if gate.confirmation is not None:
            yield from _confirmation(known, gate.tool, gate.confirmation, skill)
        for role, named in (("success", gate.on_success), ("failure", gate.on_failure)):
            yield from _named(known, _OUTCOME, f"what `{gate.tool}` says on {role}", named, skill)
    for trigger in skill.triggers:
        code = "mantle.validation.verbatim_trigger.unknown_response"
        yield from _named(known, code, "a response of `utter`", trigger.response, skill)


def of_project(known: Known) -> Iterator[Finding]:
    """The confirmation of `cancel`, which the engine does not look at before it is needed."""
    for constraint in known.project.agent.constraints:
        rule = constraint.confirmation
        if rule is None:
            continue
        for named in (rule.ask, rule.denial):
            code = "inspector.confirmation.unknown-response"
            yield from _named(known, code, f"what `{constraint.tool}` says", named, None)


def _confirmation(known: Known, tool: str, rule: ConfirmationRule, skill: Skill) -> Iterator[Finding]:
    if not rule.enabled:
        if rule.ask or rule.denial:
            message = f"no confirmation is opened for `{tool}`, though its responses are named"
            yield say("inspector.confirmation.not-enabled", message, rule.span, skill)
        return
    yield from _named(known, _ASK, f"what asks before `{tool}`", rule.ask, skill)
    yield from _named(known, _ASK, f"what answers a no to `{tool}`", rule.denial, skill)


def _named(known: Known, code: str, role: str, named: Named | None, skill: Skill | None) -> Iterator[Finding]:
    """A response that exists nowhere; none is missed while a file of them can't be read."""
    if named is None or named.name in known.responses or known.responses_unsure:
        return
    message = f"`{named.name}`, {role}, does not exist"
    yield say(code, message, named.span, skill, known.close_response(named.name))
