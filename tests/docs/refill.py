"""`python -m tests.docs.refill`: run every command that the docs show, and put down what it prints now."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex

from inspector.cli import main
from tests.docs.test_docs import FILES, ROOT


def refilled(text: str) -> str:
    """A page with every block of commands filled anew."""
    blocks = re.compile(r"^```console\n(.*?)^```", re.S | re.M)
    return blocks.sub(lambda block: f"```console\n{_block(block[1])}```", text)


def _block(block: str) -> str:
    parts = [part for part in re.split(r"^(?=\$ )", block, flags=re.M) if part.strip()]
    return "\n".join(_shown(part.partition("\n")[0]) for part in parts)


def _shown(command: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        main(shlex.split(command.removeprefix("$ "))[1:])
    return f"{command}\n{(out.getvalue() + err.getvalue()).rstrip()}\n"


if __name__ == "__main__":
    os.chdir(ROOT)
    for path in FILES:
        path.write_text(refilled(path.read_text("utf-8")), "utf-8")
