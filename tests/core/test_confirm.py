"""The confirmation state machine (§6.2, §6.3), row by row."""

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
    Listened,
    ModelSaid,
    Record,
    Resolved,
    Stub,
)
from inspector_core.mantle.engine.play import PENDING_KEY
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from tests.core.handmade import Played, asks, done_when, field, gate, local, project, rule, says, skill

PAY = Called((Call("pay", {"amount": 5}),))
PAID = Stub({"ok": True}, (("paid", True),))
SHOP_FIELDS = (field("shop.paid"), field("shop.open"), field("shop.name"))
RESPONSES = (
    says("utter_ask", "Shall I pay for {name}?"),
    says("utter_no", "Then I won't."),
    says("utter_paid", "It is paid."),
    says("utter_failed", "That didn't work."),
    says("utter_blank", "  "),
)


def shop(ask: str | None = "utter_ask", denial: str | None = "utter_no", requires: str | None = None) -> Project:
    """A skill with a tool that asks, `pay`, another that does, `gift`, and one that doesn't, `look`."""
    tools = (local("pay", amount="integer"), local("gift"), local("look"))
    gates = (gate("pay", requires, asks(ask, denial), success="utter_paid", failure="utter_failed"),
             gate("gift", None, asks("utter_ask")))  # fmt: skip
    other = skill("other", tools=(local("send"),), gates=(gate("send", None, asks("utter_ask")),))
    return project(
        skill("shop", tools=tools, gates=gates, fields=SHOP_FIELDS), other, responses=RESPONSES
    )  # fmt: skip


def asked(project: Project | None = None) -> Played:
    """A conversation in which `pay` has asked and the turn has ended."""
    return Played(project or shop())(CustomerSaid("pay"), Activated("shop"), PAY)


def payload(record: Record) -> dict[str, object]:
    found: dict[str, object] = json.loads(str(record.fields["result"]))
    return found


def test_a_call_pauses_asks_and_ends_the_turn() -> None:
    play = asked()
    assert play.told == [
        f"memory_set {PENDING_KEY} …",
        'pay {"status": "awaiting_confirmation", "message": "Shall I pay for {name}?"}',
        "bot Shall I pay for {name}?",
        "bot_turn_ended",
    ]
    assert play.last[2].metadata == {"mantle_response_source": "verbatim", "utter_action": "utter_ask"}
    assert not play.state.turn.open
    assert play.ran == []


def test_the_pause_is_no_error_and_counts_as_one_call() -> None:
    record = asked().last[1]
    assert record.fields["is_error"] is False
    assert "source" not in record.metadata


def test_yes_runs_once_with_the_order_of_records_that_the_engine_leaves() -> None:
    play = asked()(CustomerSaid("yes"), Resolved(True, PAID))
    assert play.told == [
        f"memory_cleared {PENDING_KEY}",
        "memory_set shop.paid True",
        'pay by tool_confirmation {"ok": true}',
        'resolve_tool_confirmation {"ok": true}',
        "bot It is paid.",
    ]
    assert play.state.pending is None
    assert play.state.turn.open
    assert play.ran == ["pay"]


def test_no_runs_nothing_speaks_the_denial_and_ends_the_turn() -> None:
    play = asked()(CustomerSaid("no"), Resolved(False, PAID))
    assert [t.split(" {")[0] for t in play.told] == [
        f"memory_cleared {PENDING_KEY}",
        "pay by tool_confirmation",
        "resolve_tool_confirmation",
        "bot Then I won't.",
        "bot_turn_ended",
    ]
    assert payload(play.last[1])["status"] == "declined"
    assert "shop.paid" not in play.state.memory
    assert play.ran == []


@pytest.mark.parametrize("denial", [None, "utter_blank"])
def test_a_no_without_words_leaves_the_turn_to_the_model(denial: str | None) -> None:
    play = asked(shop(denial=denial))(CustomerSaid("no"), Resolved(False))
    assert play.state.turn.open
    assert play.told[-1].startswith("resolve_tool_confirmation")


@pytest.mark.parametrize("answer", [None, "yes", "true", 1, 0, [], {"confirmed": True}, 1.0])
def test_anything_but_true_or_false_runs_nothing_and_waits_on(answer: object) -> None:
    play = asked()(CustomerSaid("well"), Resolved(answer, PAID))
    assert play.told == ["resolve_tool_confirmation error"]
    assert play.state.pending is not None
    assert play.ran == []


def test_an_unrelated_answer_keeps_it_waiting_turn_after_turn() -> None:
    play = asked()
    for _ in range(3):
        play(CustomerSaid("what does it cost?"), ModelSaid("five"))
    assert play.state.active_pending is not None
    assert play(CustomerSaid("yes"), Resolved(True, PAID)).ran == ["pay"]


