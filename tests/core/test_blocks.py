"""Ordered blocks: where the pointer goes, how a block ends, and in which order all that is recorded (§2.6, §8.3)."""

from __future__ import annotations

import json

import pytest

from inspector_core.events import Activated, AuthorSet, Completed, CustomerSaid, FieldsSet, ModelSaid
from inspector_core.mantle.project import Step
from tests.core.handmade import Played, block, field, local, needs, project, says, skill
from tests.core.stepped import END, To, calls, collects, does, links, notes, routes, runs, sets, spoken, stacked, talks

FIELDS = (field("go.n", settable=True), field("go.x"), field("go.y"))
RESPONSES = (says("utter_a", "A."), says("utter_b", "B."), says("utter_c", "C."), says("utter_ask", "How many?"))


def blocks(*steps: Step, more: tuple[Step, ...] = (), **memory: object) -> Played:
    """A conversation in a skill of blocks alone, `main` and, where given, `more`."""
    others = (block("more", steps=more),) if more else ()
    go = skill("go", prose="", blocks=(block("main", steps=steps), *others), fields=FIELDS, tools=(local("work"),))
    return Played(project(go, skill("other"), responses=RESPONSES), {f"go.{k}": v for k, v in memory.items()})


def begun(*steps: Step, more: tuple[Step, ...] = (), **memory: object) -> Played:
    """As above, with the skill started and then the given memory put in by hand: a start resets it."""
    play = blocks(talks("wait", "session.go.y"), *steps, more=more)(CustomerSaid("go"), Activated("go"))
    return play(*(AuthorSet(f"go.{k}", v) for k, v in memory.items()), AuthorSet("go.y", True), CustomerSaid("on"))


def test_an_utter_step_speaks_first_and_completion_comes_after() -> None:
    play = blocks(does("a", "utter_a"))(CustomerSaid("go"), Activated("go"))
    assert play.told == [
        "skill_activated go", "ordered_block_entered main", "stack", "activate activate: done",
        "bot A.", "ordered_block_completed main", "skill_completed go", "stack",
    ]  # fmt: skip
    assert play.state.stack == ()


def test_the_pointer_stands_on_the_first_step_and_each_move_of_it_is_recorded() -> None:
    play = blocks(does("a", "utter_a"), does("b", "utter_b"), talks("c"))(CustomerSaid("go"), Activated("go"))
    updates = [json.loads(str(r.fields["update"])) for r in play.last if r.event == "stack"]
    assert updates[0][1]["value"]["step_id"] == "a"
    assert updates[1:] == [[{"op": "replace", "path": "/1/step_id", "value": step}] for step in ("b", "c")]
    assert play.told[4:] == ["bot A.", "stack", "bot B.", "stack"]
    assert play.state.stack[-1].visited == ("a", "b")


def ended(play: Played) -> list[str]:
    return [str(r.fields["step_id"]) for r in play.last if r.event == "ordered_block_completed"]


def test_a_block_ends_on_its_last_step_or_on_its_end_where_one_is_written() -> None:
    assert ended(blocks(does("a", "utter_a"))(Activated("go"))) == ["a"]
    assert ended(blocks(does("a", "utter_a"), END)(Activated("go"))) == ["END"]
    assert ended(blocks(does("a", "utter_a", "END"), does("b", "utter_b"))(Activated("go"))) == ["END"]
    assert ended(blocks()(Activated("go"))) == ["END"]


