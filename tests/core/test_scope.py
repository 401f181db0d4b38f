"""Who may read and write which entry (§3.4, §3.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector_core.mantle.condition import parse
from inspector_core.mantle.engine.state import Frame
from inspector_core.mantle.project import Step
from inspector_core.mantle.scope import readable, settable_fields, view, writable
from tests.core.handmade import HERE, block, field, named, project, skill

AGENT = project(
    skill("a", fields=(field("a.open"), field("a.own", scope="private"))),
    skill("b", fields=(field("b.open"), field("b.own", scope="private"))),
    fields=(field("project.auth"), field("project.open")),
)


@pytest.mark.parametrize(
    ("who", "can_read"),
    [
        ("a", {"a.open", "a.own", "b.open", "project.auth"}),
        ("b", {"a.open", "b.open", "b.own", "project.auth"}),
        (None, {"a.open", "b.open", "project.auth"}),
    ],
)
def test_who_reads_what(who: str | None, can_read: set[str]) -> None:
    every = {"a.open", "a.own", "b.open", "b.own", "project.auth", "a.nope", "project.nope", "system.x", "x"}
    assert {key for key in every if readable(AGENT, who, key)} == can_read


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("own", "a.own"),
        ("open", "a.open"),
        ("auth", "project.auth"),
        ("a.own", "a.own"),
        ("project.open", "project.open"),
        ("b.open", None),
        ("nope", None),
        ("system.x", None),
        ("", None),
    ],
)
def test_what_a_tool_of_a_writes_by_a_name(name: str, key: str | None) -> None:
    found = writable(AGENT, "a", name)
    assert (found.key if found else None) == key


def test_a_condition_that_may_read_all_it_names_sees_memory_itself() -> None:
    memory = {"a.own": 1, "b.own": 2}
    assert view(AGENT, "a", memory, parse("session.a.own and session.b.open")) is memory


def test_what_may_not_be_read_is_kept_back() -> None:
    memory = {"a.own": 1, "b.own": 2, "system.x": 3}
    condition = parse("session.a.own and session.b.own or session.system.x")
    assert view(AGENT, "a", memory, condition) == {"a.own": 1}


def test_the_model_sets_what_is_marked_or_collected_and_null() -> None:
    asks = Step("ask", "collect", HERE, target=named("asked"))
    fields = (field("a.marked", settable=True), field("a.asked"), field("a.neither"), field("a.full", settable=True))
    form = skill("a", fields=fields, blocks=(block("main", steps=(asks,)),))
    found = settable_fields(project(form), form, {"a.full": False})
    assert [f.entry for f in found] == ["marked", "asked"]


def test_a_step_that_asks_again_lets_the_model_set_what_is_set_while_the_step_is_live() -> None:
    again = Step("ask", "collect", HERE, target=named("asked"), ask_before_filling=True)
    form = skill("a", fields=(field("a.asked"),), blocks=(block("main", steps=(again,)),))
    live = Frame("f1", "a", "main", "ask")
    assert [f.entry for f in settable_fields(project(form), form, {"a.asked": 1}, live)] == ["asked"]
    assert settable_fields(project(form), form, {"a.asked": 1}, replace(live, step_id="other")) == ()
    assert settable_fields(project(form), form, {"a.asked": 1}, Frame("f1", "a")) == ()
