"""Steps that run a tool: gates, arguments, confirmations (§6.4)."""

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
    CustomerSaid,
    FieldsSet,
    ModelSaid,
    Resolved,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.play import PENDING_KEY
from inspector_core.mantle.project import Step
from tests.core.handmade import Played, asks, block, gate, local, project, rule, says, skill
from tests.core.paying import FIELDS, SURE, TOOLS, on, paying
from tests.core.stepped import does, links, notes, routes, runs, spoken, stacked, talks

# -- running -------------------------------------------------------------------------------------------------------


def test_a_tool_runs_is_recorded_without_a_call_id_and_the_block_goes_on() -> None:
    play = paying(runs("r", "send"), does("e", "utter_end"), gates=(gate("send", success="utter_ok"),))
    on(play(Stubbed("send", Stub({"ok": 1}, (("done", True),)))))
    assert play.told[2:] == [
        "memory_set pay.done True", 'send by execute_step {"ok": 1}', "bot Sent.", "stack", "bot Bye.",
        "ordered_block_completed main", "skill_completed pay", "stack",
    ]  # fmt: skip
    record = next(r for r in play.last if r.event == "tool_executed")
    assert record.metadata == {"source": "execute_step", "skill_id": "pay"}
    assert record.ran


def test_a_tool_that_fails_is_passed_all_the_same() -> None:
    play = paying(runs("r", "send"), does("e", "utter_end"), gates=(gate("send", failure="utter_bad"),))
    on(play(Stubbed("send", Stub({"error": "no"}))))
    assert spoken(play) == ["Oh.", "Bye."]


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("session.pay.sum", 5),
        (" ( session.pay.sum ) ", 5),
        ("((session.pay.sum))", 5),
        ("session.pay.day", None),
        ("session.other.seen", 7),
        ("session.other.own", None),
        ("session.system.pending_tool_confirmation", None),
        ("session.pay", "session.pay"),
        ("pay.sum", "pay.sum"),
        ("session.pay.sum + 1", "session.pay.sum + 1"),
        ("'session.pay.sum'", "'session.pay.sum'"),
        (["session.pay.sum"], ["session.pay.sum"]),
        ({"a": "session.pay.sum"}, {"a": "session.pay.sum"}),
        (3, 3),
        (None, None),
    ],
)
def test_a_parameter_is_a_stored_value_only_where_it_is_the_bare_path_of_one(written: object, given: object) -> None:
    play = paying(runs("r", "any", value=written))
    on(play(AuthorSet("other.seen", 7), AuthorSet("other.own", 8)), sum=5)
    record = next(r for r in play.last if r.event == "tool_executed")
    assert record.fields["arguments"] == {"value": given}


def test_a_closed_gate_leaves_no_record_and_the_author_a_note_once_a_turn() -> None:
    play = on(paying(runs("r", "send"), gates=(gate("send", "session.pay.sum > 3"),)))
    assert [t for t in play.told if "send" in t] == []
    assert notes(play) == ["step-waits-gate"]
    assert play.state.turn.open
    assert notes(play(FieldsSet({"sum": 1}))) == []
    assert notes(play(CustomerSaid("and now?"))) == ["step-waits-gate"]
    assert play(AuthorSet("pay.sum", 9), ModelSaid("wait"), CustomerSaid("now?")).ran == ["send"]


def test_arguments_that_do_not_fit_leave_no_record_either() -> None:
    play = on(paying(runs("r", "charge", sum="session.pay.sum")))
    assert notes(play) == ["step-waits-arguments"]
    assert play.ran == []
    assert play(FieldsSet({"sum": 4})).ran == ["charge"]


def test_a_tool_that_is_not_there_is_told_of() -> None:
    assert notes(on(paying(runs("r", "nowhere")))) == ["step-tool-missing"]


def test_the_skills_own_gate_counts_before_the_blocks() -> None:
    own = (gate("send", None, block="main"),)
    closed = (gate("send", "session.pay.sum"),)
    assert on(paying(runs("r", "send"), gates=closed, own=own)).ran == []
    assert on(paying(runs("r", "send"), own=(gate("send", "session.pay.sum", block="main"),))).ran == []
    assert on(paying(runs("r", "send"), own=own)).ran == ["send"]


