"""Skills as a whole, the ways through their blocks, their imports and their preconditions."""

from __future__ import annotations

import pytest

from inspector_core.mantle.checks import check_project, check_skill
from tests.core.agents import Case, block, project, prose, tools

PAY, TOOLS, SHARED = "skills/pay/skill.md", "skills/pay/tools.py", "tools/shared.py"
GO = "Go on."
OTHER = {"skills/ship/skill.md": prose("Ship it.")}
HIDDEN = {"skills/ship/skill.md": prose("Ship it.", "hidden: true")}


def blocks(*texts: str, body: str = "") -> str:
    return prose("\n".join([body, *texts]).strip())


def linked(target: str, name: str = "one") -> str:
    return block(f"- id: go\n  link: {target}", name)


def called(target: str) -> str:
    return block(f"- id: go\n  call: {target}\n- id: END")


def bound(*pairs: tuple[str, str]) -> str:
    lines = "".join(f"    {n}:\n      satisfied_when: session.pay.paid\n      resolve_with: {r}\n" for n, r in pairs)
    return f"agent:\n  persona: You are kind.\norchestrator:\n  model_group: main\n  preconditions:\n{lines}"


END = "- id: END"
IDENTITY = [
    Case("mantle.validation.skill.reserved_id", {"skills/system/skill.md": prose(GO)}, OTHER),
    Case("mantle.validation.skill.invalid_id", {"skills/pay.now/skill.md": prose(GO)}, OTHER),
    Case(
        "mantle.validation.skill.missing_description",
        {PAY: "---\nname: Pay\ndescription: ' '\n---\nGo on.\n"},
        {PAY: prose(GO)},
    ),
    Case(
        "mantle.validation.skill.is_default_not_allowed",
        {PAY: prose(GO, "routing:\n  is_default: true")},
        {PAY: prose(GO, "routing:\n  engine_managed: true")},
        at="is_default",
    ),
    Case(
        "inspector.skill.unnameable",
        {"skills/pay-now/skill.md": prose(GO), "skills/pay-now/memory.yml": "schema: {public: {sum: {type: int}}}"},
        {"skills/pay-now/skill.md": prose(GO)},
        says="`pay_now`",
    ),
]
STRUCTURE = [
    Case(
        "mantle.validation.skill.no_entry_block",
        {PAY: blocks(linked("two"), linked("one", "two"))},
        {PAY: blocks(linked("two"), block(END, "two"))},
    ),
    Case(
        "mantle.validation.skill.no_entry_block",
        {PAY: blocks(linked("one"))},
        {PAY: blocks(block(END, "one"))},
        name="a block that names itself is no entry",
    ),
    Case(
        "mantle.validation.skill.multiple_entry_blocks",
        {PAY: blocks(block(END, "one"), block(END, "two"))},
        {PAY: blocks(block(END, "one"), block(END, "two"), body=GO)},
    ),
    Case(
        "mantle.validation.skill.unreachable_ordered_block",
        {PAY: blocks(block(END, "zero"), linked("two"), linked("one", "two"))},
        {PAY: blocks(linked("one", "zero"), linked("two"), block(END, "two"))},
    ),
    Case(
        "inspector.block.complete-when",
        {PAY: blocks(block(END, more="complete_when: session.pay.paid\n"))},
        {PAY: blocks(block(END))},
    ),
]
REPLACED = [
    Case(
        "mantle.validation.skill.silence_timeout_hangup_block",
        {"skills/default_silence_timeout/skill.md": blocks(block("- id: bye\n  action: hangup\n- id: END"))},
        {"skills/default_silence_timeout/skill.md": blocks(block("- id: wait\n  action: action_listen\n- id: END"))},
        at="hangup",
    ),
    Case(
        "mantle.validation.unsupported_request_handler.not_engine_managed",
        {"skills/default_unsupported_request_handler/skill.md": prose(GO, "routing: {engine_managed: false}")},
        {"skills/default_unsupported_request_handler/skill.md": prose(GO)},
        at="engine_managed",
    ),
    Case(
        "mantle.validation.unsupported_request_handler.missing_request_type",
        {"skills/default_unsupported_request_handler/skill.md": prose(GO)},
        {
            "skills/default_unsupported_request_handler/skill.md": prose(GO),
            "skills/default_unsupported_request_handler/memory.yml": "schema: {public: {request_type: {type: text}}}",
        },
    ),
    Case(
        "inspector.skill.missing-engine-entry",
        {"skills/default_continue_interrupted/skill.md": prose(GO)},
        {
            "skills/default_continue_interrupted/skill.md": prose(GO),
            "skills/default_continue_interrupted/memory.yml": (
                "schema: {public: {interrupted_task_name: {type: text}, wants_to_resume: {type: bool}}}"
            ),
        },
    ),
]
FLOW = [
    Case(
        "mantle.validation.flow.unresolved_next",
        {PAY: blocks(block("- id: go\n  noop: true\n  next: dnoe\n- id: done\n  noop: true"))},
        {PAY: blocks(block("- id: go\n  noop: true\n  next: done\n- id: done\n  noop: true\n  next: END"))},
        at="dnoe",
        says="did you mean `done`?",
    ),
    Case(
        "mantle.validation.flow.next_missing_else",
        {PAY: blocks(block("- id: go\n  noop: true\n  next:\n  - if: session.pay.paid\n    then: END"))},
        {PAY: blocks(block("- id: go\n  noop: true\n  next:\n  - if: session.pay.paid\n    then: END\n  - else: END"))},
    ),
    Case(
        "inspector.flow.unreachable-branch",
        {PAY: blocks(block("- id: go\n  noop: true\n  next:\n  - else: END\n  - if: session.pay.paid\n    then: go"))},
        {PAY: blocks(block("- id: go\n  noop: true\n  next:\n  - if: session.pay.paid\n    then: go\n  - else: END"))},
    ),
    Case(
        "inspector.flow.empty-next",
        {PAY: blocks(block("- id: go\n  noop: true\n  next: []\n- id: END"))},
        {PAY: blocks(block("- id: go\n  noop: true\n- id: END"))},
    ),
    Case(
        "inspector.flow.duplicate-step",
        {PAY: blocks(block("- id: go\n  noop: true\n- id: go\n  noop: true"))},
        {PAY: blocks(block("- id: go\n  noop: true\n- id: off\n  noop: true\n- id: END\n- id: END"))},
    ),
    Case(
        "mantle.validation.flow.unresolved_call",
        {PAY: blocks(called("shop"), body=GO), **OTHER},
        {PAY: blocks(called("ship"), body=GO), **OTHER},
        at="shop",
        says="did you mean `ship`?",
    ),
    Case(
        "mantle.validation.flow.unresolved_link",
        {PAY: blocks(linked("ship"), body=GO)},
        {PAY: blocks(linked("default_completed"), body=GO)},
        at="ship",
    ),
    Case(
        "mantle.validation.flow.internal_not_callable",
        {PAY: blocks(linked("two"), block(END, "two"), body=GO)},
        {PAY: blocks(linked("two"), block(END, "two"))},
        at="two",
    ),
    Case(
        "mantle.validation.skill.self_skill_not_callable",
        {PAY: blocks(called("pay"), body=GO)},
        {PAY: blocks(called("ship"), body=GO), **HIDDEN},
        at="pay",
    ),
    Case(
        "mantle.validation.action.unknown",
        {PAY: blocks(block("- id: go\n  action: submit")), TOOLS: tools("submit")},
        {PAY: blocks(block("- id: go\n  action: action_listen"))},
        at="submit",
        says="execute_tool: submit",
    ),
]
IMPORTED = "skill.import_tools.invalid_shared_tool"
BALANCE = {SHARED: tools("balance")}
REMOTE = {"integrations.yml": "model_groups:\n- id: main\n  models:\n  - provider: openai\n    model: gpt\n"
          "mcp_servers:\n- name: bank\n  url: http://bank.example/mcp\n"}  # fmt: skip


