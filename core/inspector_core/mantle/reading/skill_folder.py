"""One skill from the files in its directory (§1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from inspector_core.finding import Finding, Severity
from inspector_core.mantle.project import Skill
from inspector_core.mantle.reading.bundled import BUNDLED
from inspector_core.mantle.reading.layout import start_of, unreadable
from inspector_core.mantle.reading.memory import MemoryText, read_skill_memory
from inspector_core.mantle.reading.responses import ResponsesText, read_responses
from inspector_core.mantle.reading.shelf import Shelf
from inspector_core.mantle.reading.skill import SkillText, read_skill_md
from inspector_core.mantle.reading.toolbox import Toolbox, tool_files, toolbox
from inspector_core.mantle.reading.tools import ToolsText, read_tools

__all__ = ["read_skill", "read_skill_files"]

_FAILED = "mantle.validation.skill.failed_to_load"


def read_skill_files(shelf: Shelf, skills: Iterable[str], version: str) -> None:
    """Put the files that every skill has on the shelf, kind by kind: a sixth less work than skill by skill.

    The processor keeps at hand what it needs for one kind of file. Syntax trees come first: when little else is held,
    their memory is taken again for the next one; later on it would go back to the system and be asked for anew.
    """
    changed = [skill_id for skill_id in skills if shelf.unchanged(_home(skill_id), Skill) is None]
    for skill_id in changed:
        shelf.part(f"{_home(skill_id)}tools.py", ToolsText, partial(read_tools, kind="local"))
    for skill_id in changed:
        _skill_md(shelf, skill_id, version)
    for skill_id in changed:
        _memory(shelf, skill_id)
    for skill_id in changed:
        _responses(shelf, skill_id)


def _home(skill_id: str) -> str:
    return f"skills/{skill_id}/"


def _skill_md(shelf: Shelf, skill_id: str, version: str) -> SkillText | None:
    return shelf.part(f"{_home(skill_id)}skill.md", SkillText, lambda source: read_skill_md(skill_id, source, version))


def _memory(shelf: Shelf, skill_id: str) -> MemoryText | None:
    return shelf.part(f"{_home(skill_id)}memory.yml", MemoryText, partial(read_skill_memory, skill_id=skill_id))


def _responses(shelf: Shelf, skill_id: str) -> ResponsesText | None:
    return shelf.part(f"{_home(skill_id)}responses.yml", ResponsesText, partial(read_responses, owner=skill_id))


def read_skill(shelf: Shelf, skill_id: str, paths: list[str], version: str) -> Skill:
    """The skill of a directory; the earlier reading's very own while none of its files changed."""
    home = _home(skill_id)
    if (kept := shelf.unchanged(home, Skill)) is not None:
        return kept
    unread = {path: why for path, why in shelf.unreadable.items() if path.startswith(home)}
    made = _Maker(skill_id, home, paths, unread)
    text, memory = _skill_md(shelf, skill_id, version), _memory(shelf, skill_id)
    responses = _responses(shelf, skill_id)
    modules = [p for p in paths if p == f"{home}tools.py"] + tool_files(paths, f"{home}tools/")
    parts, tools = toolbox(shelf, modules, "local")
    misnamed = made.misnamed() if text is None else None
    made_of = (text, memory, responses, misnamed, *parts, *unread, *unread.values())
    return shelf.whole(home, Skill, made_of, partial(made.skill, text, memory, responses, tools))


class _Maker:
    """Makes a skill of what its files were read as."""

    def __init__(self, skill_id: str, home: str, paths: list[str], unread: Mapping[str, str]) -> None:
        self.id = skill_id
        self.path = f"{home}skill.md"
        self.paths = paths
        self.unread = unread
        """Files that are there and could not be read, with the reason."""

    def misnamed(self) -> str | None:
        """A file that would be the skill's, were it for its name."""
        return next((p for p in self.paths if p.lower() == self.path.lower() and p != self.path), None)

    def skill(
        self, text: SkillText | None, memory: MemoryText | None, responses: ResponsesText | None, tools: Toolbox
    ) -> Skill:
        memory, responses = memory or MemoryText(), responses or ResponsesText()
        findings = [*_as_failures(memory.findings), *_as_failures(responses.findings), *tools.findings]
        broken = any(f.reported_as == _FAILED for f in findings) or text is None or text.broken
        findings += [unreadable(path, why) for path, why in self.unread.items()]
        findings += text.findings if text else self._missing()
        skill = Skill(
            self.id, self.path, broken=broken, fields=memory.fields, responses=responses.responses, tools=tools.tools,
            tool_writes=tools.writes, tool_bypasses=tools.bypasses, findings=tuple(self._owned(f) for f in findings),
            **({"span": start_of(self.path)} if text is None else _of_text(text)),
        )  # fmt: skip
        return self._inherited(skill, text)

    def _owned(self, finding: Finding) -> Finding:
        """Marked as the skill's; a module that others may import from as well is the project's."""
        own = finding.span.path.startswith(f"skills/{self.id}/")
        return replace(finding, skill=self.id) if own and finding.skill is None else finding

    def _missing(self) -> list[Finding]:
        if self.path in self.unread:
            return []
        found = self.misnamed()
        hint = f"rename `{found.rpartition('/')[2]}` to `skill.md`" if found else "add one, or begin the name with `_`"
        message = f"the skill `{self.id}` has no `skill.md`"
        return [Finding(_FAILED, Severity.ERROR, message, start_of(self.path), hint)]

    def _inherited(self, skill: Skill, text: SkillText | None) -> Skill:
        """A folder that replaces one of the engine's own skills takes over its role (§1)."""
        if self.id not in BUNDLED:
            return skill
        managed = text.engine_managed if text else None
        return replace(skill, is_default=True, engine_managed=True if managed is None else managed)


def _as_failures(findings: Iterable[Finding]) -> Iterator[Finding]:
    """What can't be read as YAML keeps the engine from loading the skill."""
    for finding in findings:
        unread = finding.severity is Severity.ERROR and finding.code.startswith("inspector.yaml.")
        yield replace(finding, reported_as=_FAILED) if unread else finding


def _of_text(text: SkillText) -> dict[str, Any]:
    """What a skill has of its `skill.md`, by the names that both have for it."""
    found = text._asdict()
    del found["findings"], found["broken"]
    return found | {"is_default": bool(text.is_default), "engine_managed": bool(text.engine_managed)}
