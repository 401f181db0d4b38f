"""Settings of any kind open the app: what can't be used is told, in words that do nothing to the terminal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inspector.cli.open import drop_odd_settings
from inspector.config import read_config
from inspector.themes import user_themes
from tests.inspector.screen import opened, text

DEEP = 5_000
CONFIGS = {
    "arrays": "x = " + "[" * DEEP + "]" * DEEP,
    "tables": "x = " + "{a=" * DEEP + "1" + "}" * DEEP,
    "digits": "x = " + "9" * DEEP,
    "control": "\x00",
    "escape": 'theme = "\\u001b]0;x\\u0007"',
}
THEMES = {
    "deep": "a: " + "[" * DEEP + "]" * DEEP,
    "breaks out": 'name: mine\nprimary: red\nvariables: {border: "} Screen { display: none; }"}\n',
    "no colour": "name: mine\nprimary: red\nvariables: {footer-key-foreground: not a colour}\n",
    "no style": "name: mine\nprimary: red\nvariables: {link-style: 5}\n",
    "no name": "name: mine\nprimary: red\nvariables: {'a;b': red}\n",
    "no mapping": "name: mine\nprimary: red\nvariables: red\n",
    "escape": 'name: "\\e[31m"\nprimary: red\nvariables: {"\\e[2J": red}\n',
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_a_config_of_any_kind_is_told(config: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(config)
    read = read_config(tmp_path)
    assert read.problems or read.theme != "inspector-dark"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
async def test_a_theme_that_would_break_the_screen_is_left_out(
    theme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "inspector"
    (settings / "themes").mkdir(parents=True)
    (settings / "themes" / "mine.yaml").write_text(theme)
    (settings / "config.toml").write_text('theme = "mine"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    themes, problems = user_themes(settings)
    assert themes == []
    assert len(problems) == 1
    async with opened() as pilot:
        assert pilot.app.theme == "inspector-dark"
        assert "find_cards" in text(pilot)


def test_a_theme_of_colours_and_styles_is_kept(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    words = "name: mine\nprimary: red\nvariables: {link-style: bold underline, border: '#333333'}\n"
    (tmp_path / "themes" / "mine.yaml").write_text(words)
    themes, problems = user_themes(tmp_path)
    assert ([t.name for t in themes], problems) == (["mine"], [])


def test_pipes_among_the_settings_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    os.mkfifo(tmp_path / "themes" / "mine.yaml")
    os.mkfifo(tmp_path / "config.toml")
    assert user_themes(tmp_path) == ([], [])
    assert read_config(tmp_path).problems == ()


def test_the_toolkits_own_settings_neither_end_the_app_nor_load_modules() -> None:
    odd = {"TEXTUAL_COLOR_SYSTEM": "mauve", "TEXTUAL_DRIVER": "evil:Driver", "TEXTUAL_FPS": "30"}
    drop_odd_settings(odd)
    assert odd == {"TEXTUAL_FPS": "30"}
    sound = {"TEXTUAL_COLOR_SYSTEM": "256", "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
    before = dict(sound)
    drop_odd_settings(sound)
    assert sound == before
