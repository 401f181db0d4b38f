"""Skills and blocks that run, wait and end (§7)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    Completed,
    CustomerSaid,
    Stub,
)
from inspector_core.mantle.project import Project, Skill
from inspector_core.mantle.targets import startable
from tests.core.handmade import (
    Played,
    block,
    done_when,
    field,
    local,
    needs,
    project,
    rule,
    says,
    skill,
    trigger,
)

PAY = skill("pay", fields=(field("pay.amount", initial=0),), triggers=(trigger("utter_hi"),), mentions=("card",))
CARD = skill("card")
SHIP = skill("ship")
HI = says("utter_hi", "Hi, {amount}.")


def agent(*skills: Skill) -> Project:
    return project(PAY, CARD, SHIP, *skills, responses=(HI,))


def kinds(play: Played) -> list[tuple[str, str]]:
    return [(f.block_id or f.skill_id, f.frame_type) for f in play.state.stack]


def test_the_first_activation_resets_then_announces_then_greets() -> None:
    play = Played(agent(), {"pay.amount": 7})(CustomerSaid("pay"), Activated("pay"))
    assert play.told == [
        "memory_set pay.amount 0", "skill_activated pay", "stack",
        "memory_set system.verbatim_activate_triggers_fired …", "activate activate: done", "bot Hi, 0.",
    ]  # fmt: skip
    assert play.last[4].metadata["skill_id"] == "pay"


def test_the_record_of_the_stack_can_be_applied_as_a_patch() -> None:
    update = json.loads(str(Played(agent())(Activated("card")).last[1].fields["update"]))
    card = {"frame_id": "f1", "skill_id": "card", "frame_type": "regular", "type": "skill"}
    assert update == [{"op": "add", "path": "/0", "value": card}]


def test_a_skill_that_runs_already_is_left_alone_without_an_error() -> None:
    play = Played(agent())(Activated("pay"), Activated("pay"))
    assert play.told == ["activate `pay` is active already"]


@pytest.mark.parametrize("target", ["nowhere", "", "pay__main", "gone", "quiet"])
def test_what_can_not_be_activated_is_an_error(target: str) -> None:
    play = Played(agent(skill("gone", disabled=True), skill("quiet", hidden=True)))(Activated(target))
    assert play.told == ["activate error"]
    assert play.state.stack == ()


def test_a_named_skill_is_delegated_to_and_its_parent_goes_on_by_itself() -> None:
    play = Played(agent())(Activated("pay"), Activated("card"))
    assert kinds(play) == [("pay", "regular"), ("card", "regular")]
    play(Completed())
    assert play.told == ["skill_completed card", "stack", "complete complete: done"]
    assert play.state.skill == "pay"


def test_any_other_skill_interrupts_and_without_an_offer_the_parent_is_resumed() -> None:
    play = Played(agent())(Activated("pay"), Activated("ship"))
    assert play.told == ["skill_interrupted pay", "skill_activated ship", "stack", "activate activate: done"]
    assert play.last[0].metadata["digression"] == {"to_flow_id": "ship", "to_step_id": None, "to_skill_id": "ship"}
    assert kinds(play) == [("pay", "interrupt"), ("ship", "regular")]
    play(Completed())
    assert play.told == [
        "skill_completed ship", "stack", "skill_resumed pay", "stack", "complete complete: done",
    ]  # fmt: skip
    assert kinds(play) == [("pay", "regular")]


def test_a_resumed_skill_keeps_its_values() -> None:
    play = Played(agent())(Activated("pay"), AuthorSet("pay.amount", 9), Activated("ship"), Completed())
    assert play.state.memory == {"pay.amount": 9}


def test_an_interrupted_skill_can_be_called_back_and_then_waits_for_nobody() -> None:
    play = Played(agent())(Activated("pay"), Activated("ship"), Activated("pay"))
    assert kinds(play) == [("ship", "interrupt"), ("pay", "regular")]
    assert play.told == ["skill_interrupted ship", "skill_resumed pay", "stack", "activate activate: done"]


def test_a_parent_that_delegated_is_not_called_back() -> None:
    play = Played(agent())(Activated("pay"), Activated("card"), Activated("pay"))
    assert play.told == ["activate `pay` is under way already"]


def test_the_last_skill_that_completes_leaves_nothing() -> None:
    play = Played(agent())(Activated("card"), Completed())
    assert play.told == ["skill_completed card", "stack", "complete complete: done"]
    assert play.state.stack == ()


def test_complete_is_refused_with_nothing_to_complete() -> None:
    assert Played(agent())(Completed()).told == ["complete error"]


def test_a_condition_and_the_judge_both_have_a_say_in_completion() -> None:
    strict = skill("strict", fields=(field("strict.ok"),), completion=done_when("session.strict.ok", "was kind"))
    play = Played(project(strict))(Activated("strict"), Completed())
    assert play.told == ["complete error"]
    assert play(AuthorSet("strict.ok", True), Completed(criteria_met=False)).told == ["complete error"]
    assert play(Completed()).state.stack == ()


def test_a_condition_alone_completes_the_skill_after_the_reply_that_made_it_true() -> None:
    quick = skill(
        "quick", tools=(local("do"),), fields=(field("quick.ok"),), completion=done_when("session.quick.ok")
    )  # fmt: skip
    play = Played(project(quick))(Activated("quick"), Called((Call("do", {}, Stub(1, (("ok", True),))),)))
    assert play.told == [
        "memory_set quick.ok True", "do 1", "skill_completed quick", "stack",
    ]  # fmt: skip


# -- cancelling ----------------------------------------------------------------------------------------------------


def test_cancel_drops_the_skill_and_keeps_its_values() -> None:
    play = Played(agent())(Activated("pay"), AuthorSet("pay.amount", 9), Cancelled())
    assert play.told == ["skill_cancelled pay", "stack", "cancel cancel: done"]
    assert play.state.memory == {"pay.amount": 9}


def test_cancel_of_a_digression_resumes_what_it_interrupted() -> None:
    play = Played(agent())(Activated("pay"), Activated("ship"), Cancelled())
    assert kinds(play) == [("pay", "regular")]


def test_cancel_with_nothing_running_is_an_error() -> None:
    assert Played(agent())(Cancelled()).told == ["cancel error"]


def test_a_built_in_that_is_switched_off_is_an_error() -> None:
    off = project(CARD, rules=(rule("cancel", enabled=False), rule("complete", enabled=False)))
    play = Played(off)(Activated("card"), Cancelled())
    assert play.told == ["cancel error"]
    assert play(Completed()).told == ["complete error"]
    assert play.state.skill == "card"


# -- blocks --------------------------------------------------------------------------------------------------------

MIXED = skill("mixed", blocks=(block("one"), block("two"), block("aside")), enters=("one", "two"))
STEPS = skill("steps", prose="", blocks=(block("main"),))
TWO_WAYS = skill("two_ways", prose="", blocks=(block("a"), block("b")))


def blocks() -> Played:
    return Played(project(MIXED, STEPS, TWO_WAYS, SHIP))


def test_a_skill_of_blocks_begins_in_its_entry_block() -> None:
    play = blocks()(Activated("steps"))
    assert play.told == ["skill_activated steps", "ordered_block_entered main", "stack", "activate activate: done"]
    assert play.state.target == "steps__main"


def test_a_skill_of_blocks_without_a_single_entry_can_not_begin() -> None:
    assert blocks()(Activated("two_ways")).told == ["activate error"]


def test_prose_enters_the_blocks_it_names_and_no_others() -> None:
    play = blocks()(Activated("mixed"), Activated("mixed__one"))
    assert play.told == ["ordered_block_entered one", "stack", "activate activate: done"]
    assert play(Activated("mixed__aside")).told == ["activate error"]


def test_one_block_parks_another_silently_and_either_can_be_taken_up() -> None:
    play = blocks()(Activated("mixed"), Activated("mixed__one"), Activated("mixed__two"))
    assert kinds(play) == [("mixed", "regular"), ("one", "inline_reference"), ("two", "regular")]
    play(Activated("mixed__one"))
    assert kinds(play) == [("mixed", "regular"), ("two", "inline_reference"), ("one", "regular")]
    assert play.told[0] == "ordered_block_resumed one"


def test_back_to_prose_the_block_waits_and_is_cancelled_when_the_prose_completes() -> None:
    play = blocks()(Activated("mixed"), Activated("mixed__one"), Activated("mixed"))
    assert kinds(play) == [("one", "inline_reference"), ("mixed", "regular")]
    assert play(Completed()).told[:2] == ["ordered_block_cancelled one", "skill_completed mixed"]
    assert play.state.stack == ()


def test_complete_is_refused_inside_a_block() -> None:
    assert blocks()(Activated("steps"), Completed()).told == ["complete error"]


def test_cancel_inside_a_block_drops_the_skill() -> None:
    play = blocks()(Activated("mixed"), Activated("mixed__one"), Cancelled())
    assert play.told[:2] == ["ordered_block_cancelled one", "skill_cancelled mixed"]
    assert play.state.stack == ()


def test_an_interrupted_block_is_resumed_with_its_skill() -> None:
    play = blocks()(Activated("mixed"), Activated("mixed__one"), Activated("ship"))
    assert play.told[:2] == ["ordered_block_interrupted one", "skill_interrupted mixed"]
    assert kinds(play)[:2] == [("mixed", "interrupt"), ("one", "interrupt")]
    play(Completed())
    assert kinds(play) == [("mixed", "regular"), ("one", "regular")]
    assert play.state.target == "mixed__one"


def test_what_can_be_started_leaves_out_what_runs_and_adds_own_blocks() -> None:
    play = blocks()
    assert startable(play.project, play.state) == ("mixed", "ship", "steps")
    assert startable(play.project, play(Activated("mixed")).state) == ("mixed__one", "mixed__two", "ship", "steps")
    inside = play(Activated("mixed__one")).state
    assert startable(play.project, inside) == ("mixed", "mixed__two", "ship", "steps")


# -- preconditions -------------------------------------------------------------------------------------------------

VERIFY = skill("verify", hidden=True, tools=(local("check"),), completion=done_when("session.project.known"))
SAFE = skill("safe", precondition="known", fields=(field("safe.n", initial=1),))
CHECKED = Called((Call("check", {}, Stub(1, (("project.known", True),))),))


def guarded(*, utter: bool = True) -> Played:
    known = needs("known", "session.project.known", "verify", utter=utter)
    unmet = says("utter_precondition_unmet", "Not before I know you.")
    return Played(
        project(SAFE, VERIFY, SHIP, fields=(field("project.known"),), preconditions=(known,), responses=(unmet,))
    )


def test_a_precondition_that_holds_is_not_noticed() -> None:
    assert guarded()(AuthorSet("project.known", True), Activated("safe")).state.skill == "safe"


def test_an_unmet_precondition_runs_its_resolver_first() -> None:
    play = guarded()(Activated("safe"))
    assert play.told == ["skill_activated verify", "stack", "activate activate: done"]
    assert kinds(play) == [("safe", "pending"), ("verify", "call")]
    play(CHECKED)
    assert play.told == [
        "memory_set project.known True", "check 1", "skill_completed verify", "stack",
        "memory_set safe.n 1", "skill_activated safe", "stack",
    ]  # fmt: skip
    assert kinds(play) == [("safe", "regular")]


def test_a_resolver_that_is_cancelled_takes_along_what_waited_for_it() -> None:
    play = guarded()(Activated("safe"), Cancelled())
    assert play.state.stack == ()


@pytest.mark.parametrize(("utter", "said"), [(True, ["bot Not before I know you."]), (False, [])])
def test_a_resolver_that_ends_without_success_drops_what_waited(utter: bool, said: list[str]) -> None:
    known = needs("known", "session.project.known", "ask", utter=utter)
    unmet = says("utter_precondition_unmet", "Not before I know you.")
    play = Played(
        project(SAFE, skill("ask"), fields=(field("project.known"),), preconditions=(known,), responses=(unmet,))
    )(Activated("safe"), Completed())
    assert play.state.stack == ()
    assert [t for t in play.told if t.startswith("bot")] == said


def test_what_waits_for_a_precondition_is_not_started_by_naming_it_again() -> None:
    play = guarded()(Activated("safe"), Activated("safe"))
    assert play.told == ["activate `safe` is under way already"]
    assert kinds(play) == [("safe", "pending"), ("verify", "call")]


def test_a_resolver_that_was_interrupted_comes_back_for_what_needs_it() -> None:
    play = guarded()(Activated("safe"), Cancelled())
    hidden = [s for s in play.project.skills if s.id != "verify"]
    open_ = skill("verify", tools=(local("check"),), completion=done_when("session.project.known"))
    play.project = replace(play.project, skills=(*hidden, open_))
    play(Activated("verify"), Activated("ship"), Activated("safe"))
    assert kinds(play) == [("ship", "interrupt"), ("safe", "pending"), ("verify", "regular")]
    assert "skill_resumed verify" in play.told
