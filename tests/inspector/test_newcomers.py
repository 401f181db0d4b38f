"""What those who came to the inspector for the first time stumbled over, kept from coming back."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector.panels.bars import KeyBar
from inspector.panels.conversation import Talk
from inspector.panels.memory import Memory
from inspector.panels.tools import Tools
from inspector.reports.explain import explain, ways
from inspector.store import Store
from inspector.themes import bundled_themes
from inspector_core.events import AuthorSet, CustomerSaid
from inspector_core.mantle.engine.pending import closed_since
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from tests.inspector.screen import BANK, EMPTY, opened, press, project, text, type_line

TEMPLATE = {
    "agent.yml": "agent:\n  persona: a clerk\norchestrator:\n  model_group: main\n",
    "integrations.yml": "model_groups:\n- id: main\n  models:\n  - provider: openai\n    model: m\n",
    "skills/pay/skill.md": "---\nname: Pay\ndescription: pays\ntool_constraints:\n"
    "- send:\n    requires: session.pay.account\n"
    "---\nPay with `send`.\n",
    "skills/pay/memory.yml": "schema:\n  public:\n    account:\n      type: text\n      llm_settable: true\n"
    "      description: which one\n",
    "skills/pay/tools.py": "from rasa.mantle.tools.decorator import ToolContext, tool\n"
    "from rasa.mantle.tools.result import ToolResult\n\n\n@tool(description='Send it.')\n"
    "async def send(context: ToolContext, digits: str) -> ToolResult:\n"
    "    return ToolResult(llm_response={'sent': True})\n",
}


def agent(root: Path, **other: str) -> Path:
    for path, content in {**TEMPLATE, **other}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    return root


def store(root: Path = BANK) -> Store:
    made = Store(EMPTY, {}, lambda view: None)
    made.reload(project(root), "14:02:11")
    return made


def test_a_call_that_starts_the_skill_keeps_what_was_written_by_hand(tmp_path: Path) -> None:
    played = store(agent(tmp_path))
    played.set("pay.account", "savings")
    played.call_again("pay", "send")
    assert played.view.state.memory["pay.account"] == "savings"
    ran = [r for r in played.view.records if r.event == "tool_executed" and r.fields["tool_name"] == "send"]
    assert [r.fields["result"] for r in ran] == ['{"sent": true}']


def test_no_value_of_an_undeclared_key_is_advised(tmp_path: Path) -> None:
    skill = TEMPLATE["skills/pay/skill.md"].replace("session.pay.account", "session.pay.acount")
    played = store(agent(tmp_path, **{"skills/pay/skill.md": skill}))
    verdict = played.view.report.find("send", "pay")
    assert verdict is not None
    assert ways(played.view.project, played.view.state, verdict) == ()
    assert "did you mean `pay.account`?" in words(played.view.project, played.view.state, played)
    assert played.open_gate("pay", "send") == "no value opens the gate of `send`"


def words(agent: Project, state: State, played: Store) -> str:
    verdict = played.view.report.find("send", "pay")
    assert verdict is not None
    return "\n".join("".join(t for t, _ in line.pieces) for line in explain(agent, state, verdict))


@pytest.mark.parametrize("theme", [t.name for t in bundled_themes()])
async def test_every_theme_paints_the_screen_and_a_dialog(theme: str) -> None:
    async with opened() as pilot:
        pilot.app.theme = theme
        await press(pilot, ["2", "c", "escape", "question_mark", "escape", "4", "enter", "escape", "ctrl+p", "escape"])
        assert "process_c" in text(pilot)


async def test_words_typed_after_a_call_are_the_customers_and_no_answer() -> None:
    async with opened() as pilot:
        pilot.app.store.play(AuthorSet("project.authenticated", True))
        await pilot.pause()
        pilot.app.screen.query_one(Tools).select(("card_replacement", "process_card_replacement"))
        await press(pilot, ["C"])
        assert pilot.app.screen.query_one(Talk).has_focus
        await press(pilot, [*"yesterday", "enter"])
        assert pilot.app.store.view.state.pending is not None
        assert pilot.app.store.view.session.events[-1] == CustomerSaid("yesterday")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_refused_call_is_told_at_the_foot_of_the_screen_until_the_next_key(size: tuple[int, int]) -> None:
    async with opened(size=size) as pilot:
        pilot.app.screen.query_one(Tools).select(("card_replacement", "lock_card"))
        await press(pilot, ["C"])
        assert "lock_card: " in pilot.app.screen.query_one(KeyBar).news
        assert "lock_card: " in text(pilot).split("\n")[-1]
        await press(pilot, ["2"])
        assert pilot.app.screen.query_one(KeyBar).news == ""


async def test_digits_typed_for_a_string_are_a_string(tmp_path: Path) -> None:
    async with opened(agent(tmp_path)) as pilot:
        pilot.app.store.set("pay.account", "savings")
        await type_line(pilot, "/call send digits=4821")
        records = pilot.app.store.view.records
        assert [r.fields["arguments"] for r in records if r.fields.get("tool_name") == "send"] == [{"digits": "4821"}]


async def test_a_misspelt_tool_starts_nothing_and_keeps_the_line() -> None:
    async with opened() as pilot:
        await type_line(pilot, "/call find_crds")
        assert pilot.app.store.view.state.stack == ()
        assert "did you mean `find_cards`?" in pilot.app.screen.query_one(KeyBar).news
        assert pilot.app.screen.query_one(Talk).value == "/call find_crds"


async def test_sent_lines_come_back_with_the_up_arrow_and_escape_leads_to_the_tools() -> None:
    async with opened() as pilot:
        await type_line(pilot, "hello")
        await press(pilot, ["up"])
        assert pilot.app.screen.query_one(Talk).value == "hello"
        await press(pilot, ["escape"])
        assert pilot.app.screen.query_one(Tools).has_focus


async def test_looking_back_is_said_at_every_size() -> None:
    async with opened(size=(80, 24)) as pilot:
        pilot.app.store.play(AuthorSet("project.authenticated", True))
        pilot.app.store.play(CustomerSaid("hello"))
        await press(pilot, ["2", "left_square_bracket"])
        assert "looking back 1/2" in text(pilot).split("\n")[0]
        pilot.app.store.play(CustomerSaid("other"))
        await pilot.pause()
        assert "1 later event dropped: u brings back" in text(pilot)


async def test_space_on_a_text_entry_asks_for_the_text() -> None:
    async with opened() as pilot:
        memory = pilot.app.screen.query_one(Memory)
        memory.focus()
        memory.select("card_replacement.selected_card_id")
        await press(pilot, ["space", *"4821", "enter"])
        assert pilot.app.store.view.state.memory["card_replacement.selected_card_id"] == "4821"


async def test_a_filter_that_finds_nothing_says_so() -> None:
    async with opened() as pilot:
        await press(pilot, ["2", "slash", *"zzz", "enter"])
        assert "nothing contains `zzz`" in text(pilot)


def test_an_unmet_precondition_says_what_would_meet_it() -> None:
    played = store()
    verdict = played.view.report.find("list_charges", "dispute_charge")
    assert verdict is not None
    assert verdict.reason == "precondition-unmet"
    assert [[c.key for c in way.changes] for way in ways(played.view.project, played.view.state, verdict)] == [
        ["project.authenticated"]
    ]
    assert played.open_gate("dispute_charge", "list_charges") == "wrote project.authenticated = true"
    after = played.view.report.find("list_charges", "dispute_charge")
    assert after is not None
    assert after.standing == "offered"


def test_a_gate_that_closes_while_its_ask_waits_is_noticed() -> None:
    played = store()
    played.set("project.authenticated", True)
    played.call_again("card_replacement", "process_card_replacement")
    pending = played.view.state.pending
    assert pending is not None
    assert not closed_since(played.view.report, pending)
    played.set("project.authenticated", None)
    assert closed_since(played.view.report, pending)