@pytest.mark.parametrize(
    ("to", "memory", "said"),
    [
        (None, {}, ["A."]),
        ("b", {}, ["B."]),
        ([("session.go.n", "b"), (None, "c")], {"n": 1}, ["B."]),
        ([("session.go.n", "b"), (None, "c")], {}, ["C."]),
        ([("session.go.n", "b")], {}, []),
        ([], {"n": 1}, []),
        ([(None, "b"), ("session.go.n", "c")], {"n": 1}, ["B."]),
        ([("session.go.n", "b"), ("session.go.n", "c")], {"n": 1}, ["B."]),
        ([("session.go.n > 1", "b"), (None, "c")], {"n": 1}, ["C."]),
    ],
)  # fmt: skip
def test_the_first_branch_that_holds_leads_on_and_none_ends_the_block(
    to: To, memory: dict[str, object], said: list[str]
) -> None:
    ways = (routes("r", to), does("a", "utter_a", "END"), does("b", "utter_b", "END"), does("c", "utter_c", "END"))
    play = begun(*ways, **memory)
    assert spoken(play) == said
    assert play.state.stack == ()


def test_a_branch_that_can_not_be_evaluated_breaks_the_turn_every_time() -> None:
    play = begun(routes("r", [("session.go.n > 1", "a"), (None, "END")]), does("a", "utter_a"))
    assert notes(play) == ["turn-failed"]
    assert play.told[-1] == "inspector_note turn-failed"
    assert not play.state.turn.open
    assert stacked(play)[-1] == ("main", "regular", "r")
    assert notes(play(CustomerSaid("and now?"))) == ["turn-failed"]
    assert play(AuthorSet("go.n", 2), CustomerSaid("and now?")).state.stack == ()


def test_an_operand_that_is_never_reached_breaks_nothing() -> None:
    assert spoken(begun(routes("r", [("session.go.x or session.go.n > 1", "a")]), does("a", "utter_a"), x=1)) == ["A."]


def test_a_way_to_no_step_leaves_the_block_to_the_model() -> None:
    play = begun(does("a", "utter_a", "nowhere"))
    assert spoken(play) == ["A."]
    assert notes(play) == ["step-unknown"]
    assert play.state.turn.open
    assert notes(play(ModelSaid("hm"))) == []
    assert spoken(play(CustomerSaid("hm?"))) == ["A.", "hm"]


def test_fifty_steps_without_an_end_give_the_model_a_say() -> None:
    play = begun(routes("a", "b"), routes("b", "a"))
    assert play.told[-1] == "inspector_note step-limit"
    assert play.told.count("stack") == 50
    assert play.state.turn.open


def test_a_step_of_no_kind_is_left_to_the_model() -> None:
    play = begun(Step("odd", "invalid", does("a", "b").span))
    assert (notes(play), play.state.turn.open) == (["step-invalid"], True)


def test_memory_that_a_step_sets_is_there_for_the_next() -> None:
    play = begun(sets("s", n=3), routes("r", [("session.go.n == 3", "a")]), does("a", "utter_a"))
    assert spoken(play) == ["A."]


def test_an_undeclared_key_breaks_the_turn() -> None:
    play = begun(sets("s", nope=3), does("a", "utter_a"))
    assert notes(play) == ["turn-failed"]
    assert spoken(play) == []


# -- actions -------------------------------------------------------------------------------------------------------


def test_listening_waits_for_the_customer_and_goes_on_after_that() -> None:
    play = begun(does("l", "action_listen"), does("a", "utter_a"))
    assert play.told[-3:] == ["action action_listen", "stack", "bot_turn_ended"]
    assert play(CustomerSaid("so?")).told[:2] == ["user so?", "bot A."]


def test_listening_last_ends_the_block_in_the_next_turn() -> None:
    play = begun(does("l", "action_listen"))
    assert stacked(play)[-1] == ("main", "regular", "END")
    assert play(CustomerSaid("so?")).told == [
        "user so?", "ordered_block_completed main", "skill_completed go", "stack",
    ]  # fmt: skip


def test_after_hanging_up_nobody_can_say_anything() -> None:
    play = begun(does("h", "hangup"), does("a", "utter_a"))
    assert play.told[-3:] == ["action hangup", "stack", "bot_turn_ended"]
    for event in (CustomerSaid("hello?"), ModelSaid("hello?"), Completed()):
        assert play(event).told == ["inspector_refused hung-up"]


