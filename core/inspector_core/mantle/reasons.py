"""The codes that say why a tool stands as it stands: stable words for scripts, each with its sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["REASONS"]

REASONS: Final[Mapping[str, str]] = {
    # the model gets it
    "offered": "the tool is in the list that the model gets, and a call would run it",
    "asks": "the tool is offered, and a call first asks the customer",
    # its gate
    "gate-false": "the gate's condition is false with today's memory",
    "gate-error": "the gate's condition can't be evaluated with today's memory, which the engine treats as closed",
    "unknown-key": "the gate is closed, and it reads an entry that is declared nowhere, and so is always null",
    "unreadable-key": "the gate is closed, and it reads an entry that this skill may not read, and so is always null",
    "block-hides": (
        "an ordered block of a skill with prose is active, and a tool that is named in a gate list, but not in that"
        " block's own `tools:`, is hidden there whatever its gate says"
    ),
    # what it is
    "engine-only": "only the engine runs the tool: it validates memory after a write, or makes a response's buttons",
    "not-imported": "the tool is shared, and the skill names it in no `import_tools`, `tool_constraints` or `tools:`",
    "not-found": "the name is in a gate list or in `import_tools`, but no tool has it",
    "load-error": "no tool has the name, and a tool file that may define it can't be read",
    "mcp-not-listed": "the tool is imported from a server that `integrations.yml` doesn't list",
    "name-collision": "another tool has the same bare name: one of the engine's own, or one that was there first",
    "shadowed-by-local": "each skill that names this shared tool has a tool of its own under the same name",
    # the skill
    "skill-not-active": "the tool is the engine's own, and is only offered to the skill that is active",
    "disabled": "the skill can't be started since it is disabled; or the agent's settings switch the built-in tool off",
    "skill-hidden": "the skill is hidden from routing, and nothing in the files leads to it",
    "engine-managed": "routing leaves the skill to the engine, and nothing in the files leads to it",
    "no-entry-block": "the skill has no prose, and not exactly one block to start with, so that it can't be activated",
    "precondition-unmet": "the skill's precondition does not hold, so that another skill would be run first",
    # the moment
    "pending-confirmation": "a confirmation waits for an answer: until then this is not accepted",
    "blank-ask": "the response that would ask the customer has no text now, so a call is answered with an error",
    "resolved-this-turn": "the tool's confirmation was answered in this turn, and is not opened again before the next",
    "paused-this-turn": "the confirmation was opened in this turn, and can only be answered in a later one",
    "after-knowledge-search": "knowledge was searched, which cuts the list short until an answer or an activation",
    # the engine's own tools
    "nothing-to-start": "no skill can be started now",
    "no-knowledge": "there are no references to search",
    "before-knowledge-search": "knowledge has to be searched first in this turn",
    "nothing-pending": "no confirmation waits on what is running now",
    "collecting": "a step waits for a value that the customer is to give, and silence is no question",
    "declining": "a request is being declined: the model can say so, and every call but `cannot_help` is an error",
    "inside-block": "an ordered block is running, and only prose can be completed",
    "completion-unmet": "the tool is offered, but the skill's `complete_when` condition doesn't hold, so it is refused",
    "nothing-to-correct": "nothing that the customer said is in memory",
    "nothing-to-set": "every entry that the model may set has a value already, or there are none",
}
"""Code to explanation. A code, once released, keeps its meaning."""
