"""Codes of what the engine finds in `agent.yml` and `integrations.yml` (§9.6)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.checks.catalogue.entry import ERROR, WARNING, Entry

__all__ = ["CONFIG"]

CONFIG: Mapping[str, Entry] = {
    "mantle.validation.config.missing_agent_yml": Entry(ERROR, "there is no `agent.yml`"),
    "mantle.validation.config.invalid_agent_yml": Entry(ERROR, "`agent.yml` can't be read"),
    "mantle.validation.config.missing_agent_section": Entry(ERROR, "`agent.yml` lacks a section"),
    "mantle.validation.config.invalid_agent_section": Entry(ERROR, "a section of `agent.yml` is not as it should be"),
    "mantle.validation.config.invalid_agent_privacy": Entry(ERROR, "the `privacy` section is not as it should be"),
    "mantle.validation.config.missing_integrations": Entry(
        ERROR, "there is no `integrations.yml`", "add one with `model_groups:`"
    ),
    "mantle.validation.config.unexpected_llm": Entry(
        ERROR, "`llm:` and `models:` are of an older kind", "use `model_groups:`, and name one in agent.yml"
    ),
    "mantle.validation.config.unsupported_integration_key": Entry(
        ERROR, "a key of `integrations.yml` is no longer supported", "remove it"
    ),
    "mantle.validation.config.unknown_integration_key": Entry(
        ERROR, "`integrations.yml` has a key that the engine does not know", "remove it, or mend its spelling"
    ),
    "mantle.validation.config.invalid_knowledge_store": Entry(ERROR, "a knowledge store is not as it should be"),
    "mantle.validation.config.duplicate_knowledge_store_id": Entry(ERROR, "two knowledge stores have the same id"),
    "mantle.validation.config.invalid_model_group": Entry(ERROR, "a model group is not as it should be"),
    "mantle.validation.config.duplicate_model_group_id": Entry(ERROR, "two model groups have the same id"),
    "mantle.validation.config.unused_model_group_models": Entry(
        WARNING, "a model group has models that are never used"
    ),
    "mantle.validation.config.invalid_model_group_credentials": Entry(
        ERROR, "the credentials of a model group are not as they should be"
    ),
    "mantle.validation.config.unknown_model_group": Entry(
        ERROR, "a model group is named that does not exist", "name one of integrations.yml"
    ),
    "mantle.validation.config.invalid_tracing": Entry(ERROR, "`tracing` is not as it should be"),
    "mantle.validation.config.invalid_metrics": Entry(ERROR, "`metrics` is not as it should be"),
    "mantle.validation.config.invalid_event_broker": Entry(ERROR, "`event_broker` is not as it should be"),
    "mantle.validation.config.invalid_timer_store": Entry(ERROR, "`timer_store` is not as it should be"),
    "mantle.validation.config.invalid_tracker_store": Entry(ERROR, "`tracker_store` is not as it should be"),
    "mantle.validation.config.invalid_lock_store": Entry(ERROR, "`lock_store` is not as it should be"),
    "mantle.validation.config.invalid_secrets_manager": Entry(ERROR, "`secrets_manager` is not as it should be"),
    "mantle.validation.config.invalid_model_server": Entry(ERROR, "`rasa_model_server` is not as it should be"),
    "mantle.validation.config.invalid_recordings": Entry(ERROR, "`recordings` is not as it should be"),
    "mantle.validation.config.type_env_placeholder": Entry(
        WARNING, "a `type` is a placeholder, which is not filled in while the files are checked"
    ),
    "mantle.validation.config.literal_secret": Entry(
        WARNING, "a secret stands in the file", "write `${NAME}` and set it in the environment"
    ),
    "mantle.validation.config.invalid_mcp_server": Entry(ERROR, "an MCP server is not as it should be"),
    "mantle.validation.config.duplicate_mcp_server_name": Entry(ERROR, "two MCP servers have the same name"),
    "validation.a2a_server.invalid_mantle_config": Entry(ERROR, "`a2a_server` is not as it should be"),
}
