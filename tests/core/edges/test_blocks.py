"""The edge cases of §11 that are about ordered blocks, by their numbers."""

from __future__ import annotations

from inspector_core.events import Activated, AuthorSet, Completed, CustomerSaid, Resolved, Stub, Stubbed
from inspector_core.mantle.project import Project
from tests.core.edges.small import agent, block, bots, call, codes, notes, played, prose, started, tool_records, verdict
from tests.core.handmade import Played

RESPONSES = "responses:\n" + "".join(f"  utter_{x}:\n  - text: {x.upper()}.\n" for x in "abc")
A_B_C = "- {id: a, action: utter_a, next: END}\n- {id: b, action: utter_b, next: END}\n- {id: c, action: utter_c}"


def steps(text: str, front: str = "", names: tuple[str, ...] = (), memory: str = "") -> Project:
    """`pay` made of one ordered block alone."""
    more = {"memory": memory} if memory else {}
    return agent(block(text), front, names, responses=RESPONSES, **more)


def entered(given: Project, **memory: object) -> Played:
    """The block entered, with memory put in by hand behind its first step."""
    play = started(given)
    return play(*(AuthorSet(f"pay.{k}", v) for k, v in memory.items()), AuthorSet("pay.paid", True), CustomerSaid("on"))


WAIT = "- {id: wait, instructions: Wait., complete_when: session.pay.paid}\n"


def test_edge_04_an_error_in_a_step_or_a_branch_breaks_the_turn() -> None:
    branch = entered(
        steps(WAIT + "- {id: r, noop: true, next: [{if: session.pay.amount > 1, then: a}, {else: b}]}\n" + A_B_C)
    )
    assert notes(branch.last) == ["turn-failed"]
    assert not branch.state.turn.open
    until = played(steps("- {id: t, instructions: Talk., complete_when: session.pay.amount > 1}"))(Activated("pay"))
    assert notes(until.last) == ["turn-failed"]
    gate = steps(
        "- {id: t, instructions: Talk.}", "tool_constraints:\n- go:\n    requires: session.pay.amount > 1", ("go",)
    )
    assert verdict(started(gate), "go", "main").standing == "error"
    assert notes(started(gate).last) == []


def test_edge_07_in_a_block_beside_prose_local_tools_vanish_and_imported_ones_lose_their_gate() -> None:
    shared = (
        "from rasa.mantle.tools.decorator import ToolContext, tool\n"
        '@tool(description="d")\nasync def look(context: ToolContext):\n    return None\n'
    )
    front = (
        "import_tools: [look]\ntool_constraints:\n- go:\n    requires: session.pay.paid\n"
        "- look:\n    requires: session.pay.paid"
    )
    given = agent("Go to @block.main.\n\n" + block("- {id: t, instructions: Talk.}"), front, ("go",), shared=shared)
    play = started(given)
    assert (verdict(play, "go").offered, verdict(play, "look").offered) == (False, False)
    play(AuthorSet("pay.paid", True))
    assert (verdict(play, "go").offered, verdict(play, "look").offered) == (True, True)
    assert (verdict(play, "go", "main").offered, verdict(play, "look", "main").offered) == (False, True)
    play(AuthorSet("pay.paid", False), Activated("pay__main"), call("look"))
    assert not tool_records(play.last, "look")[0].fields["is_error"]


def test_edge_08_a_blocks_own_tools_count_for_the_whole_skill() -> None:
    one, other = (
        block("- {id: t, instructions: Talk.}", more="tools: [go]\n"),
        block("- {id: t, instructions: T.}", "side"),
    )
    given = agent(f"@block.main @block.side\n\n{one}\n{other}", names=("go",))
    play = started(given)
    assert verdict(play, "go").offered
    assert verdict(play, "go", "main").offered
    assert not verdict(play, "go", "side").offered


def test_edge_11_an_empty_next_completes_and_an_omitted_one_falls_through() -> None:
    empty = started(steps("- {id: r, noop: true, next: []}\n" + A_B_C))
    assert bots(empty.records) == []
    assert "default_completed" in str(empty.state.stack) or empty.state.stack == ()
    assert bots(started(steps("- {id: r, noop: true}\n" + A_B_C)).last) == ["A."]


