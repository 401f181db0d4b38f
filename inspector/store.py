"""Holds the session, applies what the author plays, and keeps it through reloads. Knows no screen and no disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from inspector.looks import first_look, followed
from inspector.reports.explain import proof_of, ways
from inspector.reports.tell import failure
from inspector.view import Look, View
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
    Record,
    Resolved,
    Searched,
    Stub,
)
from inspector_core.finding import Finding
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.gatelist import BUILT_IN
from inspector_core.mantle.moves import Move, offer
from inspector_core.mantle.project import Project
from inspector_core.mantle.reading.keep import keep_last_good
from inspector_core.mantle.stubs import default_stub, sample_arguments
from inspector_core.mantle.values import as_text
from inspector_core.proof import Truth
from inspector_core.report import Change, Verdict, changes
from inspector_core.session import Moment, Session, begin
from inspector_core.tool import Tool

__all__ = ["ONLY_LOOKED_AT", "UNSPOKEN", "Store"]

ONLY_LOOKED_AT = "a recording is only looked at: B plays on from here, L leaves it"

UNSPOKEN = "…"
"""The customer's line of a turn that the author opened by playing the model."""

MODEL_MOVES = (
    ModelSaid, Listened, Activated, FieldsSet, Called, Corrected, Searched, CannotHelp, Resolved, Completed, Cancelled,
)  # fmt: skip

Played = Session[Project, State]


