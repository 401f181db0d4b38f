"""The engine's own skills: greeting, wrapping up, offering to go on, declining; bundled ones and the agent's own."""

from __future__ import annotations

import pytest

from inspector_core.events import (
    Activated,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Searched,
    SessionBegan,
    Stub,
)
from inspector_core.mantle.engine.state import Frame, State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.moves import available
from inspector_core.mantle.project import Project, Skill, Step
from tests.core.handmade import Played, asks, block, field, gate, local, needs, project, says, skill
from tests.core.stepped import collects, does, links, notes, spoken, stacked, talks, with_defaults

PAY = skill("pay", tools=(local("send"), local("look")), gates=(gate("send", None, asks("utter_sure")),))
SHIP = skill("ship")
RESPONSES = (
    says("utter_hi", "Hi."), says("utter_more", "Anything else?"), says("utter_sure", "Sure?"),
    says("utter_bye", "Bye."), says("utter_go_on", "Back to {interrupted_task_name}?"),
    says("utter_sorry", "I can't do that."),
)  # fmt: skip
WANTS, TASK = "default_continue_interrupted.wants_to_resume", "default_continue_interrupted.interrupted_task_name"
OFFER = ["skill_activated default_continue_interrupted", "ordered_block_entered main", "stack"]


def agent(*own: Skill, knowledge: bool = False) -> Project:
    return with_defaults(project(PAY, SHIP, skill("call"), responses=RESPONSES, knowledge=knowledge), *own)


def default(id: str, *steps: Step, entries: tuple[str, ...] = ()) -> Skill:
    """A skill of the agent's in place of a bundled one, with these steps."""
    main = block("main", steps=steps)
    return skill(id, prose="", blocks=(main,), fields=tuple(field(f"{id}.{e}", settable=True) for e in entries))


def talking(*own: Skill, knowledge: bool = False) -> Played:
    return Played(agent(*own, knowledge=knowledge))(CustomerSaid("hello"))


# -- greeting ------------------------------------------------------------------------------------------------------


def test_a_session_begins_with_its_metadata_and_the_agents_greeting() -> None:
    play = Played(agent(default("default_session_start", does("hi", "utter_hi"))))(SessionBegan({"channel": "web"}))
    assert play.told == [
        "session_started", "memory_set session_started_metadata {'channel': 'web'}",
        "skill_activated default_session_start", "ordered_block_entered main", "stack", "user /session_start",
        "bot Hi.", "ordered_block_completed main", "skill_completed default_session_start", "stack", "bot_turn_ended",
    ]  # fmt: skip
    assert not play.state.turn.open


def test_a_channel_that_says_nothing_is_greeted_in_the_first_turn() -> None:
    play = Played(agent(default("default_session_start", does("hi", "utter_hi"))))(SessionBegan(greets=False))
    assert play.told[-1] == "stack"
    assert play(CustomerSaid("pay")).told[:2] == ["user pay", "bot Hi."]
    assert play.told[-3:] == ["skill_completed default_session_start", "stack", "bot_turn_ended"]
    assert play.state.turn.open


def test_a_channel_that_sends_no_metadata_leaves_none_to_keep() -> None:
    assert Played(agent())(SessionBegan(greets=False)).told[:2] == [
        "session_started", "skill_activated default_session_start",
    ]  # fmt: skip


def test_the_bundled_greeting_is_told_of() -> None:
    play = Played(agent())(SessionBegan())
    assert notes(play) == ["default-session-start"]
    assert play.state.stack == ()


def test_a_new_session_forgets_all_but_what_the_author_gave() -> None:
    play = Played(agent(), {"project.kept": 1})(CustomerSaid("pay"), Activated("pay"), AuthorSet("ship.x", 2))
    play(Called((Call("send"),)), SessionBegan(greets=False))
    assert play.state.pending is None
    assert play.state.memory == {"project.kept": 1, "ship.x": 2}
    assert [f.skill_id for f in play.state.stack] == ["default_session_start"] * 2


# -- wrapping up ---------------------------------------------------------------------------------------------------


def test_after_the_last_skill_the_engine_asks_whether_there_is_anything_else() -> None:
    play = talking()(Activated("pay"), Completed())
    assert play.told == [
        "skill_completed pay", "stack", "skill_activated default_completed", "ordered_block_entered main", "stack",
        "complete complete: done", "inspector_note default-completed", "bot_turn_ended",
    ]  # fmt: skip
    assert notes(play(CustomerSaid("hm"), ModelSaid("well?"), CustomerSaid("hm"))) == []


def test_a_wrap_up_is_cancelled_before_another_skill_begins() -> None:
    play = talking()(Activated("pay"), Completed(), CustomerSaid("ship it"), Activated("ship"))
    assert play.told == [
        "ordered_block_cancelled main", "skill_cancelled default_completed", "skill_activated ship", "stack",
        "activate activate: done",
    ]  # fmt: skip
    assert stacked(play) == [("ship", "regular", None)]


def test_a_wrap_up_can_be_cancelled() -> None:
    play = talking()(Activated("pay"), Completed(), CustomerSaid("no"), Cancelled())
    assert play.state.stack == ()
    assert notes(play) == []


