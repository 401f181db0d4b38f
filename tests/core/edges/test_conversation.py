"""The edge cases of §11 that are about confirmations, the stack and the record, by their numbers."""

from __future__ import annotations

import json

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CustomerSaid,
    ModelSaid,
    Next,
    Record,
    Resolved,
    Stub,
)
from tests.core.edges.small import agent, block, bots, call, played, prose, started, tool_records, verdict

SHIP = prose("Help.").replace("Pay", "Ship")
ASKS = "tool_constraints:\n- go:\n    requires: session.pay.paid\n    requires_confirmation: {enabled: true}"
CODE = (
    "from rasa.mantle.tools.decorator import ToolContext, tool\n"
    '@tool(description="d")\nasync def go(amount: int, context: ToolContext):\n    return None\n'
)


def status(record: Record) -> object:
    found = json.loads(str(record.fields["result"]))
    return found.get("status") if isinstance(found, dict) else None


def test_edge_22_a_yes_runs_what_was_asked_and_looks_at_no_gate_again() -> None:
    play = started(agent(front=ASKS, code=CODE), pay__paid=True)(AuthorSet("pay.paid", True), call("go", amount=1))
    play(CustomerSaid("yes"), AuthorSet("pay.paid", False), AuthorSet("pay.amount", 99))
    assert not verdict(play, "go").offered
    play(Resolved(True, Stub({})))
    ran = [r for r in tool_records(play.last, "go") if r.ran]
    assert [r.fields["arguments"] for r in ran] == [{"amount": 1}]


def test_edge_23_the_pause_is_recorded_as_a_call_that_did_not_fail() -> None:
    play = started(agent(front=ASKS, code=CODE))(AuthorSet("pay.paid", True), call("go", amount=1))
    (pause,) = tool_records(play.last, "go")
    assert (pause.fields["is_error"], status(pause), pause.ran) == (False, "awaiting_confirmation", False)
    play(CustomerSaid("yes"), Resolved(True, Stub({"ok": 1})))
    every = tool_records(play.records, "go")
    assert len(every) == 2
    assert [r.metadata.get("source") for r in every] == [None, "tool_confirmation"]


def test_edge_24_one_confirmation_waits_for_the_whole_conversation_and_others_cannot_see_it() -> None:
    ship = prose("Help.", ASKS.replace("session.pay.paid", "True")).replace("Pay", "Ship")
    given = agent(front=ASKS, code=CODE, ship=ship.replace("- go", "- send"), shared=CODE.replace("def go", "def send"))
    play = started(given)(AuthorSet("pay.paid", True), call("go", amount=1), CustomerSaid("ship"), Activated("ship"))
    assert play.state.active_pending is None
    play(call("send", amount=1))
    assert tool_records(play.last, "send")[0].fields["is_error"]
    play(Resolved(True))
    assert tool_records(play.last, "resolve_tool_confirmation")[0].fields["is_error"]
    assert play.ran == []


def test_edge_25_what_a_tool_wrote_comes_before_it_and_is_joined_by_the_calls_id() -> None:
    play = started(agent(names=["go"]))(call("go", Stub({}, (("amount", 1),))))
    names = [r.event for r in play.last]
    assert names.index("memory_set") < names.index("tool_executed")
    write, tool = play.last[names.index("memory_set")], play.last[names.index("tool_executed")]
    provenance = write.metadata["mantle_write_provenance"]
    assert isinstance(provenance, dict)
    assert provenance["tool_call_id"] == tool.metadata["tool_call_id"]


def test_edge_26_a_result_is_text() -> None:
    play = started(agent(names=["go"]))(call("go", Stub({"n": [1]})))
    assert tool_records(play.last, "go")[0].fields["result"] == '{"n": [1]}'
    play(call("go", Stub()))
    assert tool_records(play.last, "go")[0].fields["result"] == "null"


def test_edge_27_a_record_names_the_skill_that_is_active_afterwards() -> None:
    play = played(agent())(Activated("pay"))
    assert tool_records(play.last, "activate")[0].metadata["skill_id"] == "pay"
    play(Cancelled())
    assert tool_records(play.last, "cancel")[0].metadata["skill_id"] != "pay"


def test_edge_29_a_hidden_skill_is_reached_by_a_tool_and_a_disabled_one_is_not() -> None:
    for mark, reached in (("hidden: true", True), ("disabled: true", False)):
        given = agent(names=["go"], ship=prose("Help.", mark).replace("Pay", "Ship"))
        play = played(given)(Activated("ship"))
        assert play.state.skill != "ship"
        play(Activated("pay"), call("go", Stub({}, next=(Next("ship"),))))
        assert (play.state.skill == "ship") is reached


def test_edge_29_a_call_step_reaches_a_disabled_skill() -> None:
    ship = prose("Help.", "disabled: true").replace("Pay", "Ship")
    play = started(agent(block("- {id: c, call: ship}"), ship=ship))
    assert play.state.skill == "ship"


def test_edge_34_cancel_takes_all_that_was_called_with_it() -> None:
    ship = prose("Help.").replace("Pay", "Ship")
    play = started(agent(block("- {id: c, call: ship}"), ship=ship))
    assert [f.skill_id for f in play.state.stack if f.block_id is None] == ["pay", "ship"]
    play(Cancelled())
    assert [r.fields["skill_id"] for r in play.last if r.event == "skill_cancelled"] == ["ship", "pay"]


def test_edge_35_words_beside_calls_are_filler_and_end_nothing() -> None:
    play = started(agent(names=["go"]))(Called((Call("go", {}, Stub({})),), "One moment."))
    first = next(r for r in play.last if r.event in ("bot", "tool_executed"))
    assert (first.event, first.fields["text"]) == ("bot", "One moment.")
    assert first.metadata["mantle_response_source"] == "filler"
    assert play.state.turn.open
    play(ModelSaid("Done."))
    assert not play.state.turn.open
    assert bots(play.last) == ["Done."]


def test_edge_35_fields_set_beside_words_are_set() -> None:
    memory = "schema:\n  public:\n    paid: {type: bool, llm_settable: true, description: d}\n"
    play = started(agent(memory=memory))(Called((Call("set_fields", {"paid": True}),), "I see."))
    assert play.state.memory["pay.paid"] is True
