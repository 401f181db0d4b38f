"""What the docs show is what the inspector does: commands are run, links followed, lists compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.cli import main
from tests.docs.pages import PAGES

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PANELS = ("skills", "tools", "why", "memory", "conversation", "timeline", "problems", "prompt", "recording")
COMMANDS = ("inspector", "demo", "check", "gates", "why", "eval", "play", "replay", "convert", "rules")


def shown() -> Iterator[tuple[str, str, str]]:
    """(where, command, output) of each command in a `console` block."""
    for path in FILES:
        text = path.read_text("utf-8")
        for block in re.finditer(r"^```console\n(.*?)^```", text, re.S | re.M):
            for part in re.split(r"^(?=\$ )", block.group(1), flags=re.M):
                if part.strip():
                    command, _, output = part.partition("\n")
                    yield f"{path.relative_to(ROOT)}: {command}", command.removeprefix("$ "), output


@pytest.mark.parametrize(("command", "output"), [pytest.param(c, o, id=where) for where, c, o in shown()])
def test_a_shown_command_prints_what_is_shown(
    command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)
    assert words[0] == "inspector"
    main(words[1:])
    printed = capsys.readouterr()
    assert (printed.out + printed.err).rstrip() == output.rstrip()


@pytest.mark.parametrize("name", PAGES)
def test_a_list_page_lists_what_the_code_holds(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == PAGES[name](), "run: python -m tests.docs.pages"


def scripts() -> Iterator[tuple[str, str]]:
    """(where, text) of each whole script in a `yaml` block."""
    for path in FILES:
        for block in re.finditer(r"^```yaml\n(script: .*?)^```", path.read_text("utf-8"), re.S | re.M):
            yield f"{path.relative_to(ROOT)}: {block.group(1).splitlines()[0]}", block.group(1)


@pytest.mark.parametrize("text", [pytest.param(text, id=where) for where, text in scripts()])
def test_a_shown_script_passes(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "shown.yml").write_text(text)
    main(["play", "fixtures/bank", str(tmp_path / "shown.yml")])
    assert "1 script passed" in capsys.readouterr().out


def links() -> Iterator[tuple[Path, str]]:
    for path in FILES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
            if not target.startswith(("https://", "http://")):
                yield path, target


@pytest.mark.parametrize(("path", "target"), [pytest.param(p, t, id=f"{p.name}-{t}") for p, t in links()])
def test_a_link_leads_somewhere(path: Path, target: str) -> None:
    assert (path.parent / target).exists()


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_has_its_page(panel: str) -> None:
    assert len((ROOT / "docs" / "panels" / f"{panel}.md").read_text("utf-8")) > 300


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_page(command: str) -> None:
    page = (ROOT / "docs" / "commands" / f"{command}.md").read_text("utf-8")
    assert "```console" in page or command == "inspector"


def test_the_docs_speak_of_no_machine() -> None:
    told = "\n".join(p.read_text("utf-8") for p in FILES)
    assert not re.search(r"/(?:home|root|Users|work|tmp)/", told)
