"""The engine's own skills and responses, by their facts alone: their texts are the engine's (§1, §1.3)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.project import Block, Field, Skill
from inspector_core.source import Span

__all__ = ["BUNDLED", "PACKAGED_RESPONSES"]

PACKAGED_RESPONSES = frozenset((
    "utter_set_memory_button_skipped", "utter_incoming_message_rejected", "utter_outgoing_text_rejected",
    "utter_precondition_unmet", "utter_hangup_goodbye", "utter_model_request_hook_error",
    "utter_tool_call_hook_error", "utter_model_call_error",
))  # fmt: skip
"""Responses that every agent has without writing them."""

_NAMES = {
    "default_session_start": "Session start",
    "default_completed": "Completed",
    "default_continue_interrupted": "Continue interrupted",
    "default_customer_satisfaction": "Customer satisfaction",
    "default_silence_timeout": "Silence timeout",
    "default_silence_timeout_hangup": "Silence timeout hang-up",
    "default_unsupported_request_handler": "Unsupported request handler",
}
_FIELDS = {
    "default_continue_interrupted": {"interrupted_task_name": "text", "wants_to_resume": "bool"},
    "default_unsupported_request_handler": {"request_type": "text"},
}
"""Entries that the engine itself reads or writes."""
_SETTABLE = frozenset({"wants_to_resume"})
"""Those that the model sets, since a step asks the customer for them."""


def _bundled(skill_id: str, name: str) -> Skill:
    path = f"skills/{skill_id}/skill.md"
    span = Span(path, 1, 1, 1, 1)
    fields = tuple(
        Field(f"{skill_id}.{f}", "public", kind, span, llm_settable=f in _SETTABLE)
        for f, kind in _FIELDS.get(skill_id, {}).items()
    )
    block = Block("main", span, (), ())
    return Skill(
        skill_id, path, span, name, is_default=True, engine_managed=True, bundled=True, fields=fields, blocks=(block,)
    )


BUNDLED: Mapping[str, Skill] = {skill_id: _bundled(skill_id, name) for skill_id, name in _NAMES.items()}
"""By id; an agent's own folder of the same id replaces one completely."""
