"""Which tools the model would be offered, which a call would get past, and why (§5.5 to §5.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector_core.events import Activated, AuthorSet, Call, Called, CustomerSaid, Event, ModelSaid, Resolved, Stub
from inspector_core.finding import Finding, Severity
from inspector_core.mantle.engine.start import start
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.engine.turn import step
from inspector_core.mantle.gates import judge, report
from inspector_core.mantle.project import Project, Response, Skill, Step, Variant
from inspector_core.mantle.reasons import REASONS
from inspector_core.report import Verdict
from tests.core.handmade import (
    HERE,
    asks,
    block,
    done_when,
    field,
    gate,
    imported,
    local,
    named,
    needs,
    project,
    rule,
    says,
    shared,
    skill,
)


def after(agent: Project, *events: Event, memory: dict[str, object] | None = None) -> State:
    state = start(memory or {})
    for event in events:
        state, _ = step(agent, state, event)
    return state


def found(agent: Project, tool: str, skill: str | None = "pay", *events: Event, **memory: object) -> Verdict:
    """The verdict on a tool, with memory of the skill `pay` given by bare names."""
    state = after(agent, *events, memory={f"pay.{k}": v for k, v in memory.items()})
    verdict = report(agent, state).find(tool, skill) if skill else report(agent, state).of(None)[0]
    assert verdict is not None
    return verdict


def short(verdict: Verdict) -> tuple[str, str, bool, bool]:
    return verdict.standing, verdict.reason, verdict.offered, verdict.admissible


FIELDS = (field("pay.ok"), field("pay.n"), field("pay.pin", scope="private"))


def gated(requires: str) -> Project:
    other = skill("other", fields=(field("other.open"), field("other.secret", scope="private")))
    pay = skill("pay", tools=(local("send"), local("look")), gates=(gate("send", requires),), fields=FIELDS)
    return project(pay, other, fields=(field("project.auth"),))


# -- a gate --------------------------------------------------------------------------------------------------------


def test_a_tool_that_no_list_names_is_always_offered() -> None:
    assert short(found(gated("session.pay.ok"), "look")) == ("offered", "offered", True, True)


def test_a_gate_that_holds_offers() -> None:
    verdict = found(gated("session.pay.ok"), "send", ok=True)
    assert short(verdict) == ("offered", "offered", True, True)
    assert verdict.requires == "session.pay.ok"
    assert verdict.proof is not None


def test_a_gate_that_fails_hides_and_says_why() -> None:
    verdict = found(gated("session.pay.ok"), "send")
    assert short(verdict) == ("hidden", "gate-false", False, False)
    assert verdict.why == "ok is unset"


def test_a_gate_that_errs_is_no_false() -> None:
    verdict = found(gated("session.pay.n >= 100"), "send")
    assert short(verdict) == ("error", "gate-error", False, False)
    assert verdict.why == "n is unset: None >= 100"


@pytest.mark.parametrize(("requires", "standing"), [("session.pay.nope", "hidden"), ("session.pay.nope > 1", "error")])
def test_a_closed_gate_that_reads_an_entry_declared_nowhere_says_so(requires: str, standing: str) -> None:
    verdict = found(gated(requires), "send")
    assert (verdict.standing, verdict.reason) == (standing, "unknown-key")
    assert "`pay.nope` is declared nowhere" in verdict.why


def test_an_open_gate_that_reads_an_unknown_entry_is_open() -> None:
    assert found(gated("session.pay.nope != 'x'"), "send").offered


def test_an_undeclared_entry_reads_as_null_even_where_memory_holds_it() -> None:
    assert not found(gated("session.pay.nope"), "send", nope=True).offered


def test_another_skills_private_entry_reads_as_null() -> None:
    agent = gated("session.other.secret")
    verdict = report(agent, start({"other.secret": 1})).find("send", "pay")
    assert verdict is not None
    assert short(verdict) == ("hidden", "unreadable-key", False, False)


def test_another_skills_public_entry_and_the_projects_can_be_read() -> None:
    agent = gated("session.other.open and session.project.auth")
    verdict = report(agent, start({"other.open": 1, "project.auth": True})).find("send", "pay")
    assert verdict is not None
    assert verdict.offered


def test_what_the_engine_keeps_for_itself_reads_as_null() -> None:
    agent = gated("session.system.pending_tool_confirmation")
    assert not found(agent, "send", "pay", AuthorSet("system.pending_tool_confirmation", 1)).offered


# -- what a tool is ------------------------------------------------------------------------------------------------


def test_a_shared_tool_reaches_a_skill_by_any_list_that_names_it() -> None:
    agent = project(
        skill("a", imports=(imported("one"),)),
        skill("b", gates=(gate("one"),)),
        skill("c", blocks=(block("main", gate("one", block="main")),)),
        skill("d"),
        tools=(shared("one"), shared("two")),
    )
    verdicts = report(agent, start({}))
    assert [v.skill for v in verdicts.verdicts if v.tool == "one"] == ["a", "b", "c"]
    two = verdicts.of(None)[-1]
    assert (two.tool, two.kind, *short(two)) == ("two", "unattached", "not imported", "not-imported", False, False)


def test_a_shared_tool_that_prose_mentions_but_no_list_names_is_not_imported() -> None:
    agent = project(skill("pay", uses=("one",)), tools=(shared("one"),))
    assert short(found(agent, "one")) == ("not imported", "not-imported", False, False)


def test_a_skills_own_tool_shadows_a_shared_one() -> None:
    agent = project(skill("pay", tools=(local("one"),), imports=(imported("one"),)), tools=(shared("one"),))
    assert found(agent, "one").kind == "local"
    shadowed = report(agent, start({})).of(None)[-1]
    assert (shadowed.reason, shadowed.offered) == ("shadowed-by-local", False)


def test_an_imported_tool_of_a_server_is_offered_and_one_of_no_server_is_not() -> None:
    agent = project(skill("pay", imports=(imported("here", "bank"), imported("gone", "nowhere"))), servers=("bank",))
    assert short(found(agent, "here")) == ("offered", "offered", True, True)
    assert short(found(agent, "gone")) == ("hidden", "mcp-not-listed", False, False)


def test_of_two_tools_with_one_bare_name_the_second_is_a_collision() -> None:
    twice = (imported("one", "bank"), imported("one", "shop"))
    agent = project(skill("pay", imports=twice), servers=("bank", "shop"))
    assert found(agent, "one").offered
    assert short(found(agent, "mcp/shop:one")) == ("hidden", "name-collision", False, False)


def test_a_tool_under_one_of_the_engines_names_is_a_collision() -> None:
    agent = project(skill("pay", tools=(local("cancel"),)))
    assert found(agent, "local/cancel").reason == "name-collision"


def test_a_name_that_no_tool_has_is_not_found() -> None:
    agent = project(skill("pay", gates=(gate("ghost"),), imports=(imported("spectre"),)))
    assert short(found(agent, "ghost")) == ("hidden", "not-found", False, False)
    assert found(agent, "spectre").reason == "not-found"


def test_a_name_that_a_broken_file_may_define_is_a_load_error() -> None:
    from dataclasses import replace

    broken = Finding("mantle.validation.tools.import_failed", Severity.ERROR, "broken", HERE)
    pay = replace(skill("pay", gates=(gate("ghost"),)), findings=(broken,))
    assert found(project(pay), "ghost").reason == "load-error"


def test_what_the_engine_runs_is_never_offered() -> None:
    buttons = Response("utter_pick", (Variant("pick", HERE, button_source=named("cards")),), HERE, "pay")
    agent = project(skill("pay", tools=(local("run_after_setting_n"), local("cards")), responses=(buttons,)))
    for tool in ("run_after_setting_n", "cards"):
        verdict = found(agent, tool)
        assert (verdict.kind, *short(verdict)) == ("engine-only", "engine only", "engine-only", False, False)


# -- blocks --------------------------------------------------------------------------------------------------------

HYBRID = skill(
    "pay",
    tools=(local("plain"), local("kept"), local("open"), local("inner")),
    gates=(gate("kept", "session.pay.ok"), gate("open"), gate("far", "session.pay.ok")),
    imports=(imported("far"),),
    blocks=(block("main", gate("inner", "session.pay.n", block="main")), block("side")),
    fields=FIELDS,
)


@pytest.mark.parametrize(
    ("block_id", "memory", "expected"),
    [
        (None, {}, {"plain", "open"}),
        (None, {"pay.ok": True, "pay.n": 1}, {"plain", "kept", "open", "far", "inner"}),
        ("main", {}, {"plain", "far"}),
        ("main", {"pay.n": 1}, {"plain", "far", "inner"}),
        ("main", {"pay.ok": True, "pay.n": 1}, {"plain", "far", "inner"}),
        ("side", {"pay.ok": True, "pay.n": 1}, {"plain", "far"}),
    ],
)
def test_a_block_of_a_skill_with_prose_counts_only_its_own_list(
    block_id: str | None, memory: dict[str, object], expected: set[str]
) -> None:
    agent = project(HYBRID, tools=(shared("far"),))
    verdicts = judge(agent, start(memory), "pay", block_id, active=True)
    assert {v.tool for v in verdicts if v.offered and v.kind != "built-in"} == expected


def test_a_tool_that_a_block_hides_would_run_all_the_same() -> None:
    agent = project(HYBRID, tools=(shared("far"),))
    kept = next(v for v in judge(agent, start({}), "pay", "main", active=True) if v.tool == "kept")
    assert short(kept) == ("hidden", "block-hides", False, True)
    assert kept.requires is None


def test_an_imported_tool_whose_gate_a_block_drops_says_so() -> None:
    agent = project(HYBRID, tools=(shared("far"),))
    far = next(v for v in judge(agent, start({}), "pay", "main", active=True) if v.tool == "far")
    assert short(far) == ("offered", "offered", True, True)
    assert "its gate doesn't count in this block" in far.why


def test_a_block_of_a_skill_of_blocks_adds_to_the_skills_list() -> None:
    steps = skill(
        "pay", prose="", tools=(local("a"), local("b")), gates=(gate("a", "session.pay.ok"), gate("b", "False")),
        blocks=(block("main", gate("b", "True", block="main")),), fields=FIELDS,
    )  # fmt: skip
    agent = project(steps)
    offered = {v.tool for v in report(agent, start({"pay.ok": 1})).of("pay") if v.offered}
    assert offered == {"a", "b"}
    assert found(agent, "a").reason == "gate-false"


# -- the skill -----------------------------------------------------------------------------------------------------


def test_tools_of_a_skill_that_is_not_active_are_judged_as_if_it_were() -> None:
    verdict = found(gated("session.pay.ok"), "send", "pay", Activated("other"))
    assert (verdict.active, verdict.reason) == (False, "gate-false")
    assert found(gated("session.pay.ok"), "send", "pay", Activated("pay")).active


def test_a_disabled_skill_has_inactive_tools() -> None:
    agent = project(skill("pay", tools=(local("send"),), disabled=True))
    assert short(found(agent, "send")) == ("inactive", "disabled", False, False)


def test_a_hidden_skill_is_inactive_unless_something_leads_to_it() -> None:
    hidden = skill("pay", tools=(local("send"),), hidden=True)
    assert short(found(project(hidden), "send")) == ("inactive", "skill-hidden", False, False)
    led = project(hidden, preconditions=(needs("known", "True", "pay"),))
    assert found(led, "send").offered


def marked(id: str, *, hidden: bool = False, engine_managed: bool = False, is_default: bool = False) -> Skill:
    """A skill with the tool `send`, and what its frontmatter says of routing."""
    made = skill(id, tools=(local("send"),), hidden=hidden)
    return replace(made, engine_managed=engine_managed, is_default=is_default)


@pytest.mark.parametrize("kept", [{"hidden": True}, {"engine_managed": True}])
def test_a_tools_code_may_lead_to_a_skill_that_routing_leaves_out(kept: dict[str, bool]) -> None:
    pay = marked("pay", **kept)
    assert found(project(pay, skill("other", tools=(local("go"),))), "send").standing == "inactive"
    for starts in ("pay", None):
        other = skill("other", tools=(replace(local("go"), activates=(starts,)),))
        assert found(project(pay, other), "send").offered


def test_a_step_reaches_a_disabled_skill_but_a_tools_code_does_not() -> None:
    pay = skill("pay", tools=(local("send"),), disabled=True)
    other = skill("other", tools=(replace(local("go"), activates=("pay",)),))
    assert found(project(pay, other), "send").reason == "disabled"
    calls = block("one", steps=(Step("go", "call", HERE, target=named("pay")),))
    assert found(project(pay, skill("other", blocks=(calls,))), "send").offered


def test_a_skill_left_to_the_engine_is_inactive_unless_it_replaces_one_of_the_engines() -> None:
    pay = marked("pay", engine_managed=True)
    assert short(found(project(pay), "send")) == ("inactive", "engine-managed", False, False)
    replaced = marked("default_completed", engine_managed=True, is_default=True)
    assert found(project(replaced), "send", "default_completed").offered


def test_a_skill_without_one_entry_block_is_inactive() -> None:
    agent = project(skill("pay", prose="", tools=(local("send"),), blocks=(block("a"), block("b"))))
    assert found(agent, "send").reason == "no-entry-block"


def test_an_unmet_precondition_shows_once_the_gate_is_open() -> None:
    pay = skill("pay", tools=(local("send"),), gates=(gate("send", "session.pay.ok"),), fields=FIELDS, precondition="k")
    known = needs("k", "session.project.auth", "other")
    agent = project(pay, skill("other"), fields=(field("project.auth"),), preconditions=(known,))
    assert found(agent, "send").reason == "gate-false"
    verdict = found(agent, "send", ok=True)
    assert short(verdict) == ("inactive", "precondition-unmet", False, False)
    assert verdict.why == "precondition `k`: auth is unset: `other` runs first"
    assert found(agent, "send", "pay", AuthorSet("project.auth", 1), ok=True).offered


# -- confirmations -------------------------------------------------------------------------------------------------

ASKING = project(
    skill("pay", tools=(local("send"), local("gift"), local("look")), fields=FIELDS, gates=(
        gate("send", None, asks("utter_ask", "utter_no"), success="utter_ok"), gate("gift", None, asks()),
    )),
    skill("other", tools=(local("post"),), gates=(gate("post", None, asks()),)),
    responses=(says("utter_ask", "Send {n}?"), says("utter_no", "No.")),
)  # fmt: skip
SEND = (Activated("pay"), Called((Call("send"),)))


def test_a_tool_that_asks_shows_what_it_would_ask() -> None:
    verdict = found(ASKING, "send", n=3)
    assert short(verdict) == ("asks", "asks", True, True)
    assert verdict.confirmation is not None
    assert (verdict.confirmation.ask_text, verdict.confirmation.denial_text) == ("Send 3?", "No.")
    assert verdict.on_success == "utter_ok"


def test_while_one_waits_no_other_can_ask_but_all_are_still_offered() -> None:
    state = after(ASKING, *SEND)
    verdicts = {v.tool: v for v in report(ASKING, state).verdicts if v.kind == "local"}
    assert all(v.offered for v in verdicts.values())
    assert {t for t, v in verdicts.items() if v.reason == "pending-confirmation"} == {"send", "gift", "post"}
    assert {t for t, v in verdicts.items() if v.admissible} == {"look"}


def test_an_ask_without_words_is_offered_and_refused() -> None:
    mute = gate("send", None, asks("utter_blank"))
    agent = project(skill("pay", tools=(local("send"),), gates=(mute,)), responses=(says("utter_blank", " "),))
    verdict = found(agent, "send")
    assert short(verdict) == ("asks", "blank-ask", True, False)
    assert verdict.confirmation is not None
    assert verdict.confirmation.ask_text is None


def test_an_answered_tool_can_ask_again_in_the_next_turn() -> None:
    answered = (*SEND, CustomerSaid("yes"), Resolved(True, Stub(1)))
    assert short(found(ASKING, "send", "pay", *answered)) == ("asks", "resolved-this-turn", True, False)
    assert found(ASKING, "send", "pay", *answered, ModelSaid("done")).admissible


# -- the engine's own tools ----------------------------------------------------------------------------------------


def offered(agent: Project, *events: Event, skill: str | None = "pay") -> list[str]:
    verdicts = report(agent, after(agent, *events)).of(skill)
    return [v.tool for v in verdicts if v.offered and v.kind == "built-in"]


def test_with_no_active_skill_only_routing_is_offered() -> None:
    assert offered(gated("True"), skill=None) == ["activate", "cannot_help", "listen"]
    assert offered(gated("True")) == []


def test_the_active_skill_gets_what_its_state_allows() -> None:
    agent = project(skill("pay", fields=(field("pay.n", settable=True),)), skill("other"), knowledge=True)
    at = Activated("pay")
    assert offered(agent, at) == ["activate", "search_knowledge", "listen", "complete", "cancel", "set_fields"]
    given = Called((Call("set_fields", {"n": 1}),))
    assert offered(agent, at, given)[-2:] == ["cancel", "correct"]


def test_while_a_confirmation_waits_there_is_an_answer_instead_of_silence() -> None:
    names = offered(ASKING, *SEND)
    assert "resolve_tool_confirmation" in names
    assert "listen" not in names
    complete = report(ASKING, after(ASKING, *SEND)).find("complete", "pay")
    assert complete is not None
    assert short(complete) == ("offered", "pending-confirmation", True, False)


def test_after_a_search_the_list_is_cut_short() -> None:
    agent = project(skill("pay", tools=(local("send"),)), skill("other"), knowledge=True)
    search = Called((Call("search_knowledge", {"query": "fees"}, Stub("none")),))
    state = after(agent, Activated("pay"), search)
    assert offered(agent, Activated("pay"), search) == ["activate", "search_knowledge", "cannot_help"]
    verdict = report(agent, state).find("send", "pay")
    assert verdict is not None
    assert short(verdict) == ("hidden", "after-knowledge-search", False, True)


def test_an_activation_after_a_search_brings_back_the_whole_list() -> None:
    agent = project(skill("pay", tools=(local("send"),)), skill("other"), knowledge=True)
    search = Called((Call("search_knowledge", {"query": "fees"}, Stub("none")),))
    state = after(agent, Activated("other"), search, Activated("pay"))
    offers = {v.tool for v in report(agent, state).of("pay") if v.offered}
    assert offers == {"send", "activate", "search_knowledge", "cannot_help", "complete", "cancel"}
    assert found(agent, "send", "pay", Activated("pay"), search, Activated("pay")).reason == "after-knowledge-search"


def test_inside_a_block_there_is_nothing_to_complete() -> None:
    agent = project(skill("pay", prose="", blocks=(block("main"),)))
    assert found(agent, "complete", "pay", Activated("pay")).reason == "inside-block"


def test_a_completion_that_does_not_hold_is_offered_and_refused() -> None:
    agent = project(skill("pay", completion=done_when("session.pay.ok", "is nice"), fields=FIELDS))
    verdict = found(agent, "complete", "pay", Activated("pay"))
    assert short(verdict) == ("offered", "completion-unmet", True, False)
    assert (verdict.requires, verdict.why) == ("session.pay.ok", "ok is unset")


def test_the_agent_switches_off_and_guards_the_engines_tools() -> None:
    agent = project(skill("pay"), rules=(rule("complete", enabled=False), rule("cancel", confirmation=asks())))
    assert found(agent, "complete", "pay", Activated("pay")).reason == "disabled"
    assert short(found(agent, "cancel", "pay", Activated("pay"))) == ("asks", "asks", True, True)


def test_the_engines_tools_of_another_skill_are_inactive() -> None:
    verdict = found(gated("True"), "cancel")
    assert short(verdict) == ("inactive", "skill-not-active", False, False)


def test_a_skill_looked_at_as_if_it_were_active_gets_the_engines_tools_too() -> None:
    verdicts = judge(gated("True"), start({}), "pay", None, active=True)
    assert {"complete", "cancel"} <= {v.tool for v in verdicts if v.offered}


@pytest.mark.parametrize(("skill_id", "block_id"), [("nobody", None), ("pay", "nowhere")])
def test_of_what_does_not_exist_there_are_no_verdicts(skill_id: str, block_id: str | None) -> None:
    assert judge(gated("True"), start({}), skill_id, block_id, active=True) == ()


def test_every_reason_given_has_its_sentence() -> None:
    agents = (gated("session.pay.nope"), ASKING, project(HYBRID, tools=(shared("far"), shared("lone"))))
    given = {v.reason for a in agents for v in report(a, start({})).verdicts}
    assert given <= set(REASONS)
