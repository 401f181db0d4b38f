"""Tones as styles of the theme: looked up once a theme, since a rule of the stylesheet a tone and widget costs more."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from rich.style import Style
from textual.app import App
from textual.color import Color

from inspector.pieces import Tone

__all__ = ["Mark", "style", "styles"]

Mark = Literal["cursor", "mark", "key"]
"""What isn't a tone of words: the row under the cursor, the bar of a changed row, a key that can be pressed."""

_LOOKS: Mapping[Tone | Mark, tuple[str, bool]] = {
    "plain": ("foreground", False),
    "dim": ("secondary", False),
    "good": ("success", False),
    "bad": ("error", False),
    "ask": ("warning", True),
    "error": ("error", True),
    "head": ("primary", True),
    "value": ("primary", False),
    "accent": ("accent", False),
    "cursor": ("panel", True),
    "mark": ("accent", False),
    "key": ("accent", True),
}
"""The theme's colour, and whether it is bold."""


def style(app: App[object], tone: Tone | Mark) -> Style:
    """The style of a tone in the theme that the app wears now."""
    return styles(app)[tone]


def styles(app: App[object]) -> Mapping[Tone | Mark, Style]:
    """The styles of all tones in that theme."""
    theme = app.current_theme
    return _styles(tuple(str(getattr(theme, name) or theme.primary) for name in _NAMES))


_NAMES = tuple(dict.fromkeys(name for name, _ in _LOOKS.values()))


@lru_cache(maxsize=16)
def _styles(colours: tuple[str, ...]) -> Mapping[Tone | Mark, Style]:
    rich = {name: Color.parse(colour).rich_color for name, colour in zip(_NAMES, colours, strict=True)}
    return {
        tone: Style(bgcolor=rich[name], bold=bold) if tone == "cursor" else Style(color=rich[name], bold=bold or None)
        for tone, (name, bold) in _LOOKS.items()
    }
