"""Streams that were closed, or that nothing can be written to: an exit code and a line, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli.demo import bundled

FULL = Path("/dev/full")
ASKS = [["check", str(bundled())], ["demo", "--format", "text"], ["eval", "session.a.b"], ["--version"]]


def shell(arguments: list[str], redirected: str) -> subprocess.CompletedProcess[str]:
    """The command with its streams redirected as a shell does."""
    line = f'exec "$@" {redirected}'
    command = ["sh", "-c", line, "sh", sys.executable, "-m", "inspector", *arguments]
    question = '{"condition": "session.a.b"}\n'
    return subprocess.run(command, input=question, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("arguments", [*ASKS, ["eval", "--jsonl"]], ids=" ".join)
def test_a_full_disk_is_told_in_a_line(arguments: list[str]) -> None:
    done = shell(arguments, ">/dev/full")
    assert done.returncode == 74
    if "--jsonl" in arguments:
        assert json.loads(done.stderr)["error"]["code"] == "output"
    else:
        assert done.stderr == "inspector: the output can't be written: no space left on device\n"


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_a_complaint_that_cannot_be_written_leaves_the_exit_code() -> None:
    assert shell(["check", "nowhere"], "2>/dev/full").returncode == 3
    assert shell(["check", "nowhere"], ">/dev/full 2>/dev/full").returncode == 3
    assert shell(["gates", str(bundled()), "--set", "a.b=1"], "2>/dev/full").returncode == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", [*ASKS, ["eval", "--jsonl"], [str(bundled())]], ids=" ".join)
def test_a_closed_stream_is_no_mistake_of_ours(arguments: list[str], closed: str) -> None:
    done = shell(arguments, closed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("memory", ["0", "[]", '""', "false"])
def test_a_memory_of_the_wrong_kind_is_told_even_when_it_is_empty(memory: str) -> None:
    command = [sys.executable, "-m", "inspector", "eval", "--jsonl"]
    line = f'{{"condition": "session.a.b", "memory": {memory}}}\n'
    done = subprocess.run(command, input=line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "memory"


@pytest.mark.parametrize("arguments", [["check", "."], [], ["check", "nowhere"], ["check", "/"], *ASKS], ids=" ".join)
@pytest.mark.parametrize(
    "start", [["-m", "inspector"], ["-c", "from inspector.cli import main; raise SystemExit(main())"]]
)
def test_a_working_folder_that_is_gone_is_no_mistake_of_ours(
    arguments: list[str], start: list[str], tmp_path: Path
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    command = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", sys.executable, *start, *arguments]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (0, 3)
    assert "Traceback" not in done.stderr
