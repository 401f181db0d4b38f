"""The command as a whole: help, exit codes, errors in a line, what is imported, and what reaches the terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from inspector.cli import main, run
from inspector.cli.output import wants_color
from tests.cli.conftest import Inspector

COMMANDS = ["check", "gates", "why", "eval"]


def started(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "inspector", *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        env={**os.environ, **environment},
    )


# without a terminal


def test_without_a_terminal_the_report_is_printed(inspector: Inspector, broken: Path) -> None:
    ran = inspector(broken)
    assert ran.code == 0
    assert "lock_card" in ran.out
    assert "nonsense" in ran.out


def test_the_report_in_json_has_tools_and_findings(inspector: Inspector, broken: Path) -> None:
    told = inspector(broken, "--format", "json").json
    assert told["agent"] == "small"
    assert told["tools"]
    assert told["findings"]


def test_the_demo_is_there_and_never_hangs() -> None:
    ran = started("demo", TERM="xterm-256color")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "process_card_replacement" in ran.stdout


def test_a_dumb_terminal_gets_the_report(inspector: Inspector, agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert "lock_card" in inspector(agent).out


# help and errors


def test_help_names_every_command(inspector: Inspector) -> None:
    ran = inspector("--help")
    assert ran.code == 0
    assert all(f"  {c}" in ran.out for c in [*COMMANDS, "demo"])
    assert "exit codes" in ran.out


@pytest.mark.parametrize("command", [*COMMANDS, "demo"])
def test_every_command_has_help(inspector: Inspector, command: str) -> None:
    ran = inspector(command, "--help")
    assert ran.code == 0
    assert f"usage: inspector {command}" in ran.out


@pytest.mark.parametrize("arguments", [["--version"], ["-V"], ["check", "-V"]])
def test_the_version_is_told(inspector: Inspector, arguments: list[str]) -> None:
    assert re.fullmatch(r"inspector \d+\.\d+\.\d+\n", inspector(*arguments).out)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", ".", "--fromat", "json"], "did you mean `--format`?"),
        (["check", ".", "--format", "xml"], "invalid choice"),
        (["gates", ".", "--engine", "1.0"], "invalid choice"),
        (["why", "."], "TOOL"),
        (["check", ".", "."], "unrecognized"),
    ],
)
def test_wrong_usage_is_one_line_and_exits_with_2(inspector: Inspector, arguments: list[str], told: str) -> None:
    ran = inspector(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [["nowhere"], ["check", "nowhere"], ["gates", "nowhere"], ["why", "nowhere", "x"]]
)
def test_what_can_not_be_loaded_exits_with_3(inspector: Inspector, arguments: list[str]) -> None:
    ran = inspector(*arguments)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == "inspector: there is no folder `nowhere`\n"


def test_a_program_gets_its_error_as_json(inspector: Inspector, agent: Path) -> None:
    ran = inspector("check", agent.parent, "--format", "json")
    assert ran.code == 3
    error = json.loads(ran.err)["error"]
    assert error["code"] == "not-an-agent"
    assert "did you mean" in error["hint"]
    assert json.loads(inspector("gates", ".", "--format=json", "--nonsense").err)["error"]["code"] == "usage"


def test_a_mistake_of_ours_is_never_taken_for_a_finding(inspector: Inspector, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(argv: list[str]) -> None:
        raise RuntimeError("\x1b[31mbroken")

    monkeypatch.setattr(run, "_run", fail)
    ran = inspector("check")
    assert ran.code == 70
    assert "RuntimeError: ␛[31mbroken" in ran.err


def test_an_interruption_is_quiet(inspector: Inspector, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(argv: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "_run", interrupt)
    ran = inspector("check")
    assert (ran.code, ran.out, ran.err) == (130, "", "")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "questions").write_text('{"condition": "session.a.b"}\n' * 20_000)  # more than a pipe holds
    command = [sys.executable, "-m", "inspector", "eval", "--jsonl"]
    with (
        (tmp_path / "questions").open() as questions,
        subprocess.Popen(
            command, stdin=questions, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


# cost and manners


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_prints_imports_no_screen(agent: Path, command: str) -> None:
    arguments = {"why": [str(agent), "lock_card"], "eval": ["session.a.b"]}.get(command, [str(agent)])
    program = f"""
