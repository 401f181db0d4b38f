"""Recordings as other makers write them, and what was read of one in a few words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from inspector_core.recording.opening import open_recording
from inspector_core.recording.recording import Recording

Object = dict[str, object]


def opened(value: object) -> Recording:
    """A file that holds this value, printed over several lines."""
    return open_recording(json.dumps(value, indent=1).encode(), "rec.json")


def in_lines(*values: object) -> Recording:
    return open_recording("".join(json.dumps(v) + "\n" for v in values).encode(), "rec.jsonl")


def told(found: Recording) -> list[list[str]]:
    """Each session's events in a few words."""
    return [[_brief(one.event.name, one.event.fields) for one in session.events] for session in found.sessions]


def _brief(name: str, fields: Mapping[str, object]) -> str:
    if name != "tool_executed":
        return f"{name} {fields.get('text', '')}".strip()
    failed = "failed " if fields["is_error"] else ""
    return f"{fields['tool_name']} {json.dumps(fields['arguments'])} {failed}{fields['result']}"


def problems(found: Recording) -> list[tuple[str, int]]:
    """Each finding's message and line."""
    return [(finding.message, finding.span.line) for finding in found.findings]


def asked(call: str, tool: str, arguments: object, text: str | None = None) -> Object:
    """A reply with one call."""
    function = {"name": tool, "arguments": arguments}
    calls = [{"id": call, "type": "function", "function": function}]
    return {"role": "assistant", "content": text, "tool_calls": calls}


OPENAI: list[Object] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Pay Ann"},
    asked("c1", "pay", '{"to": "Ann"}', "One moment."),
    {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
    {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
]
SAID = ["openai.system Be kind.", "user Pay Ann", "bot One moment.", 'pay {"to": "Ann"} {"ok": true}', "bot Done."]
ANTHROPIC: list[Object] = [
    {"role": "user", "content": "Pay Ann"},
    {"role": "assistant", "content": [{"type": "text", "text": "One moment."},
                                      {"type": "tool_use", "id": "t1", "name": "pay", "input": {"to": "Ann"}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True,
                                  "content": [{"type": "text", "text": "no money"}]}]},
]  # fmt: skip
FAILED = ["user Pay Ann", "bot One moment.", 'pay {"to": "Ann"} failed no money']
SPAN: Object = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay", "gen_ai.tool.call.id": "1",
                "gen_ai.tool.call.arguments": '{"to": "Ann"}', "gen_ai.tool.call.result": "{}"}  # fmt: skip


def exported(*spans: Object) -> Object:
    """Spans as an exporter packs them."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def record(kind: str, **more: object) -> Object:
    """A record of Letta's interface."""
    return {"message_type": kind, "id": "m", "date": "2025-04-01T03:46:31Z", **more}
