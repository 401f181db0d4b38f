"""What a project declares, as the checks ask for it, and where its silence proves nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

from inspector_core.classes import dataclass
from inspector_core.finding import Severity, did_you_mean
from inspector_core.mantle.gatelist import named_by, shared_tools
from inspector_core.mantle.project import Field, Project, Skill, Step
from inspector_core.mantle.reading.bundled import PACKAGED_RESPONSES
from inspector_core.source import Span
from inspector_core.tool import Tool

__all__ = ["Known", "Reading", "Scene", "trouble"]

Reading = Literal["readable", "unsure", "system", "no such skill", "undeclared", "private"]
"""What a reader finds under a key. `unsure`: the file that would declare it can't be read, or isn't ours to see."""


@dataclass(frozen=True, eq=False)
class Known:
    """One project, with its names at hand. A file that could not be read makes its names unsure, not absent."""

    project: Project

    @cached_property
    def unread(self) -> frozenset[str]:
        """Paths in which something could not be read as meant, so that what seems missing may be in there."""
        return frozenset(f.span.path for f in self.project.findings if _spoils(f.code, f.severity))

    @cached_property
    def _refused(self) -> frozenset[tuple[str, int, int]]:
        errors = (f.span for f in self.project.findings if f.severity is Severity.ERROR)
        return frozenset((s.path, s.line, s.column) for s in errors)

    def refused(self, span: Span) -> bool:
        """Reading found a mistake that begins there, so that nothing more need be said."""
        return (span.path, span.line, span.column) in self._refused

    @cached_property
    def agent_unsure(self) -> bool:
        """`agent.yml` has a mistake, so that a precondition may be in there all the same."""
        return self._mistaken("agent.yml")

    @cached_property
    def servers_unsure(self) -> bool:
        return self._mistaken("integrations.yml")

    def _mistaken(self, path: str) -> bool:
        return any(f.span.path == path and f.severity is Severity.ERROR for f in self.project.findings)

    @cached_property
    def spoiled(self) -> frozenset[str]:
        """Ids of skills that have such a path, whether or not they came to be skills."""
        return frozenset(p.split("/")[1] for p in self.unread if p.startswith("skills/") and p.count("/") >= 1)

    @cached_property
    def responses(self) -> frozenset[str]:
        """Every response that a name can find (§1.3)."""
        return frozenset(self.project.response_by_name) | PACKAGED_RESPONSES

    @cached_property
    def responses_unsure(self) -> bool:
        return any(p.endswith("responses.yml") for p in self.unread)

    @cached_property
    def shared(self) -> Mapping[str, Tool]:
        return shared_tools(self.project)

    @cached_property
    def shared_unsure(self) -> bool:
        return any(p.startswith("tools/") for p in self.unread)

    @cached_property
    def by_entry(self) -> Mapping[str, tuple[Field, ...]]:
        """Declared entries by their bare name."""
        found: defaultdict[str, list[Field]] = defaultdict(list)
        for field in self.project.field_by_key.values():
            found[field.entry].append(field)
        return {name: tuple(fields) for name, fields in found.items()}

    def skill(self, skill_id: str) -> bool:
        """There is such a skill, or may be one that can't be read."""
        return skill_id in self.project.skill_by_id or skill_id in self.spoiled

    def reading(self, key: str, reader: Skill | None) -> Reading:
        """What a skill finds under a key (§3.4); without a reader, whether any skill would find something."""
        owner = key.partition(".")[0]
        field = self.project.field_by_key.get(key)
        if field is not None:
            hidden = field.scope == "private" and reader is not None and owner != reader.id
            return "private" if hidden else "readable"
        if owner == "system":
            return "system"
        return self._absent(owner)

    def _absent(self, owner: str) -> Reading:
        """Why a key that is not declared isn't, judged by its first part."""
        if owner == "project":
            return "unsure" if "memory.yml" in self.unread else "undeclared"
        skill = self.project.skill_by_id.get(owner)
        if skill is None:
            return "unsure" if owner in self.spoiled else "no such skill"
        return "unsure" if skill.bundled or f"skills/{owner}/memory.yml" in self.unread else "undeclared"

    def close_key(self, key: str, reader: Skill | None, prefix: str = "session.") -> str | None:
        """A hint with the readable key that is meant, as the author would write it."""
        owner, _, entry = key.partition(".")
        skill = self.project.skill_by_id.get(owner)
        own = self.project.fields if owner == "project" else skill.fields if skill else ()
        readable = (f for f in (*own, *self.by_entry.get(entry, ())) if self.reading(f.key, reader) == "readable")
        near = tuple(prefix + f.key for f in readable)
        same = next((name for name in near if name.endswith(f".{entry}")), None)
        return did_you_mean(prefix + key, near) or (f"did you mean `{same}`?" if same else None)

    def close_skill(self, skill_id: str) -> str | None:
        return did_you_mean(skill_id, tuple(self.project.skill_by_id))

    def close_response(self, name: str) -> str | None:
        return did_you_mean(name, self.responses)


