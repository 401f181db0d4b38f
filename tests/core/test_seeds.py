"""Memory that is there without anyone having said a word: seeds, initial values, what steps set (§3.5, §3.6)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from inspector_core.events import SessionBegan
from inspector_core.mantle.engine.memory import reset, step_writes
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.seeds import seed
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.project import Project, Skill, Step
from tests.core.handmade import HERE, Played, field, project, skill


def agent(*skills: Skill) -> Project:
    fields = (
        field("project.id", "int")._replace(seed=True), field("project.name", "text")._replace(seed=True),
        field("project.rate", "float")._replace(seed=True), field("project.vip", "bool")._replace(seed=True),
        field("project.plain", "text"),
    )  # fmt: skip
    return project(*skills, fields=fields)


def seeded(metadata: Mapping[str, object], memory: Mapping[str, object] | None = None) -> Play:
    play = Play(agent(), start(memory or {}))
    seed(play, metadata)
    return play


# -- seeds ---------------------------------------------------------------------------------------------------------


def test_the_metadata_is_kept_first_and_the_seeds_follow_in_the_order_of_the_file() -> None:
    metadata = {"name": "Ann", "extra": {"id": 7}, "other": 1}
    play = seeded(metadata)
    assert [(r.event, r.fields["key"], r.fields["value"]) for r in play.records] == [
        ("memory_set", "session_started_metadata", metadata), ("memory_set", "project.id", 7),
        ("memory_set", "project.name", "Ann"),
    ]  # fmt: skip
    assert dict(play.memory) == {"project.id": 7, "project.name": "Ann"}
    assert play.writes["project.id"].writer == "seed"


def test_the_top_level_is_asked_before_extra() -> None:
    assert seeded({"name": "Ann", "extra": {"name": "Bo"}}).memory["project.name"] == "Ann"


def test_only_entries_marked_as_seeds_are_filled() -> None:
    assert dict(seeded({"plain": "x", "project.plain": "y"}).memory) == {}


@pytest.mark.parametrize("wrong", [{"id": "7"}, {"id": True}, {"id": 7.0}, {"name": 1}, {"vip": 1}, {"rate": "2"}])
def test_a_value_of_another_type_is_left_out(wrong: Mapping[str, object]) -> None:
    assert dict(seeded(wrong).memory) == {}


def test_extra_that_is_no_mapping_says_nothing() -> None:
    assert dict(seeded({"extra": ["name"]}).memory) == {}


def test_project_memory_that_is_set_already_stays() -> None:
    assert seeded({"name": "Ann"}, {"project.name": "Bo"}).memory["project.name"] == "Bo"


# -- new runs ------------------------------------------------------------------------------------------------------


def test_a_new_run_writes_only_what_is_not_at_its_initial_value() -> None:
    fields = (field("a.n", initial=1), field("a.b", scope="private"), field("a.same", initial=0), field("a.unset"))
    one = skill("a", fields=fields)
    play = Play(agent(one), start({"a.n": 2, "a.b": "x", "a.same": 0}))
    reset(play, one)
    assert [(r.event, r.fields["key"]) for r in play.records] == [("memory_set", "a.n"), ("memory_cleared", "a.b")]


def test_the_run_that_declines_a_request_keeps_what_it_was_given() -> None:
    declines = skill("default_unsupported_request_handler", fields=(field("default_unsupported_request_handler.x"),))
    play = Play(agent(declines), start({"default_unsupported_request_handler.x": 1}))
    reset(play, declines)
    assert play.records == []


def test_the_initial_value_of_a_project_entry_never_comes_into_memory() -> None:
    one = skill("a", fields=(field("a.n", initial=1),))
    whole = project(one, fields=(field("project.p", initial=5),))
    play = Play(whole, start({}))
    reset(play, one)
    assert dict(play.memory) == {"a.n": 1}


# -- steps ---------------------------------------------------------------------------------------------------------


def written(writes: Mapping[str, object], memory: Mapping[str, object] | None = None) -> tuple[Play, str | None]:
    a = skill("a", fields=(field("a.n"), field("a.m")))
    b = skill("b", fields=(field("b.n", scope="private"),))
    play = Play(agent(a, b), start(memory or {}))
    play.stack = (play.frame(a),)
    return play, step_writes(play, Step("put", "set_memory", HERE, writes=writes))


def test_a_step_writes_literals_under_bare_or_whole_names() -> None:
    play, problem = written({"n": 1, "session.a.m": "x", "plain": "y", "b.n": 2})
    assert problem is None
    assert dict(play.memory) == {"a.n": 1, "a.m": "x", "project.plain": "y", "b.n": 2}
    assert (play.writes["a.n"].writer, play.writes["a.n"].by) == ("step", "put")


def test_a_null_clears() -> None:
    play, _ = written({"n": None}, {"a.n": 1})
    assert [r.event for r in play.records] == ["memory_cleared"]


def test_a_project_entry_that_is_set_is_passed_over() -> None:
    play, problem = written({"project.plain": "new", "n": 1}, {"project.plain": "old"})
    assert problem is None
    assert dict(play.memory) == {"project.plain": "old", "a.n": 1}


def test_an_entry_that_nobody_declares_is_named_and_ends_the_writing() -> None:
    play, problem = written({"n": 1, "gone": 2, "m": 3})
    assert problem is not None
    assert "`gone`" in problem
    assert dict(play.memory) == {"a.n": 1}


def test_what_one_session_was_seeded_with_is_no_seed_of_the_next() -> None:
    play = Played(agent())(SessionBegan({"id": 1}), SessionBegan({"id": 2}))
    assert play.state.memory["project.id"] == 2
    assert "project.id" not in play(SessionBegan()).state.memory
