"""What today's files make otherwise in a recording: each edit's effect is told, and nothing else is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from inspector_core.events import (
    Activated,
    Call,
    Called,
    Cancelled,
    Completed,
    CustomerSaid,
    Event,
    FieldsSet,
    ModelSaid,
    Resolved,
    Searched,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.project import BuiltinConstraint, Completion, Gate, Project
from inspector_core.mantle.reading.folder import read
from inspector_core.mantle.replay import Drift, Replay, drift
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.proof import Truth
from inspector_core.recording.mantle import Recording
from inspector_core.recording.mantle import read as read_recording
from inspector_core.source import FolderText
from tests.core.handmade import Played, asks, done_when, field, gate, local, project, rule, says, skill
from tests.core.kept import BANK, OLDER, RECORDINGS, SCRIPTS, older_text, recorded_text
from tests.core.test_broken import folder_text
from tests.core.test_rebuild import recorded

FILES = folder_text(BANK)
AGENT = read(FILES)
SKILL, MEMORY, TOOLS, RESPONSES = (f"skills/card_replacement/{f}" for f in ("skill.md", "memory.yml", "tools.py",
                                                                           "responses.yml"))  # fmt: skip
ORDER = "process_card_replacement"
NEEDS = "requires: session.project.authenticated and not session.card_replacement.submitted"
NAME = "name: Card replacement\n"
Edit = tuple[str, str, str]
Told = tuple[int, str, str, str]


def bank(*edits: Edit) -> Project:
    files = dict(FILES.files)
    for path, old, new in edits:
        assert files[path].count(old) == 1, f"{old!r} stands {files[path].count(old)} times in {path}"
        files[path] = files[path].replace(old, new)
    return read(FolderText("bank", files, FILES.directories))


def opened(name: str) -> Recording:
    return read_recording((RECORDINGS / f"{name}.jsonl").read_bytes(), f"{name}.jsonl")


def over(agent: Project, name: str = "card_replaced") -> Replay:
    recording = opened(name)
    seed = recording.own.header.seed if recording.own and recording.own.header else {}
    return Replay(agent, [one.event for one in recording.sessions[0].events], start(seed))


def told(found: tuple[Drift, ...]) -> list[Told]:
    return [(one.number, one.kind, one.subject, one.code) for one in found]


EDITS: dict[str, tuple[tuple[Edit, ...], list[Told]]] = {
    "a gate that is closed now": (
        ((SKILL, NEEDS, f"{NEEDS} and session.project.customer_name"),), [(33, "hidden", ORDER, "gate-false")],
    ),
    "a gate that can't be evaluated now": (
        ((SKILL, NEEDS, "requires: session.card_replacement.fee_cents >= 'x'"),),
        [(33, "hidden", ORDER, "gate-error")],
    ),
    "a confirmation that is no more": (
        ((SKILL, "      enabled: true\n", "      enabled: false\n"),), [(33, "unasked", ORDER, "no-confirmation")],
    ),
    "a confirmation that is new": (
        ((SKILL, "- charge_fee:", "- check_eligibility:\n    requires_confirmation:\n      enabled: true\n"
                                "- charge_fee:"),),
        [(27, "asks", "check_eligibility", "asks")],
    ),
    "an ask in other words": (
        ((RESPONSES, "Shall I replace the", "May I replace the"),), [(34, "ask-words", ORDER, "text")],
    ),
    "another response that asks": (
        ((SKILL, "utter_for_confirmation: utter_ask_replacement", "utter_for_confirmation: utter_ask_card"),),
        [(34, "ask-words", ORDER, "text")],
    ),
    "an argument of another name": (
        ((TOOLS, "card_id: str, context: ToolContext, shipping", "card: str, context: ToolContext, shipping"),),
        [(33, "refused", ORDER, "invalid-arguments"), (40, "pending", ORDER, "invalid-arguments")],
    ),
    "a tool of another name": (
        ((TOOLS, "async def check_eligibility", "async def check_whether_eligible"),),
        [(27, "refused", "check_eligibility", "not-found")],
    ),
    "an entry that is declared no more": (
        ((MEMORY, "    fee_cents:\n      type: int\n", ""),),
        [(26, "undeclared", "card_replacement.fee_cents", "undeclared")],
    ),
    "an entry of another type": (
        ((MEMORY, "    fee_cents:\n      type: int\n", "    fee_cents:\n      type: text\n"),),
        [(26, "value", "card_replacement.fee_cents", "mistyped")],
    ),
    "a value that is none any more": (
        ((MEMORY, "[standard, rush]", "[standard, express]"),),
        [(31, "value", "card_replacement.shipping", "mistyped")],
    ),
    "an entry that the model may not set": (
        ((MEMORY, "damaged]\n      llm_settable: true\n", "damaged]\n"),),
        [(7, "refused", "card_replacement.reason", "not-settable")],
    ),
    "a block that is gone": (
        ((SKILL, ":::ordered_block id=pick_card", ":::ordered_block id=choose_card"),),
        [(9, "gone", "pick_card", "no-block")],
    ),
    "a step that is gone": ((((SKILL, "- id: look_up\n", "- id: search\n"),)), [(17, "gone", "look_up", "no-step")]),
    "a step whose tool has a gate": (
        ((SKILL, "- charge_fee:", "- find_cards:\n    requires: session.project.customer_name\n- charge_fee:"),),
        [(21, "refused", "find_cards", "gate-false")],
    ),
    "another response after a success": (
        ((SKILL, "on_success: utter_replacement_ordered", "on_success: utter_fee_charged"),),
        [(40, "words", ORDER, "other-response")],
    ),
    "no response after a success": (
        ((SKILL, "    on_success: utter_replacement_ordered\n", ""),),
        [(42, "words", "utter_replacement_ordered", "not-said")],
    ),
    "a response in other words": (
        ((RESPONSES, "and travels by rush mail.", "and comes tomorrow."),),
        [(42, "words", "utter_replacement_ordered", "text")],
    ),
    "a response that is gone": (
        ((RESPONSES, "  utter_ask_shipping:", "  utter_ask_how:"),),
        [(29, "gone", "utter_ask_shipping", "no-response")],
    ),
    "a skill that is disabled": (
        ((SKILL, NAME, f"{NAME}disabled: true\n"),), [(5, "hidden", "card_replacement", "disabled")],
    ),
    "a precondition that is not met": (
        ((SKILL, NAME, f"{NAME}precondition: named\n"),
         ("agent.yml", "    verified:\n", "    named:\n      satisfied_when: session.project.customer_name\n"
                                          "      resolve_with: verify_identity\n    verified:\n")),
        [(3, "refused", "card_replacement", "precondition-unmet")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_an_edits_effect_on_the_recording_is_told_and_nothing_else(edit: str) -> None:
    edits, expected = EDITS[edit]
    assert told(drift(over(bank(*edits)))) == expected


@pytest.mark.parametrize("name", SCRIPTS)
def test_unedited_files_make_nothing_otherwise(name: str) -> None:
    replay = over(AGENT, name)
    assert drift(replay) == ()
    assert drift(replay, before=AGENT) == ()


@pytest.mark.parametrize("name", [*SCRIPTS, "older"])
def test_the_recordings_are_of_what_their_scripts_play(name: str) -> None:
    """Written by whatever version: what was kept once can be read for good."""
    path, again = (
        (OLDER, older_text()) if name == "older" else (RECORDINGS / f"{name}.jsonl", recorded_text(AGENT, name))
    )
    kept, made = (read_recording(data, "") for data in (path.read_bytes(), again.encode()))
    assert [told_by(one.event) for one in kept.sessions[0].events] == [
        told_by(one.event) for one in made.sessions[0].events
    ]


def told_by(event: TrackerEvent) -> tuple[object, ...]:
    return event.name, event.fields.get("tool_name"), event.fields.get("text"), event.fields.get("value")


def test_a_drift_says_what_was_what_would_be_why_and_where() -> None:
    [one] = drift(over(bank((SKILL, NEEDS, f"{NEEDS} and session.project.customer_name"))))
    assert (one.skill, one.was, one.now) == ("card_replacement", "it asked the customer", "customer_name is unset")
    assert one.proof is not None
    assert one.proof.truth is Truth.FAILS
    assert str(one.span) == f"{SKILL}:16:15"


def test_a_skill_that_is_gone_is_told_where_it_began_and_not_at_each_of_its_calls() -> None:
    files = {path: text for path, text in FILES.files.items() if not path.startswith("skills/card_replacement/")}
    folders = frozenset(d for d in FILES.directories if not d.startswith("skills/card_replacement"))
    found = drift(over(read(FolderText("bank", files, folders))))
    assert {one.kind for one in found} == {"gone", "undeclared"}
    assert [one.subject for one in found if one.code == "no-skill"] == ["card_replacement"]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ((SKILL, "    requires: session.card_replacement.fee_cents >= 100\n", ""), ["charge_fee", "charge_fee"]),
        (
            (SKILL, "- mcp/banking:get_balance\n", "- mcp/banking:get_balance\n- mcp/banking:get_limit\n"),
            ["get_limit"] * 2,
        ),
        (("skills/handoff/skill.md", "disabled: true\n", ""), ["handoff"]),
    ],
)
def test_what_is_newly_offered_is_told_against_the_files_as_they_were(edit: Edit, expected: list[str]) -> None:
    found = drift(over(bank(edit)), before=AGENT)
    assert {one.kind for one in found} == {"offered"}
    assert sorted({one.subject for one in found}) == sorted(set(expected))


# -- what the bank's recordings don't meet -----------------------------------------------------------------------------


ASK = asks("utter_ask", "utter_no")
PAYS = gate("pay", "session.shop.n", ASK, success="utter_yes")
BEGIN: tuple[Event, ...] = (CustomerSaid("hello"), Activated("shop"))
ASKED: tuple[Event, ...] = (*BEGIN, FieldsSet({"n": 1}), Called((Call("pay"),)))


def small(*gates: Gate, rules: Sequence[BuiltinConstraint] = (), done: Completion | None = None,
          knowledge: bool = True) -> Project:  # fmt: skip
    shop = skill("shop", tools=(local("pay"), local("look")), fields=(field("shop.n", settable=True),), gates=gates,
                 completion=done)  # fmt: skip
    responses = (says("utter_ask", "Sure?"), says("utter_no", "No."), says("utter_yes", "Yes."))
    return project(shop, responses=responses, rules=rules, knowledge=knowledge)


@pytest.mark.parametrize(
    ("moves", "then", "now", "expected"),
    [
        (
            (*ASKED, CustomerSaid("no"), Resolved(False)),
            small(PAYS),
            small(PAYS._replace(confirmation=asks("utter_ask", "utter_yes"))),
            [("words", "pay", "other-response")],
        ),
        (
            (*ASKED, CustomerSaid("no"), Resolved(False)),
            small(PAYS),
            small(PAYS._replace(confirmation=asks("utter_ask"))),
            [("words", "utter_no", "not-said")],
        ),
        (ASKED, small(PAYS), small(PAYS._replace(confirmation=asks())), [("ask-words", "pay", "text")]),
        (
            (*BEGIN, Cancelled()),
            small(),
            small(rules=(rule("cancel", confirmation=ASK),)),
            [("asks", "cancel", "asks")],
        ),
        (
            (*BEGIN, Cancelled()),
            small(rules=(rule("cancel", confirmation=ASK),)),
            small(),
            [("unasked", "cancel", "no-confirmation")],
        ),
        (
            (*BEGIN, Cancelled()),
            small(),
            small(rules=(rule("cancel", enabled=False),)),
            [("refused", "cancel", "disabled")],
        ),
        (
            (*BEGIN, Completed()),
            small(),
            small(done=done_when("session.shop.n")),
            [("refused", "complete", "completion-unmet")],
        ),
        (
            (*BEGIN, Searched("fees")),
            small(),
            small(knowledge=False),
            [("refused", "search_knowledge", "no-knowledge")],
        ),
        (
            (*BEGIN, FieldsSet({"n": 1}), Called((Call("look", {}, Stub(None, (("n", 0),))), Call("pay")))),
            small(),
            small(PAYS._replace(confirmation=None)),
            [("refused", "pay", "gate-false")],
        ),
        (
            (*BEGIN, Called((Call("look"),)), ModelSaid("so")),
            small(),
            small(gate("look", None, success="utter_yes")),
            [("words", "look", "other-response")],
        ),
    ],
)
def test_other_differences(moves: Sequence[Event], then: Project, now: Project, expected: list[Told]) -> None:
    events = recorded(Played(then), moves)
    assert drift(Replay(then, events)) == ()
    assert [(one.kind, one.subject, one.code) for one in drift(Replay(now, events))] == expected


def test_a_refusal_then_is_no_difference_now() -> None:
    events = recorded(Played(small(PAYS)), (*BEGIN, Called((Call("pay"),))))
    for agent in (small(PAYS), small(), small(gate("pay", "session.shop.x"))):
        assert drift(Replay(agent, events)) == ()


def test_a_tool_that_failed_after_it_had_written_has_run() -> None:
    moves = (*BEGIN, Called((Call("look", {}, Stub({"error": "no"}, (("n", 3),))),)))
    [one] = drift(Replay(small(gate("look", "session.shop.n > 5")), recorded(Played(small()), moves)))
    assert (one.kind, one.code, one.was) == ("hidden", "gate-error", "it ran, and failed")


def test_a_value_that_a_check_took_back_at_once_never_counted() -> None:
    agent = project(
        skill("shop", tools=(local("run_after_setting_n"),), fields=(field("shop.n", "int", settable=True),))
    )
    refuses = Stubbed("run_after_setting_n", Stub({"error": "no"}))
    for stubbed, expected in (((refuses,), []), ((), ["value"])):
        events = recorded(Played(agent), (*stubbed, *BEGIN, FieldsSet({"n": "many"}), ModelSaid("so")))
        assert [one.kind for one in drift(Replay(agent, events))] == expected
