"""The rules as a picture: what may follow what, where it ends, where it asks, and where one is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.letta.explore import explore
from inspector_core.letta.outputs import message_of, route
from inspector_core.letta.project import LettaProject
from inspector_core.letta.rules import Conditional, Rules
from inspector_core.letta.solver import Situation

__all__ = ["CHOICE", "END", "NOT_ALL", "START", "Box", "Edge", "Graph", "drawn", "graph"]

Form = Literal["mermaid", "dot", "svg"]
Role = Literal["start", "end", "choice", "tool", "missing"]
NOT_ALL = "the rules lead to more situations than were looked at"
START, END, CHOICE = "(start)", "(end)", "(the model chooses)"


class Box(NamedTuple):
    """One point of the picture."""

    name: str
    """A tool's, or one of the three signs in parentheses, which no tool is called by."""
    role: Role
    marks: tuple[str, ...] = ()
    """What its own rules add: `asks`, `required`, `at most 2`."""
    here: bool = False
    """The conversation is there."""

    @property
    def label(self) -> str:
        """Name and marks, without a sign that could act on anything."""
        text = f"{self.name} ({', '.join(self.marks)})" if self.marks else self.name
        return "".join(c if c.isprintable() else "�" for c in text)


class Edge(NamedTuple):
    """What may follow."""

    source: str
    target: str
    label: str = ""
    """The output that it depends on; empty where it depends on none."""


class Graph(NamedTuple):
    """Boxes in the order in which a conversation comes by them, then those that none comes by."""

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    exact: bool
    """Nothing is missing; else the rules lead to more situations than were looked at."""


def graph(project: LettaProject, now: Situation | None = None) -> Graph:
    """The picture of a project; with a situation, where it is in it."""
    found = explore(project.rules, project.available)
    edges: dict[Edge, None] = {}
    for state in found.states:
        last = state.now.last
        source = START if last is None else last
        if state.over:
            edges[Edge(source, END)] = None
            continue
        if not state.answer.force:
            edges[Edge(source, CHOICE)] = None
            source = CHOICE
        if state.may_end:
            edges[Edge(source, END, "in words")] = None
        label = _label(project.rules, state.now)
        for tool in dict.fromkeys(state.answer.allowed):
            if tool in project.available:
                edges[Edge(source, tool, label if source != CHOICE else "")] = None
    here = START if now is None or now.last is None else now.last
    return Graph(tuple(_boxes(project, edges, here)), tuple(edges), found.exact)


def _label(rules: Rules, now: Situation) -> str:
    """The output that decides, where one does."""
    for rule in rules.after.get(now.last or "", ()):
        if isinstance(rule, Conditional):
            chosen = route(rule, now.output)
            keyed = any(chosen.child == child for _, child in rule.mapping) and "is mapped" in chosen.why
            return str(message_of(str(now.output))) if keyed else "else"
    return ""


def _boxes(project: LettaProject, edges: Mapping[Edge, None], here: str) -> Iterator[Box]:
    named = [START, *(name for edge in edges for name in (edge.source, edge.target) if name != END)]
    met = dict.fromkeys([*named, *project.available])
    ends = [END] if any(edge.target == END for edge in edges) else []
    for name in (*met, *ends):
        role: Role = _SIGNS.get(name, "tool")
        yield Box(name, role, _marks(project.rules, name), name == here)
    for name in project.names:
        if name not in met:
            yield Box(name, "missing", ("not attached",))


_SIGNS: Mapping[str, Role] = {START: "start", END: "end", CHOICE: "choice"}


def _marks(rules: Rules, name: str) -> tuple[str, ...]:
    limits = [f"at most {r.limit}" for r in rules.limits if r.tool == name]
    asks = ["asks"] if name in rules.approval else []
    required = ["required"] if name in rules.required else []
    return (*asks, *required, *limits)


def drawn(project: LettaProject, now: Situation, form: Form) -> str:
    """The picture as text in one of three forms."""
    from inspector_core.letta import graph_svg, graph_text

    found = graph(project, now)
    match form:
        case "mermaid":
            return graph_text.mermaid(found)
        case "dot":
            return graph_text.dot(found)
        case "svg":
            return graph_svg.svg(found)
