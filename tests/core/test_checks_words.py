"""Prose, steps' instructions and arguments, responses and their buttons."""

from __future__ import annotations

import pytest

from inspector_core.finding import Severity
from tests.core.agents import Case, block, codes, found, prose, tools

PAY, TOOLS, SAYS = "skills/pay/skill.md", "skills/pay/tools.py", "skills/pay/responses.yml"
SHIP = {
    "skills/ship/skill.md": prose("Ship it."),
    "skills/ship/memory.yml": "schema:\n  public:\n    day: {type: text}\n  private:\n    code: {type: text}\n",
}
HIDDEN = {**SHIP, "skills/ship/skill.md": prose("Ship it.", "hidden: true")}


def says(*variants: str, name: str = "utter_done") -> str:
    return f"responses:\n  {name}:\n" + "".join(f"  - {v}\n" for v in variants)


def button(payload: str) -> str:
    return says(f"text: Well?\n    buttons:\n    - title: Sure\n      payload: {payload}")


def instructed(text: str) -> dict[str, str]:
    return {PAY: prose(block(f"- id: go\n  instructions: {text}\n- id: END"))}


def running(value: str) -> dict[str, str]:
    steps = f"- id: go\n  execute_tool: submit\n  parameters:\n    sum: {value}\n- id: END"
    return {PAY: prose(block(steps)), TOOLS: tools("submit"), **SHIP}


