"""Agents of a few files, read as files are, and played: what an edge case is about stands in the test itself."""

from __future__ import annotations

from collections.abc import Sequence

from inspector_core.events import Activated, Call, Called, CustomerSaid, Record, Stub
from inspector_core.mantle.checks import check
from inspector_core.mantle.gates import judge
from inspector_core.mantle.project import Project
from inspector_core.report import Verdict
from tests.core.agents import block, project, prose, tools
from tests.core.handmade import Played

__all__ = [
    "agent", "block", "bots", "call", "codes", "errors", "notes", "played", "prose", "started", "tool_records", "tools",
    "verdict",
]  # fmt: skip


def agent(body: str = "Help.", front: str = "", names: Sequence[str] = (), **files: str) -> Project:
    """The skill `pay` with a body, frontmatter lines and tools, and further files by a short name."""
    known = {
        "memory": "skills/pay/memory.yml", "responses": "skills/pay/responses.yml", "root": "memory.yml",
        "agent": "agent.yml", "ship": "skills/ship/skill.md", "ship_memory": "skills/ship/memory.yml",
        "shared": "tools/shared.py", "code": "skills/pay/tools.py",
    }  # fmt: skip
    given = {known[name]: text for name, text in files.items()}
    own = {"skills/pay/tools.py": tools(*names)} if names else {}
    return project({"skills/pay/skill.md": prose(body, front), **own, **given})


def played(given: Project, **memory: object) -> Played:
    """A conversation in which the customer has said something."""
    return Played(given, {key.replace("__", "."): value for key, value in memory.items()})(CustomerSaid("hello"))


def started(given: Project, **memory: object) -> Played:
    """A conversation in which `pay` runs."""
    return played(given, **memory)(Activated("pay"))


def call(tool: str, stub: Stub | None = None, **arguments: object) -> Called:
    return Called((Call(tool, arguments, stub),))


def verdict(play: Played, tool: str, block_id: str | None = None) -> Verdict:
    """The verdict on a tool of `pay` in the state of the conversation."""
    return next(v for v in judge(play.project, play.state, "pay", block_id, active=True) if v.tool == tool)


def codes(given: Project) -> set[str]:
    return {f.code for f in check(given)}


def errors(given: Project) -> set[str]:
    return {f.code for f in check(given) if f.severity.value == "error"}


def bots(records: Sequence[Record]) -> list[str]:
    return [str(r.fields["text"]) for r in records if r.event == "bot"]


def notes(records: Sequence[Record]) -> list[str]:
    return [str(r.fields["reason"]) for r in records if r.event == "inspector_note"]


def tool_records(records: Sequence[Record], tool: str) -> list[Record]:
    return [r for r in records if r.event == "tool_executed" and r.fields["tool_name"] == tool]
