"""The state at each moment of a recording, from its events alone (§8.5)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Literal

from inspector_core.classes import NamedTuple
from inspector_core.mantle.engine.lineage import Memory
from inspector_core.mantle.engine.seeds import METADATA_KEY
from inspector_core.mantle.engine.state import EMPTY, Frame, Pending, State, Turn, Write, Writer
from inspector_core.mantle.wire import frames, patch, pending
from inspector_core.mantle.wire.flags import after_call
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = [
    "BEGINNING", "Rebuilt", "Status", "advance", "buttons_of", "is_engines", "moments", "numbered", "origin_of",
    "position_of", "rebuild", "write_of",
]  # fmt: skip

Status = Literal["active", "completed", "inactive"]

_ENGINE = "system."
_DEEPEST = 256
"""No conversation has so many frames; a file that says so would take hours to follow."""


class Rebuilt(NamedTuple):
    """What a recording says of the conversation up to one of its events."""

    state: State
    stack: tuple[object, ...] = ()
    """The stack just as it was recorded: the next patch is made against it."""
    engine: Mapping[str, object] = {}
    """The entries that belong to the engine alone, and that no condition can read (§3.9)."""
    blocks: Mapping[tuple[str, str], Status] = {}
    """(skill, block) to what became of the block."""
    answered: Pending | None = None
    """The confirmation that was cleared in this turn, to know whose result is recorded next."""
    problem: str | None = None
    """What of the latest event could not be followed."""


BEGINNING = Rebuilt(EMPTY)
"""Before the first event."""


def rebuild(events: Iterable[TrackerEvent], start: Rebuilt = BEGINNING) -> State:
    """The state after all of these events."""
    return reduce(advance, events, start).state


def moments(events: Iterable[TrackerEvent], start: Rebuilt = BEGINNING) -> Iterator[Rebuilt]:
    """What is known after each event in turn."""
    at = start
    for event in events:
        at = advance(at, event)
        yield at


def advance(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    """What is known after one more event; one that means nothing for the state leaves it as it is."""
    follow = _FOLLOW.get(event.name)
    at = at._replace(problem=None) if at.problem is not None else at
    return at if follow is None else follow(at, event)


def is_engines(key: str) -> bool:
    """Whether an entry is the engine's own, which conditions read as null (§3.4)."""
    return key.startswith(_ENGINE) or key == METADATA_KEY


