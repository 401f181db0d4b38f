"""A replayed recording, printed: its sessions, its events with what they did to the gates, or one moment of it."""

from __future__ import annotations

from collections.abc import Iterator

from inspector.pieces import Line, Piece, Tone, standing_tone
from inspector.reports.json import verdict
from inspector.reports.text import blank, say
from inspector.reports.tools import tool_lines
from inspector.reports.values import shown
from inspector.turns import bookkeeping, brief
from inspector_core.events import Record
from inspector_core.mantle.replay import Confirmation, GateHistory, Point, Replay
from inspector_core.mantle.wire.tracker import TrackerEvent
from inspector_core.recording.recording import Recording
from inspector_core.recording.sessions import Session
from inspector_core.report import Change

__all__ = [
    "moment_json",
    "moment_lines",
    "replay_json",
    "replay_lines",
    "session_lines",
    "sessions_json",
    "told_json",
    "told_lines",
]

_LONGEST = 100
_OPEN = ("offered", "asks")
_ENDS = {"open": "never answered", "dropped": "dropped without an answer"}


# -- for people --------------------------------------------------------------------------------------------------------


def session_lines(path: str, recording: Recording) -> Iterator[Line]:
    """What a file holds, session by session."""
    yield say((path, "head"), f"  {recording.format.value}, {_many(len(recording.sessions), 'session')}")
    for number, session in enumerate(recording.sessions, 1):
        yield Line(((f"  {number}  ", "dim"), (session.name, "plain")), (_many(len(session.events), "event"), "dim"))


def told_lines(path: str, session: Session) -> Iterator[Line]:
    """The events alone, of a recording that carries no memory: nothing can be said of gates there."""
    yield say((path, "head"), f"  {session.name}  ", ("no memory was recorded, so nothing is said of gates", "dim"))
    width = len(str(len(session.events)))
    for number, one in enumerate(session.events, 1):
        yield _event(number, one.event, width)


def replay_lines(path: str, session: Session, replay: Replay) -> Iterator[Line]:
    """Every event, with the tools that it made stand otherwise; of a question, what became of it."""
    counts = (
        _many(len(replay), "event"),
        _many(len(replay.turns), "turn"),
        _many(len(replay.confirmations), "question"),
    )
    yield say((path, "head"), f"  {session.name}  ", (", ".join(counts), "dim"))
    width = len(str(len(replay)))
    margin = " " * (width + 2)
    for number, event in enumerate(replay.events, 1):
        yield _event(number, event, width)
        one = replay.confirmation_of.get(number)
        if one is not None and one.pause == number:
            yield say(margin, (f"? {question(one)}", "ask"))
        if number in replay.problems:
            yield say(margin, ("! ", "error"), replay.problems[number])
        for change in replay.moved.get(number, ()):
            yield say(margin, *_change(change))


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _event(number: int, event: TrackerEvent, width: int) -> Line:
    record = Record(event.name, event.fields, event.metadata)
    tone: Tone = "dim" if bookkeeping(record) else "plain"
    return Line(((f"{number:>{width}}  ", "dim"), (f"{event.name:<15} ", tone), (_clipped(brief(record)), tone)))


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def question(one: Confirmation) -> str:
    """What became of a question, with the events that tell."""
    where = [f"asked in {one.ask}"] if one.ask is not None else []
    if one.runs:
        where.append(f"{'declined' if one.outcome == 'declined' else 'ran'} in {' and '.join(map(str, one.runs))}")
    if one.answer is not None:
        where.append(f"answered in {one.answer}")
    told = f" ({', '.join(where)})" if where else ""
    return f"{one.tool}: {_ENDS.get(one.outcome, one.outcome)}{told}"


def _change(change: Change) -> Iterator[Piece]:
    opens = change.after in _OPEN
    turned = (change.before in _OPEN) is not opens
    yield ("· ", "dim") if not turned else ("+ ", "good") if opens else ("- ", "bad")
    yield (change.tool, "plain")
    yield (f"  {change.before or 'new'} → ", "dim")
    yield (change.after, standing_tone(change.after)) if change.after else ("gone", "dim")
    yield (f"  {change.skill}" if change.skill else "", "dim")


