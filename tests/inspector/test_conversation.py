"""The conversation pane: buttons, offers, the judge's word, and lines that complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.completing import completions, onward
from inspector.panels.conversation import Card, Log, Talk
from inspector.screens.lists import Menu
from inspector.store import Store
from inspector_core.events import Activated, Cancelled, CustomerSaid, FieldsSet, ModelSaid
from tests.core import agents
from tests.inspector.screen import EMPTY, opened, press, project, text, type_line

FILES = {
    **agents.BASE,
    "skills/pay/skill.md": agents.prose(
        "Help the customer pay.\n\n" + agents.block("- id: ask\n  collect: name\n  utterance: utter_ask\n- id: END\n")
        + "\n\nEnter @block.main.",
        'complete_when:\n  condition: session.pay.paid\n  criteria: ["the customer is content"]',
    ),
    "skills/pay/memory.yml": agents.MEMORY,
    "skills/pay/responses.yml": """\
responses:
  utter_ask:
  - text: Who are you?
    buttons:
    - {title: Ann, payload: "set:session.pay.name=Ann"}
    - {title: Somebody else, payload: somebody else}
""",
}  # fmt: skip


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    for path, words in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(words)
    return tmp_path


def memory(pilot: Pilot[int]) -> dict[str, object]:
    return dict(pilot.app.store.view.state.memory)


ASKED = (CustomerSaid("hi"), Activated("pay"), Activated("pay__main"))


async def test_a_button_of_the_last_message_can_be_tapped(agent: Path) -> None:
    async with opened(agent) as pilot:
        pilot.app.store.play(*ASKED)
        await pilot.pause()
        assert "[ Ann ]" in text(pilot)
        log = pilot.app.screen.query_one(Log)
        log.focus()
        await press(pilot, ["up", "enter"])
        assert memory(pilot)["pay.name"] == "Ann"
        assert pilot.app.store.view.records[-1].event != "inspector_refused"


async def test_a_button_can_be_tapped_by_its_title(agent: Path) -> None:
    async with opened(agent) as pilot:
        pilot.app.store.play(*ASKED)
        await type_line(pilot, "/tap nobody")
        assert "no button `nobody`" in text(pilot)
        pilot.app.screen.query_one(Talk).value = ""
        await type_line(pilot, "/tap ann")
        assert memory(pilot)["pay.name"] == "Ann"
        assert [r.fields["text"] for r in pilot.app.store.view.records if r.event == "user"][-1].startswith("set:")


@pytest.mark.parametrize(("keys", "done"), [(["enter"], True), (["down", "enter"], False), (["escape"], None)])
async def test_the_author_says_what_the_judge_would(agent: Path, keys: list[str], done: bool | None) -> None:
    async with opened(agent) as pilot:
        pilot.app.store.play(CustomerSaid("hi"), Activated("pay"))
        pilot.app.store.set("pay.paid", True)
        await type_line(pilot, "/complete")
        assert isinstance(pilot.app.screen, Menu)
        assert "the customer is content" in text(pilot)
        await press(pilot, ["down", "up", *keys])
        completed = any(r.event == "skill_completed" for r in pilot.app.store.view.records)
        assert completed is bool(done)


async def test_whether_to_go_on_is_a_question_with_two_answers() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("my card"), Activated("card_replacement"), ModelSaid("hm"))
        pilot.app.store.play(CustomerSaid("i travel"), Activated("travel_notice"), Cancelled())
        await pilot.pause()
        assert "go on with card_replacement?" in text(pilot)
        card = pilot.app.screen.query_one(Card)
        assert card.current is not None
        assert card.current.id == "nothing"
        await type_line(pilot, "y")
        assert pilot.app.store.view.state.skill == "card_replacement"
        assert not card.display


async def test_what_was_interrupted_can_be_dropped() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("my card"), Activated("card_replacement"), ModelSaid("hm"))
        pilot.app.store.play(CustomerSaid("i travel"), Activated("travel_notice"), Cancelled())
        pilot.app.screen.query_one(Card).focus()
        await press(pilot, ["n"])
        assert "card_replacement" not in [f.skill_id for f in pilot.app.store.view.state.stack]


async def test_the_menu_tells_the_moves_with_what_is_to_be_known_of_each() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("my card"), Activated("card_replacement"), FieldsSet({"reason": "lost"}))
        await press(pilot, ["a"])
        shown = text(pilot)
        assert "correct reason" in shown
        assert "now 'lost'" in shown
        assert "cannot help: in domain" in shown


async def test_the_frame_shows_what_a_line_could_go_on_with() -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("my card"), Activated("card_replacement"))
        await press(pilot, ["t"])
        talk = pilot.app.screen.query_one(Talk)
        talk.value = "/set reason="
        await pilot.pause()
        assert "lost  stolen  damaged" in text(pilot).replace("reason=", "")
        talk.value = "hello"
        await pilot.pause()
        assert "turn 1 · the model moves" in text(pilot)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("/set card_hint=4821", "4821"),
        ('/set {"card_hint": 4821}', 4821),
        ("/set card_hint=true", "true"),
        ("/start card_replacement__pick_card card_hint=4821", "4821"),
    ],
)
async def test_a_typed_value_is_sent_as_a_model_would_unless_it_is_written_as_json(line: str, value: object) -> None:
    async with opened() as pilot:
        pilot.app.store.play(CustomerSaid("my card"), Activated("card_replacement"))
        await pilot.pause()
        talk = pilot.app.screen.query_one(Talk)
        talk.focus()
        talk.value = line
        await press(pilot, ["enter"])
        assert memory(pilot)["card_replacement.card_hint"] == value


# -- completion ----------------------------------------------------------------------------------------------------


def store() -> Store:
    made = Store(EMPTY, {}, lambda _: None)
    made.reload(project(), "14:02:11")
    made.play(CustomerSaid("my card"), Activated("card_replacement"), FieldsSet({"reason": "lost"}))
    return made


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("/ca", "/call"),
        ("/call l", "/call lock_card"),
        ("/call find_cards ", "/call find_cards hint="),
        ("/call find_cards hint=4821 & check", "/call find_cards hint=4821 & check_eligibility"),
        ("/start card_r", "/start card_replacement__pick_card"),
        ("/activate tr", "/activate travel_notice"),
        ("/start card_replacement sh", "/start card_replacement shipping="),
        ("/set ship", "/set shipping="),
        ("/set shipping=r", "/set shipping=rush"),
        ("/set shipping=rush card", "/set shipping=rush card_hint="),
        ("/correct ", "/correct reason="),
        ("/correct reason=s", "/correct reason=stolen"),
        ("/complete f", "/complete fail"),
        ("/cannot_help o", "/cannot_help out"),
        ("/search opening hours ", "/search opening hours finds="),
        ("/stub find_c", "/stub find_cards"),
        ("/stub find_cards raises=x sa", "/stub find_cards raises=x says="),
    ],
)
def test_a_line_completes(line: str, first: str) -> None:
    assert next(completions(store().view, line), None) == first


@pytest.mark.parametrize("line", ["hello", "", "/nothing ", "/call nothing a", "/listen ", "/set shipping=x"])
def test_what_nothing_fits_completes_into_nothing(line: str) -> None:
    assert list(completions(store().view, line)) == []


def test_a_command_that_stands_there_tells_how_it_is_used() -> None:
    assert onward(store().view, "/correct").startswith("/correct ENTRY=VALUE")
