"""Buttons that write memory: which taps count, what they write, and what comes of one that doesn't (§3.7)."""

from __future__ import annotations

import pytest

from inspector_core.events import Activated, AuthorSet, CustomerSaid, ModelSaid
from inspector_core.mantle.engine.coerce import setting
from inspector_core.mantle.project import Button, Project, Response, Variant
from tests.core.handmade import HERE, Played, field, project, says, skill, trigger

FIELDS = (
    field("pay.amount", "int"), field("pay.ok", "bool"), field("pay.rate", "float"), field("pay.note", "text"),
    field("pay.days", "list"), field("pay.data", "json"),
    field("pay.size", "categorical")._replace(enum_values=("small", 2)), field("pay.pin", "text", "private"),
)  # fmt: skip


def agent(*payloads: str) -> Project:
    """An agent whose `pay` offers buttons as it starts."""
    buttons = tuple(Button(f"b{n}", payload, HERE) for n, payload in enumerate(payloads))
    pick = Response("utter_pick", (Variant("Pick.", HERE, buttons=buttons),), HERE, None)
    pay = skill(
        "pay", fields=FIELDS, triggers=(trigger("utter_pick"), trigger("utter_high", "session.pay.amount > 10"))
    )
    ship = skill("ship", fields=(field("ship.day"),))
    skipped = says("utter_set_memory_button_skipped", "That didn't work.")
    return project(pay, ship, fields=(field("project.plan"),), responses=(pick, skipped, says("utter_high", "High!")))


def offered(*payloads: str) -> Played:
    return Played(agent(*payloads))(CustomerSaid("hi"), Activated("pay"))


def tapped(payload: str) -> Played:
    return offered(payload)(CustomerSaid(payload, "b0"))


def skipped(payload: str) -> list[str]:
    return [f"user {payload}", "bot That didn't work.", "bot_turn_ended"]


def test_a_tap_writes_before_the_model_has_its_turn() -> None:
    play = tapped("set:session.pay.amount=12")
    assert play.told == ["user set:session.pay.amount=12", "memory_set pay.amount 12"]
    assert play.state.turn.open
    assert play.state.writes["pay.amount"].writer == "customer"


def test_the_customers_message_carries_the_buttons_label() -> None:
    play = tapped("set:session.pay.amount=1")
    assert play.last[0].metadata == {"button_title": "b0"}
    assert play(CustomerSaid("hello")).last[0].metadata == {}


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        ("set:session.pay.ok=No", False), ("set:session.pay.rate=2", 2.0), ("set:session.pay.note=a=b", "a=b"),
        ('set:session.pay.days=["mon"]', ["mon"]), ('set:session.pay.data={"a": 1}', {"a": 1}),
        ("set:session.pay.data=0", 0), ("set:session.pay.size=small", "small"), ("set:session.pay.size=2", 2),
        ("set:session.pay.pin=1234", "1234"), ("set:session.project.plan=gold", "gold"),
    ],
)  # fmt: skip
def test_the_text_becomes_a_value_of_the_entrys_type(payload: str, value: object) -> None:
    key = payload.removeprefix("set:session.").partition("=")[0]
    assert tapped(payload).state.memory[key] == value


@pytest.mark.parametrize(
    "payload",
    [
        "set:session.pay.amount=twelve", "set:session.pay.ok=maybe", "set:session.pay.size=large",
        "set:session.pay.days={}", "set:session.pay.days=mon", "set:session.pay.data=null", "set:session.pay.data={",
        "set:session.pay.note=", "set:session.pay.note", "set:pay.note=x", "set:session.pay=x",
        "set:session.pay.note.more=x", "set:session.ship.day=x", "set:session.pay.nothing=x", "set: session.pay.note=x",
        "set:session.system.pending_tool_confirmation=x",
    ],
)  # fmt: skip
def test_a_tap_that_can_write_nothing_is_told_and_ends_the_turn(payload: str) -> None:
    play = tapped(payload)
    assert play.told == skipped(payload)
    assert not play.state.turn.open
    assert play.state.memory == {}


def test_only_buttons_of_the_latest_message_count() -> None:
    payload = "set:session.pay.amount=1"
    play = offered(payload)(ModelSaid("or tell me"), CustomerSaid(payload, "b0"))
    assert play.told == skipped(payload)
    assert offered("set:session.pay.amount=2")(CustomerSaid(payload)).told == skipped(payload)


def test_a_tap_twice_is_one_write_since_the_message_stays_the_latest() -> None:
    payload = "set:session.pay.note=x"
    assert tapped(payload)(CustomerSaid(payload)).told == [f"user {payload}", "memory_set pay.note 'x'"]


def test_project_memory_is_written_once_by_buttons_too() -> None:
    payload = "set:session.project.plan=gold"
    play = offered(payload)(AuthorSet("project.plan", "silver"), CustomerSaid(payload))
    assert play.told == skipped(payload)
    assert play.state.memory["project.plan"] == "silver"


def test_other_payloads_and_other_cases_are_words_like_any() -> None:
    assert tapped("yes").told == ["user yes"]
    assert tapped("SET:session.pay.note=x").told == ["user SET:session.pay.note=x"]


def test_a_tap_fires_no_trigger() -> None:
    assert tapped("set:session.pay.amount=99").told[-1] == "memory_set pay.amount 99"


def test_a_payload_is_split_at_its_first_equals_sign() -> None:
    assert setting("set:session.a.b= c=d\ne") == ("a.b", " c=d\ne")
    assert setting("set:session.a=b.c") is None
