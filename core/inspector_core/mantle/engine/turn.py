"""What one event makes of a conversation; pure, and total: every event is legal in every state (§6)."""

from __future__ import annotations

from typing import assert_never

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
from inspector_core.mantle.engine import finish
from inspector_core.mantle.engine.buttons import press
from inspector_core.mantle.engine.calls import Move, end_turn, move_of, reply, speak
from inspector_core.mantle.engine.memory import by_hand
from inspector_core.mantle.engine.payload import done, failed
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.state import State, Turn
from inspector_core.mantle.project import Project

__all__ = ["step"]

ModelMove = (
    ModelSaid | Listened | Activated | FieldsSet | Called | Corrected | Searched | CannotHelp | Resolved | Completed
    | Cancelled
)  # fmt: skip


def step(project: Project, state: State, event: Event) -> tuple[State, tuple[Record, ...]]:
    """The state after an event, and what the engine would have recorded of it."""
    play = Play(project, state)
    match event:
        case SessionBegan():
            play.record("session_started")
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
    return play.state(), tuple(play.records)


def _customer(play: Play, text: str, button: str | None) -> None:
    """A new turn: its flags begin afresh, while a confirmation that waits goes on waiting."""
    play.turn = Turn(play.turn.number + 1)
    play.records.append(Record("user", {"text": text}, {} if button is None else {"button_title": button}))
    if press(play, text) is False:
        end_turn(play)
        return
    finish.settle(play)
    speak(play)


def _model(play: Play, event: ModelMove) -> None:
    if not play.turn.open:
        play.refuse("turn-ended", "the turn has ended: the customer speaks next")
        return
    match event:
        case ModelSaid(text):
            _said(play, text)
        case Listened():
            _listen(play)
        case Called(calls):
            _reply(play, tuple(move_of(call) for call in calls))
        case Resolved(tool=asked) if asked is not None and play.pending and play.pending.tool != asked:
            message = f"the answer was about `{asked}`, and now `{play.pending.tool}` waits for one"
            play.refuse("another-pending", message)
        case Corrected(key, value):
            _reply(play, (Call("correct", {"memory_key": key, "value": value}),))
        case Searched(query, stub):
            _reply(play, (Call("search_knowledge", {"query": query}, stub),))
        case CannotHelp(in_domain):
            _reply(play, (Call("cannot_help", {"in_domain": in_domain}),))
        case Activated() | FieldsSet() | Resolved() | Completed() | Cancelled():
            reply(play, (event,))
        case _:
            assert_never(event)


def _reply(play: Play, moves: tuple[Move, ...]) -> None:
    if not moves:
        play.refuse("empty-reply", "the reply neither says nor calls anything")
    elif all(isinstance(move, Listened) for move in moves):
        _listen(play)
    else:
        reply(play, moves)


def _said(play: Play, text: str) -> None:
    """Words alone end the turn; what waits for an answer goes on waiting."""
    if not text.strip():
        play.refuse("empty-reply", "the reply neither says nor calls anything")
        return
    play.reply_begins()
    play.say(text, mantle_response_source="llm")
    end_turn(play)


def _listen(play: Play) -> None:
    """The turn ends in silence; not while the customer owes an answer, nor after a search."""
    play.reply_begins()
    play.call_begins()
    if play.waits or play.turn.searched:
        play.executed("listen", {}, failed("`listen` can't be used now"))
        return
    play.executed("listen", {}, done("listen"))
    end_turn(play)