def importing(*names: str) -> dict[str, str]:
    return {PAY: prose(GO, "import_tools:\n" + "\n".join(f"- {n}" for n in names))}


IMPORTS = [
    Case(IMPORTED, {**importing("balanec"), **BALANCE}, {**importing("balance"), **BALANCE}, "balanec", "`balance`"),
    Case(IMPORTED, importing("balance"), {**importing("balance"), **BALANCE}, says="no shared tools"),
    Case(IMPORTED, {**importing("cancel"), **BALANCE}, {**importing("balance"), **BALANCE}, says="engine's own"),
    Case(IMPORTED, {**importing("pay_it"), TOOLS: tools("pay_it")}, {TOOLS: tools("pay_it")}, says="without importing"),
    Case(IMPORTED, importing("mcp/bnak:get"), {**importing("mcp/bank:get"), **REMOTE}, says="no server"),
    Case(
        IMPORTED,
        {**importing("mcp/bank:get"), **REMOTE, TOOLS: tools("get")},
        {**importing("mcp/bank:get"), **REMOTE, TOOLS: tools("put")},
        says="name of a tool of this skill",
    ),
    Case(
        IMPORTED,
        {**importing("mcp/bank:balance"), **REMOTE, **BALANCE},
        {**importing("mcp/bank:get"), **REMOTE, **BALANCE},
        says="name of a shared tool",
    ),
    Case(
        IMPORTED,
        {**importing("balance", "mcp/bank:balance"), **REMOTE, **BALANCE},
        {**importing("balance", "mcp/bank:get"), **REMOTE, **BALANCE},
        says="two imports",
    ),
]
KNOWN = {PAY: prose(GO, "precondition: known")}
PRECONDITIONS = [
    Case(
        "mantle.validation.precondition.missing_binding",
        {PAY: prose(GO, "precondition: knwon"), "agent.yml": bound(("known", "ship")), **OTHER},
        {**KNOWN, "agent.yml": bound(("known", "ship")), **OTHER},
        at="knwon",
        says="did you mean `known`?",
    ),
    Case(
        "mantle.validation.precondition.invalid_satisfied_when",
        {"agent.yml": bound(("known", "ship")).replace("session.pay.paid", "session.pay.paid == true"), **OTHER},
        {"agent.yml": bound(("known", "ship")), **OTHER},
        at="true",
    ),
    Case(
        "mantle.validation.precondition.unknown_resolver",
        {**KNOWN, "agent.yml": bound(("known", "shop")), **OTHER},
        {**KNOWN, "agent.yml": bound(("known", "ship")), **OTHER},
        at="shop",
    ),
    Case(
        "mantle.validation.precondition.self_resolve",
        {**KNOWN, "agent.yml": bound(("known", "pay"))},
        {**KNOWN, "agent.yml": bound(("known", "ship")), **OTHER},
        at="pay",
    ),
    Case(
        "mantle.validation.precondition.nested_resolver",
        {
            **KNOWN,
            "agent.yml": bound(("known", "ship"), ("near", "ask")),
            "skills/ship/skill.md": prose(GO, "precondition: near"),
            "skills/ask/skill.md": prose(GO),
        },
        {**KNOWN, "agent.yml": bound(("known", "ship"), ("near", "ask")), **OTHER, "skills/ask/skill.md": prose(GO)},
        at="ship",
    ),
    Case(
        "mantle.validation.precondition.cycle",
        {
            **KNOWN,
            "agent.yml": bound(("known", "ship"), ("near", "pay")),
            "skills/ship/skill.md": prose(GO, "precondition: near"),
        },
        {**KNOWN, "agent.yml": bound(("known", "ship"), ("near", "pay")), **OTHER},
    ),
]


@pytest.mark.parametrize("case", [*IDENTITY, *STRUCTURE, *REPLACED, *FLOW, *IMPORTS, *PRECONDITIONS], ids=str)
def test_it_is_found_where_it_is_wrong_and_only_there(case: Case) -> None:
    case.holds()


def test_of_a_block_that_can_not_be_read_nothing_is_missed() -> None:
    files = {PAY: blocks(called("two"), block("- id: [", "two"))}
    found = {f.code for f in check_skill(project(files), project(files).own_skills[0])}
    assert not {c for c in found if c.startswith("mantle.validation.flow")}


def test_the_engines_own_skills_are_not_judged() -> None:
    read = project({})
    assert [check_skill(read, s) for s in read.skills if s.bundled] == [()] * 7
    assert check_project(read) == ()