def test_a_recall_while_it_waits_is_refused_and_its_arguments_ignored() -> None:
    play = asked()(CustomerSaid("hm"), Called((Call("pay", {"amount": 99}),)))
    assert play.told == ["pay error"]
    assert play(Resolved(True, PAID)).last[2].fields["arguments"] == {"amount": 5}


def test_the_turn_that_asked_can_not_resolve() -> None:
    play = Played(shop(ask=None))(Activated("shop"), PAY)
    assert play.state.turn.open
    assert play(Resolved(True, PAID)).told == ["resolve_tool_confirmation error"]
    assert play.state.pending is not None


def test_a_batch_that_asks_and_resolves_runs_nothing() -> None:
    both = Called((Call("pay", {"amount": 5}), Call("resolve_tool_confirmation", {"confirmed": True}, PAID)))
    assert Played(shop())(Activated("shop"), both).ran == []


def test_after_an_answer_the_tool_can_not_ask_again_in_that_turn() -> None:
    play = asked()(CustomerSaid("yes"), Resolved(True, PAID), PAY)
    assert play.told == ["pay error"]
    assert play(ModelSaid("done"), CustomerSaid("again"), PAY).state.pending is not None


def test_every_later_confirmation_asks_anew() -> None:
    play = Played(shop())(Activated("shop"))
    for turn in range(3):
        play(CustomerSaid("pay"), PAY, CustomerSaid("yes"), Resolved(True, PAID))
        assert len(play.ran) == turn + 1


def test_a_second_gated_call_of_one_reply_is_refused_and_the_rest_still_runs() -> None:
    batch = Called((Call("pay", {"amount": 5}), Call("gift"), Call("look", {}, Stub({"seen": 1}))))
    play = Played(shop())(Activated("shop"), batch)
    assert [t.split(" {")[0] for t in play.told] == [
        f"memory_set {PENDING_KEY} …",
        "pay",
        "gift error",
        "look",
        "bot Shall I pay for",
        "bot_turn_ended",
    ]
    assert play.state.pending is not None
    assert play.state.pending.tool == "pay"


def test_another_tool_can_not_ask_while_one_waits() -> None:
    play = asked()(CustomerSaid("and a gift"), Called((Call("gift"),)))
    assert play.told == ["gift error"]


def test_after_a_denial_is_queued_nothing_else_of_the_reply_can_ask() -> None:
    batch = Called((Call("resolve_tool_confirmation", {"confirmed": False}), Call("gift")))
    play = asked()(CustomerSaid("no, a gift"), batch)
    assert "gift error" in play.told
    assert play.state.pending is None


def test_arguments_that_do_not_fit_open_nothing() -> None:
    play = Played(shop())(Activated("shop"), Called((Call("pay", {"amount": "much"}),)))
    assert payload(play.last[0]) | {"error": ""} == {"error": "", "retryable": True, "code": "invalid_arguments"}
    assert play.state.pending is None


def test_an_ask_that_would_be_blank_opens_nothing() -> None:
    play = Played(shop(ask="utter_blank"))(Activated("shop"), PAY)
    assert play.told == ["pay error"]
    assert play.state.pending is None


def test_an_ask_that_does_not_exist_speaks_its_own_name() -> None:
    assert "bot utter_nowhere" in asked(shop(ask="utter_nowhere")).told


def test_a_disabled_confirmation_asks_nothing() -> None:
    off = gate("look", None, asks("utter_ask", enabled=False))
    play = Played(project(skill("shop", tools=(local("look"),), gates=(off,))))(Activated("shop"))
    assert play(Called((Call("look", {}, Stub(1)),))).ran == ["look"]


def test_the_gate_is_looked_at_when_it_asks_and_not_again() -> None:
    agent = shop(requires="session.shop.open")
    assert Played(agent)(Activated("shop"), PAY).told == ["pay error"]
    play = Played(agent)(Activated("shop"), AuthorSet("shop.open", True), PAY, AuthorSet("shop.open", False))
    assert play(CustomerSaid("yes"), Resolved(True, PAID)).ran == ["pay"]


def test_the_pause_keeps_what_memory_was() -> None:
    play = Played(shop())(Activated("shop"), AuthorSet("shop.name", "Ann"), PAY, AuthorSet("shop.name", "Bob"))
    assert play.state.pending is not None
    assert play.state.pending.memory["shop.name"] == "Ann"
    assert play.state.pending.ask == "Shall I pay for Ann?"


def test_a_confirmed_failure_speaks_on_failure() -> None:
    play = asked()(CustomerSaid("yes"), Resolved(True, Stub({"error": "no money"})))
    assert play.told[-1] == "bot That didn't work."


