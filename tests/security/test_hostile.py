"""Opening a hostile folder from the shell: nothing runs, nothing leaks, nothing hangs, and the rest still shows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from inspector.visible import HIDDEN
from tests.security.hostile import AGENT, COMMAND, SECRET, canaries, hostile_folder

SECONDS = 60
"""How long a command may take, on a machine that is busy."""

COMMANDS = [
    ["check"],
    ["check", "--format", "json"],
    ["gates"],
    ["gates", "--format", "json"],
    ["gates", "--set", "sound.ready=true"],
    ["why", "safe_tool"],
    ["why", "safe_tool", "--format", "json"],
]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: bytes
    err: bytes
    fired: list[str]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("hostile")
    root = hostile_folder(base)
    yield base
    (root / "skills" / "barred").chmod(0o700)


@pytest.fixture(scope="module", params=COMMANDS, ids=" ".join)
def ran(request: pytest.FixtureRequest, base: Path) -> Ran:
    command, *rest = request.param
    return run([sys.executable, "-P", "-m", "inspector", command, "agent", *rest], base)


def run(argv: list[str], cwd: Path, **more: str) -> Ran:
    """Run a command that may neither ask nor find a home."""
    base = next(p for p in (cwd, *cwd.parents) if (p / "fired").is_dir())
    environment = {"PATH": os.defpath, "HOME": str(base / "home"), "LC_ALL": "C.UTF-8", **more}
    done = subprocess.run(
        argv, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr, canaries(base))


def test_nothing_fired(ran: Ran) -> None:
    assert ran.fired == []


def test_it_ends_in_order(ran: Ran) -> None:
    assert ran.code in (0, 1), ran.err.decode(errors="replace")[-2000:]
    assert b"Traceback" not in ran.err
    assert b"Warning" not in ran.err


def test_no_byte_of_the_folder_acts_on_the_terminal(ran: Ran) -> None:
    """Neither an escape nor anything that hides or turns the text around it; a line feed ends our own lines."""
    for text in (ran.out.decode("utf-8"), ran.err.decode("utf-8")):
        found = re.search(f"(?!\\n)[{HIDDEN}]", text)
        assert found is None, ascii(text[max(0, found.start() - 80) : found.end() + 20])


def test_no_line_of_the_folder_commands_the_build(ran: Ran) -> None:
    assert not re.search(rb"(?m)^::", ran.out + ran.err)
    assert COMMAND.startswith("::")


def test_what_lies_behind_links_is_not_read(ran: Ran) -> None:
    assert SECRET.encode() not in ran.out + ran.err


def test_findings_are_shown_for_what_could_not_be_read(base: Path) -> None:
    done = run([sys.executable, "-P", "-m", "inspector", "check", "agent", "--format", "json"], base)
    findings = json.loads(done.out)["findings"]
    paths = {f["path"] for f in findings}
    for skill in ("bomb", "deep", "odd", "yaml_memory"):
        assert f"skills/{skill}/memory.yml" in paths
    for skill in ("huge", "pipe", "linked_file", "bytes_0", "yaml_front", "dashes"):
        assert f"skills/{skill}/skill.md" in paths, skill
    assert done.code == 1


def test_the_sound_skill_still_shows(base: Path) -> None:
    for setting, offered in (([], False), (["--set", "sound.ready=true"], True)):
        done = run([sys.executable, "-P", "-m", "inspector", "gates", "agent", "--format", "json", *setting], base)
        tools = {(t["skill"], t["tool"]): t for t in json.loads(done.out)["tools"]}
        assert tools["sound", "safe_tool"]["offered"] is offered
        assert tools["sound", "bait"]["kind"] == "mcp"


def test_modules_in_the_agents_folder_do_not_stand_in_for_ours(base: Path) -> None:
    """The command is started inside the folder, where `yaml.py` and `inspector/` lie."""
    command = Path(sys.executable).with_name("inspector")
    done = run([str(command), "check", "."], base / AGENT)
    assert (done.code, done.fired) == (1, [])


def test_a_condition_is_judged_alike_wherever_the_command_stands(base: Path) -> None:
    """Python opens `<unknown>` in the working directory for a condition that it can't parse; there it is a pipe."""
    command = Path(sys.executable).with_name("inspector")
    assert run([str(command), "eval", "not ("], base / AGENT).code in (0, 1)


