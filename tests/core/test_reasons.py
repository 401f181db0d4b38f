"""Every reason code, given by files and moves as an author would have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from inspector_core.events import Activated, Call, Called, CannotHelp, CustomerSaid, Event, FieldsSet, Resolved
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.reasons import REASONS
from inspector_core.report import Verdict
from tests.core.agents import BASE, block, project, prose, tools

PAY, CODE, OTHER = "skills/pay/skill.md", "skills/pay/tools.py", "skills/other/skill.md"
SHARED = "tools/shared.py"
AGENT = BASE["agent.yml"]
GO = "Help the customer pay."
TALK = "- id: talk\n  instructions: Talk."
START = (CustomerSaid("hello"), Activated("pay"))
SEND = Called((Call("send"),))
SEARCH = Called((Call("search_knowledge", {"query": "fees"}),))
SETTABLE = "schema:\n  public:\n    amount: {type: int, llm_settable: true, description: How much.}\n"
ASKS = "requires_confirmation: {enabled: true}"
KNOWS = {"references/fees.md": "# Fees\n\nThere are none.\n"}


def named(tool: str, options: str = "") -> str:
    """A skill that has a gate for one tool."""
    return prose(GO, f"tool_constraints:\n- {tool}:\n    {options}\n")


def gated(requires: str) -> Mapping[str, str]:
    return {PAY: named("send", f"requires: {requires}"), CODE: tools("send")}


@dataclass(frozen=True)
class Shown:
    """Files, what happened, and the tool that then has the code for its reason."""

    code: str
    files: Mapping[str, str]
    tool: str = "send"
    events: tuple[Event, ...] = START
    memory: Mapping[str, object] = field(default_factory=dict)
    skill: str | None = "pay"

    def __str__(self) -> str:
        return self.code

    def verdict(self) -> Verdict:
        agent = project(dict(self.files))
        state = MANTLE.start(agent, self.memory)
        for event in self.events:
            state, _ = MANTLE.step(agent, state, event)
        found = [v for v in MANTLE.report(agent, state).of(self.skill) if v.tool == self.tool]
        assert len(found) == 1, found
        return found[0]


ASKING = {PAY: named("send", ASKS), CODE: tools("send")}
BLANK = {
    PAY: named("send", "requires_confirmation: {enabled: true, utter_for_confirmation: utter_ask}"),
    CODE: tools("send"),
    "responses.yml": "responses:\n  utter_ask:\n  - text: ' '\n",
}
BLOCKS = {
    PAY: prose(f"{GO} See @block.main.\n\n" + block(TALK), "tool_constraints:\n- send:\n"),
    CODE: tools("send"),
}
ASKS_FOR_SUM = block("- id: ask\n  collect: amount")
COLLECTS = {PAY: prose(f"{GO} See @block.main.\n\n{ASKS_FOR_SUM}"), "skills/pay/memory.yml": SETTABLE}
PRECONDITION = AGENT + "  preconditions:\n    known: {satisfied_when: session.pay.paid, resolve_with: other}\n"
OFF = AGENT + "  tool_constraints:\n    complete: {enabled: false}\n"

CASES = (
    Shown("offered", {CODE: tools("send")}),
    Shown("asks", ASKING),
    Shown("gate-false", gated("session.pay.paid")),
    Shown("gate-error", gated("session.pay.amount >= 100")),
    Shown("gate-error", gated("session.pay.name > 5"), memory={"pay.name": "Ann"}, events=()),
    Shown("gate-error", gated("session.pay.paid == true")),
    Shown("unknown-key", gated("session.pay.payd")),
    Shown(
        "unreadable-key",
        {
            **gated("session.other.pin"),
            OTHER: prose(GO),
            "skills/other/memory.yml": "schema:\n  private:\n    pin: {type: int}\n",
        },
        memory={"other.pin": 1},
    ),
    Shown("block-hides", BLOCKS, events=(*START, Activated("pay__main"))),
    Shown("engine-only", {CODE: tools("run_after_setting_amount")}, "run_after_setting_amount"),
    Shown("not-imported", {SHARED: tools("send")}, skill=None),
    Shown("not-imported", {PAY: prose(f"{GO} Use @tool.send."), SHARED: tools("send")}),
    Shown("not-found", {PAY: named("send")}),
    Shown("load-error", {PAY: named("send"), CODE: "def send(:\n"}),
    Shown("mcp-not-listed", {PAY: prose(GO, "import_tools: ['mcp/bank:send']")}),
    Shown("name-collision", {CODE: tools("cancel")}, "local/cancel"),
    Shown(
        "name-collision",
        {PAY: prose(GO, "import_tools: ['mcp/bank:send']"), CODE: tools("send")},
        "mcp/bank:send",
    ),
    Shown("shadowed-by-local", {PAY: named("send"), CODE: tools("send"), SHARED: tools("send")}, skill=None),
    Shown("skill-not-active", {}, "complete", events=()),
    Shown("disabled", {PAY: prose(GO, "disabled: true"), CODE: tools("send")}, events=()),
    Shown("disabled", {"agent.yml": OFF}, "complete"),
    Shown("skill-hidden", {PAY: prose(GO, "hidden: true"), CODE: tools("send")}, events=()),
    Shown("engine-managed", {PAY: prose(GO, "routing: {engine_managed: true}"), CODE: tools("send")}, events=()),
    Shown(
        "no-entry-block",
        {PAY: prose(block(TALK, "one") + "\n" + block(TALK, "two")), CODE: tools("send")},
        events=(),
    ),
    Shown(
        "precondition-unmet",
        {PAY: prose(GO, "precondition: known"), CODE: tools("send"), OTHER: prose(GO), "agent.yml": PRECONDITION},
        events=(),
    ),
    Shown("pending-confirmation", ASKING, events=(*START, SEND)),
    Shown("pending-confirmation", ASKING, "listen", (*START, SEND)),
    Shown("blank-ask", BLANK),
    Shown("resolved-this-turn", ASKING, events=(*START, SEND, CustomerSaid("yes"), Resolved(True))),
    Shown("paused-this-turn", ASKING, "resolve_tool_confirmation", (*START, SEND)),
    Shown("after-knowledge-search", {CODE: tools("send"), **KNOWS}, events=(*START, SEARCH)),
    Shown("nothing-to-start", {}, "activate"),
    Shown("no-knowledge", {}, "search_knowledge"),
    Shown("before-knowledge-search", KNOWS, "cannot_help"),
    Shown("nothing-pending", {}, "resolve_tool_confirmation"),
    Shown("collecting", COLLECTS, "listen", (*START, Activated("pay__main"))),
    Shown("declining", {}, "cancel", (*START, CannotHelp(True)), skill="default_unsupported_request_handler"),
    Shown("inside-block", BLOCKS, "complete", (*START, Activated("pay__main"))),
    Shown("completion-unmet", {PAY: prose(GO, "complete_when: {condition: session.pay.paid}")}, "complete"),
    Shown("nothing-to-correct", {}, "correct"),
    Shown("nothing-to-set", {"skills/pay/memory.yml": SETTABLE}, "set_fields", (*START, FieldsSet({"amount": 1}))),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_files_and_moves_that_give_the_code(case: Shown) -> None:
    verdict = case.verdict()
    assert verdict.reason == case.code
    offered = case.code in {"offered", "asks", "blank-ask", "resolved-this-turn", "paused-this-turn", "declining"}
    if case.code not in {"pending-confirmation", "completion-unmet"}:
        assert verdict.offered is offered


def test_every_code_is_given_by_some_files() -> None:
    assert {case.code for case in CASES} == set(REASONS)


def test_a_reason_other_than_offered_says_why() -> None:
    plain = {"offered", "asks"}
    assert [str(case) for case in CASES if case.code not in plain and not case.verdict().why] == []
