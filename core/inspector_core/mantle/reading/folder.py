"""An agent's folder as one project: each file read once, and everything put together (§1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from inspector_core.finding import Finding, Severity, did_you_mean, in_order
from inspector_core.mantle.project import Agent, Project, Skill
from inspector_core.mantle.reading.agent import AgentText, read_agent
from inspector_core.mantle.reading.bundled import BUNDLED
from inspector_core.mantle.reading.integrations import IntegrationsText, read_integrations
from inspector_core.mantle.reading.layout import layout
from inspector_core.mantle.reading.memory import MemoryText, read_project_memory
from inspector_core.mantle.reading.responses import ResponsesText, read_responses
from inspector_core.mantle.reading.shelf import Shelf
from inspector_core.mantle.reading.skill_folder import read_skill, read_skill_files
from inspector_core.mantle.reading.toolbox import Toolbox, tool_files, toolbox
from inspector_core.source import FolderText

__all__ = ["read"]


def read(folder: FolderText, previous: Project | None = None, version: str = "3.21") -> Project:
    """Everything in a folder, and what is wrong with it; never raises.

    A file whose text is that of `previous` keeps its values, and a skill none of whose files changed is the very same.
    """
    shelf = Shelf(folder, previous if previous is not None and previous.version == version else None)
    agent = shelf.part("agent.yml", AgentText, read_agent) or AgentText(Agent())
    integrations = shelf.part("integrations.yml", IntegrationsText, read_integrations)
    memory = shelf.part("memory.yml", MemoryText, read_project_memory) or MemoryText()
    responses = shelf.part("responses.yml", ResponsesText, partial(read_responses, owner=None)) or ResponsesText()
    shared = _shared_tools(shelf)
    own = tuple(_skills(folder, shelf, version))
    findings = [
        *agent.findings, *(integrations.findings if integrations else ()), *memory.findings, *responses.findings,
        *shared.findings, *_model_group(agent, integrations), *layout(folder, bool(own)),
    ]  # fmt: skip
    findings += [f for skill in own for f in skill.findings]
    replaced = {skill.id for skill in own}
    return Project(
        folder.name, version, agent.agent, (*own, *(s for i, s in BUNDLED.items() if i not in replaced)),
        memory.fields, responses.responses, shared.tools, integrations.servers if integrations else (), shelf.sources,
        in_order(findings), any(map(_is_knowledge, folder.files)), shared.writes, shared.bypasses, shelf.parts,
    )  # fmt: skip


def _skills(folder: FolderText, shelf: Shelf, version: str) -> Iterator[Skill]:
    """Every directory of `skills/` in order; those that begin with `_` are none."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for directory in folder.directories:
        if directory.startswith("skills/") and directory.count("/") == 1:
            paths[directory[len("skills/") :]] = []
    for path in folder.files:
        if path.startswith("skills/") and path.count("/") > 1:
            paths[path.split("/", 2)[1]].append(path)
    for path in folder.unreadable:
        if path.startswith("skills/") and path.count("/") > 1:
            paths[path.split("/", 2)[1]] += []
    own = sorted(skill_id for skill_id in paths if not skill_id.startswith("_"))
    shelf.forget({"tools/", *(f"skills/{skill_id}/" for skill_id in own)})
    read_skill_files(shelf, own, version)
    for skill_id in own:
        yield read_skill(shelf, skill_id, paths[skill_id], version)


def _shared_tools(shelf: Shelf) -> Toolbox:
    """`tools/*.py`; a name that begins with `set_` is passed over there (§5.5)."""
    parts, box = toolbox(shelf, tool_files(shelf.sources, "tools/"), "shared")
    return shelf.whole("tools/", Toolbox, parts, partial(_without_setters, box))


def _without_setters(box: Toolbox) -> Toolbox:
    findings = [
        Finding(
            "inspector.tools.shared-setter", Severity.WARNING,
            f"the engine passes over the shared tool `{tool.name}`, for its name begins with `set_`", tool.span,
            "give it another name",
        )
        for tool in box.tools
        if tool.name.startswith("set_")
    ]  # fmt: skip
    tools = tuple(t for t in box.tools if not t.name.startswith("set_"))
    return Toolbox(tools, (*box.findings, *findings), box.writes, box.bypasses)


def _model_group(agent: AgentText, integrations: IntegrationsText | None) -> Iterator[Finding]:
    wanted = agent.model_group
    if wanted is None or integrations is None or not integrations.complete:
        return
    if wanted.name not in integrations.model_groups:
        hint = did_you_mean(wanted.name, integrations.model_groups) or "declare it in `integrations.yml`"
        message = f"there is no model group `{wanted.name}`"
        yield Finding("mantle.validation.config.unknown_model_group", Severity.ERROR, message, wanted.span, hint)


def _is_knowledge(path: str) -> bool:
    """Whether a file is among those that the engine makes an index of."""
    if "references/" not in path or not path.endswith(".md"):
        return False
    parts = path.split("/")
    return parts[0] == "references" or (len(parts) > 3 and parts[0] == "skills" and parts[2] == "references")
