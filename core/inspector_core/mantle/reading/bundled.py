"""The engine's own skills and responses, by their facts alone: their texts are the engine's (§1, §1.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from inspector_core.mantle.project import Block, Field, Skill
from inspector_core.source import Span

__all__ = [
    "BUNDLED", "COMPLETED", "CONTINUE", "DECLINE", "PACKAGED_RESPONSES", "SATISFACTION", "SESSION_START",
]  # fmt: skip

SESSION_START: Final = "default_session_start"
COMPLETED: Final = "default_completed"
CONTINUE: Final = "default_continue_interrupted"
SATISFACTION: Final = "default_customer_satisfaction"
DECLINE: Final = "default_unsupported_request_handler"

PACKAGED_RESPONSES = frozenset((
    "utter_set_memory_button_skipped", "utter_incoming_message_rejected", "utter_outgoing_text_rejected",
    "utter_precondition_unmet", "utter_hangup_goodbye", "utter_model_request_hook_error",
    "utter_tool_call_hook_error", "utter_model_call_error",
))  # fmt: skip
"""Responses that every agent has without writing them."""

_NAMES = {
    SESSION_START: "Session start",
    COMPLETED: "Completed",
    CONTINUE: "Continue interrupted",
    SATISFACTION: "Customer satisfaction",
    "default_silence_timeout": "Silence timeout",
    "default_silence_timeout_hangup": "Silence timeout hang-up",
    DECLINE: "Unsupported request handler",
}
_FIELDS = {
    CONTINUE: {"interrupted_task_name": "text", "wants_to_resume": "bool"},
    DECLINE: {"request_type": "text"},
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
