"""What can be done next: the customer's moves and the model's, for a menu."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, Literal

from inspector_core.classes import dataclass
from inspector_core.events import (
    Activated,
    Cancelled,
    CannotHelp,
    Completed,
    Event,
    FieldsSet,
    Listened,
    Resolved,
    SessionBegan,
)
from inspector_core.mantle import scope
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gates import judge, report
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.bundled import CONTINUE
from inspector_core.mantle.targets import find_target, startable
from inspector_core.mantle.values import as_text
from inspector_core.report import Verdict

__all__ = ["Move", "MoveKind", "available", "offer"]

_WANTS: Final = "wants_to_resume"

MoveKind = Literal[
    "session", "say", "yes", "no", "resume", "dismiss", "start", "call", "set", "correct", "reply", "listen", "search",
    "cannot help", "complete", "cancel",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that can be done next."""

    kind: MoveKind
    label: str
    """What it is called in a menu: `start card_replacement`."""
    name: str = ""
    """The target, tool or entry it is about."""
    detail: str = ""
    """What to know about it, in a line."""
    event: Event | None = None
    """The event itself, where nothing has to be filled in first."""
    accepted: bool = True
    """The engine would not answer it with an error now."""
    needs_customer: bool = False
    """The turn has ended: the customer has to say something first."""


def available(project: Project, state: State) -> tuple[Move, ...]:
    """Every legal next move; the model's come after the customer's."""
    begins = Move("session", "a session begins", detail="memory is seeded, and the agent greets", event=SessionBegan())
    if state.over:
        return (begins,)
    first = (begins,) if not state.turn.number and not state.stack else ()
    closed = not state.turn.open
    model = (replace(move, needs_customer=True) if closed else move for move in _model(project, state))
    return (*first, Move("say", "the customer says…", detail="opens the next turn"), *model)


def _model(project: Project, state: State) -> Iterator[Move]:
    built_in = {v.tool: v for v in _live(project, state) if v.kind == "built-in"}
    yield from _answers(state, built_in.get("resolve_tool_confirmation"))
    yield from offer(project, state)
    yield from (_call(v) for v in _live(project, state) if v.offered and v.kind != "built-in")
    yield from _fields(project, state, built_in.get("set_fields"))
    yield from _corrections(project, state, built_in.get("correct"))
    yield Move("reply", "the model says…", detail="ends the turn")
    yield from _plain(built_in)
    if _offered(built_in.get("activate")):
        yield from (_start(project, target) for target in startable(project, state))


def _live(project: Project, state: State) -> tuple[Verdict, ...]:
    """The verdicts on what the model would be given now."""
    top = state.top
    if top is None:
        return report(project, state).of(None)
    return judge(project, state, top.skill_id, top.block_id, active=True)


def _offered(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.offered


def _answers(state: State, verdict: Verdict | None) -> Iterator[Move]:
    pending = state.active_pending
    if pending is None or verdict is None or not verdict.offered:
        return
    ok, tool = verdict.admissible, pending.tool
    yes = "it runs once, with the arguments it had when it asked"
    yield Move("yes", f"yes: {tool}", tool, yes if ok else verdict.why, Resolved(True), ok)
    yield Move("no", f"no: {tool}", tool, "it doesn't run" if ok else verdict.why, Resolved(False), ok)


def _call(verdict: Verdict) -> Move:
    detail = verdict.why or ("asks the customer first" if verdict.confirmation else "")
    return Move("call", f"call {verdict.tool}", verdict.tool, detail, accepted=verdict.admissible)


def _fields(project: Project, state: State, verdict: Verdict | None) -> Iterator[Move]:
    skill = project.skill_by_id.get(state.skill or "")
    if skill is None or not _offered(verdict):
        return
    for field in scope.settable_fields(project, skill, state.memory, state.top):
        yield Move("set", f"set {field.entry}", field.key, field.description or field.type)


def offer(project: Project, state: State) -> Iterator[Move]:
    """The answers to whether to go on with what was interrupted, as the engine's own question has them."""
    skill = project.skill_by_id.get(state.skill or "")
    waits = next((f for f in reversed(state.stack[:-1]) if f.frame_type == "interrupt"), None)
    if skill is None or waits is None or skill.id != CONTINUE:
        return
    if any(f.entry == _WANTS for f in scope.settable_fields(project, skill, state.memory, state.top)):
        name = waits.skill_id
        yield Move("resume", f"yes: go on with {name}", name, "it is resumed as it was", FieldsSet({_WANTS: True}))
        yield Move("dismiss", f"no: drop {name}", name, "all that waits is cancelled", FieldsSet({_WANTS: False}))


def _corrections(project: Project, state: State, verdict: Verdict | None) -> Iterator[Move]:
    if _offered(verdict):
        for field in scope.correctable(project, state.skill, state):
            yield Move("correct", f"correct {field.entry}", field.key, f"now {as_text(state.memory.get(field.key))}")


def _plain(built_in: dict[str, Verdict]) -> Iterator[Move]:
    listen, complete, cancel = (built_in.get(tool) for tool in ("listen", "complete", "cancel"))
    if listen is not None and listen.offered:
        yield Move("listen", "listen", detail="ends the turn in silence", event=Listened())
    if _offered(built_in.get("search_knowledge")):
        yield Move("search", "search knowledge…", detail="an answer in words then ends the turn")
    if _offered(built_in.get("cannot_help")):
        yield Move("cannot help", "cannot help: in domain", detail="what runs waits", event=CannotHelp(True))
        yield Move("cannot help", "cannot help: out of domain", detail="what runs waits", event=CannotHelp(False))
    if complete is not None and complete.offered:
        yield Move("complete", "complete", detail=complete.why, event=Completed(), accepted=complete.admissible)
    if cancel is not None and cancel.offered:
        yield Move("cancel", "cancel", detail=cancel.why, event=Cancelled(), accepted=cancel.admissible)


def _start(project: Project, target: str) -> Move:
    found = find_target(project, target)
    detail = (found[0].description or "") if found is not None and found[1] is None else "an ordered block"
    return Move("start", f"start {target}", target, " ".join(detail.split()), Activated(target))