import sys
from inspector.cli import main
main({[command, *arguments]!r})
heavy = {{"textual", "rich", "pydantic", "watchfiles", "jsonschema", "asyncio", "importlib.metadata"}}
print("IMPORTED", sorted(heavy & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "IMPORTED []"


def test_importing_the_command_imports_nothing_else() -> None:
    program = "import sys; before = set(sys.modules); import inspector.cli; print(sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    allowed = {"inspector", "inspector.cli", "__future__", "collections", "collections.abc"}
    assert {m for m in json.loads(ran.stdout.replace("'", '"')) if m.startswith("inspector")} <= allowed
    assert "argparse" not in ran.stdout


def test_output_never_fails_for_a_poor_encoding(agent: Path) -> None:
    ran = started("gates", agent, PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert "\\u2717 hidden" in ran.stdout


# colour


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "colored"),
    [
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"TERM": "dumb"}, True, False),
    ],
)
def test_colour_is_as_asked_for(
    monkeypatch: pytest.MonkeyPatch, choice: str, environment: dict[str, str], terminal: bool, colored: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert wants_color(choice) is colored


@pytest.mark.parametrize("command", ["check", "gates"])
def test_plain_output_has_no_escape_and_coloured_says_the_same(
    inspector: Inspector, broken: Path, command: str
) -> None:
    plain = inspector(command, broken).out
    colored = inspector(command, broken, "--color", "always").out
    assert "\x1b" not in plain
    assert "\x1b" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain


# nothing from a file acts

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e\u200b\x9b31m##[add-mask]x"


@pytest.fixture
def hostile(agent: Path) -> Path:
    """Every name and text that can hold one holds escapes, bidi controls and orders to build servers."""
    gates = f"tool_constraints:\n- '{EVIL}':\n    requires: '{EVIL} session.a'\n"
    skill = f"---\nname: '{EVIL}'\n'{EVIL}': 1\n{gates}---\n{EVIL}\n"
    tools = (
        f"from rasa.mantle.tools.decorator import tool\n\n@tool(description={EVIL!r})\nasync def evil(context): ...\n"
    )
    for folder in (agent / "skills/evil", agent / f"skills/{EVIL.replace('/', '')}", agent / "skills/::error::x"):
        folder.mkdir()
        (folder / "skill.md").write_text(skill)
        (folder / "tools.py").write_text(tools)
        (folder / "memory.yml").write_text(f"schema:\n  public:\n    ? '{EVIL}'\n    : {{type: '{EVIL}'}}\n")
    (agent / "memory.yml").write_text(f"{EVIL}: {{type: bool}}\n{EVIL}")
    return agent


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "PATH"],
        ["check", "PATH", "--format", "json"],
        ["check", "PATH", "--format", "sarif"],
        ["check", "PATH", "--format", "junit"],
        ["check", "PATH", "--format", "github"],
        ["gates", "PATH"],
        ["gates", "PATH", "--format", "json"],
        ["gates", "PATH", "--skill", EVIL],
        ["gates", "PATH", "--set", f"pay.{EVIL}={EVIL}"],
        ["why", "PATH", "evil"],
        ["why", "PATH", EVIL],
        ["why", "PATH", "evil", "--format", "json"],
        ["eval", f"session.a.b == '{EVIL}'", "--set", f"a.b={EVIL}"],
        ["eval", EVIL],
        ["eval", EVIL, "--format", "json"],
        ["PATH"],
        ["PATH", "--format", "json"],
        [EVIL],
        ["check", EVIL, "--format", "json"],
    ],
)
def test_no_byte_of_a_file_or_argument_acts_on_the_terminal(
    inspector: Inspector, hostile: Path, arguments: list[str]
) -> None:
    ran = inspector(*[str(hostile) if a == "PATH" else a for a in arguments])
    assert ran.code in (0, 1, 2, 3), ran.err
    out = ran.out + ran.err
    assert out
    assert [c for c in out if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c != "\n"] == []
    assert "##[" not in out
    if "github" not in arguments:
        assert [line for line in out.splitlines() if line.lstrip().startswith("::")] == []


def test_main_gives_a_plain_number() -> None:
    assert type(main(["-V"])) is int


def test_nothing_is_imported_from_the_folder_one_stands_in(agent: Path) -> None:
    for name in ("yaml", "json", "argparse", "frontmatter", "dataclasses", "inspector_core", "textual", "lib"):
        (agent / f"{name}.py").write_text("open('trace', 'w')\n")
    ran = subprocess.run(
        [sys.executable, "-m", "inspector", "check"], cwd=agent, capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert not (agent / "trace").exists()
