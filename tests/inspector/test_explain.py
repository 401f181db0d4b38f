"""The explanation of a tool: what the why panel draws and `inspector why` prints."""

from __future__ import annotations

from inspector.reports.explain import explain
from inspector.reports.text import printed
from inspector_core.mantle.dialect import MANTLE
from inspector_core.source import FolderText

SKILL = """\
---
name: Pay
description: Pays.
tool_constraints:
- pay:
    requires: session.pay.amount >= 100 and not session.project.blocked
    requires_confirmation:
      enabled: true
      utter_for_confirmation: utter_ask
    on_success: utter_paid
- lost:
    requires: session.other.secret == 'x'
- never:
    requires: session.pay.amount > 5 and session.pay.amount < 3
- nobody:
    requires: session.pay.orphan
- free: {}
---
Pay it.
"""
MEMORY = """\
schema:
  public:
    amount: {type: int, llm_settable: true, description: How much.}
    orphan: {type: bool}
"""
TOOLS = "from rasa.mantle.tools.decorator import tool\n" + "".join(
    f'\n@tool(description="x")\nasync def {name}(context): ...\n' for name in ("pay", "lost", "never", "nobody", "free")
)
FILES = {
    "agent.yml": "agent: {id: a, persona: p}\norchestrator: {model_group: m}\n",
    "memory.yml": "blocked: {type: bool, seed: true}\n",
    "skills/pay/skill.md": SKILL,
    "skills/pay/memory.yml": MEMORY,
    "skills/pay/responses.yml": "responses:\n  utter_ask:\n  - text: Pay {amount}?\n  utter_paid:\n  - text: Paid.\n",
    "skills/pay/tools.py": TOOLS,
    "skills/other/skill.md": "---\ndescription: Other.\n---\nx\n",
    "skills/other/memory.yml": "schema:\n  private:\n    secret: {type: text}\n",
}
FOLDERS = frozenset({"skills", "skills/pay", "skills/other"})
PROJECT = MANTLE.read(FolderText("small", FILES, FOLDERS))


def explained(tool: str, **memory: object) -> str:
    state = MANTLE.start(PROJECT, {k.replace("_", ".", 1): v for k, v in memory.items()})
    verdict = MANTLE.report(PROJECT, state).find(tool, "pay")
    assert verdict is not None
    return printed(explain(PROJECT, state, verdict))


def test_an_error_is_named_and_what_it_means_to_the_engine() -> None:
    out = explained("pay")
    assert out.startswith("! error: amount is unset: None >= 100  skills/pay/skill.md:6:15\n")
    assert "which the engine treats as closed" in out


def test_what_would_open_it_is_in_the_words_of_the_skill() -> None:
    out = explained("pay", pay_amount=5, project_blocked=True)
    assert "would open it\n  amount = 100 or more\n    and project.blocked = " in out


def test_who_may_write_is_told_for_each_entry() -> None:
    out = explained("pay")
    assert "    the model, by `set_fields`" in out
    assert "    whoever starts the session" in out


def test_what_nothing_writes_says_so() -> None:
    assert "nothing in the files writes it" in explained("nobody")


def test_what_can_not_be_read_here_says_so() -> None:
    assert "private to another skill" in explained("lost", other_secret="x")


def test_a_gate_that_no_value_opens_says_so() -> None:
    out = explained("never")
    assert "no value of what it reads opens it" in out
    assert "would open it" not in out


def test_an_open_gate_shows_what_a_call_asks_and_says() -> None:
    out = explained("pay", pay_amount=250)
    assert out.startswith("? asks")
    assert "would open it" not in out
    assert "asks the customer: Pay 250?  utter_ask" in out
    assert "on no: the model goes on" in out
    assert "on success: utter_paid" in out


def test_a_tool_without_a_gate_is_only_told_of() -> None:
    first, gap, *declared = explained("free").splitlines()
    assert (first, gap) == ("✓ offered  skills/pay/tools.py:16:11", "")
    assert declared[0] == "the tool"
    assert declared[-1] == "  takes no arguments"


def test_lines_about_an_entry_name_its_key_for_the_panel() -> None:
    state = MANTLE.start(PROJECT, {})
    verdict = MANTLE.report(PROJECT, state).find("pay", "pay")
    assert verdict is not None
    assert {line.key for line in explain(PROJECT, state, verdict)} == {None, "pay.amount", "project.blocked"}