def test_a_no_to_the_bundled_wrap_up_leads_to_the_question_how_it_was_and_that_to_nothing() -> None:
    play = talking()(Activated("pay"), Completed(), CustomerSaid("no"), Completed())
    assert notes(play) == ["default-customer-satisfaction"]
    assert play(CustomerSaid("5"), Completed()).state.stack == ()


def test_the_agents_own_wrap_up_is_played_for_real() -> None:
    own = default("default_completed", does("ask", "utter_more"), links("no", "default_customer_satisfaction"))
    last = default("default_customer_satisfaction", does("bye", "utter_bye"))
    play = talking(own, last)(Activated("pay"), Completed())
    assert spoken(play) == ["Anything else?", "Bye."]
    assert play.state.stack == ()


def test_a_resolver_that_was_the_last_is_wrapped_up_after_too() -> None:
    safe = skill("safe", precondition="known")
    bound = needs("known", "session.project.known", "pay", utter=False)
    agent = with_defaults(project(PAY, safe, preconditions=(bound,), fields=(field("project.known"),)))
    play = Played(agent)(CustomerSaid("hello"), Activated("safe"), Completed())
    assert [f.skill_id for f in play.state.stack] == ["default_completed"] * 2


def test_a_cancelled_skill_is_no_completed_one() -> None:
    assert talking()(Activated("pay"), Cancelled()).state.stack == ()


# -- going on ------------------------------------------------------------------------------------------------------


def interrupted(*own: Skill) -> Played:
    """`ship` came between, and is done."""
    return talking(*own)(Activated("pay"), Activated("ship"), Completed())


def test_what_was_interrupted_is_offered_when_the_digression_ends() -> None:
    play = interrupted()
    assert play.told == [
        "skill_completed ship", "stack", f"memory_set {TASK} 'pay'", *OFFER, "complete complete: done",
        "inspector_note default-continue-interrupted", "bot_turn_ended",
    ]  # fmt: skip
    assert stacked(play)[0] == ("pay", "interrupt", None)


def test_yes_resumes_it() -> None:
    play = interrupted()(CustomerSaid("yes"), FieldsSet({"wants_to_resume": True}))
    assert play.told == [
        f"memory_set {WANTS} True", "set_fields set_fields: done", "ordered_block_completed main",
        "skill_completed default_continue_interrupted", "stack", "skill_resumed pay", "stack",
    ]  # fmt: skip
    assert stacked(play) == [("pay", "regular", None)]


def test_no_dismisses_all_that_waits() -> None:
    play = talking()(Activated("call"), Activated("pay"), Activated("ship"), Completed(), CustomerSaid("no"))
    play(FieldsSet({"wants_to_resume": False}))
    assert [t for t in play.told if t.startswith("skill_c")] == [
        "skill_completed default_continue_interrupted", "skill_cancelled pay", "skill_cancelled call",
    ]  # fmt: skip
    assert [f.skill_id for f in play.state.stack] == ["default_completed"] * 2


def test_what_is_dismissed_takes_its_confirmation_along() -> None:
    play = talking()(Activated("pay"), Called((Call("send"),)), CustomerSaid("ship it"), Activated("ship"), Completed())
    play(CustomerSaid("no"), FieldsSet({"wants_to_resume": False}))
    assert play.state.pending is None


def test_no_answer_asks_again() -> None:
    own = default("default_continue_interrupted", talks("t", "session.default_continue_interrupted.said"),
                  entries=("interrupted_task_name", "wants_to_resume", "said"))  # fmt: skip
    play = interrupted(own)(FieldsSet({"said": 1}))
    assert play.told.count("skill_activated default_continue_interrupted") == 1
    assert stacked(play)[0] == ("pay", "interrupt", None)
    assert [f.skill_id for f in play.state.stack[1:]] == ["default_continue_interrupted"] * 2


def test_the_agents_own_offer_knows_what_was_interrupted() -> None:
    ask = collects("ask", "wants_to_resume", "utter_go_on")
    own = default("default_continue_interrupted", ask, entries=("interrupted_task_name", "wants_to_resume"))
    play = interrupted(own)
    assert spoken(play) == ["Back to pay?"]
    assert stacked(play(CustomerSaid("yes"), FieldsSet({"wants_to_resume": True}))) == [("pay", "regular", None)]


def test_a_second_offer_begins_without_the_first_ones_answer() -> None:
    play = interrupted()(CustomerSaid("yes"), FieldsSet({"wants_to_resume": True}), Activated("ship"), Completed())
    assert f"memory_cleared {WANTS}" in play.told
    assert WANTS not in play.state.memory


def test_calling_back_what_was_interrupted_ends_the_offer() -> None:
    play = interrupted()(CustomerSaid("pay"), Activated("pay"))
    assert play.told[:4] == [
        "ordered_block_cancelled main", "skill_cancelled default_continue_interrupted", "skill_resumed pay", "stack",
    ]  # fmt: skip
    assert stacked(play) == [("pay", "regular", None)]


