"""Playing a script: what passes, what fails, and what is said of it."""

from __future__ import annotations

import pytest

from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.project import Project
from inspector_core.script.reading import read
from inspector_core.script.running import Run, advance, ready, run
from inspector_core.source import Source
from tests.core import agents

SKILL = agents.prose(
    "Pay it.",
    """
tool_constraints:
- send:
    requires: session.pay.amount > 0
    requires_confirmation: {enabled: true, utter_for_confirmation: utter_ask, utter_on_user_denial: utter_no}
    on_success: utter_sent
- look:
    requires: session.pay.amount
""",
)
RESPONSES = """\
responses:
  utter_ask:
  - text: Shall I send {amount}?
    buttons: [{title: Please do, payload: "yes, do it"}, {title: Leave it, payload: "no, don't"}]
  utter_no: [{text: Then not.}]
  utter_sent: [{text: It is sent.}]
"""
FILES = {
    "skills/pay/skill.md": SKILL,
    "skills/pay/responses.yml": RESPONSES,
    "skills/pay/tools.py": agents.tools("send", "look", "list_bills"),
    "skills/ship/skill.md": agents.prose("Ship it."),
    "skills/pay/memory.yml": "schema:\n  public:\n    amount: {type: int, llm_settable: true, description: How much.}\n"
    "    paid: {type: bool}\n",
}
ASKED = """\
- customer: pay
- start: pay
- set: {amount: 5}
- call: send
"""


def played(steps: str, *, go_on: bool = False, memory: str = "{}") -> Run[Project, State]:
    text = read(Source("s.yml", f"memory: {memory}\nsteps:\n{steps}"))
    assert not text.broken, text.findings
    return run(MANTLE, agents.project(FILES), text.script, go_on=go_on)


def told(steps: str, *, go_on: bool = False) -> list[str]:
    found = played(steps, go_on=go_on).failures
    return [f"{f.span.line}: {f.expected}: {f.was}{f'; {f.hint}' if f.hint else ''}" for f in found]


HOLD = [
    "- expect: {active: nothing, asks: nothing, offered: activate}",
    "- start: pay\n- expect: {active: pay, skill_activated: pay, offered: list_bills, hidden: {send: gate-error}}",
    "- start: pay\n- expect: {hidden: [send, look], memory: {pay.amount: null}}",
    "- start: pay\n- set: {amount: 5}\n- expect: {memory: {pay.amount: 5}, offered: [send, look]}",
    ASKED + "- expect: {asks: send, not_ran: send, said: utter_ask, not_said: utter_sent}",
    ASKED + "- expect: {said: Shall I send 5, ran: {send: 0}}",
    ASKED + "- customer: yes\n- yes: send\n- expect: {ran: send, said: It is sent., asks: nothing}",
    ASKED + "- customer: yes\n- yes\n- expect: {order: [user, memory_cleared, tool_executed send, bot utter_sent]}",
    ASKED + "- tap: Please do\n- expect: {order: [{user: {text: 'yes, do it'}}]}",
    ASKED + "- customer: no\n- no: send\n- expect: {declined: send, not_ran: send, said: utter_no}",
    "- start: pay\n- call: send\n- expect: {refused: send}",
    "- start: pay\n- call: send\n- expect: {refused: {send: aren't met}}",
    "- start: pay\n- call: list_bills\n  returns: {error: none}\n- expect: {ran: list_bills, failed: {list_bills: no}}",
    "- customer: hi\n- say: Hello.\n- say: Again.\n- expect: {refused: turn-ended}",
    "- customer: hi\n- say: Hello.\n- expect: {records: [user, bot Hello., bot_turn_ended]}",
    "- customer: hi\n- expect: {records: [user hi]}\n- say: Hello.\n- expect: {records: [bot, bot_turn_ended]}",
    "- author: {pay.paid: true}\n- expect: {memory: {pay.paid: true}, records: []}",
    "- start: pay\n- call: list_bills\n  returns: {n: [1]}\n"
    "- expect: {order: [{tool_executed: {tool_name: list_bills, result: {n: [1]}, metadata: {skill_id: pay}}}]}",
]


@pytest.mark.parametrize("steps", HOLD)
def test_what_is_as_expected_passes(steps: str) -> None:
    found = played(steps)
    assert found.failures == ()
    assert found.passed


