"""Codes of our own: what the engine says nothing about, and an author wants to know."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.checks.catalogue.entry import ERROR, INFO, WARNING, Entry

__all__ = ["OURS"]

_GATES: Mapping[str, Entry] = {
    "inspector.gate.invalid": Entry(
        WARNING,
        "a condition that the engine does not look at while training can't be parsed, so it always errors",
        "use `and`, `or`, `not`, comparisons, constants and `session.<skill>.<entry>`",
    ),
    "inspector.gate.incomplete-path": Entry(
        WARNING, "a memory path in a condition has no entry", "write `session.<skill>.<entry>`"
    ),
    "inspector.gate.unknown-key": Entry(
        WARNING, "a condition that the engine does not look at while training reads memory that nothing declares"
    ),
    "inspector.gate.unreadable-key": Entry(
        WARNING, "a condition that the engine does not look at while training reads memory that the skill can't read"
    ),
    "inspector.gate.never-opens": Entry(WARNING, "nothing that memory can hold makes the condition true"),
    "inspector.condition.constant": Entry(
        WARNING, "a condition, or a part of one, comes out the same whatever memory holds", "compare it with an entry"
    ),
    "inspector.condition.open-when-unset": Entry(
        WARNING, "`!=` holds for an entry that is not set yet, so the condition does", "test `!= None` first"
    ),
    "inspector.condition.order-dependent": Entry(
        WARNING,
        "a comparison errors while its entry is unset, before a part that could decide is looked at",
        "put the part that can error last",
    ),
    "inspector.condition.both-closed": Entry(
        WARNING, "a comparison and its `not` both error while the entry is unset", "test `== None` first"
    ),
    "inspector.condition.type-mismatch": Entry(
        WARNING, "an entry is compared with what its declared type never is", "write the constant as the type has it"
    ),
    "inspector.block.hides-tool": Entry(
        WARNING,
        "a step tells the model to call a tool that is hidden while the block runs",
        "list the tool under `tools:` of the block",
    ),
    "inspector.block.drops-gate": Entry(
        WARNING,
        "an imported tool loses its `requires` and its confirmation while a block runs that does not list it",
        "list the tool under `tools:` of the block",
    ),
    "inspector.block.never-entered": Entry(
        WARNING,
        "the prose beside an ordered block doesn't name it as `@block.<id>`, so that the model can't enter it",
        "name it in the prose",
    ),
    "inspector.block.complete-when": Entry(
        WARNING, "a block's `complete_when` is kept and shown, and never acted on", "put it on a step"
    ),
    "inspector.prose.mentions-gated-tool": Entry(
        INFO,
        "a paragraph that always shows names a tool that is hidden at first, and the model may call it in vain",
        "move the sentence to an `if:` paragraph with the same condition",
    ),
    "inspector.prose.token-in-step": Entry(
        WARNING, "`@skill` and `@block` count in prose only, and a step's instructions have one", "move it to the prose"
    ),
    "inspector.confirmation.double": Entry(
        INFO, "the customer is asked twice: by the engine, and by what the author wrote", "leave the asking to one"
    ),
    "inspector.confirmation.not-enabled": Entry(
        WARNING, "a confirmation names its responses and is not switched on", "add `enabled: true`"
    ),
    "inspector.confirmation.unknown-response": Entry(
        WARNING, "a response of the confirmation of `cancel` does not exist", "add it to a responses.yml"
    ),
}

_SKILLS: Mapping[str, Entry] = {
    "inspector.skill.unnameable": Entry(
        INFO, "the skill's id is no name in the language of conditions, so its memory can't be read by a gate"
    ),
    "inspector.skill.missing-engine-entry": Entry(
        WARNING, "a skill that replaces one of the engine's own lacks an entry that the engine uses", "declare it"
    ),
    "inspector.flow.duplicate-step": Entry(
        WARNING, "two steps of a block have the same id, and only one of them can be gone to", "rename one of them"
    ),
    "inspector.flow.empty-next": Entry(WARNING, "an empty `next` ends the block, unlike one that is left out"),
    "inspector.flow.unreachable-branch": Entry(
        WARNING, "a branch stands below one that is always taken", "move the `else` to the end"
    ),
    "inspector.execute-step.literal": Entry(
        WARNING,
        "a parameter looks like something to be evaluated and is passed on as text",
        "write a whole `session.<skill>.<entry>`, or let the tool read memory",
    ),
    "inspector.memory.unknown-type": Entry(WARNING, "an entry's type is none of the engine's, so it is taken for text"),
    "inspector.memory.enum-ignored": Entry(
        WARNING, "`enum_values` only count for an entry of type `categorical`", "write `type: categorical`"
    ),
    "inspector.memory.unnameable": Entry(
        INFO, "the entry's name is no name in the language of conditions", "use letters, digits and `_`"
    ),
    "inspector.memory.initial-value-ignored": Entry(
        WARNING, "project memory never gets an initial value", "let a tool write it, or seed it"
    ),
    "inspector.response.unknown-placeholder": Entry(
        WARNING, "a name in braces is not declared, so it is spoken as it is written"
    ),
    "inspector.response.never-spoken": Entry(
        WARNING, "of several variants without a condition only the first is ever spoken", "give the others a condition"
    ),
    "inspector.response.shadowed": Entry(
        WARNING, "two skills define a response of one name, and only one of them counts"
    ),
    "inspector.tool.not-async": Entry(
        WARNING, "the engine awaits every tool, so one that is not `async` ends in an error", "write `async def`"
    ),
    "inspector.tool.await-before-cancel-check": Entry(
        WARNING,
        "a tool awaits what looks irreversible before it looks whether the customer has interrupted it",
        "return early where `context.is_cancelled`, and make the call safe to repeat",
    ),
    "inspector.tool.foreign-write": Entry(
        WARNING, "a tool writes another skill's memory, which the engine refuses when it runs"
    ),
    "inspector.script.unknown-name": Entry(
        WARNING, "a script expects something of a name that no file of the agent has, so that it always holds"
    ),
}

_RECORDINGS: Mapping[str, Entry] = {
    "inspector.recording.unreadable": Entry(
        WARNING, "a part of a recording can't be read, and is left out", "the rest of it is read all the same"
    ),
    "inspector.recording.odd": Entry(
        WARNING, "a call without its result, a result without its call, or arguments that are no JSON",
        "what there is of it is told all the same",
    ),
    "inspector.mapping.wrong": Entry(
        ERROR, "a mapping file says something that can't be followed",
        "`TOOL:`, and below it `result.id: project.id`: a path and a memory entry",
    ),
    "inspector.mapping.undeclared": Entry(
        WARNING, "a mapping writes a memory entry that no file of the agent declares",
        "declare it in a `memory.yml`, or name one that is there",
    ),
    "inspector.mapping.unused": Entry(
        WARNING, "no call in the recording has what a line of a mapping asks for", "look at the result of the call"
    ),
    "inspector.mapping.not-called": Entry(
        INFO, "a mapping speaks of a tool that has no call in the recording that came back"
    ),
    "inspector.test.not-understood": Entry(
        INFO, "a part of a test that a script has no word for; it is kept as a comment"
    ),
}  # fmt: skip

OURS: Mapping[str, Entry] = {**_GATES, **_SKILLS, **_RECORDINGS}
"""None of them keeps an agent from starting."""
