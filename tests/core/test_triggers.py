"""What the engine keeps of the responses that speak by themselves (§3.9, §6.5, §8.3)."""

from __future__ import annotations

from inspector_core.events import Activated, Call, Called, Cancelled, CustomerSaid, FieldsSet, Stub
from inspector_core.mantle.project import Project
from tests.core.handmade import Played, field, local, project, says, skill, trigger

FIRED, MATCHED = "system.verbatim_activate_triggers_fired", "system.verbatim_when_trigger_match_state"


def agent() -> Project:
    pay = skill(
        "pay", tools=(local("send"),), fields=(field("pay.amount", settable=True),),
        triggers=(trigger("utter_hi"), trigger("utter_high", "session.pay.amount > 10")),
    )  # fmt: skip
    return project(pay, skill("plain"), responses=(says("utter_hi", "Hi."), says("utter_high", "High!")))


def kept(play: Played, key: str) -> list[object]:
    """Every value of one of the engine's entries, in order."""
    return [r.fields["value"] for r in play.records if r.event == "memory_set" and r.fields["key"] == key]


def test_what_is_spoken_at_the_start_is_kept_after_the_stack_and_before_the_call_itself() -> None:
    play = Played(agent())(CustomerSaid("pay"), Activated("pay"))
    assert play.told == [
        "skill_activated pay", "stack", f"memory_set {FIRED} …", "activate activate: done", "bot Hi.",
    ]  # fmt: skip
    assert kept(play, FIRED) == [{"f1": ["utter_hi"]}]


def test_a_skill_without_such_responses_keeps_nothing() -> None:
    assert kept(Played(agent())(Activated("plain")), FIRED) == []


def test_a_new_run_is_kept_under_its_own_frame_and_one_that_ended_is_forgotten() -> None:
    play = Played(agent())(Activated("pay"), Cancelled(), CustomerSaid("again"), Activated("pay"))
    latest = kept(play, FIRED)[-1]
    assert latest == {play.state.stack[-1].frame_id: ["utter_hi"]}
    assert kept(play, FIRED)[0] != latest


def test_whether_a_condition_held_is_kept_when_that_changes_and_only_then() -> None:
    play = Played(agent())(Activated("pay"), FieldsSet({"amount": 5}))
    assert kept(play, MATCHED) == []
    for amount in (50, 60, 5):
        play(Called((Call("send", {}, Stub(1, (("amount", amount),))),)))
    assert kept(play, MATCHED) == [{"f1": ["utter_high"]}, {}]
    assert [r.fields["text"] for r in play.records if r.event == "bot"] == ["Hi.", "High!"]


def test_none_of_it_is_memory_that_anything_could_read() -> None:
    play = Played(agent())(Activated("pay"), FieldsSet({"amount": 50}))
    assert play.state.memory == {"pay.amount": 50}
