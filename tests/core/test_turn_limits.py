"""What ends a turn besides words: too many replies, a customer who speaks while a tool runs; and what is no answer."""

from __future__ import annotations

from inspector_core.events import (
    Activated,
    Call,
    Called,
    CustomerSaid,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Resolved,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.turn import MOST
from tests.core.handmade import Played, asks, block, field, gate, local, project, says, skill
from tests.core.stepped import does, runs, spoken, stacked, talks

GATES = (gate("send", success="utter_done"), gate("order", None, asks("utter_sure")))
PAY = skill("pay", tools=(local("send"), local("order")), gates=GATES, fields=(field("pay.sum", settable=True),))
MAIN = block("main", steps=(talks("w", "session.steps.n"), runs("r", "send"), does("d", "utter_done")))
STEPS = skill("steps", prose="", tools=(local("send"),), blocks=(MAIN,), fields=(field("steps.n", settable=True),))
AGENT = project(PAY, STEPS, skill("next"), responses=(says("utter_done", "Done."), says("utter_sure", "Sure?")))
CUT = Stub({"ok": 1}, (("sum", 5),), ("One moment.",), next=(Next("next"),), interrupted=True)


def paying() -> Played:
    return Played(AGENT)(CustomerSaid("pay"), Activated("pay"))


def test_the_twentieth_reply_of_a_turn_is_its_last() -> None:
    play = paying()
    for _ in range(MOST - 1):
        assert play.state.turn.open
        play(Called((Call("send", {}, Stub(1)),)))
    assert play.state.turn.replies == 20
    assert play.told == ["send 1", "bot Done.", "inspector_note reply-limit", "bot_turn_ended"]
    assert not play.state.turn.open
    assert play(Called((Call("send", {}, Stub(1)),))).told == ["inspector_refused turn-ended"]
    assert play(CustomerSaid("so?")).state.turn.replies == 0


def test_words_beside_calls_are_spoken_first_and_answer_nothing() -> None:
    play = paying()(Called((Call("send", {}, Stub(1)),), "One moment."))
    assert play.told == ["bot One moment.", "send 1", "bot Done."]
    assert play.last[0].metadata == {
        "mantle_response_source": "filler", "agent_message_type": "filler_message",
    }  # fmt: skip
    assert play.state.turn.open


def test_words_without_a_call_are_an_answer() -> None:
    assert paying()(Called((), "Well.")).told == ["bot Well.", "bot_turn_ended"]


def test_words_beside_silence_are_spoken_before_it() -> None:
    assert paying()(Called((Call("listen"),), "Well.")).told == ["bot Well.", "listen listen: done", "bot_turn_ended"]


def test_a_tool_that_was_cut_off_keeps_its_writes_and_leaves_nothing_else() -> None:
    play = paying()(Called((Call("send", {}, CUT), Call("send", {}, Stub(2)))))
    assert play.told == ["memory_set pay.sum 5", "bot One moment."]
    assert stacked(play) == [("pay", "regular", None)]
    assert not play.state.turn.open
    assert play(ModelSaid("so")).told == ["inspector_refused turn-ended"]
    assert play(CustomerSaid("wait"), ModelSaid("yes?")).told == ["bot yes?", "bot_turn_ended"]


def test_what_the_calls_before_it_would_have_had_spoken_is_not() -> None:
    play = paying()(Called((Call("send", {}, Stub(1)), Call("send", {}, CUT))))
    assert spoken(play) == ["One moment."]


def test_an_ask_that_was_not_heard_is_no_question() -> None:
    play = paying()(Called((Call("order"), Call("send", {}, CUT))))
    assert play.state.pending is None
    assert play.told[-1] == "memory_cleared system.pending_tool_confirmation"
    assert play(CustomerSaid("yes"), Resolved(True)).told == ["resolve_tool_confirmation error"]


def test_an_ask_that_was_heard_stays_though_a_later_tool_is_cut_off() -> None:
    play = paying()(Called((Call("order"),)), CustomerSaid("wait"), Called((Call("send", {}, CUT),)))
    assert play.state.active_pending is not None
    assert play(CustomerSaid("yes"), Resolved(True, Stub(1))).ran == ["order"]


def test_a_confirmed_tool_that_is_cut_off_is_answered_and_leaves_no_record() -> None:
    play = paying()(Called((Call("order"),)), CustomerSaid("yes"), Resolved(True, CUT))
    assert play.told == ["memory_cleared system.pending_tool_confirmation", "memory_set pay.sum 5", "bot One moment."]
    assert play.state.pending is None


def test_a_step_that_is_cut_off_stays_and_runs_again_after_the_customer_has_spoken() -> None:
    play = Played(AGENT)(CustomerSaid("go"), Activated("steps"), Stubbed("send", Stub(interrupted=True)))
    play(FieldsSet({"n": 1}))
    assert stacked(play)[-1] == ("main", "regular", "r")
    assert not play.state.turn.open
    assert spoken(play(Stubbed("send", Stub(1)), CustomerSaid("so?"))) == ["Done."]


def test_silence_is_counted_like_any_reply() -> None:
    assert paying()(Listened()).state.turn.replies == 2
