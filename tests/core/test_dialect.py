"""The dialect as the session and the shell use it, on a folder's own text."""

from __future__ import annotations

from inspector_core.events import Activated, AuthorSet, Call, Called, CustomerSaid, Resolved, Stub
from inspector_core.mantle.dialect import MANTLE
from inspector_core.session import begin
from inspector_core.source import FolderText

FILES = {
    "agent.yml": "agent: {persona: Kind.}\norchestrator: {model_group: m}\n",
    "integrations.yml": "model_groups: [{id: m, models: [{provider: x, model: y}]}]\n",
    "memory.yml": "known: {type: bool}\n",
    "skills/pay/skill.md": """---
description: Pays.
tool_constraints:
- send:
    requires: session.project.known
    requires_confirmation: {enabled: true, utter_for_confirmation: utter_ask}
---
Pay.
""",
    "skills/pay/responses.yml": "responses:\n  utter_ask:\n  - text: Sure?\n",
    "skills/pay/tools.py": """
from rasa.mantle.tools.decorator import tool
from rasa.mantle.tools.result import ToolResult

@tool(description="Sends.")
async def send(cents: int) -> ToolResult:
    return ToolResult(llm_response={"sent": True})
""",
}
FOLDER = FolderText("agent", FILES, frozenset({"skills", "skills/pay"}))


def test_a_folder_is_read_judged_and_played() -> None:
    project = MANTLE.read(FOLDER)
    session = begin(MANTLE, project, {})
    verdict = session.now.report.find("send", "pay")
    assert verdict is not None
    assert (verdict.standing, verdict.why) == ("hidden", "known is unset")
    session = session.apply(AuthorSet("project.known", True))
    assert [str(c) for c in session.now.moved] == ["send: hidden → asks"]
    session = session.apply(Activated("pay")).apply(Called((Call("send", {"cents": 5}),)))
    assert session.now.state.pending is not None
    session = session.apply(CustomerSaid("yes")).apply(Resolved(True, Stub({"sent": True})))
    assert session.now.records[-2].fields["result"] == '{"sent": true}'


def test_the_conversation_is_the_same_over_the_same_files_read_again() -> None:
    project = MANTLE.read(FOLDER)
    session = begin(MANTLE, project, {"project.known": True}).apply(Activated("pay"))
    session = session.apply(Called((Call("send", {"cents": 5}),)))
    again = session.over(MANTLE.read(FOLDER, project))
    assert [m.records for m in again.moments] == [m.records for m in session.moments]
    assert again.now.state.pending == session.now.state.pending


def test_a_null_in_the_memory_it_begins_with_is_no_value() -> None:
    state = MANTLE.start(MANTLE.read(FOLDER), {"project.known": None, "pay.x": 0})
    assert state.memory == {"pay.x": 0}
    assert state.writes["pay.x"].writer == "seed"