def test_an_action_that_the_engine_does_not_know_is_left_to_the_model() -> None:
    assert notes(begun(does("x", "action_dance"))) == ["step-action-unknown"]


# -- the model's steps ---------------------------------------------------------------------------------------------


def test_a_step_for_the_model_is_skipped_where_its_condition_holds() -> None:
    assert spoken(begun(talks("t", "session.go.n"), does("a", "utter_a"), n=1)) == ["A."]


def test_a_step_for_the_model_ends_with_the_reply_that_makes_its_condition_true() -> None:
    play = begun(talks("t", "session.go.n"), does("a", "utter_a"))(ModelSaid("How many?"))
    assert spoken(play(CustomerSaid("three"))) == ["How many?"]
    assert play(FieldsSet({"n": 3})).told[-4:] == [
        "bot A.", "ordered_block_completed main", "skill_completed go", "stack",
    ]  # fmt: skip


def test_a_condition_of_such_a_step_that_can_not_be_evaluated_breaks_the_turn() -> None:
    assert notes(begun(talks("t", "session.go.n > 1"))) == ["turn-failed"]


def test_prose_goes_on_where_its_block_ends() -> None:
    mixed = skill("mixed", blocks=(block("main", steps=(does("a", "utter_a"),)),), enters=("main",))
    play = Played(project(mixed, responses=RESPONSES))(Activated("mixed"), Activated("mixed__main"))
    assert play.told == [
        "ordered_block_entered main", "stack", "activate activate: done", "bot A.",
        "ordered_block_completed main", "stack",
    ]  # fmt: skip
    assert stacked(play) == [("mixed", "regular", None)]


def test_a_block_that_was_set_aside_goes_on_without_a_word_when_the_other_ends() -> None:
    one, two = block("one", steps=(talks("t"),)), block("two", steps=(talks("u", "session.mixed.n"),))
    mixed = skill("mixed", blocks=(one, two), enters=("one", "two"), fields=(field("mixed.n", settable=True),))
    play = Played(project(mixed))(Activated("mixed"), Activated("mixed__one"), Activated("mixed__two"))
    play(FieldsSet({"n": 1}))
    assert play.told[2:] == ["ordered_block_completed two", "stack", "stack"]
    assert stacked(play) == [("mixed", "regular", None), ("one", "regular", "t")]


# -- calls and links -----------------------------------------------------------------------------------------------


def test_a_called_block_comes_back_to_the_step_after_the_call() -> None:
    play = begun(calls("c", "more"), does("a", "utter_a"), more=(does("b", "utter_b"),))
    assert play.told[2:8] == [
        "stack", "ordered_block_entered more", "stack", "bot B.", "ordered_block_completed more", "stack",
    ]  # fmt: skip
    assert spoken(play) == ["B.", "A."]
    assert play.state.stack == ()


def test_the_pointer_is_past_the_call_before_the_callee_is_pushed() -> None:
    play = begun(calls("c", "more"), does("a", "utter_a"), more=(talks("b"),))
    assert stacked(play) == [("go", "regular", None), ("main", "regular", "a"), ("more", "call", "b")]
    assert play.told[-3:] == ["stack", "ordered_block_entered more", "stack"]


def test_a_link_within_the_skill_ends_the_block_alone() -> None:
    play = begun(links("l", "go__more"), more=(does("b", "utter_b"),))
    assert play.told[2:] == [
        "ordered_block_completed main", "ordered_block_entered more", "stack", "bot B.",
        "ordered_block_completed more", "skill_completed go", "stack",
    ]  # fmt: skip


def test_a_link_to_another_skill_ends_both_before_that_begins() -> None:
    play = begun(links("l", "other"))
    assert play.told[2:] == [
        "ordered_block_completed main", "skill_completed go", "stack", "skill_activated other", "stack",
    ]  # fmt: skip
    assert stacked(play) == [("other", "regular", None)]


