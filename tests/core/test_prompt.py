"""What the model would be given: paragraphs, tokens, steps, memory, tools (§2.3, §2.4, §2.6, §3.4, §5.7)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_core.events import Activated, Call, Called, CustomerSaid
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import Frame, State
from inspector_core.mantle.project import Project
from inspector_core.mantle.prompt import Prompt, as_if, differences, flips, prompt
from tests.core import agents, handmade
from tests.core.agents import prose
from tests.core.drawn import drawn_agent, drawn_event

Memory = Mapping[str, object]


def live(project: Project, memory: Memory, skill: str = "pay", block: str | None = None, step: str = "") -> State:
    """A state in which a skill, or a step of its block, is live."""
    frames = (Frame("f1", skill), *((Frame("f2", skill, block, step),) if block else ()))
    return State(memory={k: v for k, v in memory.items() if v is not None}, stack=frames)


def made(body: str, memory: Memory | None = None, front: str = "", **files: str) -> Prompt:
    """The prompt while `pay` is in its prose."""
    project = agents.project({"skills/pay/skill.md": prose(body, front), **files})
    return prompt(project, live(project, memory or {}))


# -- paragraphs ----------------------------------------------------------------------------------------------------


def test_unconditional_paragraphs_are_joined_by_one_blank_line() -> None:
    assert made("One.\nStill one.\n\n \t\n\nTwo.").text == "One.\nStill one.\n\nTwo."


@pytest.mark.parametrize(("paid", "shown"), [(True, True), (False, False), (None, False), ("no", True)])
def test_a_conditional_paragraph_shows_while_its_condition_holds(paid: object, shown: bool) -> None:
    found = made("Always.\n\nif: session.pay.paid\nThanks.", {"pay.paid": paid})
    assert [p.shown for p in found.passages] == [True, shown]
    assert found.text == ("Always.\n\nThanks." if shown else "Always.")


def test_a_hidden_paragraph_says_why_and_where_its_condition_stands() -> None:
    hidden = made("if: session.pay.paid\nThanks.\n\nAlways.").passages[0]
    assert (hidden.why, hidden.condition) == ("paid is unset", "session.pay.paid")
    assert hidden.condition_span is not None
    assert hidden.condition_span.line == 5


def test_an_error_hides_a_paragraph_and_its_negation_too() -> None:
    found = made("if: session.pay.amount > 5\nMuch.\n\nif: not session.pay.amount > 5\nLittle.\n\nAlways.")
    assert found.text == "Always."
    assert [p.truth.value for p in found.passages] == ["errors", "errors", "holds"]
    assert "amount is unset" in found.passages[0].why


def test_a_condition_that_is_no_condition_hides_its_paragraph() -> None:
    assert made("if: >\nMuch.\n\nAlways.").text == "Always."


def test_a_condition_reads_what_the_active_skill_may_read() -> None:
    ship = {
        "skills/ship/skill.md": prose("Ship it."),
        "skills/ship/memory.yml": "schema:\n  public:\n    sent: {type: bool}\n  private:\n    pin: {type: text}\n",
    }
    body = "if: session.ship.sent\nSent.\n\nif: session.ship.pin\nPin.\n\nif: session.system.x\nEngine."
    found = made(body, {"ship.sent": True, "ship.pin": "1", "system.x": 1}, **ship)
    assert found.text == "Sent."


# -- tokens --------------------------------------------------------------------------------------------------------


FIELDS = """\
schema:
  public:
    name: {type: text}
    amount: {type: int}
    rate: {type: float}
    ok: {type: bool}
    items: {type: list}
    data: {type: json}
    card: {type: text, pii: true}
