"""The prompt panel: what the model would be given now, and what one other value in memory would change in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar

from textual.content import Content

from inspector.messages import CallWanted
from inspector.panels.lines import Lines, Row, bindings, line_rows
from inspector.pieces import Line
from inspector.reports.prompt import flip_lines, prompt_lines
from inspector.view import Look, View
from inspector.visible import visible
from inspector_core.mantle.engine.state import State
from inspector_core.mantle.prompt import Flip, as_if, flips, prompt
from inspector_core.mantle.prompt import Prompt as Made
from inspector_core.report import Verdict

__all__ = ["Prompt"]


class Prompt(Lines):
    """The parts of the prompt in order; what is kept from the model is dimmed, with the reason."""

    BINDINGS: ClassVar = bindings("prompt")
    ABOUT: ClassVar = (
        "What the model would be given next: the paragraphs of the skill, or what the running step has to say, with"
        " the values of memory in them; the entries that may be read; the tools with their arguments. The engine's own"
        " words around these are not known. Dimmed is what is kept from the model, with the reason. A token that has"
        " no value stands out as it is written, since that is what the model reads. The tool or the entry under the"
        " cursor is explained beside. `enter` on a tool writes its"
        " schema out; on an entry of memory it shows what another value would change. While the cursor is on an entry"
        " in the memory panel, that stands at the top. A bar at the left marks what the last event changed."
    )

    def __init__(
        self, title: str, *, id: str, on_tool: Callable[[Verdict | None], None], on_key: Callable[[str], None]
    ) -> None:
        super().__init__(title, id=id)
        self.on_tool, self.on_key = on_tool, on_key
        self.view: View | None = None
        self.made: Made | None = None
        self.key: str | None = None
        """The entry that the cursor of the memory panel is on."""
        self.opened: set[str] = set()
        """Tools and entries that are unfolded."""
        self.lines: tuple[Line, ...] = ()
        self.before: frozenset[str] = frozenset()
        """What the lines said before the last event."""
        self.marks: frozenset[str] = frozenset()

    def show(self, view: View) -> None:
        """Show the prompt of the skill that is looked at: as it is where that one is live, else as it would be."""
        was, self.view = self.view, view
        placed = _placed(view)
        made = prompt(view.project, placed)
        title = f"{self.title} · {_named(view)}"
        news = was is not None and was.session is not view.session
        if self.border_title != Content(visible(title)):
            self.before, self.marks = frozenset(), frozenset()
            self.cursor = 0
            self.scroll_to(y=0, animate=False, immediate=True)
        elif news:
            self.before = _texts(prompt_lines(self.made)) if self.made is not None else frozenset()
            self.marks = _texts(prompt_lines(made)) - self.before
        self.border_title = Content(visible(title))
        self.made = made
        self._lay()
        if self.has_focus:
            self.moved()

    def consider(self, key: str | None) -> None:
        """Show at the top what another value of this entry would change; `None`: nothing."""
        if key != self.key:
            self.key = key
            if key is not None:
                self.scroll_to(y=0, animate=False, immediate=True)
            self._lay()

    def on_resize(self) -> None:
        self._lay()
        super().on_resize()

    def action_unfold(self) -> None:
        """Write out the schema of the tool under the cursor, or what the entry under it would change; or fold it."""
        if (line := self._line()) and (name := line.tool or line.key):
            self.opened ^= {name}
            self._lay()

    def action_call(self) -> None:
        verdict = self._verdict()
        if verdict is not None:
            self.post_message(CallWanted(verdict.skill, verdict.tool))

    def chosen(self) -> None:
        self.action_unfold()

    def on_focus(self) -> None:
        self.moved()

    def moved(self) -> None:
        """Have the tool, or the entry, under the cursor explained."""
        line = self._line()
        if line is not None and line.key:
            self.on_key(line.key)
        elif verdict := self._verdict():
            self.on_tool(verdict)

    def _verdict(self) -> Verdict | None:
        """On the tool under the cursor."""
        line, offers = self._line(), self.made.tools if self.made is not None else ()
        return next((o.verdict for o in offers if line is not None and o.tool == line.tool), None)

    # -- inside --------------------------------------------------------------------------------------------------

    def _lay(self) -> None:
        width = self.scrollable_content_region.width - 1
        if width > 0 and self.view is not None and self.made is not None:
            self.show_rows(self._rows(self.view, self.made, width))

    def _rows(self, view: View, made: Made, width: int) -> Iterator[Row]:
        top = flip_lines(self.key, self._flips(view, self.key)) if self.key else ()
        for row in line_rows((*top, Line(())) if top else (), width):
            yield replace(row, id=("flip", row.id))
        unfolded = {key: self._flips(view, key) for key in self.opened if "." in key}
        self.lines = prompt_lines(made, self.opened, unfolded)
        for row in line_rows(self.lines, width):
            yield replace(row, marked=row.search in self.marks)

    def _flips(self, view: View, key: str) -> tuple[Flip, ...]:
        return flips(view.project, view.state, key, None if _live(view) else (view.look.skill, view.look.block))

    def _line(self) -> Line | None:
        """The line under the cursor, of which a row may show only a part."""
        match self.current.id if self.current else None:
            case (int(number), int()):
                return self.lines[number]
            case _:
                return None


def _live(view: View) -> bool:
    """Whether the skill, or block, that is looked at is the live one."""
    top = view.state.top
    return view.look == (Look(top.skill_id, top.block_id) if top is not None else Look())


def _placed(view: View) -> State:
    return view.state if _live(view) else as_if(view.project, view.state, view.look.skill, view.look.block)


def _named(view: View) -> str:
    look = view.look
    name = look.skill or "routing"
    name = f"{name} › {look.block}" if look.block else name
    return name if _live(view) else f"as if {name} were active"


def _texts(lines: tuple[Line, ...]) -> frozenset[str]:
    return frozenset("".join(words for words, _ in line.pieces) for line in lines)