def test_a_gate_holds_for_a_step_of_a_skill_with_prose_though_not_for_the_models_call_there() -> None:
    closed = (gate("send", "session.pay.sum"),)
    play = on(paying(runs("r", "send"), gates=closed, prose="Pay."))
    assert notes(play) == ["step-waits-gate"]
    assert play(Called((Call("send", {}, Stub(1)),))).ran == ["send"]


# -- confirmations -------------------------------------------------------------------------------------------------


def asking(*after: Step, rule: object = SURE) -> Played:
    gates = (gate("send", None, SURE if rule is SURE else asks(), success="utter_ok"),)
    return on(paying(runs("r", "send"), *after, gates=gates))


def test_a_step_pauses_asks_and_ends_the_turn() -> None:
    play = asking(does("e", "utter_end"))
    assert [t.split(" {")[0] for t in play.told[2:]] == [
        f"memory_set {PENDING_KEY} …", "send by execute_step", "bot Sure?", "bot_turn_ended",
    ]  # fmt: skip
    value = next(r for r in play.last if r.event == "memory_set").fields["value"]
    assert isinstance(value, dict)
    assert (value["execute_step_id"], value["tool_name"]) == ("r", "send")
    assert stacked(play)[-1] == ("main", "regular", "r")


def test_yes_runs_it_passes_the_step_and_says_what_came_of_it() -> None:
    play = asking(does("e", "utter_end"))(CustomerSaid("yes"))
    assert play.told == ["user yes"]
    play(Resolved(True, Stub({"ok": 1}, (("done", True),))))
    assert play.told == [
        f"memory_cleared {PENDING_KEY}", "memory_set pay.done True", 'send by tool_confirmation {"ok": 1}', "stack",
        'resolve_tool_confirmation {"ok": 1}', "bot Sent.", "bot Bye.",
        "ordered_block_completed main", "skill_completed pay", "stack",
    ]  # fmt: skip


def test_no_skips_the_step_for_good() -> None:
    play = asking(does("e", "utter_end"))(CustomerSaid("no"), Resolved(False))
    assert play.ran == []
    assert play.told[-2:] == ["bot Then not.", "bot_turn_ended"]
    assert stacked(play)[-1] == ("main", "regular", "e")
    assert spoken(play(CustomerSaid("well"))) == ["Sure?", "Then not.", "Bye."]
    assert play.state.stack == ()


def test_the_last_step_that_is_answered_ends_the_block_after_the_answer() -> None:
    play = asking()(CustomerSaid("yes"), Resolved(True, Stub(1)))
    assert play.told[-5:] == [
        "resolve_tool_confirmation 1", "bot Sent.", "ordered_block_completed main", "skill_completed pay", "stack",
    ]  # fmt: skip


def test_arguments_that_fit_no_longer_keep_it_waiting_on_its_step() -> None:
    gates = (gate("charge", None, SURE),)
    play = on(paying(runs("r", "charge", sum="session.pay.sum"), does("e", "utter_end"), gates=gates), sum=4)
    pay, *others = play.project.skills
    stricter = replace(pay, tools=(local("charge", sum="string"),))
    play.project = replace(play.project, skills=(stricter, *others))
    play(CustomerSaid("yes"), Resolved(True))
    assert play.told == ["charge by tool_confirmation error", "resolve_tool_confirmation error"]
    assert play.state.active_pending is not None
    assert stacked(play)[-1] == ("main", "regular", "r")


def test_without_a_named_ask_the_model_asks() -> None:
    play = asking(rule=None)
    assert play.state.turn.open
    assert play.state.active_pending is not None
    play(ModelSaid("Shall I?"), CustomerSaid("yes"), Resolved(True, Stub(1)))
    assert play.ran == ["send"]


