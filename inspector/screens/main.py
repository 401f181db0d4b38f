"""The one screen: panels on a board, folded into tabs where the terminal is narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from inspector.panels.bars import Banner, KeyBar, TabBar, TitleBar
from inspector.panels.conversation import Conversation, Talk
from inspector.panels.line import Line
from inspector.panels.lines import Lines
from inspector.panels.memory import Memory
from inspector.panels.problems import Problems
from inspector.panels.skills import Skills
from inspector.panels.timeline import Timeline
from inspector.panels.tools import Tools
from inspector.panels.why import Why
from inspector.reports.entry import entry_lines
from inspector.reports.explain import explain
from inspector.view import View
from inspector.visible import visible
from inspector_core.report import Verdict

if TYPE_CHECKING:
    from inspector.panels.prompt import Prompt
    from inspector.panels.recorded import Recorded

__all__ = ["Main"]

_SIZES: Final = [(0, "-narrow"), (108, "-normal"), (160, "-wide")]
"""The class that the screen has from each width on."""


class Main(Screen[None]):
    """Lays the panels out and gives each the view to paint."""

    HORIZONTAL_BREAKPOINTS = _SIZES
    AUTO_FOCUS = "#tools"
    tab = "tools"
    begun = False
    fitted = ""

    def __init__(self) -> None:
        super().__init__(classes=f"-tab-{self.tab}")
        self.shown: View | None = None

    # -- the first frame -----------------------------------------------------------------------------------------

    def fit(self, width: int) -> None:
        """Have the class of this width from the beginning, rather than be laid out twice."""
        self.fitted = next(name for least, name in reversed(_SIZES) if width >= least)
        self.add_class(self.fitted)

    def begin(self, view: View) -> None:
        """Draw the first frame, at once."""
        self.begun = True
        if not self.has_class(self.fitted):
            self.update_node_styles(animate=False)
        self.show(view)
        self.post_message(events.Resize(self.size, self.size))

    def update_node_styles(self, animate: bool = True) -> None:
        """The panels have their styles from when they were mounted: up to the first frame they need no others."""
        if self.begun:
            super().update_node_styles(animate)

    def _compositor_refresh(self) -> None:
        """Draw nothing while there is nothing to show: each frame takes longer than to lay it out."""
        if self.begun:
            super()._compositor_refresh()

    async def furnish(self) -> None:
        """Mount what the first frame doesn't show, and needn't wait for."""
        line = Line(id="filter", placeholder="words to look for", compact=True)
        await self.mount(line, before=self.query_one(KeyBar))

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TabBar()
        yield Banner()
        with Container(id="board"):
            yield Skills("Skills", id="skills")
            yield Tools(
                "Tools", id="tools", on_tool=self.explain, elsewhere=self.is_elsewhere, on_strange=self.explain_strange
            )
            yield Memory("Memory", id="memory", on_key=self.explain_key)
            yield Why("Why", id="why")
            yield Problems("Problems", id="problems")
            yield Conversation(id="conversation")
            yield Timeline("Timeline", id="timeline")
        yield KeyBar()

    # -- painting ------------------------------------------------------------------------------------------------

    def show(self, view: View) -> None:
        """Paint everything from this view, in one frame."""
        first = self.shown is None or self.shown.reading
        self.shown = view
        with self.app.batch_update():
            self.query_one(TitleBar).show(view)
            self.query_one(Banner).show(view)
            self.query_one(Skills).show(view)
            self.query_one(Memory).show(view)
            self.query_one(Tools).show(view, first=first and not view.reading)
            self.query_one(Problems).show(view)
            self.query_one(Conversation).show(view)
            self.query_one(Timeline).show(view)
            if (prompt := self.prompt) and self.is_prompt_shown():
                prompt.show(view)
            self._show_recorded(view)
            self.query_one(KeyBar).show_news(view.news, "error" if view.wrong else "accent")

    def _show_recorded(self, view: View) -> None:
        """The recording's own timeline takes the place of the session's; it is made when one is first looked at."""
        viewed = view.viewed is not None
        self.set_class(viewed, "-viewed")
        self.query_one(KeyBar).recorded = viewed
        found = self.query("#recording")
        if viewed and not found:
            from inspector.panels.recorded import Recorded

            recorded = Recorded("Recording", id="recording", explain=self.explain_event)
            self.query_one("#board").mount(recorded, after="#timeline")
            recorded.show(view)
        elif found:
            cast("Recorded", found.first()).show(view)
        if not viewed and self.focused_panel() == "recording":
            self.go_to("timeline")

    def explain(self, verdict: Verdict | None) -> None:
        """Explain the tool under the cursor; called in the key's own handler, so that both are painted at once."""
        if self.shown is not None:
            title = f"Why · {visible(verdict.tool)}" if verdict else "Why"
            lines = explain(self.shown.project, self.shown.state, verdict) if verdict else ()
            if self.shown.viewed is not None and verdict is not None:
                from inspector.reports.recorded import tool_lines

                lines = (*tool_lines(self.shown.viewed, verdict), *lines)
            self.query_one(Why).show_lines(title, lines)

    def explain_strange(self, skill: str | None, tool: str) -> None:
        """Tell what the recording knows of a tool that no file at hand has."""
        if self.shown is not None and self.shown.viewed is not None:
            from inspector.reports.recorded import strange_lines

            self.query_one(Why).show_lines(
                f"Why · {visible(tool)}", tuple(strange_lines(self.shown.viewed, skill, tool))
            )

    def explain_event(self, number: int) -> None:
        """Explain the recording's event under the cursor, while its timeline has the focus."""
        if self.shown is not None and self.shown.viewed is not None:
            from inspector.reports.recorded import event_lines

            self.query_one(Why).show_lines(f"Why · event {number}", tuple(event_lines(self.shown.viewed, number)))

    def explain_key(self, key: str) -> None:
        """Explain the memory entry under the cursor, while the memory has the focus."""
        if self.shown is not None:
            if (prompt := self.prompt) and self.is_memory_focused():
                prompt.consider(key)
            lines = entry_lines(self.shown.project, self.shown.state, key)
            if self.shown.viewed is not None:
                from inspector.reports.recorded import written_lines

                lines = (*written_lines(self.shown.viewed, key), *lines)
            self.query_one(Why).show_lines(f"Why · {visible(key)}", lines)

    def is_memory_focused(self) -> bool:
        """The explanation is about the memory entry under the cursor there."""
        return self.focused_panel() == "memory"

    def is_elsewhere(self) -> bool:
        """The explanation is about something else than the tool under the cursor of the tools."""
        return self.focused_panel() in ("memory", "prompt", "recording")

    # -- panels --------------------------------------------------------------------------------------------------

    def go_to(self, name: str) -> None:
        """Show a panel and put the focus in it."""
        if name == "prompt":
            self._open_prompt()
        name = "timeline" if name == "recording" else name
        if self.has_class("-narrow"):
            self._turn_to("tools" if name == "why" else name)
        elif name in ("problems", "why"):
            self.set_class(name == "problems", "-problems")
        elif name in ("prompt", "tools"):
            self.set_class(name == "prompt", "-prompt")
        id = "talk" if name == "conversation" else name
        target: Widget = self.query_one("#recording" if id == "timeline" and self.has_class("-viewed") else f"#{id}")
        target.focus()

    @property
    def prompt(self) -> Prompt | None:
        """The prompt's panel, once it was wanted: no start has to make it."""
        found = self.query("#prompt")
        return cast("Prompt", found.first()) if found else None

    def is_prompt_shown(self) -> bool:
        """Whether the prompt has a place on the screen now."""
        return self.tab == "prompt" if self.has_class("-narrow") else self.has_class("-prompt")

    def _open_prompt(self) -> None:
        from inspector.panels.prompt import Prompt

        prompt = self.prompt
        if prompt is None:
            prompt = Prompt("Prompt", id="prompt", on_tool=self.explain, on_key=self.explain_key)
            self.query_one("#board").mount(prompt, after="#tools")
        if self.shown is not None:
            prompt.show(self.shown)
        if self.is_memory_focused():
            prompt.consider(self.query_one(Memory).key)

    def toggle_problems(self) -> None:
        """Show the problems in place of the explanation, or take them away again."""
        shown = self.query_one("#problems").display and self.query_one("#problems").has_focus
        self.go_to("why" if shown else "problems")
        if shown:
            self.go_to("tools")

    def _turn_to(self, tab: str) -> None:
        self.remove_class(f"-tab-{self.tab}")
        self.tab = tab
        self.add_class(f"-tab-{tab}")
        self.query_one(TabBar).show_tab(tab)

    def focused_panel(self) -> str:
        """The panel that has the focus, by its id."""
        node = self.focused
        return (node.id or "") if node is not None else ""

    def focused_lines(self) -> Lines | None:
        """The rows that have the focus."""
        return self.focused if isinstance(self.focused, Lines) else None

    def about_focused(self) -> str:
        """What the focused panel shows, in words."""
        return self.focused.ABOUT if isinstance(self.focused, (Lines, Talk)) else ""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        panel = self.focused_panel()
        self.query_one(KeyBar).show_panel(panel)
        self.set_class(panel in ("timeline", "recording"), "-timeline")
        if (prompt := self.prompt) and panel not in ("memory", "prompt"):
            prompt.consider(None)

    # -- the filter ----------------------------------------------------------------------------------------------

    def open_filter(self) -> None:
        """A line whose words sift the rows of the focused panel."""
        self.sifted = self.focused_lines() or self.query_one(Tools)
        line = self.query_one("#filter", Input)
        line.add_class("-shown")
        line.value = self.sifted.needle
        line.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "filter" and event.input.has_class("-shown"):
            self.sifted.filter(event.value)

    def close_filter(self, clear: bool) -> None:
        """Leave the line; the rows stay sifted unless it is cleared."""
        line = self.query_one("#filter", Input)
        line.remove_class("-shown")
        if clear:
            self.sifted.filter("")
        self.sifted.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "filter":
            event.stop()
            self.close_filter(clear=False)

    def on_key(self, event: events.Key) -> None:
        self.query_one(KeyBar).fade()
        if event.key == "escape":
            if self.focused_panel() == "filter":
                self.close_filter(clear=True)
            elif (lines := self.focused_lines()) and lines.needle:
                lines.filter("")
