"""Who writes an entry, and what reads it."""

from __future__ import annotations

from dataclasses import replace

from inspector_core.mantle.condition import parse
from inspector_core.mantle.project import Branch, Button, Paragraph, Project, Response, Step, Variant
from inspector_core.mantle.uses import Use, readers, writers
from inspector_core.tool import MemoryUse
from tests.core.handmade import (
    HERE,
    block,
    done_when,
    field,
    gate,
    imported,
    local,
    named,
    needs,
    project,
    says,
    shared,
    skill,
    trigger,
)


def told(uses: tuple[Use, ...]) -> list[str]:
    return [f"{use.kind} {use.skill or '-'} {use.name}" for use in uses]


def agent() -> Project:
    steps = (
        Step("ask", "collect", HERE, target=named("card")),
        Step("fix", "set_memory", HERE, writes={"card": "x", "project.auth": True}),
        Step("go", "route", HERE, next=(Branch(parse("session.pay.card"), "END", HERE),)),
        Step("run", "execute_tool", HERE, target=named("send"), parameters={"card": " (session.pay.card) "}),
    )
    send = replace(local("send"), reads=(MemoryUse("card", HERE),), writes=(MemoryUse("pay.card", HERE),))
    login = replace(shared("login"), writes=(MemoryUse("auth", HERE), MemoryUse("card", HERE)))
    pick = Response(
        "utter_pick", (Variant("Pick", HERE, buttons=(Button("A", "set:session.pay.card=a", HERE),)),), HERE, "pay"
    )
    pay = skill(
        "pay", tools=(send,), gates=(gate("send", "session.pay.card"),), imports=(imported("login"),),
        blocks=(block("main", steps=steps),), fields=(field("pay.card", settable=True, initial="none"),),
        responses=(pick, says("utter_hi", "Hi {card}", owner="pay")),
        triggers=(trigger("utter_hi", "session.pay.card"),), completion=done_when("session.pay.card"),
    )  # fmt: skip
    pay = replace(pay, paragraphs=(Paragraph("text", HERE, parse("session.pay.card"), HERE),))
    auth = field("project.auth")._replace(seed=True)
    return project(
        pay, skill("other"), fields=(auth,), tools=(login,),
        preconditions=(needs("known", "session.project.auth", "other"),),
    )  # fmt: skip


def test_everything_that_writes_an_entry_is_named() -> None:
    assert told(writers(agent(), "pay.card")) == [
        "model pay card", "collect pay ask", "initial pay card", "tool pay send", "tool pay login", "step pay fix",
        "button pay utter_pick",
    ]  # fmt: skip


def test_a_shared_tool_writes_for_the_skill_that_takes_it_on() -> None:
    assert told(writers(agent(), "project.auth")) == ["seed - auth", "tool pay login", "step pay fix"]


def test_everything_that_reads_an_entry_is_named() -> None:
    assert told(readers(agent(), "pay.card")) == [
        "gate pay send", "complete_when pay pay", "trigger pay utter_hi", "paragraph pay text", "branch pay go",
        "step pay run", "response pay utter_hi", "tool pay send",
    ]  # fmt: skip


def test_a_precondition_reads_too() -> None:
    assert told(readers(agent(), "project.auth")) == ["precondition - known"]


def test_of_an_entry_nobody_knows_there_is_nothing_to_tell() -> None:
    assert writers(agent(), "no.where") == ()
    assert readers(agent(), "no.where") == ()
