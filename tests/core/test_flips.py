"""One value changes under many conditions: what is said to have moved is what a report made afresh says."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import Activated, AuthorSet, Event
from inspector_core.mantle.condition import parse
from inspector_core.mantle.condition.compile import OUTCOMES
from inspector_core.mantle.condition.many import Many, outcome
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.gates import report
from inspector_core.mantle.project import Project
from inspector_core.report import Change, changes
from tests.core.handmade import asks, field, gate, local, needs, project, skill
from tests.core.written import KEYS, accepted, memories, nearly, texts

HIDDEN = st.frozensets(st.sampled_from(KEYS), max_size=2)
CONDITIONS = st.lists(accepted | nearly, min_size=6, max_size=6)
VALUES = st.none() | st.booleans() | st.integers(0, 4) | st.sampled_from(["lost", "", "4"])
FLIPS = st.lists(
    st.builds(AuthorSet, st.sampled_from(KEYS), VALUES) | st.builds(Activated, st.just("card")), max_size=8
)


def agent(conditions: list[str]) -> Project:
    """Two skills of two tools with a condition and one without; the second may only start when something holds."""
    first, second, third, fourth, fifth, sixth = conditions
    pay = skill(
        "pay", tools=(local("send"), local("take"), local("look")), fields=(field("pay.amount"), field("pay.ok")),
        gates=(gate("send", first, asks()), gate("take", second)),
    )  # fmt: skip
    card = skill(
        "card", tools=(local("send"), local("stop"), local("look")), precondition="known",
        gates=(gate("send", third), gate("stop", fourth)),
        fields=(field("card.reason", scope="private"), field("card.naïve")),
    )  # fmt: skip
    other = skill("other", precondition="late", tools=(local("wait"),))
    return project(
        pay, card, other, fields=(field("project.auth"),),
        preconditions=(needs("known", fifth, "pay"), needs("late", sixth, "pay")),
    )  # fmt: skip


def told(moved: tuple[Change, ...]) -> dict[tuple[str | None, str], Change]:
    assert len({(c.skill, c.tool) for c in moved}) == len(moved)
    return {(c.skill, c.tool): c for c in moved}


@given(CONDITIONS, memories, FLIPS)
def test_what_moved_is_what_a_report_made_afresh_says(
    conditions: list[str], memory: Mapping[str, object], events: list[Event]
) -> None:
    files, again = agent(conditions), agent(conditions)
    state = start(memory)
    latest, before = report(files, state), report(again, state)
    for event in events:
        state, _ = step(files, state, event)
        earlier, latest = latest, report(files, state, latest)
        afresh = report(again, state)
        assert told(changes(earlier, latest)) == told(changes(before, afresh))
        assert [latest.standings(s) for s in latest.by_skill] == [afresh.standings(s) for s in afresh.by_skill]
        before = afresh


@given(CONDITIONS, memories, st.lists(st.sampled_from(KEYS), min_size=2, max_size=3, unique=True))
def test_of_more_keys_than_one_each_tool_moves_once(
    conditions: list[str], memory: Mapping[str, object], keys: list[str]
) -> None:
    files = agent(conditions)
    before, after = start(memory), start({**memory, **dict.fromkeys(keys, 3)})
    earlier = report(files, before)
    latest, afresh = report(files, after, earlier), report(files, after)
    moved = changes(earlier, latest)
    assert told(moved) == told(changes(earlier, afresh))
    assert [c.skill or "" for c in moved] == sorted(c.skill or "" for c in moved)


def test_verdicts_on_what_a_flip_did_not_reach_are_the_very_same() -> None:
    files = agent(["session.pay.ok", "session.pay.amount > 3", "session.card.naïve", "True", "True", "True"])
    state = start({})
    earlier = report(files, state)
    send, take, *_ = earlier.of("pay")
    card = earlier.of("card")
    latest = report(files, step(files, state, AuthorSet("pay.ok", True))[0], earlier)
    assert latest.of("card") is card
    assert latest.of("pay")[1] is take
    assert (send.standing, latest.of("pay")[0].standing) == ("hidden", "asks")
    assert [str(c) for c in changes(earlier, latest)] == ["send: hidden → asks"]


@given(st.lists(st.tuples(texts, HIDDEN), max_size=8), memories)
def test_conditions_judged_together_come_out_as_each_alone(
    asked: list[tuple[str, frozenset[str]]], memory: Mapping[str, object]
) -> None:
    every = [(parse(text), hidden) for text, hidden in asked]
    alone = [outcome(one, memory) for one in every]
    assert list(Many(every).outcomes(memory)) == alone
    for (condition, hidden), found in zip(every, alone, strict=True):
        seen = {key: value for key, value in memory.items() if key not in hidden}
        assert OUTCOMES[found] is condition.truth(seen)