def test_edge_12_else_wins_then_alone_is_a_fallback_too_and_no_match_completes() -> None:
    both = "- {id: r, noop: true, next: [{if: session.pay.paid == 3, else: b}, {if: 'True', then: c}]}\n"
    assert bots(entered(steps(WAIT + both + A_B_C)).last)[:1] == ["B."]
    only = "- {id: r, noop: true, next: [{then: c}, {else: a}]}\n"
    assert bots(entered(steps(WAIT + only + A_B_C)).last)[:1] == ["C."]
    none = entered(steps(WAIT + "- {id: r, noop: true, next: [{if: session.pay.paid == 3, then: c}]}\n" + A_B_C))
    assert not {"A.", "B.", "C."} & set(bots(none.last))
    assert any(r.event == "ordered_block_completed" for r in none.last)


def test_edge_19_a_step_goes_on_whatever_its_tool_answers() -> None:
    play = started(steps("- {id: x, execute_tool: go}\n" + A_B_C, names=("go",)))
    assert bots(play.last) == ["A."]
    failing = played(steps("- {id: x, execute_tool: go}\n" + A_B_C, names=("go",)))
    failing(Stubbed("go", Stub({"error": "no"})), Activated("pay"))
    assert tool_records(failing.last, "go")[0].fields["is_error"]
    assert bots(failing.last) == ["A."]


def test_edge_20_a_closed_gate_on_a_step_leaves_no_event_and_the_step_waits() -> None:
    gate = "tool_constraints:\n- go:\n    requires: session.pay.paid"
    play = started(steps("- {id: x, execute_tool: go}\n" + A_B_C, gate, ("go",)))
    assert tool_records(play.last, "go") == []
    assert bots(play.last) == []
    assert notes(play.last) == ["step-waits-gate"]
    top = play.state.top
    assert top is not None
    assert top.step_id == "x"


CONFIRMED = "tool_constraints:\n- go:\n    requires_confirmation: {enabled: true, utter_for_confirmation: utter_c}"


def test_edge_21_a_decline_on_a_step_skips_the_tool_for_good() -> None:
    play = started(steps("- {id: x, execute_tool: go}\n- {id: t, instructions: Talk.}", CONFIRMED, ("go",)))
    assert bots(play.last) == ["C."]
    play(CustomerSaid("no"), Resolved(False))
    assert play.ran == []
    top = play.state.top
    assert top is not None
    assert top.step_id == "t"
    play(CustomerSaid("or yes, do it"))
    assert play.state.pending is None


def test_edge_32_a_skill_named_in_a_steps_instructions_is_an_interruption() -> None:
    ship = prose("Help.").replace("Pay", "Ship")
    named_in_step = steps("- {id: t, instructions: Go to @skill.ship.}")
    interrupted = started(agent(block("- {id: t, instructions: Go to @skill.ship.}"), ship=ship))(Activated("ship"))
    assert [r.event for r in interrupted.last if "interrupted" in r.event] == [
        "ordered_block_interrupted", "skill_interrupted",
    ]  # fmt: skip
    delegated = started(agent("Go to @skill.ship.", ship=ship))(Activated("ship"))
    assert not [r for r in delegated.last if "interrupted" in r.event]
    assert named_in_step.skill_by_id["pay"].referenced_skills == ()


def test_edge_33_nothing_completes_inside_a_block_and_its_complete_when_is_decoration() -> None:
    given = agent(
        "Go to @block.main.\n\n" + block("- {id: t, instructions: Talk.}", more="complete_when: session.pay.paid\n"),
        names=("go",),
    )  # fmt: skip
    play = started(given)(Activated("pay__main"), AuthorSet("pay.paid", True), CustomerSaid("done?"))
    assert play.state.target == "pay__main"
    assert not verdict(play, "complete", "main").offered
    play(Completed())
    assert play.state.target == "pay__main"
    assert "inspector.block.complete-when" in codes(given)


def test_edge_36_a_loop_without_words_falls_through_to_the_model_after_fifty_steps() -> None:
    play = started(steps("- {id: r, noop: true, next: s}\n- {id: s, noop: true, next: r}"))
    assert play.state.turn.open
    assert play.state.target == "pay__main"
    top = play.state.top
    assert top is not None
    assert len(top.visited) <= 51