def _session(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    """Everything begins anew but for what was given from outside, and for what is only counted on."""
    state = at.state
    kept = {key for key, write in state.writes.items() if write.given}
    fresh = replace(
        EMPTY, memory=Memory({key: state.memory[key] for key in kept}), stubs=state.stubs,
        writes={key: state.writes[key] for key in kept}, turn=Turn(state.turn.number), frames=state.frames,
        calls=state.calls, position=state.position,
    )  # fmt: skip
    return Rebuilt(fresh)


def _user(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    text = event.fields.get("text")
    turn = Turn(at.state.turn.number + 1, said=text if isinstance(text, str) else "")
    return at._replace(state=replace(at.state, turn=turn), answered=None)


def _bot(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    """What was said, with the buttons beneath it; an answer in words gives the model its whole list of tools back."""
    buttons = buttons_of(event.fields.get("data"))
    turn = at.state.turn
    if turn.trimmed and event.metadata.get("mantle_response_source") == "llm":
        turn = replace(turn, trimmed=False)
    return at._replace(state=replace(at.state, buttons=buttons, turn=turn))


def buttons_of(data: object) -> tuple[tuple[str, str], ...]:
    """(title, payload) of the buttons beneath a message."""
    offered = data.get("buttons") if isinstance(data, Mapping) else None
    return tuple(_button(b) for b in offered if isinstance(b, Mapping)) if isinstance(offered, list) else ()


def _button(button: Mapping[object, object]) -> tuple[str, str]:
    return str(button.get("title", "")), str(button.get("payload", ""))


def _ended(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    return at._replace(state=replace(at.state, turn=replace(at.state.turn, open=False)))


# -- memory ----------------------------------------------------------------------------------------------------------


def _written(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    key, value = event.fields.get("key"), event.fields.get("value")
    if not isinstance(key, str):
        return at._replace(problem="a write without a key")
    at = at._replace(state=replace(at.state, position=position_of(event, at.state.position)))
    if is_engines(key) and not _by_hand(event):
        return _engines(at, key, value)
    return at._replace(state=_kept(at.state, key, value, event))


def _kept(state: State, key: str, value: object, event: TrackerEvent) -> State:
    memory, writes = dict(state.memory), dict(state.writes)
    if value is None:
        memory.pop(key, None)
        writes.pop(key, None)
    else:
        memory[key], writes[key] = value, write_of(event, key, state.turn)
    kept = Memory(memory, state.memory)
    kept.settle(frozenset((key,)))
    return replace(state, memory=kept, writes=writes)


def _by_hand(event: TrackerEvent) -> bool:
    return event.name.startswith("inspector_")


def origin_of(event: TrackerEvent) -> Mapping[object, object]:
    """Where a write came from, as its record tells (§8.1)."""
    found = event.metadata.get("mantle_write_provenance")
    return found if isinstance(found, Mapping) else {}


def position_of(event: TrackerEvent, before: int) -> int:
    """The running number of the latest write, after one more."""
    found = origin_of(event).get("position")
    return max(before, found) if isinstance(found, int) else before


def write_of(event: TrackerEvent, key: str, turn: Turn) -> Write:
    """Who wrote, as far as the record tells: what the model sets comes with a call that names the entry.

    What a step writes is not told from what the engine does by itself: the record of both is the same.
    """
    writer, by = ("author", None) if _by_hand(event) else _writer(key, origin_of(event), turn)
    return Write(writer, by, turn.number)


def _writer(key: str, origin: Mapping[object, object], turn: Turn) -> tuple[Writer, str | None]:
    tool, arguments = origin.get("tool"), origin.get("arguments")
    if isinstance(tool, str):
        return "tool", tool
    if "correction" in origin:
        return "model", None
    if isinstance(arguments, Mapping) and origin.get("tool_call_id") and key.partition(".")[2] in arguments:
        return "model", None
    if turn.said.startswith(f"set:session.{key}=") and not origin.get("tool_call_id"):
        return "customer", None
    seeded = key.startswith("project.") and not turn.said and not origin.get("frame_id")
    return ("seed", METADATA_KEY) if seeded else ("engine", None)


def _engines(at: Rebuilt, key: str, value: object) -> Rebuilt:
    engine = {k: v for k, v in at.engine.items() if k != key}
    if value is not None:
        engine[key] = value
    at = at._replace(engine=engine)
    match key:
        case "system.pending_tool_confirmation":
            return _waits(at, value)
        case "system.verbatim_activate_triggers_fired":
            return at._replace(state=replace(at.state, fired=_marks(value)))
        case "system.verbatim_when_trigger_match_state":
            return at._replace(state=replace(at.state, triggers=_marks(value)))
        case _:
            return at


def _marks(value: object) -> frozenset[tuple[str, str]]:
    """(frame id, response) of triggers, which the engine keeps by frame."""
    by_frame = value if isinstance(value, Mapping) else {}
    return frozenset(
        (str(frame), str(name)) for frame, names in by_frame.items() if isinstance(names, list) for name in names
    )


def _waits(at: Rebuilt, value: object) -> Rebuilt:
    state = at.state
    if value is None:
        return at._replace(state=replace(state, pending=None), answered=state.pending)
    known = state.pending
    found = pending.read(value, state.turn.number, state.memory)
    if isinstance(found, str):
        return at._replace(state=replace(state, pending=None), problem=found)
    if known is not None and known.frame_id == found.frame_id and known.tool == found.tool:
        found = replace(found, turn=known.turn, memory=known.memory)  # only what is handed over later was added to it
    return at._replace(state=replace(state, pending=found))


# -- calls -----------------------------------------------------------------------------------------------------------


def _executed(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    """The turn's flags, which no event of their own tells (§6.2)."""
    state = at.state
    turn = after_call(state.turn, event, at.answered)
    calls = numbered("call_", event.metadata.get("tool_call_id"), state.calls)
    return at._replace(state=replace(state, turn=turn, calls=calls))


# -- the stack -------------------------------------------------------------------------------------------------------


def _stack(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    update = event.fields.get("update")
    try:
        operations: object = json.loads(update) if isinstance(update, str) else update
    except (ValueError, RecursionError):
        return at._replace(problem="the stack's update can't be read as JSON")
    document, problem = patch.apply(at.stack, operations)
    if len(document) > _DEEPEST:
        return at._replace(problem=f"the stack's update makes it more than {_DEEPEST} frames deep")
    if problem is not None:
        return at._replace(problem=f"the stack's update doesn't fit: {problem}")
    found, odd = frames.read(document)
    state = at.state
    made = max((numbered("f", frame.frame_id, 0) for frame in found), default=0)
    stack = tuple(_walked(frame, state.stack) for frame in found)
    alive = {frame.frame_id for frame in stack}
    state = replace(
        state, stack=stack, frames=max(state.frames, made),
        triggers=frozenset(mark for mark in state.triggers if mark[0] in alive),
        fired=frozenset(mark for mark in state.fired if mark[0] in alive),
    )  # fmt: skip
    return at._replace(state=state, stack=tuple(document), problem=odd[0] if odd else None)


def _walked(frame: Frame, before: tuple[Frame, ...]) -> Frame:
    """A frame with the steps that it has passed."""
    known = next((f for f in before if f.frame_id == frame.frame_id), None)
    if known is None:
        return frame
    passed = () if known.step_id is None or known.step_id == frame.step_id else (known.step_id,)
    return replace(frame, visited=known.visited + passed)


def numbered(prefix: str, name: object, least: int) -> int:
    """The number in a name that the engine of ours gave; others have no order to go on from."""
    found = re.fullmatch(f"{prefix}([1-9][0-9]{{0,9}})", name) if isinstance(name, str) else None
    return max(least, int(found[1])) if found else least


def _block(status: Status) -> Callable[[Rebuilt, TrackerEvent], Rebuilt]:
    def follow(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
        block = (str(event.fields.get("skill_id")), str(event.fields.get("block_id")))
        return at._replace(blocks={**at.blocks, block: status})

    return follow


def _hung_up(at: Rebuilt, event: TrackerEvent) -> Rebuilt:
    over = event.fields.get("name") == "hangup"
    return at._replace(state=replace(at.state, over=True)) if over else at


_FOLLOW: Mapping[str, Callable[[Rebuilt, TrackerEvent], Rebuilt]] = {
    "session_started": _session,
    "user": _user,
    "bot": _bot,
    "bot_turn_ended": _ended,
    "memory_set": _written,
    "memory_cleared": _written,
    "inspector_set": _written,
    "inspector_cleared": _written,
    "tool_executed": _executed,
    "stack": _stack,
    "ordered_block_entered": _block("active"),
    "ordered_block_resumed": _block("active"),
    "ordered_block_completed": _block("completed"),
    "ordered_block_cancelled": _block("inactive"),
    "ordered_block_interrupted": _block("inactive"),
    "action": _hung_up,
}