"""


def said(text: str, memory: Memory) -> str:
    return made(text, memory, **{"skills/pay/memory.yml": FIELDS}).text


@pytest.mark.parametrize(
    ("entry", "value", "text"),
    [
        ("name", "Ann", "Ann"),
        ("name", "two\n  words\tapart", "two words apart"),
        ("name", "", ""),
        ("name", "x" * 100, "x" * 100),
        ("name", "x" * 101, "x" * 100 + "... [truncated]"),
        ("amount", 5, "5"),
        ("amount", 0, "0"),
        ("rate", 99.5, "99.5"),
        ("ok", True, "True"),
        ("ok", False, "False"),
        ("items", ["a", 1], '["a", 1]'),
        ("data", {"k": None}, '{"k": null}'),
        ("card", "4821", "[set]"),
        ("card", "", "[set]"),
    ],
)
def test_a_memory_token_becomes_its_value(entry: str, value: object, text: str) -> None:
    assert said(f"Say @memory.pay.{entry}.", {f"pay.{entry}": value}) == f"Say {text}."


@pytest.mark.parametrize(
    "token",
    ["@memory.pay.name", "@memory.pay.nothing", "@memory.pay.name.x", "@memory.pay", "x@memory.pay.amount"],
)
def test_a_token_that_is_unset_or_none_is_left_as_it_is(token: str) -> None:
    assert said(f"Say {token}, please.", {"pay.amount": 5}) == f"Say {token}, please."


def test_a_token_of_anothers_private_entry_is_left_and_says_so() -> None:
    ship = {
        "skills/ship/skill.md": prose("Ship it."),
        "skills/ship/memory.yml": "schema:\n  private:\n    pin: {type: text}\n",
    }
    found = made("Say @memory.ship.pin", {"ship.pin": "1"}, **ship)
    assert found.text == "Say @memory.ship.pin"
    assert found.passages[0].filled[0].why == "`ship.pin` is private to `ship`"


def test_a_token_knows_where_its_value_stands() -> None:
    found = made("Ä @memory.pay.name, @memory.pay.amount!", {"pay.name": "Zoë", "pay.amount": 12})
    passage = found.passages[0]
    assert passage.text == "Ä Zoë, 12!"
    assert [passage.text[f.start : f.end] for f in passage.filled] == ["Zoë", "12"]
    assert passage.written == "Ä @memory.pay.name, @memory.pay.amount!"


def test_other_tokens_stay() -> None:
    assert made("Use @tool.x, then @skill.pay.").text == "Use @tool.x, then @skill.pay."


# -- ordered blocks ------------------------------------------------------------------------------------------------


STEPS = """\
- id: get
  collect: amount
  utterance: utter_ask
- id: talk
  instructions: Speak of @memory.pay.name.
  optional: true
  complete_when: session.pay.paid
- id: END
"""


def at_step(step: str, memory: Memory | None = None) -> Prompt:
    body = "Prose.\n\n" + agents.block(STEPS)
    files = {
        "skills/pay/skill.md": prose(body),
        "skills/pay/responses.yml": "responses:\n  utter_ask:\n  - text: How much?\n",
    }
    project = agents.project(files)
    return prompt(project, live(project, memory or {}, block="main", step=step))


def test_while_a_block_runs_its_step_speaks_and_the_prose_does_not() -> None:
    found = at_step("talk", {"pay.name": "Ann"})
    assert found.text == "Speak of Ann."
    assert found.target == "pay__main"
    assert found.step == "talk"


def test_a_collect_step_tells_the_entry_and_the_question_that_is_asked_word_for_word() -> None:
    told = [(p.kind, p.text) for p in at_step("get").passages if p.shown]
    assert told == [("collects", "amount (int)"), ("question", "How much?")]


def test_the_other_steps_are_kept_back_until_they_run() -> None:
    hidden = {(p.step, p.why) for p in at_step("get").passages if not p.shown}
    assert hidden == {("talk", "not before the step `talk` runs")}


def test_a_step_says_that_it_may_be_passed_over_or_asks_anew() -> None:
    assert "optional" in [p.kind for p in at_step("talk").passages if p.shown]
    steps = "- id: get\n  collect: amount\n  ask_before_filling: true\n- id: END\n"
    project = agents.project({"skills/pay/skill.md": prose("Prose.\n\n" + agents.block(steps))})
    found = prompt(project, live(project, {"pay.amount": 5}, block="main", step="get"))
    assert found.passages[0].text == "amount (int), asked for even if it is known"


@pytest.mark.parametrize(("step", "words"), [("END", "tells the model nothing"), ("START", "before its first step")])
def test_a_step_without_words_for_the_model_says_so(step: str, words: str) -> None:
    found = at_step(step)
    assert found.text == ""
    assert words in found.remark


def test_a_skill_of_the_engines_own_has_words_that_are_not_known() -> None:
    project = agents.project({})
    assert "not known" in prompt(project, live(project, {}, skill="default_completed")).remark


# -- routing -------------------------------------------------------------------------------------------------------


def test_routing_lists_names_and_descriptions_and_leaves_out_what_it_may_not_start() -> None:
    files = {
        "skills/ship/skill.md": "---\nname: Ship\ndescription: |\n  Sends\n  things.\n---\nShip it.\n",
        "skills/gone/skill.md": prose("Gone.", "disabled: true"),
        "skills/inner/skill.md": prose("Inner.", "hidden: true"),
        "skills/own/skill.md": prose("Own.", "routing: {engine_managed: true}"),
    }
    found = prompt(agents.project(files), State())
    listed = {c.skill: (c.name, c.description) for c in found.catalogue if c.listed}
    assert listed == {"pay": ("Pay", "Pays."), "ship": ("Ship", "Sends things.")}
    assert {c.skill: c.why for c in found.catalogue if not c.listed} == {
        "gone": "it is disabled", "inner": "it is hidden from routing", "own": "the engine alone starts it",
    }  # fmt: skip
    assert found.tools[0].schema == {
        "type": "object", "properties": {"target_id": {"type": "string", "enum": ["pay", "ship"]}},
    }  # fmt: skip


def test_no_catalogue_while_a_skill_is_active() -> None:
    assert made("Help.").catalogue == ()


def test_the_agent_itself_speaks_by_its_persona_and_its_rules() -> None:
    agent = """\