def test_a_step_that_waits_does_not_ask_again_whatever_is_said() -> None:
    play = asking(does("e", "utter_end"))
    for _ in range(3):
        play(CustomerSaid("what?"), ModelSaid("well?"))
        assert play.state.active_pending is not None
    assert spoken(play).count("Sure?") == 1


def test_an_ask_that_is_refused_is_told_to_the_customer_who_then_has_the_word() -> None:
    gates = (gate("send", None, SURE), gate("look", None, asks()))
    play = paying(talks("w", "session.pay.done"), runs("r", "send"), gates=gates)
    on(play)(Called((Call("look"),)), AuthorSet("pay.done", True), ModelSaid("Shall I look?"), CustomerSaid("hm"))
    assert [t.split(" {")[0] for t in play.told] == [
        "user hm", "stack", "send by execute_step error", "bot another confirmation waits, of `look`",
        "bot_turn_ended",
    ]  # fmt: skip
    assert play.state.pending is not None


def test_a_later_step_may_ask_for_a_tool_that_was_answered_in_this_turn() -> None:
    play = asking(does("e", "utter_end"), runs("again", "send"))(CustomerSaid("yes"), Resolved(True, Stub(1)))
    assert play.told[-2:] == ["bot Sure?", "bot_turn_ended"]
    assert play.state.active_pending is not None


def test_a_loop_asks_anew_and_the_second_time_is_as_the_first() -> None:
    play = asking(routes("back", "r"))
    for answer in (False, True, True):
        play(CustomerSaid("hm"), Resolved(answer, Stub(1)))
        if not play.state.turn.open and play.state.active_pending is None:
            play(CustomerSaid("well"))
        assert play.state.active_pending is not None
    assert play.ran == ["send", "send"]


def test_while_cancelling_is_asked_for_steps_wait() -> None:
    play = paying(talks("w", "session.pay.done"), runs("r", "send"))
    on(play)(Cancelled(), AuthorSet("pay.done", True), CustomerSaid("hm"))
    assert play.ran == []
    assert play(Resolved(False)).ran == ["send"]


def test_while_cancelling_is_asked_for_elsewhere_a_step_that_would_ask_is_left_to_the_model() -> None:
    gates, guarded = (gate("send", None, asks("utter_sure")),), rule("cancel", confirmation=asks())
    main = block("main", steps=(runs("r", "send"),))
    pay = skill("pay", tools=TOOLS, gates=gates, blocks=(main,), enters=("main",), fields=FIELDS)
    play = Played(project(pay, responses=(says("utter_sure", "Sure?"),), rules=(guarded,)))(
        CustomerSaid("pay"), Activated("pay")
    )
    play(Cancelled(), Activated("pay__main"))
    assert play.told == [
        "ordered_block_entered main",
        "stack",
        "activate activate: done",
        "inspector_note step-waits-cancel",
    ]
    assert play.state.turn.open


def test_cancelling_takes_the_ask_along() -> None:
    play = asking()(CustomerSaid("stop"), Cancelled(), CustomerSaid("yes"), Resolved(True))
    assert (play.state.pending, play.state.stack, play.ran) == (None, (), [])


def test_a_link_within_the_skill_takes_what_its_block_was_asking_along() -> None:
    gates = (gate("look", None, asks()),)
    main = block("main", steps=(talks("w", "session.pay.done"), links("l", "more")))
    pay = skill("pay", prose="", tools=TOOLS, gates=gates, blocks=(main, block("more")), fields=FIELDS)
    play = Played(project(pay))(CustomerSaid("pay"), Activated("pay"), Called((Call("look"),)))
    assert play.state.active_pending is not None
    play(ModelSaid("Shall I?"), AuthorSet("pay.done", True), CustomerSaid("hm"))
    assert play.told[2] == f"memory_cleared {PENDING_KEY}"
    assert play.state.pending is None


def test_what_a_pause_says_of_itself_names_the_ask() -> None:
    record = next(r for r in asking().last if r.event == "tool_executed")
    assert json.loads(str(record.fields["result"]))["message"] == "Sure?"
