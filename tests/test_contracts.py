"""What the house promises of its own text: the rules are pure, and no file speaks of a machine or of work left open."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import inspector_core

ROOT = Path(__file__).parents[1]
CORE = Path(inspector_core.__file__).parent
ROOMS = ("inspector", "core", "themes", "fixtures", "tests", "bench", "docs", ".ci")
OUTSIDE = {
    "os", "pathlib", "io", "glob", "shutil", "tempfile", "time", "random", "secrets", "uuid", "locale", "logging",
    "socket", "ssl", "http", "urllib", "subprocess", "multiprocessing", "threading", "asyncio", "signal", "ctypes",
    "importlib", "runpy", "pickle", "inspector", "inspector_themes", "textual", "rich", "pydantic", "watchfiles",
}  # fmt: skip
"""Modules that reach the disk, the clock, chance, the environment, the network, another process, or the screen."""

FILES = [*(p for p in ROOT.iterdir() if p.is_file()), *(p for room in ROOMS for p in (ROOT / room).rglob("*"))]
HERE = Path(__file__)  # holds the patterns themselves
TEXTS = sorted(p for p in FILES if p.is_file() and p.suffix != ".pyc" and ".git" not in p.parts and p != HERE)
PYTHON = [p for p in TEXTS if p.suffix == ".py" and not p.is_relative_to(ROOT / "fixtures")]


def imported(tree: ast.AST) -> Iterator[str]:
    """The first names of all modules that are imported, at the top of a file or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda p: p.relative_to(CORE).as_posix())
def test_the_rules_reach_nothing_outside(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert set(imported(tree)) & OUTSIDE == set()
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert called & {"open", "input", "print", "eval", "__import__", "breakpoint"} == set()


def test_the_clock_is_not_read_by_way_of_dates() -> None:
    for path in CORE.rglob("*.py"):
        assert re.search(r"\b(?:date|datetime)\.(?:now|today|utcnow)\b", path.read_text("utf-8")) is None, path


def test_what_the_rules_import_brings_no_screen_and_no_watcher() -> None:
    program = """
import importlib, json, pkgutil, sys, inspector_core
found = [m.name for m in pkgutil.walk_packages(inspector_core.__path__, "inspector_core.")]
for name in found:
    importlib.import_module(name)
heavy = {"textual", "rich", "pydantic", "watchfiles", "jsonschema", "asyncio", "socket", "subprocess", "inspector"}
print(json.dumps([len(found), sorted(heavy & set(sys.modules))]))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    count, heavy = json.loads(ran.stdout)
    assert count > 50
    assert heavy == []


WIDE = {"Exception", "BaseException"}
MACHINE = re.compile(rb"/(?:home|root|Users|work|tmp|private|mnt)/\w")
REGISTRY = re.compile(
    rb"(?i)pypi\.|pythonhosted|(?:registry|index|mirror|artifactory|proxy)\.\w+\.\w|index-url|find-links"
)
POSSESSIVE = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+(?!\+)")
UNDONE = re.compile(r"#.*\b(?:TODO|FIXME|XXX|HACK)\b|#\s*type:\s*ignore|#\s*noqa|#\s*pragma")


def test_no_file_names_a_place_on_a_machine_or_where_packages_come_from() -> None:
    told = [p.name for p in TEXTS if MACHINE.search(p.read_bytes()) or REGISTRY.search(p.read_bytes())]
    assert told == []
    assert len(TEXTS) > 500


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Up to Python 3.11.4 such a one takes in the beginning of a repetition that then fails."""
    ours = [p for p in PYTHON if p.is_relative_to(ROOT / "core") or p.is_relative_to(ROOT / "inspector")]
    assert [p.name for p in ours if POSSESSIVE.search(p.read_text("utf-8"))] == []


@pytest.mark.parametrize("path", PYTHON, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_nothing_is_left_undone_or_hushed(path: Path) -> None:
    assert UNDONE.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", PYTHON, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_error_is_swallowed_unseen(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            wide = node.type is None or (isinstance(node.type, ast.Name) and node.type.id in WIDE)
            assert not (wide and all(isinstance(line, ast.Pass) for line in node.body)), node.lineno