# -- digressions ---------------------------------------------------------------------------------------------------


def test_a_digression_hides_it_and_the_return_brings_it_back() -> None:
    play = asked()(CustomerSaid("first something else"), Activated("other"))
    assert play.state.pending is not None
    assert play.state.active_pending is None
    assert play(Resolved(True, PAID)).told == ["resolve_tool_confirmation error"]
    play(Completed())
    assert play.state.active_pending is not None
    assert play(Resolved(True, PAID)).ran == ["pay"]


def test_the_digression_can_not_ask_meanwhile() -> None:
    play = asked()(CustomerSaid("send it"), Activated("other"), Called((Call("send"),)))
    assert play.told == ["send error"]


# -- what else ends it ---------------------------------------------------------------------------------------------


def test_complete_is_refused_while_it_waits() -> None:
    play = asked()(CustomerSaid("bye"), Completed())
    assert play.told == ["complete error"]
    assert play.state.skill == "shop"


def test_listen_is_refused_while_it_waits() -> None:
    assert asked()(CustomerSaid("hm"), Listened()).told == ["listen error"]


def test_a_skill_that_completes_by_itself_takes_it_along() -> None:
    plain = shop()
    ending = replace(plain.skills[0], completion=done_when("session.shop.paid"))
    play = asked(replace(plain, skills=(ending, *plain.skills[1:])))(AuthorSet("shop.paid", True), CustomerSaid("hm"))
    assert play.state.pending is None
    assert play.ran == []


def test_cancel_takes_it_along() -> None:
    play = asked()(CustomerSaid("stop"), Cancelled())
    assert play.told == [
        f"memory_cleared {PENDING_KEY}", "skill_cancelled shop", "stack", "cancel cancel: done",
    ]  # fmt: skip
    assert play.state.pending is None
    assert play.ran == []


def guarded() -> Project:
    plain = shop()
    confirmed = rule("cancel", confirmation=asks("utter_ask", "utter_no"))
    return replace(plain, agent=replace(plain.agent, constraints=(confirmed,)))


def test_cancel_behind_a_confirmation_takes_the_place_of_another() -> None:
    play = asked(guarded())(CustomerSaid("stop"), Cancelled())
    assert play.state.pending is not None
    assert (play.state.pending.tool, play.state.pending.arguments) == ("cancel", {})
    assert play.told[-2:] == ["bot Shall I pay for {name}?", "bot_turn_ended"]


def test_a_confirmed_cancel_drops_the_skill() -> None:
    play = asked(guarded())(CustomerSaid("stop"), Cancelled(), CustomerSaid("yes"), Resolved(True))
    assert play.told == [
        f"memory_cleared {PENDING_KEY}",
        "skill_cancelled shop",
        "stack",
        'cancel by tool_confirmation {"status": "cancelled"}',
        'resolve_tool_confirmation {"status": "cancelled"}',
    ]
    assert play.state.stack == ()


def test_a_declined_cancel_leaves_the_skill() -> None:
    play = asked(guarded())(CustomerSaid("stop"), Cancelled(), CustomerSaid("no"), Resolved(False))
    assert play.state.skill == "shop"
    assert play.told[-2:] == ["bot Then I won't.", "bot_turn_ended"]


def test_a_second_cancel_while_it_asks_is_refused() -> None:
    play = asked(guarded())(CustomerSaid("stop"), Cancelled(), CustomerSaid("stop!"), Cancelled())
    assert play.told == ["cancel error"]


# -- when the files change while it waits --------------------------------------------------------------------------


def over(agent: Project, state: State) -> Played:
    """A conversation that goes on from a state over other files."""
    play = Played(agent)
    play.state = state
    return play


def test_a_tool_that_is_gone_clears_it() -> None:
    waiting = asked().state
    without = project(skill("shop", fields=SHOP_FIELDS))
    play = over(without, waiting)(CustomerSaid("yes"), Resolved(True, PAID))
    assert play.told == [
        f"memory_cleared {PENDING_KEY}", "pay by tool_confirmation error", "resolve_tool_confirmation error",
    ]  # fmt: skip
    assert play.state.pending is None


def test_arguments_that_no_longer_fit_keep_it_waiting() -> None:
    plain = shop()
    stricter = replace(plain.skills[0], tools=(local("pay", amount="integer", currency="string"),))
    play = over(replace(plain, skills=(stricter,)), asked().state)(CustomerSaid("yes"), Resolved(True, PAID))
    assert play.told == ["pay by tool_confirmation error", "resolve_tool_confirmation error"]
    assert play.state.active_pending is not None
