"""A dialect that the house has never heard of, all of it in this file: it opens, plays and replays like the others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from inspector import dialects
from inspector.dialects import Kind
from inspector_core.events import Call, Called, CustomerSaid, Event, Record, Resolved
from inspector_core.finding import Finding, Severity
from inspector_core.recording.sessions import Session
from inspector_core.report import Plan, Report, Verdict
from inspector_core.source import FolderText, Source, Span
from tests.cli.conftest import Inspector


@dataclass(frozen=True)
class Allowed:
    """A list of tools, a line each; `?` behind a name asks first."""

    name: str
    tools: Mapping[str, bool]
    sources: Mapping[str, Source]
    findings: tuple[Finding, ...] = ()
    version: str = "1"


@dataclass(frozen=True)
class Now:
    """What waits for an answer."""

    active_pending: Call | None = None
    memory: Mapping[str, object] = field(default_factory=dict)
    skill: str | None = None
    target: str | None = None


class AllowList:
    def read(self, folder: FolderText, previous: Allowed | None = None) -> Allowed:
        [(path, text)] = folder.files.items()
        source = Source(path, text)
        lines = text.splitlines()
        empty = Finding("allow.empty", Severity.ERROR, "nothing is allowed", source.span(0))
        tools = {line.rstrip("?"): line.endswith("?") for line in lines}
        return Allowed(folder.name, tools, {path: source}, () if lines else (empty,))

    def start(self, project: Allowed, memory: Mapping[str, object]) -> Now:
        return Now()

    def report(self, project: Allowed, state: Now, previous: Report | None = None) -> Report:
        open_ = state.active_pending is None
        return Report({None: tuple(self.verdict(name, asks, open_) for name, asks in project.tools.items())}, None)

    def verdict(self, tool: str, asks: bool, open_: bool) -> Verdict:
        standing = ("asks" if asks else "offered") if open_ else "hidden"
        plan = Plan(None, None, None, None) if asks else None
        why = "" if open_ else "an answer is awaited"
        return Verdict(None, tool, "local", open_, open_, standing, "listed", why, Span("list.allow", 1, 1, 1, 1),
                       confirmation=plan)  # fmt: skip

    def step(self, project: Allowed, state: Now, event: Event) -> tuple[Now, tuple[Record, ...]]:
        match event:
            case CustomerSaid(text):
                return state, (Record("user", {"text": text}),)
            case Called((call, *_)) if call.tool not in project.tools:
                refused = {"reason": "not-listed", "message": "it is not on the list", "tool_name": call.tool}
                return state, (Record("inspector_refused", refused),)
            case Called((call, *_)) if project.tools[call.tool]:
                return replace(state, active_pending=call), ()
            case Called((call, *_)):
                return state, (Record("tool_executed", {"tool_name": call.tool}, ran=True),)
            case Resolved(confirmed) if state.active_pending is not None:
                tool, yes = state.active_pending.tool, confirmed is True
                return Now(), (Record("tool_executed", {"tool_name": tool}, ran=yes),)
            case _:
                return state, ()


class AllowLists(Kind[Allowed, Now]):
    dialect = AllowList()
    about = "a list of allowed tools"

    def opens(self, path: Path) -> bool:
        return path.suffix == ".allow"

    def folder(self, path: Path) -> FolderText:
        return FolderText(path.stem, {path.name: path.read_text()}, frozenset())

    def events(self, project: Allowed, session: Session) -> tuple[tuple[int, Event], ...]:
        recorded = [(i, r.event.fields) for i, r in enumerate(session.events)]
        calls = [(i, str(f["tool_name"])) for i, f in recorded if "tool_name" in f]
        return tuple((i, Called((Call(tool),))) for i, tool in calls)


ALLOW = AllowLists()


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(dialects, "KINDS", [*dialects.KINDS, f"{__name__}:ALLOW"])
    path = tmp_path / "list.allow"
    path.write_text("search\npay?\n")
    return path


def test_it_opens(inspector: Inspector, listed: Path) -> None:
    ran = inspector(listed)
    assert "list · a list of allowed tools · 1 offered, 1 asks" in ran.out
    rows = inspector("gates", listed, "--format", "json").rows("tools")
    assert {r["tool"]: r["standing"] for r in rows} == {"search": "offered", "pay": "asks"}
    assert "? asks (listed)" in inspector("why", listed, "pay").out
    listed.write_text("")
    assert (ran := inspector("check", listed)).code == 1, ran.out


def test_it_plays(inspector: Inspector, listed: Path, tmp_path: Path) -> None:
    script = tmp_path / "buy.yml"
    script.write_text("""\
script: paying is asked about
steps:
- customer: pay, please
- call: search
- call: pay
- expect: {asks: pay, hidden: search, ran: search, not_ran: pay}
- yes: pay
- expect: {ran: pay, offered: search}
- call: fly
- expect: {refused: {fly: not on the list}}
""")
    ran = inspector("play", listed, script)
    assert ran.code == 0, ran.out


def test_it_replays(inspector: Inspector, listed: Path, tmp_path: Path) -> None:
    recording = tmp_path / "talk.json"
    calls = [{"id": "1", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in ("search",)]
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": calls},
                {"role": "tool", "tool_call_id": "1", "content": "found"}]  # fmt: skip
    recording.write_text(json.dumps(messages))
    ran = inspector("replay", listed, recording)
    assert ran.code == 0, ran.err
    assert "search ran" in ran.out
