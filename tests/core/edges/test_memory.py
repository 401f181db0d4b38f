"""The edge cases of §11 that are about memory and what is spoken, by their numbers."""

from __future__ import annotations

import pytest

from inspector_core.events import Activated, AuthorSet, Cancelled, Corrected, CustomerSaid, FieldsSet, Stub, Stubbed
from inspector_core.mantle.project import Project
from tests.core.edges.small import agent, block, bots, call, errors, played, prose, started, tool_records
from tests.core.handmade import Played

SHIP = prose("Help.").replace("Pay", "Ship")
FIELDS = """\
schema:
  public:
    amount: {type: int, initial_value: 5}
    paid: {type: bool, llm_settable: true, description: Paid.}
    kind: {type: categorical, enum_values: [a, b], llm_settable: true, description: Kind.}
"""
ROOT = "auth: {type: bool, initial_value: true}\n"


def fields(body: str = "Help.", front: str = "", names: tuple[str, ...] = ("go",), **files: str) -> Project:
    return agent(body, front, names, **{"memory": FIELDS, "root": ROOT, "ship": SHIP, **files})


def test_edge_13_an_initial_value_is_there_from_the_first_activation_and_never_for_the_project() -> None:
    play = played(fields())
    assert "pay.amount" not in play.state.memory
    play(Activated("pay"))
    assert play.state.memory["pay.amount"] == 5
    assert "project.auth" not in play.state.memory


def test_edge_14_a_new_run_resets_what_others_read() -> None:
    play = started(fields())(AuthorSet("pay.paid", True), Cancelled(), CustomerSaid("ship"), Activated("ship"))
    assert play.state.memory["pay.paid"] is True
    play(Cancelled(), CustomerSaid("pay"), Activated("pay"))
    assert "pay.paid" not in play.state.memory


def test_edge_15_project_memory_is_written_once_and_null_over_null_is_fine() -> None:
    play = started(fields())(call("go", Stub({}, (("project.auth", None),))))
    assert not tool_records(play.last, "go")[0].fields["is_error"]
    play(call("go", Stub({}, (("auth", True),))))
    assert play.state.memory["project.auth"] is True
    play(call("go", Stub({}, (("auth", False),))))
    assert tool_records(play.last, "go")[0].fields["is_error"]
    assert play.state.memory["project.auth"] is True


def test_edge_16_set_fields_takes_what_is_null_as_it_comes() -> None:
    play = started(fields())(FieldsSet({"paid": "yes", "kind": "zebra"}))
    assert (play.state.memory["pay.paid"], play.state.memory["pay.kind"]) == ("yes", "zebra")
    play(FieldsSet({"paid": True}))
    assert tool_records(play.last, "set_fields")[0].fields["is_error"]
    assert play.state.memory["pay.paid"] == "yes"


def test_edge_17_what_a_step_collects_can_be_set_and_a_button_asks_for_no_leave() -> None:
    given = agent(
        block("- {id: c, collect: amount, utterance: utter_ask}"),
        responses="responses:\n  utter_ask:\n  - text: How much?\n    buttons:\n"
        "    - {title: Ann, payload: 'set:session.pay.name=Ann'}\n",
    )  # fmt: skip
    assert not given.field_by_key["pay.amount"].llm_settable
    by_model = started(given)(CustomerSaid("7"), FieldsSet({"amount": 7}))
    assert by_model.state.memory["pay.amount"] == 7
    by_tap = started(given)(CustomerSaid("set:session.pay.name=Ann", "Ann"))
    assert by_tap.state.memory["pay.name"] == "Ann"


@pytest.mark.parametrize(
    ("payload", "fails"),
    [
        ({"ok": False}, False),
        ({"error": ""}, False),
        ({"error": None}, False),
        ({"errors": ["x"]}, True),
        ({"error": "x"}, True),
    ],
)
def test_edge_18_what_counts_as_a_failure(payload: object, fails: bool) -> None:
    play = started(fields())(call("go", Stub(payload)))
    assert tool_records(play.last, "go")[0].fields["is_error"] is fails


def test_edge_18_a_check_of_memory_fails_on_an_empty_error_too() -> None:
    play = started(fields(names=("run_after_setting_paid",)))
    play(Stubbed("run_after_setting_paid", Stub({"error": ""})), FieldsSet({"paid": True}))
    assert "pay.paid" not in play.state.memory


def test_edge_28_a_response_without_a_fitting_variant_speaks_its_own_name() -> None:
    given = fields(
        front="tool_constraints:\n- go:\n    on_success: utter_done",
        responses="responses:\n  utter_done:\n  - {text: 'Paid {amount}, {nothing}.', condition: session.pay.paid}\n",
    )
    play = started(given)(call("go", Stub({})))
    assert bots(play.last) == ["utter_done"]
    play(AuthorSet("pay.paid", True), call("go", Stub({})))
    assert bots(play.last) == ["Paid 5, {nothing}."]
    assert "mantle.validation.response.default_required" in errors(given)


def test_edge_30_what_is_spoken_on_activation_sees_initial_values() -> None:
    given = fields(
        front="utter:\n- utter_hi: {on: activate}",
        responses="responses:\n  utter_hi:\n  - {text: 'It is {amount}.', condition: session.pay.amount == 5}\n"
        "  - text: Hm.\n",
    )
    play = played(given, pay__amount=9)(Activated("pay"))
    assert bots(play.last) == ["It is 5."]


def triggered(body: str = "Help.", names: tuple[str, ...] = ("go",)) -> Played:
    given = fields(
        body, "utter:\n- utter_paid: {when: session.pay.paid}", names,
        responses="responses:\n  utter_paid:\n  - text: Paid.\n  utter_ask:\n  - text: Paid?\n    buttons:\n"
        "    - {title: 'Yes', payload: 'set:session.pay.paid=true'}\n",
    )  # fmt: skip
    return started(given)


def test_edge_31_a_trigger_fires_as_its_condition_turns_true_and_not_again() -> None:
    play = triggered()(FieldsSet({"paid": True}))
    assert bots(play.last) == ["Paid."]
    play(call("go", Stub({})))
    assert bots(play.last) == []
    again = triggered()(call("go", Stub({}, (("paid", True),))))
    assert bots(again.last) == ["Paid."]


def test_edge_31_a_trigger_is_blind_to_steps_corrections_and_buttons() -> None:
    by_step = triggered("Go to @block.main.\n\n" + block("- {id: s, set_memory: {pay.paid: true}}"))(
        Activated("pay__main")
    )
    assert by_step.state.memory["pay.paid"] is True
    assert "Paid." not in bots(by_step.last)
    corrected = triggered()(FieldsSet({"paid": False}), Corrected("pay.paid", True))
    assert corrected.state.memory["pay.paid"] is True
    assert "Paid." not in bots(corrected.last)
    ask = triggered("Go to @block.main.\n\n" + block("- {id: u, utter: utter_ask}\n- {id: t, instructions: Talk.}"))
    tapped = ask(Activated("pay__main"), CustomerSaid("set:session.pay.paid=true", "Yes"))
    assert tapped.state.memory["pay.paid"] is True
    assert "Paid." not in bots(tapped.last)