FAIL = [
    ("- start: pay\n- expect: {offered: send}",
     "4: `send` to be offered: it is error (gate-error); amount is unset: None > 0"),
    ("- start: pay\n- expect: {offered: snd}", "4: `snd` to be offered: there is no such tool; did you mean `send`?"),
    ("- expect: {offered: look}", "3: `look` to be offered: it is a tool of `pay`, which is not active"),
    ("- start: pay\n- expect: {hidden: {look: gate-error}}",
     "4: `look` to be hidden for `gate-error`: it is hidden (gate-false); amount is unset"),
    ("- start: pay\n- expect: {hidden: list_bills}", "4: `list_bills` to be hidden: it is offered (offered)"),
    ("- start: pay\n- expect: {active: ship}", "4: `ship` to be active: `pay` is"),
    ("- expect: {active: payy}", "3: `payy` to be active: no skill is; did you mean `pay`?"),
    (ASKED + "- expect: {asks: nothing}", "7: nothing to ask the customer: `send` asks the customer"),
    ("- start: pay\n- expect: {asks: look}", "4: `look` to ask the customer: nothing does; amount is unset"),
    ("- expect: {memory: {pay.paid: true}}", "3: `pay.paid` to be true: it is unset"),
    ("- author: {pay.paid: 1}\n- expect: {memory: {pay.paid: true}}", "4: `pay.paid` to be true: it is 1"),
    (ASKED + "- expect: {ran: send}", "7: `send` to run once: it didn't run; its call was awaiting confirmation"),
    (ASKED + "- customer: no\n- no\n- expect: {ran: send}",
     "9: `send` to run once: it didn't run; its call was declined"),
    ("- expect: {ran: send}", "3: `send` to run once: it didn't run; nothing called `send`"),
    (ASKED + "- customer: y\n- yes\n- expect: {not_ran: send}", "9: `send` not to run: it ran once"),
    (ASKED + "- customer: y\n- yes\n- expect: {declined: send}", "9: `send` to be declined: it ran"),
    ("- start: pay\n- call: list_bills\n- expect: {failed: list_bills}", "5: `list_bills` to fail: it succeeded"),
    ("- start: pay\n- expect: {refused: send}", "4: `send` to be refused: nothing was refused"),
    (ASKED + "- expect: {said: utter_aks}",
     '7: `utter_aks` to be said: "Shall I send 5?" (utter_ask); did you mean `utter_ask`?'),
    (ASKED + "- expect: {not_said: send 5}", '7: `send 5` not to be said: it was: "Shall I send 5?" (utter_ask)'),
    ("- start: pay\n- expect: {skill_completed: pay}", "4: `skill_completed pay`: there was no `skill_completed`"),
    (ASKED + "- tap: Please dont",
     "7: a button `Please dont` on the agent's latest message: it has `Leave it`, `Please do`; "
     "did you mean `Please do`?"),
    ("- customer: a\n- say: b\n- expect: {order: [bot, user]}",
     "5: `user` at its place in the order: it came earlier: user a, bot b, bot_turn_ended"),
    ("- customer: a\n- expect: {records: [user, bot]}", "4: 2 records: there is no `bot`: user a"),
    ("- customer: a\n- expect: {records: []}", "4: 0 records: there is `user a` besides: user a"),
    ("- customer: a\n- expect: {records: [{user: {text: b}}]}", "4: record 1 to be `user`: its `text` is 'a', not 'b'"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "words"), FAIL, ids=[words for _, words in FAIL])
def test_what_is_not_as_expected_fails_with_what_is(steps: str, words: str) -> None:
    assert told(steps) == [words]


def test_a_refused_move_fails_the_script() -> None:
    assert told("- start: pay\n- call: send") == [
        "4: `call: send` to be carried out: refused (send): `send` can't be used now: its conditions aren't met; "
        "if that is meant, expect it: `refused: send`"
    ]


def test_a_skill_that_is_none_is_told_with_the_one_that_may_be_meant() -> None:
    [line] = told("- start: payy")
    assert line.endswith("did you mean `pay`?")


def test_a_refusal_expected_later_than_the_next_expectation_comes_too_late() -> None:
    assert len(told("- start: pay\n- call: send\n- expect: {active: pay}\n- expect: {refused: send}")) == 1


def test_an_error_that_a_confirmed_tool_returned_is_no_refusal() -> None:
    steps = ASKED + "- customer: yes\n- yes:\n  returns: {error: no money}\n- expect: {failed: send}"
    assert played(steps).passed


def test_the_first_failure_ends_it_unless_it_shall_go_on() -> None:
    steps = "- expect: {active: pay}\n- start: pay\n- expect: {active: ship}"
    assert [f.span.line for f in played(steps).failures] == [3]
    assert played(steps).at == 1
    on = played(steps, go_on=True)
    assert [f.span.line for f in on.failures] == [3, 5]
    assert on.over
    assert not on.passed


def test_each_expectation_looks_at_what_came_since_the_last() -> None:
    steps = ASKED + "- expect: {said: utter_ask}\n- customer: hm\n- expect: {said: utter_ask}"
    assert told(steps) == ["9: `utter_ask` to be said: nothing was said"]


def test_the_session_begins_with_the_memory_of_the_script() -> None:
    found = played("- start: pay", memory="{project.known: true}")
    assert found.session.moments[0].state.memory == {"project.known": True}


def test_it_can_be_played_step_by_step() -> None:
    script = read(Source("s.yml", f"steps:\n{ASKED}")).script
    now = ready(MANTLE, agents.project(FILES), script)
    counts = []
    while not now.over:
        now = advance(now)
        counts.append(len(now.session.moments))
    assert counts == [2, 3, 4, 5]
    assert [o.moments for o in now.outcomes] == [(1, 2), (2, 3), (3, 4), (4, 5)]
    assert advance(now) is now
