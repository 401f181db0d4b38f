"""The editor's command line: chosen by the user's environment alone."""

from pathlib import Path

import pytest

from inspector.effects import editor_command
from inspector_core.source import Span

PLACE = Span("skills/pay/skill.md", 7, 15, 7, 20)


@pytest.mark.parametrize(
    ("named", "command"),
    [
        ("vim", ["vim", "+7", "/agent/skills/pay/skill.md"]),
        ("nvim -p", ["nvim", "-p", "+7", "/agent/skills/pay/skill.md"]),
        ("code --wait", ["code", "--wait", "--goto", "/agent/skills/pay/skill.md:7:15"]),
        ("hx", ["hx", "/agent/skills/pay/skill.md:7:15"]),
        ("/opt/bin/mine", ["/opt/bin/mine", "/agent/skills/pay/skill.md"]),
    ],
)
def test_the_line_is_given_as_the_editor_wants_it(named: str, command: list[str]) -> None:
    assert editor_command(Path("/agent"), PLACE, {"EDITOR": named}) == command


def test_visual_comes_before_editor() -> None:
    command = editor_command(Path("/a"), PLACE, {"VISUAL": "nano", "EDITOR": "vim"})
    assert command == ["nano", "+7", "/a/skills/pay/skill.md"]


def test_quotes_that_do_not_match_are_no_mistake_of_ours() -> None:
    command = editor_command(Path("/a"), PLACE, {"EDITOR": '"my editor'})
    assert command == ['"my', "editor", "/a/skills/pay/skill.md"]
