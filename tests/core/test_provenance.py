"""Who wrote what, and which call it belongs to: ids, batches, positions (§8.1)."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.events import Activated, Call, Called, CustomerSaid, FieldsSet, Listened, ModelSaid, Resolved, Stub
from inspector_core.mantle.project import Project
from tests.core.handmade import Played, asks, done_when, field, gate, imported, local, project, says, skill


def agent() -> Project:
    pay = skill(
        "pay", tools=(local("send"), local("charge")), gates=(gate("charge", confirmation=asks("utter_ask")),),
        fields=(field("pay.amount", settable=True), field("pay.sent"), field("pay.open", initial=True)),
        completion=done_when("session.pay.sent"),
    )  # fmt: skip
    return project(pay, responses=(says("utter_ask", "Sure?"),))


def written(play: Played) -> list[Mapping[str, object]]:
    """The provenance of every write so far."""
    found = [r.metadata.get("mantle_write_provenance") for r in play.records if r.event.startswith("memory_")]
    assert all(isinstance(one, Mapping) for one in found)
    return [one for one in found if isinstance(one, Mapping)]


def calls(play: Played) -> dict[object, Mapping[str, object]]:
    return {r.fields["tool_name"]: r.metadata for r in play.records if r.event == "tool_executed"}


def test_a_tools_write_names_the_tool_its_arguments_the_place_and_the_call() -> None:
    play = Played(agent())(Activated("pay"), Called((Call("send", {}, Stub(1, (("amount", 3),))),)))
    assert written(play)[-1] == {
        "tool": "send", "skill_id": "pay", "step": "autonomous", "frame_id": "f1", "arguments": {}, "position": 4,
        "tool_call_id": "call_2",
    }  # fmt: skip


def test_the_models_own_write_names_no_tool_but_the_call() -> None:
    play = Played(agent())(Activated("pay"), FieldsSet({"amount": 3}))
    assert written(play)[-1]["tool"] is None
    assert written(play)[-1]["tool_call_id"] == "call_2"
    assert written(play)[-1]["arguments"] == {"amount": 3}


def test_a_reset_belongs_to_the_call_that_activates_and_to_the_place_before_it() -> None:
    (reset,) = written(Played(agent())(Activated("pay")))
    assert (reset["tool"], reset["skill_id"], reset["frame_id"], reset["tool_call_id"]) == (None, None, None, "call_1")


def test_a_position_is_the_place_in_the_record() -> None:
    play = Played(agent())(Activated("pay"), FieldsSet({"amount": 3}), Called((Call("charge", {}),)))
    play(CustomerSaid("yes"), Resolved(True, Stub(1, (("amount", 4), ("sent", True)))))
    places = [index for index, r in enumerate(play.records) if r.event in ("memory_set", "memory_cleared")]
    assert [one["position"] for one in written(play)] == places


def test_the_calls_of_one_reply_share_a_batch_named_after_the_first() -> None:
    play = Played(agent())(CustomerSaid("hi"), Activated("pay"), Called((Call("send", {}), Call("charge", {}))))
    found = calls(play)
    assert found["activate"] == {"tool_call_id": "call_1", "tool_batch_id": "0-call_1", "skill_id": "pay"}
    assert found["send"] == {"tool_call_id": "call_2", "tool_batch_id": "1-call_2", "skill_id": "pay"}
    assert found["charge"] == {"tool_call_id": "call_3", "tool_batch_id": "1-call_2", "skill_id": "pay"}


def test_batches_count_the_replies_of_a_turn_and_ids_go_on_through_all_turns() -> None:
    play = Played(agent())(CustomerSaid("hi"), Activated("pay"), ModelSaid("yes?"), CustomerSaid("wait"), Listened())
    assert calls(play)["listen"] == {"tool_call_id": "call_2", "tool_batch_id": "0-call_2", "skill_id": "pay"}


def test_a_confirmed_tool_is_the_engines_run_and_so_are_its_writes() -> None:
    play = Played(agent())(Activated("pay"), Called((Call("charge", {}),)), CustomerSaid("yes"))
    play(Resolved(True, Stub(1, (("amount", 4),))))
    assert calls(play)["charge"] == {"source": "tool_confirmation", "skill_id": "pay"}
    assert calls(play)["resolve_tool_confirmation"]["tool_call_id"] == "call_3"
    cleared, amount = written(play)[-2:]
    assert (cleared["tool"], cleared["tool_call_id"]) == (None, "call_3")
    assert (amount["tool"], amount["tool_call_id"]) == ("charge", None)


def test_a_servers_name_is_told_of_the_models_calls_alone() -> None:
    remote = skill(
        "pay", imports=(imported("check", "bank"), imported("move", "bank")), gates=(gate("move", confirmation=asks()),)
    )
    play = Played(project(remote, servers=("bank",)))(Activated("pay"), Called((Call("check"), Call("move"))))
    assert calls(play)["check"]["mcp_server"] == "bank"
    assert calls(play)["move"]["mcp_server"] == "bank"
    play(CustomerSaid("yes"), Resolved(True))
    assert calls(play)["move"] == {"source": "tool_confirmation", "skill_id": "pay"}


def test_a_skill_that_ends_by_itself_after_the_reply_does_so_under_no_call() -> None:
    play = Played(agent())(Activated("pay"), Called((Call("send", {}, Stub(1, (("sent", True),))),)))
    assert "skill_completed" in [r.event for r in play.last]
    assert calls(play)["send"]["skill_id"] == "pay"
