"""Memory and the steps that fill it, tools and the places that name them, the responses that tools name."""

from __future__ import annotations

import pytest

from tests.core.agents import Case, block, codes, prose, tools

PAY, TOOLS, MEMORY, SHARED = "skills/pay/skill.md", "skills/pay/tools.py", "skills/pay/memory.yml", "tools/shared.py"
SAID = {"skills/pay/responses.yml": "responses:\n  utter_done:\n  - text: Done.\n"}
SHIP = {"skills/ship/skill.md": prose("Ship it."), "skills/ship/memory.yml": "schema: {public: {day: {type: text}}}"}


def schema(entry: str, section: str = "public") -> dict[str, str]:
    return {MEMORY: f"schema:\n  {section}:\n    {entry}\n"}


def collecting(entry: str, more: str = "") -> dict[str, str]:
    return {PAY: prose(block(f"- id: ask\n  collect: {entry}{more}\n- id: END"))}


def writing(name: str, tool: str = "submit") -> str:
    return tools(tool, body=f'context.memory.set("{name}", 1); return ToolResult(llm_response={{}})')


def constrained(options: str, tool: str = "submit") -> dict[str, str]:
    return {PAY: prose("Go.", f"tool_constraints:\n- {tool}: {options}"), TOOLS: tools("submit"), **SAID}