PROSE = [
    Case(
        "mantle.validation.prose.invalid_if_expression",
        {PAY: prose("Go.\n\nif: session.pay.paid == true\nDone.")},
        {PAY: prose("Go.\n\nif: session.pay.paid == True\nDone.")},
        at="true",
    ),
    Case(
        "mantle.validation.prose.unknown_memory_key",
        {PAY: prose("Go.\n\nif: session.pay.paied\nDone.")},
        {PAY: prose("Go.\n\nif: session.pay.paid\nDone.")},
        at="session.pay.paied",
        says="did you mean `session.pay.paid`?",
    ),
    Case(
        "mantle.validation.prose.unknown_memory_key",
        {PAY: prose("Go.\n\nif: session.ship.code\nDone."), **SHIP},
        {PAY: prose("Go.\n\nif: session.ship.day\nDone."), **SHIP},
        says="private to `ship`",
    ),
    Case(
        "mantle.validation.prose.unknown_memory_reference",
        {PAY: prose("It is @memory.pay.amuont.")},
        {PAY: prose("It is @memory.pay.amount.")},
        says="did you mean `@memory.pay.amount`?",
    ),
    Case(
        "mantle.validation.prose.incomplete_memory_reference",
        {PAY: prose("It is @memory.amount.")},
        {PAY: prose("It is @memory.pay.amount.")},
        at="@memory.amount",
    ),
    Case(
        "mantle.validation.prose.incomplete_memory_reference",
        instructed("Say @memory.pay.amount.x now."),
        instructed("Say @memory.pay.amount now."),
        at="@memory.pay.amount.x",
        name="in a step",
    ),
    Case(
        "mantle.validation.prose.incomplete_at_reference",
        {PAY: prose("Use @skill for it."), **SHIP},
        {PAY: prose("Use @skill.ship. And write to x@skill now."), **SHIP},
        at="@skill",
    ),
    Case(
        "mantle.validation.prose.session_reference_in_instructions",
        {PAY: prose("It is **session.pay.amount**.")},
        {PAY: prose("It is @memory.pay.amount, in this session. It ends.")},
        at="session.pay.amount",
        says="`@memory.pay.amount`",
    ),
    Case(
        "mantle.validation.prose.session_reference_in_instructions",
        instructed("'Say ''session.pay.amount'' now.'"),
        instructed("Say it."),
        at="session.pay.amount",
        name="in a step",
    ),
    Case(
        "skill.referenced.invalid_target",
        {PAY: prose("Use @skill.shop."), **SHIP},
        {PAY: prose("Use @skill.ship."), **SHIP},
        says="did you mean `ship`?",
    ),
    Case(
        "skill.prose.hidden_skill_reference",
        {PAY: prose("Use @skill.ship."), **HIDDEN},
        {PAY: prose("Use @skill.ship."), **SHIP},
    ),
    Case(
        "skill.prose.bare_skill_mention",
        {PAY: prose("Then use ship."), **SHIP},
        {PAY: prose("Use @skill.ship, @memory.ship.day, ship.day, a ship-like thing or pay."), **SHIP},
        at="ship",
    ),
    Case(
        "inspector.prose.token-in-step",
        {**instructed("Use @skill.ship."), **SHIP},
        {**instructed("Use it."), **SHIP},
        at="@skill.ship",
    ),
]
PARAMETERS = [
    Case(
        "mantle.validation.execute_step.unknown_memory_key",
        running("session.pay.amuont"),
        running("(session.pay.amount)"),
        at="session.pay.amuont",
    ),
    Case(
        "mantle.validation.execute_step.invalid_session_parameter",
        running("session.amount"),
        running("the session. It is over"),
        at="session.amount",
    ),
    Case(
        "inspector.execute-step.literal",
        running("not session.pay.amount"),
        running("session.pay.amount"),
        at="not session.pay.amount",
    ),
    Case("inspector.execute-step.literal", running("[session.pay.amount]"), running("[5]"), name="nested"),
]
VARIANTS = [
    Case(
        "mantle.validation.response.missing",
        {PAY: prose(block("- id: go\n  action: utter_dnoe\n- id: END")), SAYS: says("text: Done.")},
        {PAY: prose(block("- id: go\n  action: utter_done\n- id: END")), SAYS: says("text: Done.")},
        at="utter_dnoe",
        says="did you mean `utter_done`?",
    ),
    Case(
        "mantle.validation.response.missing",
        {PAY: prose(block("- id: go\n  collect: name\n  description: Who.\n  utterance: utter_who\n- id: END"))},
        {PAY: prose(block("- id: go\n  collect: name\n  description: Who.\n  utterance: utter_hangup_goodbye\n"))},
        at="utter_who",
        name="asked by a step; the engine's own are there",
    ),
    Case("mantle.validation.response.empty_body", {SAYS: says("text: ' '")}, {SAYS: says("text: Done.")}),
    Case(
        "mantle.validation.response.default_required",
        {SAYS: says("text: Done.\n    condition: session.pay.paid")},
        {SAYS: says("text: Done.\n    condition: session.pay.paid", "text: Not yet.")},
    ),
    Case(
        "mantle.validation.response.multiple_defaults",
        {SAYS: says("text: Done.\n    condition: session.pay.paid", "text: Not yet.", "text: No.")},
        {SAYS: says("text: Not yet.", "text: No.")},
    ),
    Case("inspector.response.never-spoken", {SAYS: says("text: Hi.", "text: Hello.")}, {SAYS: says("text: Hi.")}),
    Case(
        "mantle.validation.response.invalid_condition",
        {SAYS: says("text: Done.\n    condition: session.pay.amount > -1", "text: No.")},
        {SAYS: says("text: Done.\n    condition: session.pay.amount > 1", "text: No.")},
        at="-1",
    ),
    Case(
        "mantle.validation.response.unknown_memory_key",
        {SAYS: says("text: Done.\n    condition: session.system.pending", "text: No.")},
        {SAYS: says("text: Done.\n    condition: session.pay.paid", "text: No.")},
        at="session.system.pending",
    ),
    Case(
        "inspector.response.unknown-placeholder",
        {SAYS: says("text: It is {session.pay.amuont}.")},
        {SAYS: says("text: It is {session.pay.amount}, {name}. {5} {not this}")},
        at="{session.pay.amuont}",
        says="did you mean `session.pay.amount`?",
    ),
    Case(
        "inspector.response.unknown-placeholder",
        {SAYS: says("text: Hello {nmae}.")},
        {SAYS: says("text: Hello {name}.")},
        at="{nmae}",
        says="did you mean `name`?",
    ),
    Case(
        "inspector.response.shadowed",
        {SAYS: says("text: Done."), **SHIP, "skills/ship/responses.yml": says("text: Sent.")},
        {SAYS: says("text: Done."), "responses.yml": says("text: All done.")},
    ),
]
SOURCE = says("text: Which?\n    buttons: {source: offers}")
BUTTONS = [
    Case(
        "mantle.validation.response.invalid_button_payload",
        {SAYS: button("set:pay.paid=true")},
        {SAYS: button("set:session.pay.paid=true")},
        at="set:pay.paid=true",
    ),
    Case(
        "mantle.validation.response.invalid_set_memory_value",
        {SAYS: button("set:session.pay.amount=ten")},
        {SAYS: button("set:session.pay.amount=10")},
        says="a whole number",
    ),
    Case(
        "mantle.validation.response.invalid_set_memory_value",
        {SAYS: button("set:session.pay.paid=maybe")},
        {SAYS: button("set:session.pay.paid=Yes")},
        says="true or false",
    ),
    Case(
        "mantle.validation.response.not_writable_memory_key",
        {SAYS: button("set:session.ship.day=monday"), **SHIP},
        {SAYS: button("set:session.project.day=monday"), "memory.yml": "day: {type: text}\n"},
        says="another skill's memory",
    ),
    Case(
        "mantle.validation.response.not_writable_memory_key",
        {SAYS: button("set:session.pay.nmae=Ann")},
        {SAYS: button("set:session.pay.name=Ann")},
        says="did you mean `session.pay.name`?",
    ),
    Case(
        "mantle.validation.response.unknown_button_source_tool",
        {SAYS: SOURCE},
        {SAYS: SOURCE, TOOLS: tools("offers")},
        at="offers",
    ),
    Case(
        "mantle.validation.response.mcp_button_source_tool",
        {SAYS: SOURCE, PAY: prose("Go.", "import_tools:\n- mcp/bank:offers")},
        {SAYS: SOURCE, TOOLS: tools("offers")},
    ),
    Case(
        "mantle.validation.response.confirming_button_source_tool",
        {
            SAYS: SOURCE,
            TOOLS: tools("offers"),
            PAY: prose("Go.", "tool_constraints:\n- offers:\n    requires_confirmation: {enabled: true}"),
        },
        {SAYS: SOURCE, TOOLS: tools("offers")},
    ),
    Case(
        "mantle.validation.response.unbound_button_source",
        {"responses.yml": SOURCE, TOOLS: tools("offers")},
        {
            "responses.yml": SOURCE,
            TOOLS: tools("offers"),
            PAY: prose(block("- id: go\n  action: utter_done\n- id: END")),
        },
        at="offers",
    ),
]