def test_conditions_from_a_file_answer_whatever_they_are(base: Path) -> None:
    conditions = ["(" * 10_000, "not " * 10_000 + "x", "9" * 100_000, "\x1b[31m", "a\0b", "session." * 5000, "\ud800"]
    lines = "".join(json.dumps({"condition": c, "memory": {}}) + "\n" for c in conditions)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "inspector", "eval", "--jsonl"],
        input=lines.encode(), cwd=base, capture_output=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(conditions)
    assert all(a["error"] and not a["accepted_at_train"] for a in answers[1:])
    assert done.returncode in (0, 1)


# --- what it touches -------------------------------------------------------------------------------------------------

WATCHED = """
import os, sys
seen = []
def hook(event, args):
    if event in ("open", "exec") or event.partition(".")[0] in ("socket", "subprocess", "os", "shutil", "ctypes"):
        try:
            path = os.fsdecode(args[0]) if args and isinstance(args[0], (str, bytes)) else repr(args[:1])
        except Exception as error:
            path = repr(error)
        if event == "exec":
            path = getattr(args[0], "co_filename", "?")
        flags = args[2] if event == "open" else 0
        seen.append([event, path, args[1] if event == "open" else None, flags, os.getcwd()])
import atexit, json
report, out = os.environ["REPORT"], os.open(os.environ["REPORT"], os.O_WRONLY | os.O_CREAT, 0o600)
atexit.register(lambda: os.write(out, json.dumps(seen[:]).encode()))
import runpy
sys.addaudithook(hook)
runpy.run_module("inspector", run_name="__main__", alter_sys=True)
"""

CHANGES = {
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.utime", "os.link",
    "os.symlink", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.startfile",
    "os.setxattr", "os.removexattr", "os.putenv", "os.kill",
}  # fmt: skip


@dataclass(frozen=True)
class Touch:
    """One thing the interpreter was asked to do."""

    event: str
    path: str
    mode: str | None
    flags: int
    cwd: str

    @property
    def writes(self) -> bool:
        wanted = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        return self.event == "open" and bool(self.flags & wanted)


@pytest.fixture(scope="module", params=COMMANDS, ids=" ".join)
def touched(request: pytest.FixtureRequest, base: Path) -> list[Touch]:
    command, *rest = request.param
    report = base / "report.json"
    report.unlink(missing_ok=True)
    run(
        [sys.executable, "-P", "-c", WATCHED, command, "agent", *rest],
        base,
        REPORT=str(report),
        PYTHONDONTWRITEBYTECODE="1",
    )
    return [Touch(*entry) for entry in json.loads(report.read_text())]


def test_no_socket_and_no_process_is_made(touched: list[Touch]) -> None:
    assert touched
    assert [t for t in touched if t.event.startswith(("socket.", "subprocess.")) or t.event in CHANGES] == []


def test_nothing_is_written(touched: list[Touch]) -> None:
    assert [t for t in touched if t.writes] == []


def test_nothing_of_the_folder_is_run(touched: list[Touch], base: Path) -> None:
    assert [t for t in touched if t.event == "exec" and str(base) in t.path] == []


def test_no_file_is_opened_but_the_folders_and_our_own(touched: list[Touch], base: Path) -> None:
    """Inside the folder every step refuses links, and is opened by its bare name from the folder it stands in."""
    ours = [Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[2], base / AGENT, base / "home"]
    for touch in (t for t in touched if t.event == "open"):
        if os.path.isabs(touch.path):
            assert any(Path(os.path.realpath(touch.path)).is_relative_to(o.resolve()) for o in ours), touch
        elif touch.path and not touch.path.startswith("("):
            assert "/" not in touch.path, touch
            assert touch.flags & os.O_NOFOLLOW, touch
