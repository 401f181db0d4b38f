"""The fold while it is under way: the four kinds of event that fill a recording in a few steps, all others as ever.

It says of every event what `advance` says; only what that takes time for is done once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from sys import intern

from inspector_core.mantle.engine.lineage import Memory
from inspector_core.mantle.engine.state import State, Turn, Write
from inspector_core.mantle.replay.fold import EVERY, Copy, Folded, Rest, Writes, with_memory
from inspector_core.mantle.replay.truths import Truths
from inspector_core.mantle.wire.rebuild import (
    Rebuilt,
    advance,
    buttons_of,
    is_engines,
    numbered,
    origin_of,
    write_of,
)
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["fold"]

_WRITES = frozenset({"memory_set", "memory_cleared", "inspector_set", "inspector_cleared"})
_TELLING = frozenset({"search_knowledge", "activate"})
"""Calls that change the turn's flags by what came of them."""


def fold(events: Iterable[TrackerEvent], start: State, truths: Truths) -> Folded:
    """Fold a whole recording; nothing of what it holds makes this raise."""
    folding = _Folding(start, truths)
    for event in events:
        folding.step(event)
    return folding.done


class _Folding:
    """What is known so far."""

    def __init__(self, start: State, truths: Truths) -> None:
        self.done = Folded(start)
        self.memory: dict[str, object] = dict(start.memory)
        self.rest = self.done.rests[0]
        self.position = start.position
        self.truths = truths
        self.number = 0
        self.plain: dict[str, str | None] = {}
        """Keys seen so far, each as one string; none for the engine's own."""
        self.tools: dict[str, Write] = {}
        """What each tool's writes in this turn are marked with."""
        self.lanes: Mapping[str, Callable[[TrackerEvent], None]] = {
            "memory_set": self._set, "memory_cleared": self._set, "user": self._said, "bot": self._spoke,
            "bot_turn_ended": self._ended, "tool_executed": self._called,
        }  # fmt: skip
        self._copy()

    def step(self, event: TrackerEvent) -> None:
        """One more event."""
        self.number += 1
        self.lanes.get(event.name, self._else)(event)
        if self.number % EVERY == 0:
            self._copy()

    # -- memory ----------------------------------------------------------------------------------------------------

    def _set(self, event: TrackerEvent) -> None:
        key = event.fields.get("key")
        if not isinstance(key, str):
            self._else(event)
            return
        plain = self.plain[key] if key in self.plain else self._met(key)
        if plain is None:
            self._else(event)
        else:
            self._written(event, plain)

    def _met(self, key: str) -> str | None:
        known = None if is_engines(key) else intern(str(key))
        self.plain[key] = known
        return known

    def _written(self, event: TrackerEvent, key: str) -> None:
        value, write = event.fields.get("value"), None
        origin = origin_of(event)
        position = origin.get("position")
        if isinstance(position, int) and position > self.position:
            self.position = position
        if value is None:
            self.memory.pop(key, None)
        else:
            tool = origin.get("tool")
            write = self.tools.get(tool) if type(tool) is str else None
            if write is None or event.name == "inspector_set":
                write = write_of(event, key, self.rest.turn)
                if write.writer == "tool" and write.by is not None:
                    self.tools[write.by] = write
            self.memory[key] = value
        self._log(key, value, write)
        self.truths.judge(self.number, key, self.memory)

    def _log(self, key: str, value: object, write: Write | None) -> None:
        done = self.done
        places = done.by_key.get(key)
        if places is None:
            places = done.by_key[key] = []
        places.append(len(done.at))
        done.at.append(self.number)
        done.keys.append(key)
        done.values.append(value)
        done.writes.append(write)
        done.positions.append(self.position)

    # -- the turn --------------------------------------------------------------------------------------------------

    def _keep(self, rest: Rest) -> None:
        self.rest = rest
        self.done.rests_at.append(self.number)
        self.done.rests.append(rest)

    def _said(self, event: TrackerEvent) -> None:
        self.tools.clear()
        core, turn, buttons, calls = self.rest
        if core.answered is not None:
            core = core._replace(answered=None)
        text = event.fields.get("text")
        self._keep(Rest(core, Turn(turn.number + 1, said=text if isinstance(text, str) else ""), buttons, calls))

    def _spoke(self, event: TrackerEvent) -> None:
        core, turn, before, calls = self.rest
        data = event.fields.get("data")
        buttons = buttons_of(data) if data else ()
        if turn.trimmed and event.metadata.get("mantle_response_source") == "llm":
            self._else(event)
        elif buttons != before:
            self._keep(Rest(core, turn, buttons, calls))

    def _ended(self, event: TrackerEvent) -> None:
        core, turn, buttons, calls = self.rest
        if turn.open:
            closed = Turn(
                turn.number, False, turn.ask_queued, turn.denial_queued, turn.paused, turn.searched, turn.trimmed,
                turn.resolved, turn.replies, turn.said, turn.handoffs, turn.noted,
            )  # fmt: skip
            self._keep(Rest(core, closed, buttons, calls))

    def _called(self, event: TrackerEvent) -> None:
        fields, metadata = event.fields, event.metadata
        result = fields.get("result")
        told = isinstance(result, str) and '"status"' in result
        if told or fields.get("tool_name") in _TELLING or metadata.get("source") == "tool_confirmation":
            self._else(event)
            return
        core, turn, buttons, before = self.rest
        calls = numbered("call_", metadata.get("tool_call_id"), before)
        if calls != before:
            self._keep(Rest(core, turn, buttons, calls))

    # -- all else --------------------------------------------------------------------------------------------------

    def _else(self, event: TrackerEvent) -> None:
        key = event.fields.get("key")
        if event.name in ("inspector_set", "inspector_cleared") and isinstance(key, str):
            self._written(event, intern(str(key)))
            return
        before = self.rest.rebuilt
        if event.name == "session_started" or event.name in _WRITES:
            memory = Memory(self.memory)
            state = with_memory(before.state, memory, Writes(self.done, self.number, memory), self.position)
            before = before._replace(state=state)
        after = advance(before, event)
        if after is not before:
            self._advanced(before, after)

    def _advanced(self, before: Rebuilt, after: Rebuilt) -> None:
        if after.problem is not None:
            self.done.problems[self.number] = after.problem
            after = after._replace(problem=None)
        state = after.state
        self.position = max(self.position, state.position)
        if state.memory is not before.state.memory:
            self._forget(state)
        self._keep(Rest(after, state.turn, state.buttons, state.calls))

    def _forget(self, state: State) -> None:
        """A new session: what is gone is logged as if it had been cleared, key by key."""
        self.tools.clear()
        gone = [key for key in self.memory if key not in state.memory]
        for key in gone:
            del self.memory[key]
            self._log(key, None, None)
        for key in gone:
            self.truths.judge(self.number, key, self.memory)

    def _copy(self) -> None:
        self.done.copies.append(Copy(dict(self.memory), len(self.done.at)))