class Store:
    """The one place where the session changes; each change makes a new `View` and hands it to `on_change`."""

    def __init__(self, project: Project, seed: Mapping[str, object], on_change: Callable[[View], None]) -> None:
        session = begin(MANTLE, project, seed)
        self.view = View(session, first_look(project), reading=True)
        self.on_change = on_change
        self.keep: Callable[[Played], str] = _unkept
        self.wanted: Look | None = None
        """Where the author looked before the skill went away, to look there again when it comes back."""
        self.past: list[Played] = []
        self.future: list[Played] = []
        self.stubs: dict[tuple[str | None, str], Stub] = {}
        self.arguments: dict[tuple[str | None, str], Mapping[str, object]] = {}

    # -- playing -------------------------------------------------------------------------------------------------

    def play(self, *events: Event) -> None:
        """Apply events as one step of undo; a model's move in a closed turn first opens one, unspoken."""
        if self._only_looks():
            return
        session = self.view.session
        self.past.append(session)
        self.future.clear()
        for event in events:
            if isinstance(event, MODEL_MOVES) and not session.now.state.turn.open:
                session = session.apply(CustomerSaid(UNSPOKEN))
            session = session.apply(event)
        self._turn_to(session)

    def call(self, skill: str | None, tool: str, arguments: Mapping[str, object], stub: Stub) -> None:
        """The model calls a tool; the skill is started first where it isn't active. The stub is remembered."""
        self.stubs[skill, tool] = stub
        self.arguments[skill, tool] = arguments
        self.start_and_play(skill, Called((Call(tool, arguments, stub),)))

    def call_again(self, skill: str | None, tool: str) -> None:
        """The model calls a tool with sample arguments and what it is taken to do, without asking."""
        found = self.view.project.tool(skill, tool)
        if found is not None:
            self.call(skill, tool, self.given(skill, found), self.stub(skill, tool))

    def given(self, skill: str | None, tool: Tool) -> Mapping[str, object]:
        """The arguments of a tool's last call, else samples for those it needs."""
        return self.arguments.get((skill, tool.name)) or sample_arguments(tool)

    def start_and_play(self, skill: str | None, event: Event) -> None:
        """Play an event of a skill, which is started first where it isn't active."""
        start = () if skill is None or self.view.state.skill == skill else (Activated(skill), *self._by_hand(skill))
        self.play(*start, event)

    def _by_hand(self, skill: str) -> tuple[Event, ...]:
        """What the author wrote of a skill's memory, to be written again: a new run of it clears that memory (§3.6)."""
        state = self.view.state
        own = [k for k, w in state.writes.items() if w.writer in ("author", "seed") and k.startswith(f"{skill}.")]
        return tuple(AuthorSet(key, state.memory[key]) for key in own if key in state.memory)

    def make(self, move: Move) -> str:
        """Carry out a move; where it needs the author's words, the beginning of a line for them is given instead."""
        match move.kind:
            case "say":
                return " "
            case "reply":
                return "/model "
            case "set":
                return f"/set {move.name.partition('.')[2]}="
            case "correct":
                return f"/correct {move.name.partition('.')[2]}="
            case "search":
                return "/search "
            case "call":
                self.call_again(self.view.state.skill, move.name)
            case "yes" | "no":
                self.answer(move.kind, move.kind == "yes")
            case "resume" | "dismiss":
                self.answer("yes" if move.kind == "resume" else "no", move.kind == "resume")
            case _ if move.event is not None:
                self.play(move.event)
        return ""

    def open_gate(self, skill: str | None, tool: str) -> str:
        """Write the smallest change that opens a tool's gate; says what was written, or why nothing was."""
        if self.view.viewed is not None:
            return ONLY_LOOKED_AT
        verdict = self.view.report.find(tool, skill)
        proof = proof_of(self.view.project, self.view.state, verdict) if verdict else None
        if verdict is None or proof is None:
            return f"`{tool}` has no gate to open"
        if proof.truth is Truth.HOLDS:
            return f"the gate of `{tool}` is open"
        found = ways(self.view.project, self.view.state, verdict)
        if not found:
            return f"no value opens the gate of `{tool}`"
        self.play(*(AuthorCleared(c.key) if c.value is None else AuthorSet(c.key, c.value) for c in found[0].changes))
        return "wrote " + ", ".join(f"{c.key} = {as_text(c.value)}" for c in found[0].changes)

    def answer(self, words: str, confirmed: bool) -> None:
        """The customer answers what is asked, and the model passes the answer on."""
        view = self.view
        offered, pending = tuple(offer(view.project, view.state)), view.state.pending
        if offered:
            event = offered[0 if confirmed else 1].event
            self.play(CustomerSaid(words), *([event] if event is not None else []))
        elif pending is not None:
            stub = self.stub(pending.skill_id, pending.tool)
            self.play(CustomerSaid(words), Resolved(confirmed, stub, pending.tool))

    def set(self, key: str, value: object) -> None:
        """Write a value by hand, or unset it with `None`."""
        if self.view.state.memory.get(key) is not value or value is None:
            self.play(AuthorCleared(key) if value is None else AuthorSet(key, value))

    def stub(self, skill: str | None, tool: str) -> Stub:
        """What a tool is taken to do: as last given by the author, else as its code reads."""
        kept = self.stubs.get((skill, tool))
        if kept is not None:
            return kept
        found = self.view.project.tool(skill, tool)
        return default_stub(self.view.project, skill, found) if found else Stub()

    # -- moving --------------------------------------------------------------------------------------------------

    def undo(self) -> bool:
        """Take the last step back; what it dropped comes back too."""
        return self._only_looks() or self._swap(self.past, self.future)

    def redo(self) -> bool:
        """Take a step that was undone again."""
        return self._only_looks() or self._swap(self.future, self.past)

    def go(self, index: int) -> None:
        """Look at another moment of the session."""
        self._turn_to(self.view.session.go(index))

    def go_turn(self, by: int) -> None:
        """Look at the last moment of the turn before, or of the next."""
        moments, now = self.view.session.moments, self.view.state.turn.number
        ends = {m.state.turn.number: i for i, m in enumerate(moments)}
        near = [t for t in ends if (t > now if by > 0 else t < now)]
        if near:
            self.go(ends[min(near) if by > 0 else max(near)])

    def go_gate_change(self, by: int) -> bool:
        """Look at the nearest moment, in a direction, that opened or closed a gate."""
        at = self.view.session.cursor
        told = [any(c.tool not in BUILT_IN for c in m.moved) for m in self.view.session.moments]
        moved = [i for i, on in enumerate(told) if on and (i > at if by > 0 else i < at)]
        if moved:
            self.go(moved[0] if by > 0 else moved[-1])
        return bool(moved)

    def go_turned(self, skill: str | None, tool: str) -> str:
        """Go to the moment that last opened or closed a tool; from there, to the one before. Says what it was."""
        return self._go_back(lambda m: next((str(c) for c in m.moved if (c.skill, c.tool) == (skill, tool)), ""))

    def go_written(self, key: str) -> str:
        """Go to the moment that last wrote a key; from there, to the one before. Says what it was."""
        return self._go_back(lambda m: f"{key} was written" if any(_writes(r, key) for r in m.records) else "")

    def _go_back(self, told: Callable[[Moment[State]], str]) -> str:
        """To the latest moment, up to this one at first, of which there is something to tell."""
        session = self.view.session
        for at in range(session.cursor, 0, -1):
            words = told(session.moments[at])
            if words and (at < session.cursor or not any(told(m) for m in session.moments[1:at])):
                self.go(at)
                return f"moment {at}: {words}"
        return ""

    def look(self, look: Look) -> None:
        """Look at another skill or block."""
        self.wanted = None
        if look != self.view.look:
            self._show(replace(self.view, look=look))

    def replay(self, session: Played) -> None:
        """Turn to a conversation that was played elsewhere, by a script; undo brings the one before back."""
        if self._only_looks():
            return
        self.branch(session)

    def branch(self, session: Played) -> None:
        """Leave the recording that is looked at for a session of its own; undo brings the one before back."""
        self.past.append(self.view.session)
        self.future.clear()
        self._turn_to(session)

    def restart(self) -> None:
        """An empty conversation that begins as the old one did; undo brings that back."""
        self.replay(self.view.session.anew())

    # -- the folder ----------------------------------------------------------------------------------------------

    def reload(self, project: Project, read_at: str) -> None:
        """Fold the same events over a newer reading; what a save broke keeps its last good reading, under a banner."""
        before, viewed = replace(self.view, viewed=None), self.view.viewed
        kept, broken = (project, ()) if before.reading else keep_last_good(before.project, project)
        session = before.session.over(kept)
        moved = () if before.reading else changes(before.report, session.now.report)
        wanted = self.wanted or before.look
        look = wanted if wanted.skill in kept.skill_by_id else first_look(kept)
        self.wanted = None if look is wanted or before.reading else wanted
        edited = () if before.reading else _edited(before.report.of(look.skill), session.now.report.of(look.skill))
        told = _news(moved) or _still(edited) or ("kept as it was" if broken else "every tool stands as before")
        news = "" if before.reading else f"saved: {told}"
        self._show(
            replace(
                before, session=session, look=before.look if viewed else look, viewed=viewed,
                revision=before.revision + 1, news=news, banner=_banner(broken),
                marked_tools=_marks(moved) | {v.id for v in edited}, marked_keys=frozenset(), read_at=read_at,
                reading=False, wrong=False,
            )
        )  # fmt: skip

    def found(self, findings: tuple[Finding, ...]) -> None:
        """What checking the last reading found; it comes a moment after the reading, which needn't wait for it."""
        if findings != self.view.findings:
            self._show(replace(self.view, findings=findings))

    def record(self, keep: Callable[[Played], str] | None) -> None:
        """Have each session kept before it is shown, or no longer; `keep` says why it can't be, which ends it."""
        self.keep = keep or _unkept
        problem = self.keep(self.view.session)
        self._show(self._unrecorded(self.view, problem) if problem else replace(self.view, recording=keep is not None))

    def lost(self, why: str) -> None:
        """The folder can't be read at all now: say so, and keep everything."""
        self._show(replace(self.view, banner=why))

    def show(self, view: View) -> None:
        """Show what was made elsewhere: a moment of a recording, or the session again."""
        self._show(view)

    # -- inside --------------------------------------------------------------------------------------------------

    def _only_looks(self) -> bool:
        """Whether a recording is looked at, which nothing that is played can change."""
        if self.view.viewed is None:
            return False
        self._show(replace(self.view, news=ONLY_LOOKED_AT, wrong=True))
        return True

    def _swap(self, source: list[Played], target: list[Played]) -> bool:
        if source:
            now = self.view.session
            target.append(now)
            session = source.pop()
            self._turn_to(session if session.project is now.project else session.over(now.project))
            return True
        return False

    def _turn_to(self, session: Played) -> None:
        before, now = self.view.state, session.now.state
        moved = changes(self.view.report, session.now.report)
        look = followed(session.project, self.view.look, before, now)
        news, wrong = _outcome(session, self.view.session)
        self._show(
            replace(
                self.view, session=session, viewed=None, look=look, wrong=wrong, marked_tools=_marks(moved),
                marked_keys=_changed_keys(before.memory, now.memory), news=news or _news(moved),
            )
        )  # fmt: skip

    def _show(self, view: View) -> None:
        if view.session is not self.view.session and (problem := self.keep(view.session)):
            view = self._unrecorded(view, problem)
        self.view = view
        self.on_change(view)

    def _unrecorded(self, view: View, problem: str) -> View:
        self.keep = _unkept
        return replace(view, news=problem, wrong=True, recording=False)