agent:
  persona: You are kind.
rules:
- Be brief.
- 5
orchestrator:
  model_group: main
  text_rules: No lists.
"""
    told = [(p.kind, p.text) for p in made("Help.", **{"agent.yml": agent}).agent]
    assert told == [("persona", "You are kind."), ("rule", "Be brief."), ("rule", "No lists.")]


# -- memory --------------------------------------------------------------------------------------------------------


def test_memory_shows_what_may_be_read_as_the_model_sees_it() -> None:
    files = {
        "memory.yml": "auth: {type: bool}\n",
        "skills/pay/memory.yml": "schema:\n  public:\n    card: {type: text, pii: true}\n"
        "  private:\n    tries: {type: int}\n",
        "skills/ship/skill.md": prose("Ship it."),
        "skills/ship/memory.yml": "schema:\n  public:\n    sent: {type: bool}\n  private:\n    pin: {type: text}\n",
    }  # fmt: skip
    memory = {"pay.card": "4821", "pay.tries": 2, "ship.sent": False, "ship.pin": "1", "project.auth": True}
    told = [(m.group, m.field.key, m.text) for m in made("Help.", memory, **files).memory if m.text is not None]
    assert told == [
        ("own", "pay.card", "[set]"), ("own", "pay.tries", "2"), ("project", "project.auth", "True"),
        ("others", "ship.sent", "False"),
    ]  # fmt: skip


def test_routing_reads_no_private_entry() -> None:
    project = agents.project({"skills/pay/memory.yml": "schema:\n  private:\n    pin: {type: text}\n"})
    assert "pay.pin" not in [m.field.key for m in prompt(project, State(memory={"pay.pin": "1"})).memory]


# -- tools ---------------------------------------------------------------------------------------------------------


def test_tools_stand_in_the_order_in_which_they_are_offered() -> None:
    pay = handmade.skill(
        "pay", tools=[handmade.local("b", n="integer"), handmade.local("a")], imports=[handmade.imported("common")],
        fields=[handmade.field("pay.amount", "int", settable=True)],
    )  # fmt: skip
    project = handmade.project(pay, handmade.skill("ship"), tools=[handmade.shared("common")], knowledge=True)
    names = [o.tool for o in prompt(project, live(project, {})).tools]
    built_in = ["activate", "search_knowledge", "listen", "complete", "cancel", "set_fields"]
    assert names == [*built_in, "common", "b", "a"]


def test_a_hidden_tool_is_not_in_the_list() -> None:
    pay = handmade.skill("pay", tools=[handmade.local("a")], gates=[handmade.gate("a", "session.pay.ok")],
                         fields=[handmade.field("pay.ok", "bool")])  # fmt: skip
    project = handmade.project(pay)
    assert "a" not in [o.tool for o in prompt(project, live(project, {})).tools]
    assert "a" in [o.tool for o in prompt(project, live(project, {"pay.ok": True})).tools]


def test_set_fields_has_an_argument_for_each_null_entry_by_its_type() -> None:
    memory = """\
schema:
  public:
    amount: {type: int, llm_settable: true, description: How much.}
    ok: {type: bool, llm_settable: true, description: Fine.}
    kind: {type: categorical, enum_values: [a, b], llm_settable: true, description: Which.}
    tags: {type: list, llm_settable: true, description: Tags.}
    odd: {type: text, enum_values: [a], llm_settable: true, description: Odd.}
    set: {type: text, llm_settable: true, description: Set.}
    own: {type: float}
