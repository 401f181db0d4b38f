"""Codes of what the engine refuses while it loads one skill or one file (§9.1, §9.7)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.checks.catalogue.entry import ERROR, Entry

__all__ = ["LOADING"]

LOADING: Mapping[str, Entry] = {
    "skill.markdown.invalid_frontmatter_delimiter": Entry(
        ERROR, "the file does not open with `---`, or the frontmatter is never closed", "put `---` above and below it"
    ),
    "skill.markdown.invalid_frontmatter": Entry(
        ERROR, "the frontmatter is not a mapping of keys to values", "write `name: Pay an invoice` and the like"
    ),
    "skill.markdown.unknown_frontmatter_key": Entry(
        ERROR, "the frontmatter has a key that the engine does not know", "remove it, or mend its spelling"
    ),
    "skill.markdown.invalid_boolean_frontmatter": Entry(
        ERROR, "a flag of the frontmatter is not a bare boolean", "write `hidden: true`, without quotes"
    ),
    "skill.markdown.invalid_routing": Entry(
        ERROR, "`routing` is not a mapping of booleans", "write `routing: {engine_managed: true}`"
    ),
    "skill.markdown.invalid_knowledge_answering": Entry(
        ERROR, "`knowledge_answering` is not a mapping with a text", "write `knowledge_answering: {instructions: ...}`"
    ),
    "skill.markdown.invalid_import_tools": Entry(
        ERROR,
        "`import_tools` is not a list of tool names, or an `mcp/` entry is malformed",
        "write `- get_balance` or `- mcp/<server>:<tool>`",
    ),
    "skill.markdown.invalid_tool_constraints": Entry(
        ERROR,
        "an entry of `tool_constraints` does not have the shape that the engine reads",
        "write `- pay: {requires: session.pay.amount}`, one tool an entry",
    ),
    "skill.markdown.invalid_utter": Entry(
        ERROR,
        "an entry of `utter` does not have the shape that the engine reads, or its `when` can't be parsed",
        "write `- utter_hello: {on: activate}` or `- utter_done: {when: session.pay.paid}`",
    ),
    "skill.markdown.missing_instructions": Entry(
        ERROR, "the skill has neither prose nor an ordered block", "say below the frontmatter what the skill does"
    ),
    "skill.markdown.invalid_ordered_block": Entry(
        ERROR,
        "an ordered block has no id, a body that is not a mapping, or an id that is taken",
        "write `:::ordered_block id=main`, then `steps:`",
    ),
    "skill.markdown.ordered_block_routable_forbidden": Entry(
        ERROR, "a block says `routable`, which the engine computes itself", "remove the key"
    ),
    "skill.markdown.ordered_block_description_forbidden": Entry(
        ERROR, "a block has a `description`, which the engine refuses", "move the words to the skill's description"
    ),
    "skill.markdown.invalid_block_reference": Entry(
        ERROR, "`@block.<id>` names a block that this skill does not have", "use the id of one of its blocks"
    ),
    "skill.markdown.invalid_step_target": Entry(
        ERROR,
        "`call` or `link` names a block that this skill does not have, or a block of another skill",
        "name another skill as a whole, or a block of this one",
    ),
    "skill.markdown.unsupported_prose_else": Entry(
        ERROR, "a paragraph starts with `else:`, which prose does not have", "write a second `if: not ...` paragraph"
    ),
    "skill.markdown.unsupported_prose_elif": Entry(
        ERROR, "a paragraph starts with `elif:`, which prose does not have", "write another `if:` paragraph"
    ),
    "skill.markdown.empty_prose_if_condition": Entry(
        ERROR, "nothing follows `if:` on its line", "write the condition on the same line"
    ),
    "skill.markdown.empty_prose_if_body": Entry(
        ERROR, "no text follows the line with `if:`", "write the text right below it, without a blank line between"
    ),
    "skill.complete_when.mapping_required": Entry(
        ERROR, "the skill's `complete_when` is a bare text", "write `complete_when: {condition: ...}`"
    ),
    "skill.complete_when.invalid": Entry(
        ERROR, "the skill's `complete_when` has a shape or an expression that the engine refuses"
    ),
    "skill.complete_when.requires_prose": Entry(
        ERROR, "a skill of blocks alone can't have `complete_when`", "let the block reach `END` instead"
    ),
    "skill.precondition.invalid": Entry(
        ERROR, "`precondition` is not the name of one", "name an entry of `orchestrator.preconditions` in agent.yml"
    ),
    "skill.requires.removed": Entry(
        ERROR, "the engine no longer reads `requires` on a skill", "use `precondition`, or `requires` on its tools"
    ),
    "skill.step.invalid": Entry(
        ERROR, "a step lacks a property, has one that its kind does not know, or one of the wrong type"
    ),
    "skill.step.outdated_force_collection": Entry(
        ERROR, "`force_collection` is gone", "use `ask_before_filling: true`"
    ),
    "skill.step.outdated_collect_tool": Entry(
        ERROR, "`tool` on a collect step is gone", "name the tool `run_after_setting_<entry>`"
    ),
    "responses.registry.invalid_mapping": Entry(
        ERROR, "the file has no mapping under `responses:`", "write `responses:`, then a name and its variants"
    ),
    "responses.registry.invalid_entry": Entry(ERROR, "a response is neither a text nor a list of variants"),
    "responses.registry.invalid_variant": Entry(
        ERROR, "a variant or its buttons do not have the shape that the engine reads", "write `- text: ...`"
    ),
    "config.project_structure.mixed_layout": Entry(
        ERROR, "the folder has a `domain.yml` of the older kind beside the skills", "remove `domain.yml`"
    ),
    "config.project_structure.missing_agent_yml": Entry(
        ERROR, "the folder has no `agent.yml`", "add one with `agent: {persona: ...}` and `orchestrator:`"
    ),
    "config.project_structure.missing_skills": Entry(ERROR, "the folder has no skill", "add `skills/<id>/skill.md`"),
    "config.project_structure.invalid_generated_metadata": Entry(
        ERROR, "what the engine generated for the folder can't be read back"
    ),
    "config.agent.missing_persona": Entry(ERROR, "`agent.persona` is missing or blank", "say in it who the agent is"),
    "config.agent.missing_section": Entry(ERROR, "`agent.yml` has no `agent:` section"),
    "config.agent.missing_orchestrator": Entry(ERROR, "`agent.yml` has no `orchestrator:` section"),
    "config.agent.invalid_section": Entry(ERROR, "a section of `agent.yml` does not have the shape it should have"),
    "config.agent.missing_agent_yml_file": Entry(ERROR, "there is no `agent.yml` to read"),
    "config.agent.invalid_privacy_section": Entry(ERROR, "the `privacy` section can't be read"),
    "config.session.invalid_expiration_time": Entry(
        ERROR, "`session_expiration_time` is not a number of minutes", "write `60`, or `0` to switch it off"
    ),
    "config.session.invalid_section": Entry(ERROR, "`session_config` does not have the shape it should have"),
    "skill.catalog.load_failed": Entry(ERROR, "a skill can't be loaded, so the agent does not start"),
    "skill.catalog.duplicate_id": Entry(ERROR, "two folders give the same skill id"),
    "mantle.model_archive.bootstrap.config_load_failed": Entry(ERROR, "the packaged configuration can't be loaded"),
    "mantle.model_archive.skills_index.missing": Entry(ERROR, "the packaged index of skills is missing"),
    "mantle.model_archive.skills_index.load_failed": Entry(ERROR, "the packaged index of skills can't be loaded"),
}
"""Each surfaces at train as one `mantle.validation.skill.failed_to_load` of its skill, or stops the start."""
