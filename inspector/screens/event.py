"""One event as the engine records it: in the flat form of its tracker, or in its envelope (§8.1, §8.2)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from inspector.screens.dialog import Dialog
from inspector.visible import visible
from inspector_core.mantle.wire.envelope import to_envelope
from inspector_core.mantle.wire.flat import to_flat
from inspector_core.mantle.wire.tracker import TrackerEvent

__all__ = ["EventShown"]


class EventShown(Dialog[None]):
    """The events of a conversation one at a time."""

    BINDINGS: ClassVar = [
        Binding("escape,enter,q", "dismiss(None)", "leave"),
        Binding("left,left_square_bracket", "step(-1)", "the event before"),
        Binding("right,right_square_bracket", "step(1)", "the event after"),
        Binding("w", "form", "flat or envelope"),
        Binding("y", "copy", "copy"),
    ]

    def __init__(self, events: Sequence[TrackerEvent], at: int) -> None:
        super().__init__()
        self.events, self.at = events, at
        self.envelope = False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog") as dialog:
            dialog.border_subtitle = "← → events · w flat or envelope · y copies · esc leaves"
            with VerticalScroll():
                yield Static(id="event")

    def on_mount(self) -> None:
        self._show()

    def action_step(self, by: int) -> None:
        self.at = min(max(self.at + by, 0), len(self.events) - 1)
        self._show()

    def action_form(self) -> None:
        self.envelope = not self.envelope
        self._show()

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(visible(self._text(), lines=True))

    def _show(self) -> None:
        event = self.events[self.at]
        form = "envelope" if self.envelope else "flat"
        title = f"event {self.at + 1} of {len(self.events)} · {event.name} · {form}"
        self.query_one("#dialog").border_title = Content(visible(title))
        self.query_one("#event", Static).update(Content(visible(self._text(), lines=True)))

    def _text(self) -> str:
        """The event's JSON; of what the engine has no event for, our own fields."""
        event = self.events[self.at]
        form = to_envelope(event) if self.envelope else to_flat(event)
        if form is not None:
            return _json(form)
        return "the engine records nothing of this; it is a remark of the inspector's\n\n" + _json(dict(event.fields))


def _json(form: object) -> str:
    return json.dumps(form, indent=2, ensure_ascii=False, default=str)
