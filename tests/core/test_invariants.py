"""The invariants over the fixtures and over generated projects, and how what they find is told."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from inspector.folder import read_folder
from inspector_core.events import Activated, AuthorSet, Call, Called, CustomerSaid, Event, ModelSaid, Resolved
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import EMPTY
from inspector_core.mantle.invariants import SURPRISES, Tried, passages, sound
from inspector_core.mantle.invariants import try_out as tried_out
from inspector_core.mantle.invariants.shrink import shrink
from inspector_core.mantle.project import Project
from tests.core.handmade import asks, block, field, gate, local, project, says, skill

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MANY = int(os.environ.get("INSPECTOR_EXAMPLES", "300"))

PAY = skill(
    "pay", tools=(local("pay", n="integer"), local("tip"), local("look")),
    gates=(gate("pay", "session.pay.n > 0", asks("utter_ask", "utter_no")), gate("tip", None, asks()), gate("look")),
    fields=(field("pay.n", settable=True),), blocks=(block("main", gate("look", block="main")),), enters=("main",),
)  # fmt: skip
SEND = skill("send", tools=(local("send"),), gates=(gate("send", None, asks("utter_ask")),))
AGENT = project(PAY, SEND, responses=(says("utter_ask", "Sure?"), says("utter_no", "Then not.")))
ASKED: tuple[Event, ...] = (
    CustomerSaid("pay"), Activated("pay"), AuthorSet("pay.n", 1), Called((Call("pay", {"n": 1}),)),
)  # fmt: skip


def try_out(agent: Project, conversations: int, seed: int = 0) -> Tried:
    return tried_out(agent, conversations, Random, seed=seed)


def folder(name: str) -> Project:
    return MANTLE.read(read_folder(FIXTURES / name))


@pytest.mark.parametrize("name", ["bank", "traces"])
def test_they_hold_over_conversations_made_up_for_the_fixtures(name: str) -> None:
    tried = try_out(folder(name), MANY)
    assert tried.failures == ()
    assert tried.asks > MANY
    assert min(tried.runs, tried.declines) > MANY / 4


def test_they_hold_where_a_skill_has_prose_and_blocks() -> None:
    tried = try_out(AGENT, MANY)
    assert tried.failures == ()
    assert min(tried.runs, tried.declines) > MANY / 4


def test_the_same_seed_makes_the_same_conversations_and_another_one_others() -> None:
    one, same, other = (try_out(AGENT, 20, seed) for seed in (1, 1, 500))
    assert one == same
    assert (one.events, one.asks, one.runs) != (other.events, other.asks, other.runs)


def test_nothing_is_claimed_of_an_agent_that_never_asks() -> None:
    quiet = project(skill("look", tools=(local("look"),)))
    assert try_out(quiet, 5).vacuous
    assert not try_out(AGENT, 5).vacuous


def test_a_sound_conversation_breaks_nothing() -> None:
    assert sound(AGENT, [*ASKED, CustomerSaid("yes"), Resolved(True)]) == ()


def test_an_ask_is_known_from_its_record_alone() -> None:
    *_, last = passages(AGENT, EMPTY, [*ASKED, CustomerSaid("what does it cost?"), ModelSaid("nothing")])
    assert last.waiting is not None
    assert (last.waiting.tool, last.waiting.arguments, last.waiting.turn) == ("pay", {"n": 1}, 1)


def found(tried: Tried) -> dict[str, Sequence[Event]]:
    return {seen.surprise.code: seen.events for seen in tried.surprises}


def test_what_surprises_is_found_with_a_conversation_that_shows_it_and_something_to_do() -> None:
    shown = found(try_out(AGENT, 300))
    assert {"gate-not-rechecked", "another-ask-blocks", "answered-this-turn", "ask-in-the-models-words"} <= shown.keys()
    assert "no-gate-in-this-block" in shown
    assert shown.keys() <= SURPRISES.keys()
    late = shown["gate-not-rechecked"]
    assert isinstance(late[-1], Resolved)
    assert len(late) <= len(ASKED) + 3


def test_a_step_that_is_declined_is_told_of() -> None:
    assert "declined-step-is-skipped" in found(try_out(folder("traces"), 300))


def test_the_shortest_conversation_leaves_out_all_that_is_not_needed() -> None:
    noise = [event for pair in zip(ASKED, [CustomerSaid("hm")] * 4, strict=True) for event in pair]
    short = shrink(noise, lambda events: any(p.opened for p in passages(AGENT, EMPTY, events)))
    assert short == (Activated("pay"), AuthorSet("pay.n", 1), Called((Call("pay", {"n": 1}),)))