def test_a_called_skill_comes_back_by_itself() -> None:
    play = begun(calls("c", "other"), does("a", "utter_a"))
    assert stacked(play) == [("go", "regular", None), ("main", "regular", "a"), ("other", "call", None)]
    assert play(Completed()).told == [
        "skill_completed other", "stack", "complete complete: done", "bot A.",
        "ordered_block_completed main", "skill_completed go", "stack",
    ]  # fmt: skip


@pytest.mark.parametrize("step", [calls("c", "nobody"), links("c", "nobody")])
def test_a_way_to_nobody_leaves_the_step_to_the_model(step: Step) -> None:
    play = begun(step)
    assert notes(play) == ["step-target-unknown"]
    assert stacked(play)[-1] == ("main", "regular", "c")


def test_what_runs_already_is_not_called_again_and_the_step_is_passed() -> None:
    play = begun(calls("c", "go"), does("a", "utter_a"))
    assert (notes(play), spoken(play)) == (["step-target-running"], ["A."])
    play = begun(calls("c", "more"), more=(calls("d", "more"), does("b", "utter_b")))
    assert (notes(play), spoken(play)) == (["step-target-running"], ["B."])


def test_a_resolver_may_link_to_what_waits_for_it() -> None:
    main = block("main", steps=(sets("s", **{"project.known": True}), links("l", "safe")))
    know = skill("know", prose="", hidden=True, blocks=(main,))
    bound = needs("known", "session.project.known", "know")
    safe = skill("safe", precondition="known")
    play = Played(project(safe, know, fields=(field("project.known"),), preconditions=(bound,)))(Activated("safe"))
    assert stacked(play) == [("safe", "regular", None)]
    assert "skill_activated safe" in play.told


@pytest.mark.parametrize(("step", "after"), [(calls("c", "other"), "go"), (links("l", "other"), None)])
def test_a_skill_that_was_interrupted_is_taken_up_where_it_was(step: Step, after: str | None) -> None:
    play = blocks(talks("w", "session.go.y"), step, talks("t"))(CustomerSaid("go"), Activated("other"))
    play(Activated("go"), AuthorSet("go.y", True), CustomerSaid("on"))
    assert "skill_resumed other" in play.told
    assert stacked(play)[-1] == ("other", "regular", None)
    assert play(Completed()).state.skill == after


def test_two_skills_that_link_to_each_other_end_at_the_limit() -> None:
    there = skill("there", prose="", blocks=(block("main", steps=(links("l", "back"),)),))
    back = skill("back", prose="", blocks=(block("main", steps=(links("l", "there"),)),))
    play = Played(project(there, back))(Activated("there"))
    assert play.told[-1] == "inspector_note step-limit"


def test_a_precondition_holds_for_a_called_skill_too() -> None:
    safe, know = skill("safe", precondition="known"), skill("know", hidden=True)
    go = skill("go", prose="", blocks=(block("main", steps=(calls("c", "safe"), talks("t"))),))
    bound = needs("known", "session.project.known", "know")
    play = Played(project(go, safe, know, fields=(field("project.known"),), preconditions=(bound,)))(Activated("go"))
    assert stacked(play)[2:] == [("safe", "pending", None), ("know", "call", None)]
    play(AuthorSet("project.known", True), Completed())
    assert stacked(play)[2:] == [("safe", "call", None)]
    assert spoken(play(Completed())) == []
    assert stacked(play) == [("go", "regular", None), ("main", "regular", "t")]


def test_a_collected_value_that_is_there_is_not_asked_for() -> None:
    assert spoken(begun(collects("ask", "n", "utter_ask"), does("a", "utter_a"), n=1)) == ["A."]


def test_a_tool_that_no_gate_names_runs_by_its_step() -> None:
    assert begun(runs("w", "work")).ran == ["work"]
