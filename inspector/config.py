"""The user's own settings, from the user's own folder: keys and theme. A project's files can't set any of it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from inspector.actions import ACTIONS, action_of
from inspector_core.classes import dataclass
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
    try:
        if not path.is_file():
            return Config()
        text = path.read_text("utf-8")
        import tomllib

        return _checked(tomllib.loads(text))
    except RecursionError:
        return Config(problems=(f"{path.name}: it is nested too deeply",))
    except (OSError, ValueError) as problem:
        return Config(problems=(f"{path.name}: {str(problem).splitlines()[0]}",))


def _checked(raw: Mapping[str, object]) -> Config:
    problems: list[str] = [f"config.toml: `{k}` is no setting" for k in raw if k not in ("theme", "keys")]
    theme = raw.get("theme", DEFAULT_THEME)
    if not isinstance(theme, str):
        theme = DEFAULT_THEME
        problems.append("config.toml: `theme` must be a text")
    given = raw.get("keys", {})
    if not isinstance(given, Mapping):
        given = {}
        problems.append("config.toml: `keys` must be a table of action ids and keys")
    keys: dict[str, str] = {}
    for action_id, key in given.items():
        problem = _wrong_key(str(action_id), key, keys)
        if problem:
            problems.append(f"config.toml: {problem}")
        else:
            keys[str(action_id)] = str(key)
    return Config(theme, keys, tuple(problems))


def _wrong_key(action_id: str, key: object, taken: Mapping[str, str]) -> str:
    """Why a key can't be an action's; empty where it can."""
    action = action_of(action_id)
    if action is None:
        return f"`{action_id}` is no action; {did_you_mean(action_id, [a.id for a in ACTIONS]) or 'see the keys page'}"
    if not isinstance(key, str) or not key.strip():
        return f"the key of `{action_id}` must be a text"
    for one in key.split(","):
        if not re.fullmatch(_KEY, one.strip()):
            return f"`{one}` is no key: a character, or such as `f5`, `ctrl+y`, `space`, `question_mark`"
        for other in ACTIONS:
            near = other.panel in (action.panel, "app") or action.panel == "app"
            bound = taken.get(other.id, other.key).split(",")
            if other.id != action_id and near and one.strip() in bound:
                return f"`{one}` is the key of `{other.id}` already: give that another one first"
    return ""


_KEY = (
    r"(?:(?:ctrl|shift|alt|meta|super)\+)*"
    r"(?:\S|f[1-9][0-9]?|space|enter|escape|tab|backspace|delete|insert|home|end|pageup|pagedown|up|down|left|right"
    r"|question_mark|slash|comma|full_stop|semicolon|colon|minus|plus|equals_sign|underscore|apostrophe|quotation_mark"
    r"|at|number_sign|dollar_sign|percent_sign|ampersand|asterisk|exclamation_mark|circumflex_accent|grave_accent|tilde"
    r"|vertical_line|backslash|less_than_sign|greater_than_sign|(?:left|right)_(?:square|curly)_bracket"
    r"|(?:left|right)_parenthesis)"
)
"""A key as textual spells it; compiled only where somebody has set one."""