def test_another_skill_in_place_of_an_answer_leaves_what_waits_for_later() -> None:
    play = interrupted()(CustomerSaid("call me"), Activated("call"))
    assert stacked(play) == [("pay", "interrupt", None), ("call", "regular", None)]
    assert [t for t in play.told if "interrupted" in t] == ["skill_cancelled default_continue_interrupted"]
    assert play(Completed()).told[-2:] == ["inspector_note default-continue-interrupted", "bot_turn_ended"]


def test_the_menu_has_both_answers() -> None:
    play = interrupted()(CustomerSaid("hm"))
    moves = {m.kind: m.event for m in available(play.project, play.state)}
    assert moves["resume"] == FieldsSet({"wants_to_resume": True})
    assert moves["dismiss"] == FieldsSet({"wants_to_resume": False})


# -- answers from knowledge ----------------------------------------------------------------------------------------


def searched(*before: Event) -> Played:
    play = talking(knowledge=True)(Activated("pay"))
    for event in before:
        play(event)
    return play(Searched("fees", Stub({"hits": []})))


def test_an_answer_from_knowledge_sets_the_skill_aside_and_offers_it_in_the_same_turn() -> None:
    play = searched()(ModelSaid("It is free."))
    assert play.told == [
        "bot It is free.", "skill_interrupted pay", f"memory_set {TASK} 'pay'", *OFFER,
        "inspector_note default-continue-interrupted", "bot_turn_ended",
    ]  # fmt: skip


def test_not_while_a_confirmation_waits() -> None:
    play = searched(Called((Call("send"),)), CustomerSaid("what does it cost?"))(ModelSaid("Nothing."))
    assert play.told == ["bot Nothing.", "bot_turn_ended"]
    assert play.state.active_pending is not None


def test_not_where_a_skill_was_started_since() -> None:
    play = searched()(Activated("ship"), ModelSaid("So."))
    assert play.told == ["bot So.", "bot_turn_ended"]


def test_not_without_a_skill() -> None:
    play = talking(knowledge=True)(Searched("fees"), ModelSaid("It is free."))
    assert play.told == ["bot It is free.", "bot_turn_ended"]


# -- declining -----------------------------------------------------------------------------------------------------

HANDLER = "default_unsupported_request_handler"


@pytest.mark.parametrize(("inside", "label"), [(True, "in_domain"), (False, "out_of_domain")])
def test_a_request_is_classified_and_declined(inside: bool, label: str) -> None:
    play = talking()(CannotHelp(inside))
    assert play.told == [
        f"unsupported_request_classified {label}_out_of_scope",
        f"memory_set {HANDLER}.request_type '{label}_out_of_scope'", f"skill_activated {HANDLER}",
        "ordered_block_entered main", "stack", "cannot_help cannot_help: done", "inspector_note default-decline",
    ]  # fmt: skip
    assert play.last[0].fields["user_message"] == "hello"


def test_after_the_words_the_skill_that_waited_is_resumed_directly() -> None:
    play = talking()(Activated("pay"), CannotHelp(True))
    assert "skill_interrupted pay" in play.told
    assert play(ModelSaid("Sorry.")).told == [
        "bot Sorry.", "ordered_block_completed main", f"skill_completed {HANDLER}", "stack", "skill_resumed pay",
        "stack", "bot_turn_ended",
    ]  # fmt: skip
    assert stacked(play) == [("pay", "regular", None)]


@pytest.mark.parametrize(
    "event",
    [Activated("ship"), Called((Call("look"),)), Completed(), Cancelled(), FieldsSet({"x": 1}), Listened()],
    ids=lambda event: type(event).__name__,
)
def test_nothing_else_can_be_called_meanwhile(event: Activated) -> None:
    play = talking()(Activated("pay"), CannotHelp(True))
    before = play.state.stack
    assert [t.split()[-1] for t in play(event).told] == ["error"]
    assert play.state.stack == before


def test_the_agents_own_handler_is_played_for_real() -> None:
    own = default(HANDLER, does("sorry", "utter_sorry"), entries=("request_type",))
    play = talking(own)(Activated("pay"), CannotHelp(True))
    assert spoken(play) == ["I can't do that."]
    assert stacked(play) == [("pay", "regular", None)]


@pytest.mark.parametrize("answer", [None, "yes", 1])
def test_only_true_or_false_classifies(answer: object) -> None:
    assert talking()(CannotHelp(answer)).told == ["cannot_help error"]


def test_knowledge_comes_first() -> None:
    assert talking(knowledge=True)(CannotHelp(True)).told == ["cannot_help error"]
    assert "stack" in talking(knowledge=True)(Searched("x"), CannotHelp(True)).told


def test_a_wrap_up_that_is_under_way_already_is_not_begun_again() -> None:
    beneath = (
        Frame("f1", "default_customer_satisfaction"),
        Frame("f2", "default_customer_satisfaction", "main", "START"),
    )
    above = Frame("f3", "default_completed", None, None, "call"), Frame("f4", "default_completed", "main", "START")
    agent = with_defaults(project(skill("pay")))
    state, _ = step(agent, State(stack=(*beneath, *above)), Completed())
    assert [f.frame_id for f in state.stack] == ["f1", "f2"]
