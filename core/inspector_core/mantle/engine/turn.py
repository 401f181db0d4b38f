"""What one event makes of a conversation; pure, and total: every event is legal in every state (§6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, assert_never

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
    SessionBegan,
    Stubbed,
)
from inspector_core.mantle.engine import defaults
from inspector_core.mantle.engine.blocks import END, complete_block
from inspector_core.mantle.engine.buttons import press
from inspector_core.mantle.engine.calls import Move, move_of, reply, say_filler
from inspector_core.mantle.engine.memory import by_hand, clear_pending
from inspector_core.mantle.engine.payload import done, failed
from inspector_core.mantle.engine.phase import go_on
from inspector_core.mantle.engine.play import Broken, Cut, Play
from inspector_core.mantle.engine.session import open_session
from inspector_core.mantle.engine.speech import close, end_turn
from inspector_core.mantle.engine.stack import frames_of
from inspector_core.mantle.engine.standing import current
from inspector_core.mantle.engine.state import State, Turn
from inspector_core.mantle.project import Project

__all__ = ["step"]

MOST: Final = 20
"""So often the model can reply in one turn."""
_OVER: Final = "the agent has hung up: a new session has to begin"

ModelMove = (
    ModelSaid | Listened | Activated | FieldsSet | Called | Corrected | Searched | CannotHelp | Resolved | Completed
    | Cancelled
)  # fmt: skip


def step(project: Project, state: State, event: Event) -> tuple[State, tuple[Record, ...]]:
    """The state after an event, and what the engine would have recorded of it."""
    play = Play(project, state)
    try:
        _played(play, event)
    except Broken as problem:
        play.note("turn-failed", f"{problem}: the engine breaks off the turn here")
        close(play)
    except Cut:
        _cut(play)
    return play.state(), tuple(play.records)


def _played(play: Play, event: Event) -> None:
    match event:
        case SessionBegan():
            open_session(play, event)
        case CustomerSaid(text, button):
            _customer(play, text, button)
        case Stubbed(tool, stub):
            play.stubs = {**play.stubs, tool: stub} if stub else {k: v for k, v in play.stubs.items() if k != tool}
        case AuthorSet(key, value):
            by_hand(play, key, value)
        case AuthorCleared(key):
            by_hand(play, key, None)
        case _:
            _model(play, event)


def _cut(play: Play) -> None:
    """The customer spoke while a tool ran: what was still to be said or begun is dropped, an ask with its question."""
    if play.closing is not None and play.turn.ask_queued:
        clear_pending(play)
    close(play)


def _customer(play: Play, text: str, button: str | None) -> None:
    """A new turn: its flags begin afresh, while a confirmation that waits goes on waiting."""
    if play.over:
        play.refuse("hung-up", _OVER)
        return
    play.turn = Turn(play.turn.number + 1, said=text)
    play.records.append(Record("user", {"text": text}, {} if button is None else {"button_title": button}))
    if press(play, text) is False:
        end_turn(play)
        return
    _answer(play)


def _answer(play: Play) -> None:
    """Go on; a greeting that the session still owed ends like a turn of its own, and the model answers after it."""
    greeted = bool(frames_of(play, defaults.SESSION_START))
    go_on(play)
    if greeted and play.turn.open and not frames_of(play, defaults.SESSION_START):
        play.record("bot_turn_ended")


def _barred(play: Play) -> bool:
    """Whether the model has no say now."""
    if play.over:
        play.refuse("hung-up", _OVER)
    elif not play.turn.open:
        play.refuse("turn-ended", "the turn has ended: the customer speaks next")
    else:
        return False
    return True


def _model(play: Play, event: ModelMove) -> None:
    if _barred(play):
        return
    _moved(play, event)
    if play.turn.open and play.turn.replies >= MOST:
        play.note("reply-limit", f"the model has replied {MOST} times in this turn: the engine ends it here")
        end_turn(play)


def _moved(play: Play, event: ModelMove) -> None:
    match event:
        case ModelSaid(text):
            _said(play, text)
        case Listened():
            _listen(play)
        case Called((), filler):
            _said(play, filler)
        case Called(calls, filler):
            _reply(play, tuple(move_of(call) for call in calls), filler)
        case Resolved(tool=asked) if asked is not None and play.pending and play.pending.tool != asked:
            message = f"the answer was about `{asked}`, and now `{play.pending.tool}` waits for one"
            play.refuse("another-pending", message)
        case Corrected() | Searched() | CannotHelp():
            reply(play, (_call(event),))
        case Activated() | FieldsSet() | Resolved() | Completed() | Cancelled():
            reply(play, (event,))
        case _:
            assert_never(event)


def _call(event: Corrected | Searched | CannotHelp) -> Call:
    match event:
        case Corrected(key, value):
            return Call("correct", {"memory_key": key, "value": value})
        case Searched(query, stub):
            return Call("search_knowledge", {"query": query}, stub)
        case CannotHelp(in_domain):
            return Call("cannot_help", {"in_domain": in_domain})
        case _:
            assert_never(event)


def _reply(play: Play, moves: tuple[Move, ...], filler: str = "") -> None:
    if all(isinstance(move, Listened) for move in moves):
        _listen(play, filler)
    else:
        reply(play, moves, filler)


def _said(play: Play, text: str) -> None:
    """Words alone end the turn; what waits for an answer goes on waiting.

    Words that follow a search are an answer from knowledge: the skill that it interrupted is offered anew (§7.3).
    """
    if not text.strip():
        play.refuse("empty-reply", "the reply neither says nor calls anything")
        return
    play.reply_begins()
    play.say(text, mantle_response_source="llm")
    searched, play.turn = play.turn.trimmed, replace(play.turn, trimmed=False)
    if defaults.declined(play):
        complete_block(play, END)
    elif searched and defaults.answered(play):
        go_on(play)
    if play.turn.open:
        end_turn(play)


def _listen(play: Play, filler: str = "") -> None:
    """The turn ends in silence; not while the customer owes an answer, nor after a search."""
    play.reply_begins()
    play.call_begins()
    say_filler(play, filler)
    if play.waits or play.turn.searched or defaults.declining(play) or _collects(play):
        play.executed("listen", {}, failed("`listen` can't be used now"))
        return
    play.executed("listen", {}, done("listen"))
    end_turn(play)


def _collects(play: Play) -> bool:
    """Whether a step waits for a value that the customer is to give: then silence is no answer."""
    step = current(play.block, play.stack[-1].step_id) if play.stack else None
    return step is not None and step.kind == "collect"
