"""The why panel: the explanation of the tool under the cursor, as a person would give it."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from inspector.panels.lines import Lines, Row, line_rows
from inspector.pieces import Line
from inspector.visible import visible

__all__ = ["Why"]


class Why(Lines):
    """Verdict, proof tree, what would open the gate, who may do that."""

    ABOUT: ClassVar = (
        "Why the tool under the cursor is offered or not: the verdict and the place of its gate; the gate as a"
        " tree, each part with its value, false parts marked `✗`, failing ones `!`, and parts that the engine"
        " never reached in brackets; what would open it; who may write that; and what a call would ask and say."
    )

    def __init__(self, title: str, *, id: str) -> None:
        super().__init__(title, id=id)
        self.lines: tuple[Line, ...] = ()
        self.about = title

    def show_lines(self, title: str, lines: tuple[Line, ...]) -> None:
        """Explain this; the scroll position returns to the top only where it is about something else."""
        if title != self.about:
            self.cursor = 0
            self.scroll_to(y=0, animate=False, immediate=True)
        self.about = title
        self.border_title = Content(visible(title))
        self.lines = lines
        self._lay()

    def on_resize(self) -> None:
        self._lay()
        super().on_resize()

    def _lay(self) -> None:
        width = self.scrollable_content_region.width - 1
        rows = line_rows(self.lines, width) if width > 0 else []
        self.show_rows(rows or [Row("empty", (("put the cursor on a tool", "dim"),), quiet=True)])