DESCRIBED = "\n  description: The name."
ENTRIES = [
    Case(
        "mantle.validation.memory.undeclared_entry",
        collecting("nmae", DESCRIBED),
        collecting("name", DESCRIBED),
        at="nmae",
        says="did you mean `name`?",
    ),
    Case(
        "mantle.validation.memory.undeclared_entry",
        {PAY: prose(block("- id: go\n  set_memory:\n    piad: true\n- id: END"))},
        {PAY: prose(block("- id: go\n  set_memory:\n    paid: true\n    pay.amount: 5\n- id: END"))},
        at="piad",
    ),
    Case(
        "mantle.validation.memory.collect_on_project",
        {**collecting("known", DESCRIBED), "memory.yml": "known: {type: bool}\n"},
        {**collecting("name", DESCRIBED), "memory.yml": "known: {type: bool}\n"},
        at="known",
    ),
    Case(
        "mantle.validation.memory.description_not_exposed",
        schema("name: {type: text, description: Who.}"),
        schema("name: {type: text, description: Who., llm_settable: true}"),
        at="description",
    ),
    Case(
        "mantle.validation.memory.description_required",
        schema("name: {type: text, llm_settable: true}"),
        schema("name: {type: text}"),
        at="name",
    ),
    Case(
        "mantle.validation.memory.description_required",
        collecting("name"),
        collecting("name", DESCRIBED),
        name="for what a step collects",
    ),
    Case(
        "mantle.validation.memory.collect_description_overrides",
        {**collecting("name", DESCRIBED), **schema("name: {type: text, description: Who.}")},
        {**collecting("name"), **schema("name: {type: text, description: Who.}")},
        at="description",
    ),
    Case(
        "mantle.validation.memory.project_llm_settable",
        {"memory.yml": "known: {type: bool, llm_settable: true}\n"},
        {"memory.yml": "known: {type: bool, seed: true}\n"},
        at="llm_settable",
    ),
    Case(
        "mantle.validation.memory.skill_seed",
        schema("name: {type: text, seed: true}"),
        schema("name: {type: text, seed: false}"),
        at="seed",
    ),
    Case(
        "mantle.validation.memory.default_skill_collect_initial_value",
        {
            "skills/default_completed/skill.md": prose(
                block("- id: go\n  collect: more\n  description: Is there more?")
            ),
            "skills/default_completed/memory.yml": "schema: {public: {more: {type: bool, initial_value: true}}}",
        },
        {
            "skills/default_completed/skill.md": prose(
                block("- id: go\n  collect: more\n  description: Is there more?")
            ),
            "skills/default_completed/memory.yml": "schema: {public: {more: {type: bool}}}",
        },
        at="initial_value",
    ),
    Case(
        "mantle.validation.settable_field.no_memory_validation_tool",
        schema("name: {type: text, description: Who., llm_settable: true}"),
        {
            **schema("name: {type: text, description: Who., llm_settable: true}"),
            TOOLS: tools("run_after_setting_name"),
        },
        at="name",
    ),
    Case(
        "inspector.memory.unknown-type",
        schema("paid: {type: boolean}"),
        schema("paid: {type: str}"),
        at="boolean",
        says="write `bool`",
    ),
    Case(
        "inspector.memory.enum-ignored",
        schema("way: {type: text, enum_values: [rush, slow]}"),
        schema("way: {type: categorical, enum_values: [rush, slow]}"),
        at="enum_values",
    ),
    Case("inspector.memory.unnameable", schema("to-day: {type: text}"), schema("to_day: {type: text}"), at="to-day"),
    Case(
        "inspector.memory.initial-value-ignored",
        {"memory.yml": "known: {type: bool, initial_value: false}\n"},
        schema("known: {type: bool, initial_value: false}"),
        at="initial_value",
    ),
]
SETTABLE = (
    "schema:\n  public:\n    name: {type: text, description: Who., llm_settable: true}\n"
    "    way: {type: text, description: How., llm_settable: true}\n"
)
CODE = [
    Case(
        "mantle.validation.tools.unresolved_tool",
        {PAY: prose("Use @tool.sbumit."), TOOLS: tools("submit")},
        {PAY: prose("Use @tool.submit, then @tool.complete."), TOOLS: tools("submit")},
        says="did you mean `submit`?",
    ),
    Case(
        "mantle.validation.tools.unresolved_tool",
        {PAY: prose("Use @tool.look."), SHARED: tools("look")},
        {PAY: prose("Use @tool.look.", "import_tools:\n- look"), SHARED: tools("look")},
        says="`import_tools`",
        name="shared and not imported",
    ),
    Case(
        "mantle.validation.tools.unresolved_tool",
        constrained("{on_success: utter_done}", "sbumit"),
        constrained("{on_success: utter_done}"),
        at="sbumit",
    ),
    Case(
        "mantle.validation.tools.unresolved_tool",
        constrained("{on_success: utter_done}", "cancel"),
        {PAY: prose("Go.", "tool_constraints:\n- look: {on_success: utter_done}"), SHARED: tools("look"), **SAID},
        says="engine's own",
        name="the engine's own can't be constrained here",
    ),
    Case(
        "mantle.validation.tools.unresolved_tool",
        {PAY: prose(block("- id: go\n  execute_tool: sbumit\n- id: END")), TOOLS: tools("submit")},
        {PAY: prose(block("- id: go\n  execute_tool: submit\n- id: END")), TOOLS: tools("submit")},
        at="sbumit",
    ),
    Case(
        "mantle.validation.tools.unresolved_tool",
        {PAY: prose(block("- id: END", more="tools: [sbumit]\n")), TOOLS: tools("submit")},
        {PAY: prose(block("- id: END", more="tools: [submit]\n")), TOOLS: tools("submit")},
        at="sbumit",
    ),
    Case("mantle.validation.tools.reserved_name", {TOOLS: tools("cancel")}, {TOOLS: tools("cancel_it")}, at="cancel"),
    Case("mantle.validation.tools.reserved_name", {SHARED: tools("listen")}, {SHARED: tools("hear")}, name="shared"),
    Case(
        "mantle.validation.tools.undeclared_memory_write",
        {TOOLS: writing("piad")},
        {TOOLS: writing("paid")},
        says="did you mean `paid`?",
    ),
    Case(
        "mantle.validation.tools.undeclared_memory_write",
        {SHARED: writing("piad")},
        {SHARED: writing("day"), **SHIP},
        name="by a shared tool, whichever skill has it",
    ),
    Case(
        "inspector.tool.foreign-write",
        {TOOLS: writing("ship.day"), **SHIP},
        {TOOLS: writing("project.day"), "memory.yml": "day: {type: text}\n", **SHIP},
    ),
    Case(
        "mantle.validation.tools.memory_manager_bypass",
        {TOOLS: tools("submit", body="context.memory.clear_entries(); return ToolResult(llm_response={})")},
        {TOOLS: tools("submit")},
    ),
    Case(
        "mantle.validation.tools.invalid_memory_validation_tool",
        {TOOLS: tools("run_after_setting_names"), MEMORY: SETTABLE},
        {TOOLS: tools("run_after_setting_way"), MEMORY: SETTABLE},
        says="did you mean `name`?",
    ),
    Case(
        "mantle.validation.memory_validation_tool.writes_llm_settable_field",
        {TOOLS: writing("name", "run_after_setting_way"), MEMORY: SETTABLE},
        {TOOLS: writing("way", "run_after_setting_way"), MEMORY: SETTABLE},
    ),
    Case("mantle.validation.hooks.import_failed", {"hooks/on_end.py": "def go(:\n"}, {"hooks/on_end.py": "x = 1\n"}),
    Case(
        "inspector.tool.not-async",
        {TOOLS: tools("submit", header="def")},
        {TOOLS: tools("submit")},
        at="submit",
    ),
]
ASK = "requires_confirmation: {{enabled: {}, utter_for_confirmation: {}, utter_on_user_denial: {}}}"
NAMED = [
    Case(
        "mantle.validation.tool_constraint.unknown_requires_confirmation_response",
        constrained("{" + ASK.format("true", "utter_dnoe", "utter_done") + "}"),
        constrained("{" + ASK.format("true", "utter_done", "utter_done") + "}"),
        at="utter_dnoe",
    ),
    Case(
        "mantle.validation.tool_constraint.unknown_requires_confirmation_response",
        constrained("{" + ASK.format("true", "utter_done", "utter_no") + "}"),
        constrained("{" + ASK.format("false", "utter_done", "utter_no") + "}"),
        at="utter_no",
        name="what is not switched on names nothing",
    ),
    Case(
        "mantle.validation.tool_constraint.unknown_on_success_or_failure",
        constrained("{on_failure: utter_dnoe}"),
        constrained("{on_failure: utter_done}"),
        at="utter_dnoe",
        says="did you mean `utter_done`?",
    ),
    Case(
        "mantle.validation.verbatim_trigger.unknown_response",
        {PAY: prose("Go.", "utter:\n- utter_dnoe: {on: activate}"), **SAID},
        {PAY: prose("Go.", "utter:\n- utter_done: {on: activate}"), **SAID},
        at="utter_dnoe",
    ),
    Case(
        "inspector.confirmation.not-enabled",
        constrained("{requires_confirmation: {utter_for_confirmation: utter_done}}"),
        constrained("{requires_confirmation: {enabled: false}}"),
    ),
    Case(
        "inspector.confirmation.unknown-response",
        {"agent.yml": "agent:\n  persona: p\norchestrator:\n  model_group: main\n  tool_constraints:\n    cancel:\n"
         "      requires_confirmation: {enabled: true, utter_for_confirmation: utter_sure}\n"},
        {"agent.yml": "agent:\n  persona: p\norchestrator:\n  model_group: main\n  tool_constraints:\n    cancel:\n"
         "      requires_confirmation: {enabled: true}\n"},
        at="utter_sure",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", [*ENTRIES, *CODE, *NAMED], ids=str)
def test_it_is_found_where_it_is_wrong_and_only_there(case: Case) -> None:
    case.holds()


def test_a_tool_file_that_can_not_be_read_hides_no_tool() -> None:
    files = {PAY: prose("Use @tool.submit."), TOOLS: "async def submit(:\n"}
    assert codes(files) == {"mantle.validation.tools.import_failed"}