"""
    found = made("Help.", {"pay.set": "x"}, **{"skills/pay/memory.yml": memory})
    offer = next(o for o in found.tools if o.tool == "set_fields")
    assert offer.schema == {
        "type": "object",
        "properties": {
            "amount": {"type": "integer", "description": "How much."},
            "ok": {"type": "boolean", "description": "Fine."},
            "kind": {"type": "string", "enum": ["a", "b"], "description": "Which."},
            "tags": {"type": "array", "description": "Tags."},
            "odd": {"type": "string", "description": "Odd."},
        },
    }


def test_a_remote_tool_has_no_schema_that_could_be_known() -> None:
    pay = handmade.skill("pay", imports=[handmade.imported("far", "bank")])
    project = handmade.project(pay, servers=["bank"])
    offer = next(o for o in prompt(project, live(project, {})).tools if o.tool == "far")
    assert offer.schema is None


def test_the_confirmation_that_waits_is_there_while_its_own_frame_is_live() -> None:
    pay = handmade.skill("pay", tools=[handmade.local("send")], gates=[handmade.gate("send", None, handmade.asks())])
    project = handmade.project(pay, handmade.skill("ship"))
    played = handmade.Played(project)(CustomerSaid("hi"), Activated("pay"), Called((Call("send"),)))
    waiting = prompt(project, played.state).pending
    assert waiting is not None
    assert waiting.tool == "send"
    played(CustomerSaid("wait"), Activated("ship"))
    assert prompt(project, played.state).pending is None


# -- what a flip changes -------------------------------------------------------------------------------------------


GATED = {
    "skills/pay/skill.md": prose(
        "Say @memory.pay.paid.\n\nif: session.pay.paid\nThanks.\n\nif: not session.pay.paid\nAsk for it.",
        "tool_constraints:\n- send:\n    requires: session.pay.paid",
    ),
    "skills/pay/tools.py": agents.tools("send"),
}


def told(before: Prompt, after: Prompt) -> list[tuple[str, str, str]]:
    return [(d.part, d.change, d.name) for d in differences(before, after)]


def test_a_flip_tells_what_appears_what_goes_and_what_reads_otherwise() -> None:
    project = agents.project(GATED)
    first, second = flips(project, live(project, {}), "pay.paid")
    assert (first.value, second.value) == (True, False)
    assert [(d.part, d.change, d.name) for d in first.differences] == [
        ("text", "changes", "Say @memory.pay.paid."), ("text", "appears", "Thanks."), ("text", "goes", "Ask for it."),
        ("memory", "changes", "pay.paid"), ("tool", "appears", "send"),
    ]  # fmt: skip
    assert [(d.part, d.change) for d in second.differences] == [("text", "changes"), ("memory", "changes")]


def test_a_flip_takes_back_what_the_other_brought() -> None:
    project = agents.project(GATED)
    unset = next(f for f in flips(project, live(project, {"pay.paid": True}), "pay.paid") if f.value is None)
    assert ("tool", "goes", "send") in [(d.part, d.change, d.name) for d in unset.differences]


def test_a_tools_arguments_differ_by_name() -> None:
    memory = "schema:\n  public:\n    amount: {type: int, llm_settable: true, description: How much.}\n" \
             "    name: {type: text, llm_settable: true, description: Who.}\n"  # fmt: skip
    project = agents.project({"skills/pay/memory.yml": memory})
    before, after = (prompt(project, live(project, m)) for m in ({}, {"pay.amount": 5}))
    changed = next(d for d in differences(before, after) if d.part == "tool")
    assert (changed.name, changed.before, changed.after) == ("set_fields", "amount", "")


def test_nothing_differs_from_itself() -> None:
    project = agents.project(GATED)
    now = prompt(project, live(project, {"pay.paid": True}))
    assert told(now, now) == []


def test_another_skill_is_another_target() -> None:
    project = agents.project({**GATED, "skills/ship/skill.md": prose("Ship it.")})
    here, there = (prompt(project, live(project, {}, skill=s)) for s in ("pay", "ship"))
    assert ("target", "changes", "what is active") in told(here, there)
    assert ("text", "appears", "Ship it.") in told(here, there)


# -- looking ahead -------------------------------------------------------------------------------------------------


def test_a_skill_that_is_not_active_is_shown_as_though_it_were() -> None:
    project = agents.project(GATED)
    found = prompt(project, as_if(project, State(memory={"pay.paid": True}), "pay"))
    assert found.text == "Say True.\n\nThanks."
    assert "send" in [o.tool for o in found.tools]


def test_a_block_is_shown_at_its_first_step_for_the_model() -> None:
    project = agents.project({"skills/pay/skill.md": prose("Prose.\n\n" + agents.block(STEPS))})
    assert prompt(project, as_if(project, State(), "pay", "main")).step == "get"


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_whatever_is_played_the_prompt_offers_what_the_report_offers(seed: int) -> None:
    chance = Random(seed)
    project = drawn_agent(chance)
    state = MANTLE.start(project, {})
    before = prompt(project, state)
    for _ in range(12):
        state, _ = MANTLE.step(project, state, drawn_event(chance, project, state))
        now = prompt(project, state)
        offered = {v.tool for v in MANTLE.report(project, state).of(state.skill) if v.offered}
        assert {o.tool for o in now.tools} == offered
        assert all(p.step in (None, now.step) for p in now.passages if p.shown)
        assert (now == before) <= (differences(before, now) == ())
        before = now