@pytest.mark.parametrize("case", [*PROSE, *PARAMETERS, *VARIANTS, *BUTTONS], ids=str)
def test_it_is_found_where_it_is_wrong_and_only_there(case: Case) -> None:
    case.holds()


def test_a_file_of_responses_that_can_not_be_read_hides_no_response() -> None:
    files = {PAY: prose(block("- id: go\n  action: utter_done\n- id: END")), SAYS: "responses:\n  utter_done: [\n"}
    assert "mantle.validation.response.missing" not in codes(files)


def test_memory_that_can_not_be_read_makes_no_key_unknown() -> None:
    files = {PAY: prose("Go.\n\nif: session.pay.paid\nDone."), "skills/pay/memory.yml": "schema: [\n"}
    assert {f.code for f in found(files) if f.severity is Severity.ERROR} == {"inspector.yaml.syntax"}


@pytest.mark.parametrize("value", ["true", "YES", "0"])
def test_a_button_may_write_what_the_engine_takes_for_a_bool(value: str) -> None:
    assert "mantle.validation.response.invalid_set_memory_value" not in codes(
        {SAYS: button(f"set:session.pay.paid={value}")}
    )


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("int", "5", "5.5"),
        ("float", "5.5", "much"),
        ("list", "[1, 2]", "1, 2"),
        ("json", '{"a":1}', "null"),
        ("categorical, enum_values: [rush, 1]", "1", "slow"),
    ],
)
def test_a_button_writes_what_fits_the_type(kind: str, good: str, bad: str) -> None:
    memory = {"skills/pay/memory.yml": f"schema: {{public: {{it: {{type: {kind}}}}}}}"}
    code = "mantle.validation.response.invalid_set_memory_value"
    assert code not in codes({**memory, SAYS: button(f"set:session.pay.it={good}")})
    assert code in codes({**memory, SAYS: button(f"set:session.pay.it={bad}")})