def _unkept(session: Played) -> str:
    """No session is recorded."""
    return ""


def _writes(record: Record, key: str) -> bool:
    named = record.event.endswith(("memory_set", "memory_cleared", "inspector_set", "inspector_cleared"))
    return named and record.fields.get("key") == key


def _changed_keys(before: Mapping[str, object], after: Mapping[str, object]) -> frozenset[str]:
    if before is after:
        return frozenset()
    return frozenset(k for k in {*before, *after} if before.get(k) != after.get(k))


def _outcome(session: Played, before: Played) -> tuple[str, bool]:
    """What the last event came to where it was refused or went wrong, or dropped what came after; else nothing."""
    moment = session.now
    if moment is before.now or session.cursor < len(session.moments) - 1:
        return "", False
    for record in moment.records:
        if wrong := failure(record):
            return wrong, True
    dropped = len(before.moments) - 1 - before.cursor
    return (
        (f"{dropped} later event{'s' if dropped > 1 else ''} dropped: u brings back", False)
        if dropped > 0
        else ("", False)
    )


def _marks(moved: tuple[Change, ...]) -> frozenset[tuple[str | None, str]]:
    return frozenset((c.skill, c.tool) for c in moved if c.tool not in BUILT_IN)


def _news(moved: tuple[Change, ...], most: int = 2) -> str:
    """The changes in a line; those of the engine's own tools go without saying."""
    told = [str(c) for c in moved if c.tool not in BUILT_IN]
    more = f" (+{len(told) - most} more)" if len(told) > most else ""
    return ", ".join(told[:most]) + more


def _edited(before: tuple[Verdict, ...], after: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """The tools whose gate has another condition than before, though they may stand as they did."""
    gates = {v.tool: v.requires for v in before}
    return tuple(v for v in after if v.tool in gates and gates[v.tool] != v.requires)


def _still(edited: tuple[Verdict, ...]) -> str:
    return ", ".join(f"the gate of {v.tool} changed, {v.standing} as before" for v in edited[:2])


def _banner(broken: tuple[Finding, ...]) -> str:
    if not broken:
        return ""
    first, more = broken[0], len(broken) - 1
    rest = f" (+{more} more)" if more else ""
    return f"{first.span} {first.message}{rest}"
