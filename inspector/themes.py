"""Themes from YAML: the bundled ones, and the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml
from textual.theme import Theme

import inspector_themes

__all__ = ["bundled_theme", "bundled_themes", "user_themes"]

_FOLDER = Path(inspector_themes.__file__).parent

_COLOURS = (
    "primary", "secondary", "warning", "error", "success", "accent", "foreground", "background", "surface", "panel",
)  # fmt: skip

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_STYLES = frozenset({"bold", "dim", "italic", "none", "reverse", "strike", "underline"})


def bundled_themes() -> Iterator[Theme]:
    """The themes that come with the inspector; each file is one."""
    return (_read(path) for path in sorted(_FOLDER.glob("*.yaml")))


def bundled_theme(name: str) -> Theme:
    """One of them, by its name."""
    return _read(_FOLDER / f"{name}.yaml")


def _read(path: Path) -> Theme:
    loaded: object = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return _theme(loaded if isinstance(loaded, dict) else {})


def user_themes(folder: Path) -> tuple[list[Theme], list[str]]:
    """The user's own themes, and what is wrong with those that can't be used."""
    themes: list[Theme] = []
    problems: list[str] = []
    for path in _files(folder / "themes"):
        try:
            themes.append(_theme(_checked(yaml.safe_load(path.read_text("utf-8")))))
        except RecursionError:
            problems.append(f"themes/{path.name}: it is nested too deeply")
        except (OSError, ValueError, yaml.YAMLError) as problem:
            problems.append(f"themes/{path.name}: {str(problem).splitlines()[0]}")
    return themes, problems


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.glob("*.yaml") if p.is_file())
    except OSError:
        return []


def _checked(raw: object) -> dict[str, object]:
    """Refuses what is no theme; colours are tried out here, so that a bad one can't break the screen later."""
    from pydantic import TypeAdapter

    theme = TypeAdapter(dict[str, str | bool | dict[str, str]]).validate_python(raw, strict=True)
    if not isinstance(theme.get("name"), str) or "primary" not in theme:
        raise ValueError("a theme needs a name and a primary colour")
    for key, value in theme.items():
        if key in _COLOURS:
            _try_colour(key, str(value))
    variables = theme.get("variables", {})
    if not isinstance(variables, dict):
        raise ValueError("variables: they must be a mapping of names to colours")
    for key, value in variables.items():
        _try_variable(key, value)
    return dict(theme)


def _try_variable(name: str, value: str) -> None:
    """Variables are put into the style sheet as they stand, which breaks at whatever is neither colour nor style."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"variables: `{name}` can't be the name of one")
    if name.endswith("style"):
        if not value.split() or not _STYLES.issuperset(value.split()):
            raise ValueError(f"variables: {name}: one or more of {', '.join(sorted(_STYLES))}")
    else:
        _try_colour(f"variables: {name}", value)


def _try_colour(name: str, value: str) -> None:
    from textual.color import Color, ColorParseError

    try:
        Color.parse(value)
    except ColorParseError as problem:
        raise ValueError(f"{name}: {problem}") from problem


def _theme(raw: Mapping[str, object]) -> Theme:
    def colour(key: str) -> str | None:
        return str(raw[key]) if key in raw else None

    variables = raw.get("variables")
    return Theme(
        name=str(raw["name"]),
        primary=str(raw["primary"]),
        secondary=colour("secondary"),
        warning=colour("warning"),
        error=colour("error"),
        success=colour("success"),
        accent=colour("accent"),
        foreground=colour("foreground"),
        background=colour("background"),
        surface=colour("surface"),
        panel=colour("panel"),
        dark=bool(raw.get("dark", True)),
        ansi=bool(raw.get("ansi", False)),
        variables={str(k): str(v) for k, v in variables.items()} if isinstance(variables, dict) else {},
    )