@dataclass(frozen=True, eq=False)
class Scene:
    """One skill, and all that surrounds it."""

    skill: Skill
    known: Known

    @cached_property
    def whole(self) -> bool:
        """Its `skill.md` was read as meant, so that what is missing in it is missing."""
        return self.skill.path not in self.known.unread

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for block in self.skill.blocks for step in block.steps)

    @cached_property
    def collected(self) -> Mapping[str, Step]:
        """Bare entries that a step collects."""
        return {s.target.name.rpartition(".")[2]: s for s in self.steps if s.kind == "collect" and s.target}

    @cached_property
    def local(self) -> Mapping[str, Tool]:
        return {t.name: t for t in self.skill.tools}

    @cached_property
    def tools(self) -> frozenset[str]:
        """Every tool of the skill: local, shared and asked for, and imported from a server."""
        shared = named_by(self.skill) & self.known.shared.keys()
        return frozenset(self.local) | shared | {i.name for i in self.skill.imports if i.server}

    @cached_property
    def tools_unsure(self) -> bool:
        """A file that could not be read may hold the tool that seems to be missing."""
        home = f"skills/{self.skill.id}/tools"
        return self.known.shared_unsure or not self.whole or any(p.startswith(home) for p in self.known.unread)

    @cached_property
    def memory_unsure(self) -> bool:
        return f"skills/{self.skill.id}/memory.yml" in self.known.unread

    def settable(self, field: Field) -> bool:
        """The model can set it: it is marked so, or a step collects it (§3.5)."""
        return field.llm_settable or field.entry in self.collected

    def own_field(self, name: str) -> Field | None:
        """What a bare entry or a qualified key means in this skill: its own, then the project's."""
        name = name.removeprefix("session.")
        fields = self.known.project.field_by_key
        if "." in name:
            return fields.get(name)
        return fields.get(f"{self.skill.id}.{name}") or fields.get(f"project.{name}")

    def trouble(self, key: str, prefix: str = "session.") -> tuple[str, str | None] | None:
        """Why the skill finds nothing under a key, and what may be meant; `None` where it finds something."""
        return trouble(self.known, key, self.skill, prefix)

    def near_entries(self) -> Iterator[str]:
        """Bare names that the skill could write, to find the one that is meant."""
        yield from (f.entry for f in self.skill.fields)
        yield from (f.entry for f in self.known.project.fields)


def trouble(known: Known, key: str, reader: Skill | None, prefix: str = "session.") -> tuple[str, str | None] | None:
    """Why a reader finds nothing under a key, and what may be meant; `None` where it finds something."""
    written, (owner, _, entry) = f"`{prefix}{key}`", key.partition(".")
    match known.reading(key, reader):
        case "readable" | "unsure":
            return None
        case "system":
            return f"{written} is the engine's own and reads as nothing", None
        case "private":
            return f"{written} is private to `{owner}`", f"declare it under `public:` in skills/{owner}/memory.yml"
        case "no such skill":
            return f"{written} can't be read: there is no skill `{owner}`", known.close_key(key, reader, prefix)
        case "undeclared":
            home = "memory.yml" if owner == "project" else f"skills/{owner}/memory.yml"
            return f"{written} is not declared", known.close_key(key, reader, prefix) or f"declare `{entry}` in {home}"


def _spoils(code: str, severity: Severity) -> bool:
    """Whether a finding from reading means that part of its file was lost."""
    if severity is not Severity.ERROR:
        return False
    return not code.startswith("mantle.validation.") or code.endswith((".failed_to_load", ".import_failed"))
