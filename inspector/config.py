"""The user's own settings, from the user's own folder: keys and theme. A project's files can't set any of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from inspector.actions import ACTIONS
from inspector_core.finding import did_you_mean

__all__ = ["Config", "config_folder", "read_config"]


DEFAULT_THEME = "inspector-dark"


@dataclass(frozen=True, slots=True)
class Config:
    """Settings, with what was wrong with them in words for the user."""

    theme: str = DEFAULT_THEME
    keys: Mapping[str, str] = field(default_factory=dict)
    """Action id to key, in textual's spelling (`ctrl+y`, `f5`, `x,y`)."""
    problems: tuple[str, ...] = ()


def config_folder(environment: Mapping[str, str] | None = None) -> Path:
    """`$XDG_CONFIG_HOME/inspector`, or `~/.config/inspector`."""
    environment = os.environ if environment is None else environment
    base = environment.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "inspector"


def read_config(folder: Path) -> Config:
    """`config.toml` of the folder; what is wrong in it is told and left out, and the rest holds."""
    path = folder / "config.toml"
    if not path.is_file():
        return Config()
    import tomllib

    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        return Config(problems=(f"{path.name}: {problem}",))
    return _checked(raw)


def _checked(raw: Mapping[str, object]) -> Config:
    from pydantic import TypeAdapter, ValidationError

    problems: list[str] = [f"config.toml: `{k}` is no setting" for k in raw if k not in ("theme", "keys")]
    try:
        theme = TypeAdapter(str).validate_python(raw.get("theme", DEFAULT_THEME), strict=True)
    except ValidationError:
        theme = DEFAULT_THEME
        problems.append("config.toml: `theme` must be a text")
    try:
        keys = TypeAdapter(dict[str, str]).validate_python(raw.get("keys", {}), strict=True)
    except ValidationError:
        keys = {}
        problems.append("config.toml: `keys` must map action ids to keys, as texts")
    known = [a.id for a in ACTIONS]
    for unknown in [k for k in keys if k not in known]:
        problems.append(f"config.toml: `{unknown}` is no action; {did_you_mean(unknown, known) or 'see the keys page'}")
    return Config(theme, {k: v for k, v in keys.items() if k in known}, tuple(problems))
