"""Codes of what the engine finds in skills, memory, responses and tools once they are loaded (§9.2–§9.5)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.checks.catalogue.entry import ERROR, INFO, WARNING, Entry

__all__ = ["SKILLS"]

_SKILL: Mapping[str, Entry] = {
    "mantle.validation.skill.failed_to_load": Entry(
        ERROR, "the skill can't be loaded: `skill.md` is missing, or the engine refuses something in it"
    ),
    "mantle.validation.skill.duplicate_id": Entry(ERROR, "two directories give the same skill id"),
    "mantle.validation.skill.missing_description": Entry(
        ERROR, "the skill has no description, so nothing could route to it", "add `description:` to the frontmatter"
    ),
    "mantle.validation.skill.reserved_id": Entry(
        ERROR, "the folder is called `project` or `system`, which are the engine's words", "rename the folder"
    ),
    "mantle.validation.skill.invalid_id": Entry(ERROR, "the folder's name has a dot in it", "rename the folder"),
    "mantle.validation.skill.is_default_not_allowed": Entry(
        ERROR, "`routing.is_default` is for the engine's own skills", "remove it"
    ),
    "mantle.validation.skill.no_entry_block": Entry(
        ERROR,
        "every block of a skill without prose is called or linked by another, so none can start it",
        "let one block be the target of no `call` and no `link`",
    ),
    "mantle.validation.skill.multiple_entry_blocks": Entry(
        ERROR,
        "several blocks of a skill without prose could start it",
        "call or link all of them but one, or add prose",
    ),
    "mantle.validation.skill.unreachable_ordered_block": Entry(
        ERROR, "no way leads from the entry block to this one", "call or link it, or remove it"
    ),
    "mantle.validation.skill.silence_timeout_hangup_block": Entry(
        ERROR,
        "the replaced `default_silence_timeout` hangs up itself",
        "leave the hang-up to `default_silence_timeout_hangup`",
    ),
    "mantle.validation.skill.self_skill_not_callable": Entry(
        ERROR, "a block calls or links the skill that it is in", "name the block to go to instead"
    ),
    "skill.referenced.invalid_target": Entry(
        ERROR, "`@skill.<id>` names a skill that does not exist", "use the name of the skill's folder"
    ),
    "skill.referenced.invalid_block": Entry(ERROR, "a target names a block that this skill does not have"),
    "skill.prose.hidden_skill_reference": Entry(
        ERROR, "`@skill.<id>` names a hidden skill, which the model can't start", "take `hidden: true` from it"
    ),
    "skill.prose.bare_skill_mention": Entry(
        WARNING,
        "the prose has another skill's id as a plain word, which delegates nothing",
        "write `@skill.<id>` if the model should hand over to it",
    ),
    "skill.import_tools.invalid_shared_tool": Entry(
        ERROR, "an entry of `import_tools` names nothing that can be imported", "import a tool of `tools/`"
    ),
    "mantle.validation.flow.unresolved_next": Entry(
        ERROR, "`next` leads to a step that the block does not have", "use a step's id, or `END`"
    ),
    "mantle.validation.flow.next_missing_else": Entry(
        ERROR, "the branches of a `next` have no `else`", "add `- else: END` as the last one"
    ),
    "mantle.validation.flow.unresolved_call": Entry(ERROR, "`call` names neither a skill nor a block"),
    "mantle.validation.flow.unresolved_link": Entry(ERROR, "`link` names neither a skill nor a block"),
    "mantle.validation.flow.internal_not_callable": Entry(
        ERROR, "in a skill with prose a block can't call or link another block of it", "let the prose enter it"
    ),
    "mantle.validation.action.unknown": Entry(
        ERROR,
        "an action is neither a response nor one of the engine's two",
        "use `utter_...`, `action_listen`, `hangup`",
    ),
    "mantle.validation.execute_step.invalid_session_parameter": Entry(
        ERROR, "a parameter looks like a memory path and is none", "write `session.<skill>.<entry>` and nothing else"
    ),
    "mantle.validation.execute_step.unknown_memory_key": Entry(
        ERROR, "a parameter is filled from memory that the skill can't read"
    ),
    "mantle.validation.prose.empty_if_condition": Entry(ERROR, "nothing follows `if:` on its line"),
    "mantle.validation.prose.invalid_if_expression": Entry(
        ERROR, "the condition of a paragraph can't be parsed", "use `and`, `or`, `not`, comparisons and constants"
    ),
    "mantle.validation.prose.unknown_memory_key": Entry(
        ERROR, "the condition of a paragraph reads memory that the skill can't read"
    ),
    "mantle.validation.prose.unknown_memory_reference": Entry(
        ERROR, "`@memory.<skill>.<entry>` names memory that the skill can't read"
    ),
    "mantle.validation.prose.incomplete_memory_reference": Entry(
        ERROR, "a `@memory` reference does not have exactly two parts", "write `@memory.<skill>.<entry>`"
    ),
    "mantle.validation.prose.incomplete_at_reference": Entry(
        ERROR, "an `@` reference has no name, or too much of one", "write `@skill.<id>`, `@block.<id>`, `@tool.<name>`"
    ),
    "mantle.validation.prose.session_reference_in_instructions": Entry(
        ERROR, "instructions have a `session.` path, which is never filled in there", "write `@memory.<skill>.<entry>`"
    ),
    "mantle.validation.precondition.missing_binding": Entry(
        ERROR, "the skill's precondition is not defined", "define it in agent.yml under `orchestrator.preconditions`"
    ),
    "mantle.validation.precondition.invalid_satisfied_when": Entry(
        ERROR, "the `satisfied_when` of a precondition can't be parsed"
    ),
    "mantle.validation.precondition.unknown_resolver": Entry(
        ERROR, "the `resolve_with` of a precondition is no skill", "name the skill that satisfies it"
    ),
    "mantle.validation.precondition.nested_resolver": Entry(
        ERROR, "the skill that resolves a precondition has a precondition itself", "take it from the resolver"
    ),
    "mantle.validation.precondition.self_resolve": Entry(ERROR, "a skill would resolve its own precondition"),
    "mantle.validation.precondition.cycle": Entry(ERROR, "the resolvers of preconditions wait for each other"),
    "mantle.validation.tool_constraint.unknown_requires_confirmation_response": Entry(
        ERROR, "the response that asks, or the one for a no, does not exist", "add it to a responses.yml"
    ),
    "mantle.validation.tool_constraint.unknown_on_success_or_failure": Entry(
        ERROR, "the response for a success or a failure does not exist", "add it to a responses.yml"
    ),
    "mantle.validation.verbatim_trigger.unknown_response": Entry(
        ERROR, "a response named in `utter` does not exist", "add it to a responses.yml"
    ),
    "mantle.validation.default_skills.failed_to_load": Entry(ERROR, "the installation's own skills can't be loaded"),
    "mantle.validation.default_skills.none_bundled": Entry(ERROR, "the installation has no skills of its own"),
    "mantle.validation.unsupported_request_handler.not_engine_managed": Entry(
        ERROR, "the replaced decline skill says that the engine does not manage it", "remove `engine_managed: false`"
    ),
    "mantle.validation.unsupported_request_handler.missing_request_type": Entry(
        ERROR, "the replaced decline skill does not declare `request_type`", "declare it in its memory.yml"
    ),
    "mantle.validation.unsupported_request_handler.missing_entry": Entry(
        ERROR, "the replaced decline skill has nothing to start with"
    ),
}

_RESPONSE: Mapping[str, Entry] = {
    "mantle.validation.response.missing": Entry(
        ERROR, "a response that a step speaks does not exist: its name would be spoken", "add it to a responses.yml"
    ),
    "mantle.validation.response.empty_body": Entry(ERROR, "a variant has nothing to say", "give it a `text`"),
    "mantle.validation.response.invalid_condition": Entry(ERROR, "the condition of a variant can't be parsed"),
    "mantle.validation.response.invalid_variant_key": Entry(
        ERROR, "a variant has a key that the engine does not know", "use `text`, `condition`, `buttons`, `metadata`"
    ),
    "mantle.validation.response.invalid_variant_shape": Entry(ERROR, "a variant is neither a text nor a mapping"),
    "mantle.validation.response.unknown_memory_key": Entry(
        ERROR, "the condition of a variant reads memory that can't be read there"
    ),
    "mantle.validation.response.default_required": Entry(
        ERROR, "every variant has a condition, so there may be nothing to say", "add a last variant without one"
    ),
    "mantle.validation.response.multiple_defaults": Entry(
        ERROR, "beside conditioned variants there are several without a condition", "keep one of them"
    ),
    "mantle.validation.response.invalid_button_payload": Entry(
        ERROR, "a button's `set:` can't be parsed", "write `set:session.<skill>.<entry>=<value>`"
    ),
    "mantle.validation.response.invalid_set_memory_value": Entry(
        ERROR, "a button would write a value that does not fit the entry's type"
    ),
    "mantle.validation.response.not_writable_memory_key": Entry(
        ERROR, "a button would write memory that can't be written there"
    ),
    "mantle.validation.response.unknown_button_source_tool": Entry(
        ERROR, "the tool that should make the buttons is none of the skill's own"
    ),
    "mantle.validation.response.mcp_button_source_tool": Entry(
        ERROR, "a tool of a server can't make buttons", "use a tool of the skill's own"
    ),
    "mantle.validation.response.confirming_button_source_tool": Entry(
        ERROR, "a tool that makes buttons can't ask for a confirmation", "take `requires_confirmation` from it"
    ),
    "mantle.validation.response.unbound_button_source": Entry(
        ERROR, "buttons are made by a tool, and no skill says whose", "move the response to the skill's responses.yml"
    ),
}

_MEMORY: Mapping[str, Entry] = {
    "mantle.validation.memory.undeclared_entry": Entry(
        ERROR, "a step fills an entry that is not declared", "declare it in the skill's memory.yml"
    ),
    "mantle.validation.memory.description_not_exposed": Entry(
        ERROR, "an entry that the model can't set has a description", "remove it, or add `llm_settable: true`"
    ),
    "mantle.validation.memory.description_required": Entry(
        ERROR, "an entry that the model can set has no description", "say in one what belongs in it"
    ),
    "mantle.validation.memory.collect_description_overrides": Entry(
        WARNING, "the description on the collect step wins over the entry's own", "keep one of the two"
    ),
    "mantle.validation.memory.project_llm_settable": Entry(
        ERROR, "the model can't set project memory", "move the entry to a skill, or remove `llm_settable`"
    ),
    "mantle.validation.memory.collect_on_project": Entry(
        ERROR, "a step can't collect project memory", "collect an entry of the skill, and let a tool write the other"
    ),
    "mantle.validation.memory.skill_seed": Entry(
        ERROR, "only project memory can be seeded", "move the entry to the root memory.yml, or remove `seed`"
    ),
    "mantle.validation.memory.default_skill_collect_initial_value": Entry(
        WARNING, "a replaced default skill collects an entry that starts with a value", "remove `initial_value`"
    ),
    "mantle.validation.settable_field.no_memory_validation_tool": Entry(
        INFO, "no tool looks at what the model sets here", "add `run_after_setting_<entry>` if it can be wrong"
    ),
    "mantle.validation.memory_validation_tool.writes_llm_settable_field": Entry(
        WARNING, "a validation tool writes another entry that the model can set, which runs no validation of it"
    ),
}

_TOOL: Mapping[str, Entry] = {
    "mantle.validation.tools.unresolved_tool": Entry(
        ERROR, "a tool is named that this skill does not have", "define it, or add it to `import_tools`"
    ),
    "mantle.validation.tools.import_failed": Entry(ERROR, "a file of tools can't be loaded"),
    "mantle.validation.tools.reserved_name": Entry(
        ERROR, "a tool has the name of one of the engine's own", "give it another name"
    ),
    "mantle.validation.tools.undeclared_memory_write": Entry(
        ERROR, "a tool writes an entry that is not declared", "declare it in the skill's memory.yml"
    ),
    "mantle.validation.tools.memory_manager_bypass": Entry(
        ERROR, "a tool reaches around `context.memory`", "use `context.memory.get` and `context.memory.set`"
    ),
    "mantle.validation.tools.invalid_memory_validation_tool": Entry(
        ERROR, "`run_after_setting_<entry>` names an entry that nothing sets", "name one that the model can set"
    ),
    "mantle.validation.hooks.unknown_point": Entry(ERROR, "a hook is for a point that the engine does not have"),
    "mantle.validation.hooks.duplicate_modifier": Entry(ERROR, "two hooks change the same thing"),
    "mantle.validation.hooks.non_async_handler": Entry(ERROR, "a hook is not `async`", "write `async def`"),
    "mantle.validation.hooks.invalid_signature": Entry(ERROR, "a hook does not take what it is given"),
    "mantle.validation.hooks.unsupported_control_signal": Entry(ERROR, "a hook answers with what its point can't do"),
    "mantle.validation.hooks.import_failed": Entry(ERROR, "a file of hooks can't be loaded"),
}

SKILLS: Mapping[str, Entry] = {**_SKILL, **_RESPONSE, **_MEMORY, **_TOOL}
