"""The buttons that the customer sees: those of the agent's last message (§3.7)."""

from __future__ import annotations

from inspector_core.classes import NamedTuple
from inspector_core.events import CustomerSaid
from inspector_core.mantle.engine.state import State

__all__ = ["Button", "buttons", "tap"]


class Button(NamedTuple):
    """What can be tapped, and what that sends."""

    title: str
    payload: str

    @property
    def event(self) -> CustomerSaid:
        """The customer's message of it."""
        return CustomerSaid(self.payload, self.title)


def buttons(state: State) -> tuple[Button, ...]:
    """What can be tapped now."""
    return tuple(Button(title, payload) for title, payload in state.buttons)


def tap(state: State, title: str) -> Button | None:
    """The button of that title, in whatever case it is typed; else the one of that payload."""
    wanted, every = title.strip().lower(), buttons(state)
    titled = (b for b in every if b.title.strip().lower() == wanted)
    return next(titled, None) or next((b for b in every if b.payload.strip().lower() == wanted), None)
