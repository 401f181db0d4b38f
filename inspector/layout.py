"""Which files and folders an agent consists of (§1); every other one is left alone."""

from __future__ import annotations

__all__ = ["holds_more", "wanted"]

_ROOT_TEXTS = frozenset({"agent.yml", "integrations.yml", "memory.yml", "responses.yml", "hooks.py"})
_ROOT_NAMES = _ROOT_TEXTS | {"domain.yml", "endpoints.yml"}
_SKILL_TEXTS = frozenset({"skill.md", "memory.yml", "responses.yml", "tools.py"})
_ROOT_FOLDERS = frozenset({"hooks", "tools", "lib", "references", "skills"})


def holds_more(parts: tuple[str, ...], name: str) -> bool:
    """Whether the folder of that name in this folder can hold something of an agent."""
    match parts:
        case ():
            return name in _ROOT_FOLDERS
        case ("hooks" | "lib" | "references", *_):
            return name != "__pycache__"
        case ("skills",):
            return not name.startswith("_")
        case ("skills", _):
            return name in ("tools", "references")
        case ("skills", _, "references", *_):
            return True
        case _:
            return False


def wanted(parts: tuple[str, ...], name: str) -> bool | None:
    """Whether a file of that name in this folder is read; `None`: only its name matters."""
    match parts:
        case ():
            return _one_of(name, _ROOT_TEXTS, _ROOT_NAMES)
        case ("hooks" | "lib", *_) | ("tools",) | ("skills", _, "tools"):
            return name.endswith(".py")
        case ("skills", _):
            return _one_of(name, _SKILL_TEXTS, _SKILL_TEXTS)
        case ("references", *_) | ("skills", _, "references", *_):
            return None if name.endswith(".md") else False
        case _:
            return False


def _one_of(name: str, texts: frozenset[str], names: frozenset[str]) -> bool | None:
    if name in texts:
        return True
    plain = name.lower()
    return None if (plain[:-5] + ".yml" if plain.endswith(".yaml") else plain) in names else False