def moment_lines(path: str, session: Session, replay: Replay, point: Point) -> Iterator[Line]:
    """One moment: what had happened, what waited, what memory held, and how every tool stood, with what made it so."""
    yield say((path, "head"), f"  {session.name}  ", (f"after event {point.number} of {len(replay)}", "dim"))
    if point.event is not None:
        yield _event(point.number, point.event, 0)
    yield blank()
    yield say(("active  ", "dim"), _active(point))
    if point.pending is not None:
        yield say(("waits   ", "dim"), (f"{point.pending.tool}: {point.pending.ask or 'asked in other words'}", "ask"))
    if point.problem:
        yield say(("! ", "error"), point.problem)
    for key, value in sorted(point.state.memory.items()):
        written = replay.written(key, point.number)
        yield Line((("memory  ", "dim"), (key, "plain"), (" = ", "dim"), (shown(value), "value")), _since(written))
    yield blank()
    yield from tool_lines(replay.project, tuple(point.report.verdicts))
    yield blank()
    for history in replay.histories(point.state.skill or "").values():
        told = _history(history, point.number)
        if told:
            yield say((f"{history.tool}: ", "plain"), (told, "dim"))


def _active(point: Point) -> str:
    if point.block is not None:
        return " › ".join(point.block)
    return point.state.skill or "nothing"


def _since(written: int | None) -> Piece:
    return (f"written in {written}", "dim") if written is not None else ("from the start", "dim")


def _history(history: GateHistory, number: int) -> str:
    opened, closed = history.opened(number), history.closed(number)
    told = [f"last opened in {opened}"] if opened is not None else []
    return ", ".join([*told, *([f"last closed in {closed}"] if closed is not None else [])])


# -- for programs ------------------------------------------------------------------------------------------------------


def sessions_json(path: str, recording: Recording) -> dict[str, object]:
    listed = [
        {"session": s.name, "conversation": s.conversation_id, "events": len(s.events)} for s in recording.sessions
    ]
    return {"path": path, "format": recording.format.value, "repeated": recording.repeated, "sessions": listed}


def replay_json(replay: Replay) -> dict[str, object]:
    """Every event, the questions, and the gates' changes."""
    return {
        "events": [_event_json(replay, number) for number in range(1, len(replay) + 1)],
        "questions": [
            {
                "tool": one.tool, "arguments": one.arguments, "outcome": one.outcome, "pause": one.pause,
                "ask": one.ask, "answer": one.answer, "runs": one.runs,
            }
            for one in replay.confirmations
        ],
    }  # fmt: skip


def told_json(session: Session) -> list[dict[str, object]]:
    """The events of a recording that carries no memory."""
    every = enumerate((one.event for one in session.events), 1)
    return [{"number": n, "event": e.name, "timestamp": e.timestamp, **_parts(e)} for n, e in every]


def _event_json(replay: Replay, number: int) -> dict[str, object]:
    event = replay.events[number - 1]
    told: dict[str, object] = {"number": number, "event": event.name, "timestamp": event.timestamp, **_parts(event)}
    changes = replay.moved.get(number, ())
    if changes:
        told["changes"] = [
            {"skill": c.skill, "tool": c.tool, "before": c.before, "after": c.after} for c in changes
        ]  # fmt: skip
    if number in replay.problems:
        told["problem"] = replay.problems[number]
    return told


def _parts(event: TrackerEvent) -> dict[str, object]:
    return {"fields": event.fields, "metadata": event.metadata}


def moment_json(replay: Replay, point: Point) -> dict[str, object]:
    """One moment: state, verdicts, and since which event each gate has been open or closed."""
    pending = point.pending
    return {
        "number": point.number, "active": point.state.target, "block": point.block, "turn": point.state.turn.number,
        "pending": None if pending is None else {
            "tool": pending.tool, "arguments": pending.arguments, "ask": pending.ask, "skill": pending.skill_id,
        },
        "memory": [
            {"key": key, "value": value, "written": replay.written(key, point.number)}
            for key, value in sorted(point.state.memory.items())
        ],
        "tools": [_tool_json(replay, point, one) for one in map(verdict, point.report.verdicts)],
        "changes": [
            {"skill": c.skill, "tool": c.tool, "before": c.before, "after": c.after} for c in point.changes
        ],
    }  # fmt: skip


def _tool_json(replay: Replay, point: Point, told: dict[str, object]) -> dict[str, object]:
    history = replay.history(str(told["skill"]), str(told["tool"]))
    if history is None:
        return told
    return {**told, "opened": history.opened(point.number), "closed": history.closed(point.number)}
