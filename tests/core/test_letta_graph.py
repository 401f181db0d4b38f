"""The rules as a picture: what may follow what, where it ends, and where one is."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from hypothesis import given

from inspector_core.letta.graph import CHOICE, END, START, Edge, drawn, graph
from inspector_core.letta.project import Agent, Attached, LettaProject
from inspector_core.letta.rules import Rule, Rules
from inspector_core.letta.solver import Situation
from tests.core.ruled import FIXTURES, TOOLS, of_file, of_text, rule_sets


def test_a_branch_has_an_edge_for_every_output() -> None:
    found = graph(of_file(FIXTURES / "branching" / "branching.yml"))
    assert set(found.edges) == {
        Edge(START, "classify_ticket"),
        Edge("classify_ticket", "refund", "billing"),
        Edge("classify_ticket", "open_incident", "outage"),
        Edge("classify_ticket", "ask_colleague", "else"),
        Edge("ask_colleague", "refund"),
        Edge("ask_colleague", "open_incident"),
        Edge("refund", END),
        Edge("open_incident", END),
    }


def test_where_nothing_is_forced_the_model_chooses_and_may_end_in_words() -> None:
    found = graph(of_text("rules.yml", "tools: [a, b]\ntool_rules:\n- {type: requires_approval, tool_name: b}\n"))
    assert Edge(START, CHOICE) in found.edges
    assert Edge(CHOICE, END, "in words") in found.edges
    assert {b.label for b in found.boxes} >= {"a", "b (asks)"}


def test_one_box_is_where_the_conversation_is() -> None:
    project = of_file(FIXTURES / "pipeline" / "pipeline.ts")
    now = Situation(("fetch_sales",), project.available)
    assert [b.name for b in graph(project, now).boxes if b.here] == ["fetch_sales"]
    assert [b.name for b in graph(project).boxes if b.here] == [START]


def test_a_tool_that_is_not_attached_stands_apart() -> None:
    found = graph(of_text("rules.yml", "tools: [a]\ntool_rules:\n- {type: exit_loop, tool_name: z}\n"))
    assert [(b.name, b.role) for b in found.boxes if b.role == "missing"] == [("z", "missing")]


@given(rule_sets)
def test_any_rules_are_drawn_with_every_edge_between_boxes(drawn_rules: list[Rule]) -> None:
    agent = Agent("drawn", tuple(drawn_rules), tuple(Attached(tool) for tool in TOOLS))
    project = LettaProject("drawn", agent, Rules(drawn_rules), {})
    found = graph(project)
    names = {box.name for box in found.boxes}
    assert all(edge.source in names and edge.target in names for edge in found.edges)
    now = Situation((), TOOLS)
    picture = ElementTree.fromstring(drawn(project, now, "svg"))
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}rect"))) == len(found.boxes)
    for form, sign in (("mermaid", " -->"), ("dot", " -> ")):
        text = drawn(project, now, "mermaid" if form == "mermaid" else "dot")
        assert sum(sign in line for line in text.splitlines()) == len(found.edges)
