"""Agents and conversations drawn by chance: any steps, any skills, and moves that mostly are to the point."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    CannotHelp,
    Completed,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    Listened,
    ModelSaid,
    Next,
    Resolved,
    Searched,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.moves import available
from inspector_core.mantle.project import Block, Project, Skill, Step
from tests.core.handmade import asks, block, done_when, field, gate, local, needs, project, rule, says, skill, trigger
from tests.core.stepped import END, To, calls, collects, does, links, routes, runs, sets, talks, with_defaults

__all__ = ["drawn_agent", "drawn_event"]

SKILLS = ("one", "two", "three")
DEFAULTS = (
    "default_session_start", "default_completed", "default_continue_interrupted", "default_customer_satisfaction",
    "default_unsupported_request_handler",
)  # fmt: skip
BLOCKS = ("a", "b")
STEPS = ("s0", "s1", "s2", "s3", "s4")
CONDITIONS = (
    "session.one.n", "not session.one.n", "session.two.n > 1", "session.project.auth", "session.three.done", "True",
)  # fmt: skip
TARGETS = (*SKILLS, *SKILLS, *BLOCKS, "one__a", "two__b", "three__a", *DEFAULTS, "nobody")
RESPONSES = ("utter_hi", "utter_more", "utter_blank")
ENTRIES = ("n", "done", "interrupted_task_name", "wants_to_resume", "request_type")
VALUES = (None, True, False, 0, 1, 5, "x", "session.one.n")


def drawn_agent(chance: Random) -> Project:
    """Three skills of any shape, and now and then one in place of a bundled one."""
    own = [_skill(chance, name) for name in DEFAULTS if chance.random() < 0.25]
    guarded = (rule("cancel", confirmation=asks("utter_more")),) if chance.random() < 0.3 else ()
    made = project(
        *(_skill(chance, name) for name in SKILLS), fields=(field("project.auth"),), knowledge=chance.random() < 0.5,
        responses=(says("utter_hi", "Hi."), says("utter_more", "More {n}?"), says("utter_blank", " ")),
        preconditions=(needs("known", "session.project.auth", "two"),), rules=guarded,
    )  # fmt: skip
    return with_defaults(made, *own)


def _skill(chance: Random, name: str) -> Skill:
    inside = tuple(_block(chance, name) for name in chance.choice([(), ("a",), ("a",), ("a", "b")]))
    ask = chance.choice((None, "utter_more", "utter_more", "utter_blank"))
    return skill(
        name, prose="Help." if not inside or chance.random() < 0.5 else "", blocks=inside, enters=BLOCKS,
        mentions=chance.choice(((), (), SKILLS)), fields=tuple(field(f"{name}.{e}", settable=True) for e in ENTRIES),
        tools=(local("work"), local("ask", n="integer"), local("run_after_setting_n")),
        gates=(gate("work", chance.choice((None, None, *CONDITIONS)), success="utter_hi"),
               gate("ask", None, asks(ask, chance.choice((None, "utter_hi"))))),
        completion=done_when(chance.choice(CONDITIONS)) if chance.random() < 0.2 else None,
        triggers=(trigger("utter_hi"), trigger("utter_more", "session.one.n")) if chance.random() < 0.5 else (),
        precondition="known" if name == "three" and chance.random() < 0.5 else None, hidden=chance.random() < 0.1,
    )  # fmt: skip


def _block(chance: Random, name: str) -> Block:
    gates = (gate("work", None, block=name),) if chance.random() < 0.5 else ()
    return block(name, *gates, steps=[_step(chance, step) for step in STEPS[: chance.randint(0, 5)]])


def _way(chance: Random) -> To:
    if chance.random() < 0.6:
        return None
    where = (*STEPS, "END", "nowhere")
    if chance.random() < 0.4:
        return chance.choice(where)
    return [(chance.choice((None, *CONDITIONS)), chance.choice(where)) for _ in range(chance.randint(0, 3))]


def _step(chance: Random, name: str) -> Step:
    to = _way(chance)
    entry = chance.choice(("n", "n", "done"))
    match chance.randrange(12):
        case 0:
            return routes(name, to)
        case 1 | 2:
            return does(name, chance.choice((*RESPONSES, "action_listen", "action_dance")), to)
        case 3 | 4:
            tool = chance.choice(("work", "ask", "ask", "gone"))
            return runs(name, tool, to, **({"n": chance.choice((1, "session.one.n"))} if tool == "ask" else {}))
        case 5:
            return sets(name, to, **{chance.choice(("n", "n", "done", "nope")): chance.choice(VALUES)})
        case 6 | 7:
            return collects(name, entry, chance.choice((None, *RESPONSES)), to, again=chance.random() < 0.3)
        case 8:
            return talks(name, chance.choice((None, *CONDITIONS)), to)
        case 9:
            return calls(name, chance.choice(TARGETS), to)
        case 10:
            return links(name, chance.choice(TARGETS))
        case _:
            return END


def drawn_event(chance: Random, agent: Project, state: State) -> Event:
    """Mostly something that can be done now; now and then anything at all."""
    if not state.turn.open and chance.random() < 0.8:
        return CustomerSaid(chance.choice(("hello", "yes", "no")))
    if chance.random() < 0.6:
        fitting = [*_fitting(chance, agent, state)]
        if fitting:
            return chance.choice(fitting)
    return _any(chance)


def _fitting(chance: Random, agent: Project, state: State) -> Iterator[Event]:
    for move in available(agent, state):
        if move.kind in ("session", "cannot help", "listen", "cancel") and chance.random() < 0.7:
            continue
        if move.event is not None:
            yield move.event
        elif move.kind == "call":
            yield Called((Call(move.name, {"n": 1} if move.name == "ask" else {}, _stub(chance)),))
        elif move.kind == "set":
            yield FieldsSet({move.name.partition(".")[2]: chance.choice(VALUES[1:])})
        elif move.kind == "search":
            yield Searched("fees")


def _any(chance: Random) -> Event:
    some: tuple[Event, ...] = (
        CustomerSaid("hm"), Activated(chance.choice(TARGETS)), Activated(chance.choice(SKILLS)), ModelSaid("ok"),
        FieldsSet({chance.choice(ENTRIES): chance.choice(VALUES)}), Called(_calls(chance), chance.choice(("", "hm"))),
        Resolved(chance.choice((True, True, False, None)), _stub(chance)), Completed(chance.random() < 0.5),
        Cancelled(), Listened(), CannotHelp(chance.choice((True, False, None))), Searched("q"),
        Corrected("n", chance.choice(VALUES)),
        AuthorSet(chance.choice(("one.n", "two.n", "three.done", "project.auth")), chance.choice(VALUES)),
        AuthorCleared("one.n"), Stubbed(chance.choice(("work", "ask")), _stub(chance)),
        SessionBegan(greets=chance.random() < 0.5) if chance.random() < 0.2 else ModelSaid(""),
    )  # fmt: skip
    return chance.choice(some)


def _calls(chance: Random) -> tuple[Call, ...]:
    names = ("work", "ask", "ask", "gone", "set_fields", "activate", "listen", "cannot_help", "cancel", "hangup")
    given = ({}, {"n": 1}, {"target_id": "one"}, {"in_domain": True})
    return tuple(Call(chance.choice(names), chance.choice(given), _stub(chance)) for _ in range(chance.randint(0, 3)))


def _stub(chance: Random) -> Stub | None:
    """What a tool does; `None`: whatever its code reads."""
    if chance.random() < 0.4:
        return None
    nexts = tuple(
        Next(chance.choice(TARGETS), chance.choice((None, None, *BLOCKS))) for _ in range(chance.randint(0, 2))
    )
    entries = ("n", "done", "project.auth", "nope")
    writes = tuple((chance.choice(entries), chance.choice(VALUES)) for _ in range(chance.randint(0, 2)))
    return Stub(
        chance.choice(({"ok": 1}, {"error": "no"}, None)), writes, raises="no" if chance.random() < 0.1 else None,
        next=nexts if chance.random() < 0.8 else (), interrupted=chance.random() < 0.1,
    )  # fmt: skip
