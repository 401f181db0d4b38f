"""Rules and projects for tests: made by hand, drawn at random, or read from a text."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from inspector_core.letta.outputs import packaged
from inspector_core.letta.project import LettaProject
from inspector_core.letta.reading.folder import read
from inspector_core.letta.rules import (
    Children,
    Conditional,
    ContinueLoop,
    ExitLoop,
    MaxCount,
    Parent,
    RequiredBeforeExit,
    RequiresApproval,
    Rule,
    RunFirst,
)
from inspector_core.letta.solver import Situation
from inspector_core.source import FolderText

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
TOOLS = ("a", "b", "c")
OUTPUTS = (packaged("yes"), packaged("no"), packaged("else"))


def of_text(name: str, text: str) -> LettaProject:
    """A project of one file."""
    return read(FolderText(name, {name: text}, frozenset()))


def of_file(path: Path) -> LettaProject:
    return of_text(path.name, path.read_text("utf-8"))


tools = st.sampled_from(TOOLS)
some = st.lists(tools, max_size=2).map(tuple)
mappings = st.lists(st.tuples(st.sampled_from(["yes", "no"]), tools), min_size=1, max_size=2, unique_by=lambda p: p[0])
rules: st.SearchStrategy[Rule] = st.one_of(
    st.builds(RunFirst, tools),
    st.builds(Children, tools, some),
    st.builds(Parent, tools, some),
    st.builds(Conditional, tools, mappings.map(tuple), st.none() | tools, st.booleans()),
    st.builds(MaxCount, tools, st.integers(0, 2)),
    st.builds(ExitLoop, tools),
    st.builds(ContinueLoop, tools),
    st.builds(RequiredBeforeExit, tools),
    st.builds(RequiresApproval, tools),
)
rule_sets = st.lists(rules, max_size=5)
situations = st.builds(
    Situation,
    st.lists(tools, max_size=4).map(tuple),
    st.just(TOOLS),
    st.sampled_from(OUTPUTS),
)
