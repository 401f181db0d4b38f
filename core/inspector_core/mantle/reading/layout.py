"""The folder as a whole: what is missing from it, what does not belong, and names that nearly fit (§1)."""

from __future__ import annotations

from collections.abc import Iterator

from inspector_core.finding import Finding, Severity
from inspector_core.source import FolderText, Span

__all__ = ["layout", "start_of", "unreadable"]

_STRUCTURE = "config.project_structure."
_CONFIG = "mantle.validation.config."
_ROOT = ("agent.yml", "integrations.yml", "memory.yml", "responses.yml")
_SKILL = ("skill.md", "memory.yml", "responses.yml", "tools.py")
_RIGHT = tuple(f"/{name}" for name in _SKILL)


def layout(folder: FolderText, skills: bool) -> Iterator[Finding]:
    """What can be said of the names alone; `skills`: there is a directory for a skill."""
    yield from (unreadable(path, why) for path, why in folder.unreadable.items() if not _of_skill(path))
    yield from _missing(folder, skills)
    yield from _foreign(folder)
    for path in folder.files:
        yield from _nearly(folder, path)


def unreadable(path: str, why: str) -> Finding:
    """A file that is there, and that nothing can be said of."""
    return Finding("inspector.folder.unreadable", Severity.ERROR, f"`{path}` can't be read: {why}", start_of(path))


def _of_skill(path: str) -> bool:
    """Whether it lies in a skill's directory, and is that skill's to tell."""
    return path.startswith("skills/") and path.count("/") > 1 and not path.startswith("skills/_")


def start_of(path: str) -> Span:
    """A place to point at in a file that is not there."""
    return Span(path, 1, 1, 1, 1)


def _has(folder: FolderText, path: str) -> bool:
    return path in folder.files or path in folder.unreadable


def _missing(folder: FolderText, skills: bool) -> Iterator[Finding]:
    if not _has(folder, "agent.yml"):
        hint = "add one with `agent:` and `orchestrator:`"
        yield _error(f"{_CONFIG}missing_agent_yml", "there is no `agent.yml`", "agent.yml", hint)
    if not _has(folder, "integrations.yml"):
        hint = "add one with the `model_groups` of the orchestrator"
        yield _error(f"{_CONFIG}missing_integrations", "there is no `integrations.yml`", "integrations.yml", hint)
    if not skills and "skills" not in folder.unreadable:
        hint = "add `skills/<id>/skill.md`"
        yield _error(f"{_STRUCTURE}missing_skills", "there are no skills", "skills", hint)


def _foreign(folder: FolderText) -> Iterator[Finding]:
    if _has(folder, "domain.yml"):
        message = "`domain.yml` is of another kind of agent, and the engine refuses both in one folder"
        yield _error(f"{_STRUCTURE}mixed_layout", message, "domain.yml")
    if _has(folder, "endpoints.yml"):
        message = "the engine refuses to start with an `endpoints.yml`"
        yield _error("inspector.folder.endpoints", message, "endpoints.yml", "move what it says to `integrations.yml`")


def _error(code: str, message: str, path: str, hint: str | None = None) -> Finding:
    return Finding(code, Severity.ERROR, message, start_of(path), hint)


def _nearly(folder: FolderText, path: str) -> Iterator[Finding]:
    """A file that the engine passes over for a letter of its name."""
    if path.endswith(_RIGHT):
        return
    home, _, name = path.rpartition("/")
    parts = home.split("/")
    known = _ROOT if not home else _SKILL if len(parts) == 2 and parts[0] == "skills" else ()
    if name in known:
        return
    meant = name.lower()
    meant = f"{meant[:-5]}.yml" if meant.endswith(".yaml") else meant
    if meant not in known or meant == "skill.md":
        return
    right = f"{home}/{meant}" if home else meant
    message = f"the engine passes over `{name}`: it only reads `{meant}`"
    hint = f"there is a `{meant}` too" if right in folder.files else f"rename it to `{meant}`"
    yield Finding("inspector.folder.misnamed", Severity.WARNING, message, start_of(path), hint)
