"""`inspector check`: what is wrong in the files, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Inspector


def test_a_clean_folder_is_clean(inspector: Inspector, agent: Path) -> None:
    ran = inspector("check", agent)
    assert "error" not in ran.out
    assert (ran.code, ran.err) == (0, "")


def test_an_error_is_told_with_its_place_and_code(inspector: Inspector, broken: Path) -> None:
    ran = inspector("check", broken)
    assert ran.code == 1
    [line] = [x for x in ran.out.splitlines() if "nonsense" in x and x.startswith(str(broken))]
    assert line.startswith(f"{broken}/skills/ship/skill.md:4:1: error ")
    assert line.endswith("[skill.markdown.unknown_frontmatter_key]")


def test_json_gives_every_finding(inspector: Inspector, broken: Path) -> None:
    ran = inspector("check", broken, "--format", "json")
    assert ran.code == 1
    [error] = [f for f in ran.rows("findings") if f["severity"] == "error"]
    expected = {"path": "skills/ship/skill.md", "line": 4, "column": 1, "skill": "ship"}
    assert {k: error[k] for k in expected} == expected
    assert set(error) >= {"code", "severity", "message", "path", "line", "column", "skill"}


def warned(agent: Path) -> Path:
    """With something the engine accepts and nobody means: a gate over an entry that no file declares."""
    skill = agent / "skills/pay/skill.md"
    skill.write_text(skill.read_text().replace("not session.pay.done", "not session.pay.doen"))
    return agent


def test_strictly_a_warning_is_a_finding(inspector: Inspector, agent: Path) -> None:
    warned(agent)
    severities = {f["severity"] for f in inspector("check", agent, "--format", "json").rows("findings")}
    assert "warning" in severities
    assert "error" not in severities
    assert inspector("check", agent).code == 0
    assert inspector("check", agent, "--strict").code == 1


def test_annotations_lead_to_the_file_from_here(inspector: Inspector, broken: Path) -> None:
    ran = inspector("check", broken, "--format", "github")
    assert ran.code == 1
    assert any(x.startswith(f"::error file={broken}/skills/ship/skill.md,line=4,") for x in ran.out.splitlines())


def test_sarif_and_junit_are_well_formed(inspector: Inspector, broken: Path) -> None:
    log = json.loads(inspector("check", broken, "--format", "sarif").out)
    rules = {r["id"]: r["shortDescription"]["text"] for r in log["runs"][0]["tool"]["driver"]["rules"]}
    assert rules["skill.markdown.unknown_frontmatter_key"]
    suites = ElementTree.fromstring(inspector("check", broken, "--format", "junit").out)
    assert {s.get("name") for s in suites} == {"project", "pay", "ship"}


def test_a_code_is_explained_without_a_folder(
    inspector: Inspector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = inspector("check", "--explain", "skill.requires.removed")
    assert ran.code == 0
    assert ran.out.startswith("skill.requires.removed error\n  ")


def test_an_unknown_code_is_wrong_usage(inspector: Inspector) -> None:
    ran = inspector("check", "--explain", "skill.requires.remove")
    assert ran.code == 2
    assert "did you mean `skill.requires.removed`?" in ran.err


def test_here_is_the_default(inspector: Inspector, broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken)
    assert inspector("check").out.splitlines()[0].startswith("skills/")


def test_a_folder_below_the_current_one_is_named_from_there(
    inspector: Inspector, broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(broken.parent)
    assert inspector("check", broken).out.splitlines()[0].startswith("small/skills/")
