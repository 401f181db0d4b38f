"""Themes from YAML: the bundled ones, and the user's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

import yaml
from textual.theme import Theme

__all__ = ["bundled_themes", "user_themes"]

_COLOURS = (
    "primary", "secondary", "warning", "error", "success", "accent", "foreground", "background", "surface", "panel",
)  # fmt: skip


def bundled_themes() -> Iterator[Theme]:
    """The themes that come with the inspector; each file is one."""
    for file in sorted(files("inspector_themes").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml"):
            yield _theme(yaml.safe_load(file.read_text("utf-8")))


def user_themes(folder: Path) -> tuple[list[Theme], list[str]]:
    """The user's own themes, and what is wrong with those that can't be used."""
    themes: list[Theme] = []
    problems: list[str] = []
    for path in sorted((folder / "themes").glob("*.yaml")) if (folder / "themes").is_dir() else []:
        try:
            themes.append(_theme(_checked(yaml.safe_load(path.read_text("utf-8")))))
        except (OSError, ValueError, yaml.YAMLError) as problem:
            problems.append(f"themes/{path.name}: {str(problem).splitlines()[0]}")
    return themes, problems


def _checked(raw: object) -> dict[str, object]:
    """Refuses what is no theme; colours are tried out here, so that a bad one can't break the screen later."""
    from pydantic import TypeAdapter
    from textual.color import Color, ColorParseError

    theme = TypeAdapter(dict[str, str | bool | dict[str, str]]).validate_python(raw, strict=True)
    if not isinstance(theme.get("name"), str) or "primary" not in theme:
        raise ValueError("a theme needs a name and a primary colour")
    for key, value in theme.items():
        if key in _COLOURS:
            try:
                Color.parse(str(value))
            except ColorParseError as problem:
                raise ValueError(f"{key}: {problem}") from problem
    return dict(theme)


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
