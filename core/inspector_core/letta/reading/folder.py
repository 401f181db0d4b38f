"""A folder or a file to a project: which file is the agent's, and what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from inspector_core.finding import Finding, in_order
from inspector_core.letta.project import Agent, LettaProject
from inspector_core.letta.reading import agent as trees
from inspector_core.letta.reading import json_text, python, typescript, yaml_text
from inspector_core.letta.reading.findings import Findings
from inspector_core.letta.reading.tree import Unreadable
from inspector_core.letta.rules import Rules
from inspector_core.source import FolderText, Source, Span

__all__ = ["SUFFIXES", "fits", "read"]

_Reader = Callable[[Source, str, Findings], tuple[Agent, ...]]


def read(folder: FolderText, previous: LettaProject | None = None) -> LettaProject:
    """The agent of a folder; what is broken is a finding, and further agents are named."""
    ordered = sorted((p for p in folder.files if _suffix(p)), key=lambda p: (SUFFIXES.index(_suffix(p)), p))
    texts = [p for p in ordered if fits(p, folder.files[p])] or ordered[:1]
    if not texts:
        return _project(folder, "", None, [])
    path = texts[0]
    if previous is not None and previous.path == path and previous.sources[path].text == folder.files[path]:
        return previous
    findings = Findings()
    source = Source(path, folder.files[path])
    try:
        found = _READERS[_suffix(path)](source, _stem(path), findings)
    except Unreadable as error:
        findings.error("file.unreadable", error.message, error.span)
        found = ()
    for other in texts[1:]:
        whole = Span(other, 1, 1, 1, 1)
        findings.note("file.other", f"`{other}` holds rules too; shown are those of `{path}`", whole)
    if len(found) > 1:
        _several(found, findings)
    if not found and not findings.found:
        findings.error("file.no-rules", "there is no agent and there are no tool rules in it", source.span(0))
    return _project(folder, path, source, findings.found, found)


def _project(
    folder: FolderText, path: str, source: Source | None, findings: list[Finding], found: tuple[Agent, ...] = ()
) -> LettaProject:
    agent = _shown(found) or Agent(folder.name, span=source.span(0) if source else None)
    others = tuple(a.name for a in found if a is not agent)
    sources = {source.path: source} if source is not None else {}
    return LettaProject(folder.name, agent, Rules(agent.rules), sources, in_order(findings), others, path)


def _shown(found: tuple[Agent, ...]) -> Agent | None:
    """The first agent that has rules; else the first."""
    return next((a for a in found if a.rules), found[0] if found else None)


def _several(found: tuple[Agent, ...], findings: Findings) -> None:
    shown = _shown(found)
    others = ", ".join(f"`{a.name}`" for a in found if a is not shown)
    if shown is not None and shown.span is not None:
        message = f"the file holds {len(found)} agents: shown is `{shown.name}`, and not {others}"
        findings.note("file.several-agents", message, shown.span)


def fits(path: str, text: str) -> bool:
    """Whether a file is one of this dialect, by its name and by a look at its text."""
    suffix = _suffix(path)
    if suffix == ".af":
        return True
    signs = (
        ("tool_rules", "toolRules") if suffix not in _DATA else ("tool_rules", "toolRules", "tool_name", "agent_type")
    )
    return bool(suffix) and any(sign in text for sign in signs)


def _from_json(source: Source, name: str, findings: Findings) -> tuple[Agent, ...]:
    node, doubly = json_text.load(source)
    if doubly:
        findings.note("file.doubly-encoded", "the file is JSON within a text of JSON; both were read", node.span)
    return trees.agents(node, name, findings) if trees.holds_rules(node) else ()


def _from_yaml(source: Source, name: str, findings: Findings) -> tuple[Agent, ...]:
    node = yaml_text.load(source)
    return trees.agents(node, name, findings) if trees.holds_rules(node) else ()


_READERS: Mapping[str, _Reader] = {
    ".af": _from_json,
    ".json": _from_json,
    ".yml": _from_yaml,
    ".yaml": _from_yaml,
    ".py": python.load,
    ".ts": typescript.load,
    ".tsx": typescript.load,
    ".mts": typescript.load,
    ".js": typescript.load,
    ".mjs": typescript.load,
}
SUFFIXES = tuple(_READERS)
"""The files that are looked at, the likeliest first."""
_DATA = frozenset({".json", ".yml", ".yaml"})
_SIGNS = ("tool_rules", "toolRules")
_DATA_SIGNS = (*_SIGNS, "tool_name", "agent_type")


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2].lower()
    return next((s for s in SUFFIXES if name.endswith(s)), "")


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
