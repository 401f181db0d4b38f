"""The user's settings: what is wrong is told and left out, and the rest holds."""

from pathlib import Path

import pytest

from inspector.config import DEFAULT_THEME, config_folder, read_config


def test_the_folder_is_the_users_own() -> None:
    assert config_folder({"XDG_CONFIG_HOME": "/somewhere"}) == Path("/somewhere/inspector")
    assert config_folder({}) == Path.home() / ".config" / "inspector"


def test_without_a_file_everything_is_as_delivered(tmp_path: Path) -> None:
    config = read_config(tmp_path)
    assert (config.theme, dict(config.keys), config.problems) == (DEFAULT_THEME, {}, ())


def test_theme_and_keys(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('theme = "paper"\n[keys]\n"tools.call" = "f5"\n')
    config = read_config(tmp_path)
    assert (config.theme, dict(config.keys), config.problems) == ("paper", {"tools.call": "f5"}, ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("theme = 3", "`theme` must be a text"),
        ('[keys]\n"tools.call" = 1', "the key of `tools.call` must be a text"),
        ('[keys]\n"tools.call" = "notakey"', "`notakey` is no key"),
        ('[keys]\n"app.undo" = "c"', "`c` is the key of `tools.call` already"),
        ("keys = 3", "`keys` must be a table"),
        ('[keys]\n"tools.cal" = "x"', "`tools.cal` is no action; did you mean `tools.call`?"),
        ("colour = 1", "`colour` is no setting"),
        ("theme = ", "config.toml: "),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    config = read_config(tmp_path)
    assert any(told in p for p in config.problems)
    assert config.theme == DEFAULT_THEME


def test_one_bad_key_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[keys]\n"app.copy" = 5\n"tools.call" = "f5,z"\n')
    config = read_config(tmp_path)
    assert dict(config.keys) == {"tools.call": "f5,z"}
    assert len(config.problems) == 1
