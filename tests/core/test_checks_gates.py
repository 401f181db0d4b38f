"""Gates that the engine accepts unread, and words that work against a gate."""

from __future__ import annotations

import pytest

from tests.core.agents import Case, block, codes, found, prose, tools

PAY, TOOLS, SHARED = "skills/pay/skill.md", "skills/pay/tools.py", "tools/shared.py"
TOOL = {TOOLS: tools("submit", "send_note")}
SHIP = {
    "skills/ship/skill.md": prose("Ship it."),
    "skills/ship/memory.yml": "schema:\n  public:\n    day: {type: text}\n  private:\n    code: {type: text}\n",
}
HYPHEN = {"skills/pay-now/skill.md": prose("Go."), "skills/pay-now/memory.yml": "schema: {public: {sum: {type: int}}}"}


def gate(requires: str, body: str = "Go.", tool: str = "submit", more: str = "") -> str:
    return prose(body, f"tool_constraints:\n- {tool}:\n    requires: {requires}\n{more}")


def confirmed(body: str, requires: str = "session.pay.amount") -> dict[str, str]:
    return {PAY: gate(requires, body, "send_note", "    requires_confirmation: {enabled: true}"), **TOOL}


def branch(condition: str) -> str:
    return prose(block(f"- id: go\n  noop: true\n  next:\n  - if: {condition}\n    then: END\n  - else: END"))


def step(condition: str) -> str:
    return prose(block(f"- id: go\n  instructions: Go.\n  complete_when: {condition}\n- id: END"))


