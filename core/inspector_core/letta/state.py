"""Where a conversation under tool rules stands: the calls of this request, the last output, what waits for a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from inspector_core.classes import NamedTuple, dataclass
from inspector_core.events import Call, Stub
from inspector_core.letta.solver import Situation

__all__ = ["MAX_STEPS", "Pending", "State", "Turn", "situation"]

MAX_STEPS = 50
"""So many steps a request may take, unless its caller says otherwise."""


class Turn(NamedTuple):
    """One request: from a customer's words to the end of the loop."""

    number: int = 0
    open: bool = True
    steps: int = 0
    """Replies of the model so far, refused ones included."""
    stop: str | None = None
    """The `stop_reason` once it is over, as far as the loop gives one."""


class Pending(NamedTuple):
    """A call that waits for a person."""

    call: Call
    broken: tuple[str, ...] = ()
    """The rules that it breaks, in words: the server asks all the same, and says nothing of it (letta #3443)."""

    @property
    def tool(self) -> str:
        return self.call.tool


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the next event is judged by."""

    history: tuple[str, ...] = ()
    """The calls of this request as they happened, each once."""
    output: str | None = None
    """What the last call returned, packaged."""
    turn: Turn = Turn()
    pending: Pending | None = None
    stubs: Mapping[str, Stub] = field(default_factory=dict)
    """What tools do for the whole session."""

    @property
    def memory(self) -> Mapping[str, object]:
        """Tool rules read none."""
        return {}

    @property
    def skill(self) -> str | None:
        """There are none: every tool is the agent's."""
        return None

    @property
    def target(self) -> str | None:
        return None

    @property
    def active_pending(self) -> Pending | None:
        return self.pending


def situation(state: State, available: tuple[str, ...]) -> Situation:
    """What the rules look at. Once a turn is over, what they would look at as the next one begins."""
    if not state.turn.open:
        return Situation((), available, None)
    return Situation(state.history, available, state.output)
