"""A small agent, and the command run in this process."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from inspector.cli import main

FILES = {
    "agent.yml": "agent:\n  id: small\n  language: en\n  persona: Helpful.\norchestrator:\n  model_group: main\n",
    "integrations.yml": "model_groups:\n- id: main\n  models:\n  - provider: openai\n    model: gpt-5\n",
    "memory.yml": "authenticated:\n  type: bool\n  seed: true\n",
    "skills/pay/skill.md": """\
---
name: Pay
description: Pays an open invoice.
tool_constraints:
- submit_payment:
    requires: session.pay.amount >= 100
- lock_card:
    requires: session.project.authenticated and not session.pay.done
    requires_confirmation:
      enabled: true
---
Find out the amount with @tool.list_cards, then pay. Enter @block.main for it.

:::ordered_block id=main
tools:
- list_cards
steps:
- id: ask
  instructions: Ask for the amount.
- id: END
:::
""",
    "skills/pay/memory.yml": """\
schema:
  public:
    amount:
      type: int
      llm_settable: true
      description: How much to pay.
    done:
      type: bool
""",
    "skills/pay/tools.py": """\
from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


@tool(description="Pays.")
async def submit_payment(context: ToolContext) -> ToolResult:
    context.memory.set("done", True)
    return ToolResult(llm_response={"ok": True})


@tool(description="Locks the card.")
async def lock_card(context: ToolContext) -> ToolResult:
    return ToolResult(llm_response={"ok": True})


@tool(description="Lists the cards.")
async def list_cards(context: ToolContext) -> ToolResult:
    return ToolResult(llm_response={"cards": []})


@tool(description="Checks an amount.")
async def run_after_setting_amount(context: ToolContext) -> ToolResult:
    return ToolResult(llm_response={"ok": True})
""",
    "skills/ship/skill.md": "---\nname: Ship\ndescription: Ships a parcel.\n---\nShip it.\n",
    "skills/ship/memory.yml": "schema:\n  public:\n    amount:\n      type: int\n    done:\n      type: bool\n",
}


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """A correct agent of two skills."""
    root = tmp_path / "small"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.fixture
def broken(agent: Path) -> Path:
    """The same with an error: a skill that has no words."""
    (agent / "skills/ship/skill.md").write_text("---\nname: Ship\ndescription: Ships.\nnonsense: 1\n---\nShip it.\n")
    return agent


@dataclass(frozen=True)
class Ran:
    """What came of a run of the command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, object]:
        value: dict[str, object] = json.loads(self.out)
        return value

    def rows(self, key: str) -> list[dict[str, object]]:
        value = self.json[key]
        assert isinstance(value, list)
        return value

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


Inspector = Callable[..., Ran]


@pytest.fixture
def inspector(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Inspector:
    """Run the command with these arguments and this on stdin."""

    def run(*arguments: object, stdin: str | bytes = "") -> Ran:
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main([str(a) for a in arguments])
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