GATES = [
    Case(
        "inspector.gate.invalid",
        {PAY: gate("session.pay.paid is True"), **TOOL},
        {PAY: gate("session.pay.paid == True"), **TOOL},
    ),
    Case(
        "inspector.gate.invalid",
        {PAY: gate("session.pay.paid and"), **TOOL},
        {PAY: gate("session.pay.paid"), **TOOL},
        says="`submit` can never be offered",
    ),
    Case(
        "inspector.gate.invalid",
        {PAY: gate("session.pay-now.sum"), **TOOL, **HYPHEN},
        {PAY: gate("session.pay.paid"), **TOOL, **HYPHEN},
        name="a skill id that can't be named",
    ),
    Case(
        "inspector.gate.invalid",
        {PAY: branch("session.pay.paid == true")},
        {PAY: branch("session.pay.paid == True")},
        at="true",
        says="the turn",
    ),
    Case(
        "inspector.gate.invalid",
        {PAY: step("session.pay.paid == true")},
        {PAY: step("session.pay.paid == True")},
        at="true",
        says="the turn",
    ),
    Case(
        "inspector.gate.incomplete-path",
        {PAY: gate("session.pay"), **TOOL},
        {PAY: gate("session.pay.paid"), **TOOL},
        at="session.pay",
        says="counts as false",
    ),
    Case(
        "inspector.gate.unknown-key",
        {PAY: gate("session.pay.paid and session.pay.amuont"), **TOOL},
        {PAY: gate("session.pay.paid and session.pay.amount"), **TOOL},
        at="session.pay.amuont",
        says="did you mean `session.pay.amount`?",
    ),
    Case(
        "inspector.gate.unknown-key",
        {PAY: gate("session.shop.day"), **TOOL, **SHIP},
        {PAY: gate("session.ship.day"), **TOOL, **SHIP},
        says="did you mean `session.ship.day`?",
    ),
    Case("inspector.gate.unknown-key", {PAY: branch("session.pay.piad")}, {PAY: branch("session.pay.paid")}),
    Case("inspector.gate.unknown-key", {PAY: step("session.pay.piad")}, {PAY: step("session.pay.paid")}),
    Case(
        "inspector.gate.unknown-key",
        {PAY: prose("Go.", "complete_when: {condition: session.pay.piad}")},
        {PAY: prose("Go.", "complete_when: {condition: session.pay.paid}")},
    ),
    Case(
        "inspector.gate.unreadable-key",
        {PAY: gate("session.ship.code"), **TOOL, **SHIP},
        {PAY: gate("session.ship.day"), **TOOL, **SHIP},
        at="session.ship.code",
        says="private to `ship`",
    ),
    Case(
        "inspector.gate.unreadable-key",
        {PAY: gate("session.system.pending_tool_confirmation"), **TOOL},
        {PAY: gate("session.default_completed.anything"), **TOOL},
    ),
    Case(
        "inspector.gate.never-opens",
        {PAY: gate("session.pay.amount > 5 and session.pay.amount < 3"), **TOOL},
        {PAY: gate("session.pay.amount > 3 and session.pay.amount < 5"), **TOOL},
    ),
]
HIDING = block("- id: go\n  instructions: Call send_note now.\n- id: END")
LISTING = block("- id: go\n  instructions: Call send_note now.\n- id: END", more="tools: [send_note]\n")
IMPORTED = "import_tools:\n- send_note\ntool_constraints:\n- send_note:\n    requires: session.pay.paid"
WORDS = [
    Case(
        "inspector.block.hides-tool",
        {PAY: gate("session.pay.paid", f"Go.\n\n{HIDING}", "send_note"), **TOOL},
        {PAY: gate("session.pay.paid", f"Go.\n\n{LISTING}", "send_note"), **TOOL},
        at="send_note",
    ),
    Case(
        "inspector.block.hides-tool",
        {PAY: gate("session.pay.paid", f"Go.\n\n{HIDING}", "send_note"), **TOOL},
        {PAY: gate("session.pay.paid", HIDING, "send_note"), **TOOL},
        name="without prose, the skill's gates count in its blocks",
    ),
    Case(
        "inspector.block.drops-gate",
        {PAY: prose(f"Go.\n\n{HIDING}", IMPORTED), SHARED: tools("send_note")},
        {PAY: prose(f"Go.\n\n{LISTING}", IMPORTED), SHARED: tools("send_note")},
        at="send_note",
    ),
    Case(
        "inspector.prose.mentions-gated-tool",
        {PAY: gate("session.pay.paid", "Then use `send_note`.", "send_note"), **TOOL},
        {PAY: gate("session.pay.paid", "Go.\n\nif: session.pay.paid\nThen use `send_note`.", "send_note"), **TOOL},
        at="`send_note`",
    ),
    Case(
        "inspector.prose.mentions-gated-tool",
        {PAY: gate("session.pay.paid", "Use @tool.send_note.", "send_note"), **TOOL},
        {PAY: gate("not session.pay.paid", "Use @tool.send_note.", "send_note"), **TOOL},
        at="@tool.send_note",
    ),
    Case(
        "inspector.confirmation.double",
        confirmed("Ask the customer to confirm the sum. Then call send_note."),
        confirmed("Do not ask the customer to confirm: send_note does. Then call send_note."),
        at="Ask the customer to confirm",
    ),
    Case(
        "inspector.confirmation.double",
        confirmed("Go.", "session.pay.confirmed and session.pay.paid"),
        confirmed("Go.", "session.pay.paid"),
    ),
]


@pytest.mark.parametrize("case", [*GATES, *WORDS], ids=str)
def test_it_is_found_where_it_is_wrong_and_only_there(case: Case) -> None:
    case.holds()


@pytest.mark.parametrize("condition", ["session.pay.piad > 5", "session.pay.piad == 'x' and not session.pay.piad"])
def test_a_key_that_is_nothing_is_told_once(condition: str) -> None:
    files = {PAY: gate(condition), **TOOL}
    assert [f.code for f in found(files)] == ["inspector.gate.unknown-key"]


def test_where_the_engine_looks_we_do_not_look_again() -> None:
    files = {PAY: prose("Go.\n\nif: session.pay.piad\nDone.")}
    assert codes(files) == {"mantle.validation.prose.unknown_memory_key"}
